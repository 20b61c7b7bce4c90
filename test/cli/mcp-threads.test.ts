// Tests that a call of a tool ends at its time limit and when it is cancelled, however busy the thread is, with planted tools.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ToolThreads } from '../../src/cli/mcp/tool-threads.ts';
import { makeFolder, removeFolder } from '../support/folders.ts';

/** `busy` never returns to the event loop, `saves` has begun to save its result, `ends` ends the thread. */
const program = `import { parentPort, workerData, threadId } from 'node:worker_threads';
const state = new Int32Array(workerData.toolThread);
const answer = (text) => parentPort.postMessage({ content: [{ type: 'text', text }] });
parentPort.on('message', (message) => {
  if (message === undefined) return;
  const { name, callArguments } = message;
  if (name === 'busy') for (;;) {}
  if (name === 'ends') process.exit(3);
  if (name === 'saves') {
    Atomics.store(state, 0, 2);
    setTimeout(() => answer('saved'), 100);
  }
  if (name === 'thread') answer(String(threadId));
  if (name === 'arguments') answer([...process.argv.slice(2), callArguments.word].join(' '));
});
parentPort.postMessage('ready');
`;

let folder = '';
let threads: ToolThreads;
beforeAll(async () => {
  folder = await makeFolder();
  await writeFile(join(folder, 'planted.mjs'), program);
  threads = new ToolThreads({ file: join(folder, 'planted.mjs'), args: ['mcp', '--plain'], graceMs: 100 });
});
afterAll(async () => {
  await threads.end();
  await removeFolder(folder);
});

async function call(name: string, timeoutMs = 30_000, cancelling = new AbortController().signal): Promise<string> {
  const { content } = await threads.call({ name, callArguments: { word: 'hi' }, timeoutMs, cancelling });
  return content.map(({ text }) => text).join('');
}

const running = () => process.getActiveResourcesInfo().filter((name) => name === 'Worker').length;

test('a thread has the arguments of the server, and is used again', async () => {
  expect(await call('arguments')).toBe('mcp --plain hi');
  expect(await call('thread')).toBe(await call('thread'));
});

describe('a busy tool', () => {
  test('ends at its time limit, and its thread with it', async () => {
    const before = running();
    await expect(call('busy', 20)).rejects.toMatchObject({ code: 'mcp.timeout', exitCode: 9 });
    await vi.waitFor(() => expect(running()).toBeLessThan(Math.max(1, before)), { timeout: 10_000 });
  });

  test('ends when it is cancelled, and others are answered meanwhile', async () => {
    const stop = new AbortController();
    const busy = call('busy', 30_000, stop.signal);
    busy.catch(() => undefined);
    expect(await call('arguments')).toBe('mcp --plain hi');
    stop.abort();
    await expect(busy).rejects.toMatchObject({ code: 'mcp.cancelled', exitCode: 8 });
  });

  test('has a limit that is longer than a timer can be', async () => {
    expect(await call('arguments', 600 * 3_600_000)).toBe('mcp --plain hi');
  });

  test('does not start when it was cancelled before', async () => {
    await expect(call('busy', 30_000, AbortSignal.abort())).rejects.toMatchObject({ code: 'mcp.cancelled' });
    expect(await call('arguments')).toBe('mcp --plain hi');
  });
});

test('a tool that is saving its result gives it, although its time is over', async () => {
  expect(await call('saves', 20)).toBe('saved');
  expect(await call('arguments')).toBe('mcp --plain hi');
});

test('a thread that ends by itself is an error, and the next call has another one', async () => {
  await expect(call('ends')).rejects.toThrow('The thread of the tool ended');
  expect(await call('arguments')).toBe('mcp --plain hi');
});
