// Tests that an export since an earlier one, finished or killed anywhere, equals an export of everything.

import { readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planChanges } from '../../../src/core/app/plan.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { exportApplication } from '../../../src/tools/live-import/export.ts';
import { identity, withoutState } from '../../core/app/support/ports.ts';
import { reaching } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { expectEnd } from '../../support/run-cli.ts';
import { fastTest, inSuite } from '../../support/suite.ts';

const start = 1_700_000_000_000;
const hour = 3_600_000;

interface Change {
  readonly what: 'write' | 'edit' | 'delete' | 'react' | 'pin';
  /** The place among the latest messages, modulo their number. */
  readonly place: number;
}

async function room() {
  const running = await startPlatform();
  const at = await place();
  const api = async (method: string, path: string, body?: JsonObject): Promise<JsonObject> => {
    const headers = { 'Api-Token': running.token, 'Content-Type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${running.url}${path}`, { method, headers, ...sent });
    return (await answer.json()) as JsonObject;
  };
  for (const id of ['ann', 'bob']) await api('POST', '/users', { user_id: id, nickname: id, profile_url: '' });
  await api('POST', '/group_channels', { channel_url: 'room', user_ids: ['ann', 'bob'] });
  const url = '/group_channels/room/messages';
  let time = start;
  const write = async (): Promise<void> => {
    time += hour;
    const message = { message_type: 'MESG', user_id: 'ann', message: `at ${time}`, timestamp: time };
    await api('POST', '/migration/room', { messages: [message] });
  };
  const act = async ({ what, place }: Change): Promise<void> => {
    if (what === 'write') return write();
    const { messages } = await api('GET', `${url}?message_ts=${time}&prev_limit=3&next_limit=0`);
    const there = messages as unknown as readonly { readonly message_id: number }[];
    const path = `${url}/${there[place % Math.max(1, there.length)]?.message_id ?? 0}`;
    if (what === 'edit') await api('PUT', path, { message_type: 'MESG', message: `edited ${place}` });
    else if (what === 'delete') await api('DELETE', path);
    else if (what === 'react') await api('POST', `${path}/reactions`, { user_id: 'bob', reaction: `r${place}` });
    else await api('POST', `${path}/pin`);
  };
  const run = async (...args: readonly string[]): Promise<void> => {
    await at
      .with({ env: { ...reaching(running) } })
      .does(['export', '--without-state', '--messages', '--reactions', ...args]);
  };
  return { cwd: at.cwd, write, act, run };
}

test('equals a full export, wherever the previous export was killed', async () => {
  const change = fc.record({
    what: fc.constantFrom<Change['what'][]>('write', 'write', 'edit', 'delete', 'react', 'pin'),
    place: fc.nat(3),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.nat(12),
      fc.array(change, { maxLength: 8 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      async (...given) => {
        const [messages, changes, cut] = given;
        const { cwd, write, act, run } = await room();
        for (let count = 0; count <= messages; count++) await write();
        await writeFiles(cwd, { 'chat.yaml': "version: 1\napplication: { base_url: 'emulator:x' }\n" });
        await run('--out-dir', 'monday');
        const historyFile = join(cwd, 'monday/history/room.ndjson');
        await truncate(historyFile, Math.floor((await readFile(historyFile)).length * cut));
        for (const one of changes) await act(one);
        await run('--out-dir', 'whole');
        await run('--out-dir', 'since', '--since', 'monday', '--overlap', '12h');
        const lines = async (folder: string) =>
          (await readFile(join(cwd, folder, 'history/room.ndjson'), 'utf8').catch(() => '')).split('\n');
        expect(await lines('since')).toEqual(await lines('whole'));
      },
    ),
    { numRuns: inSuite(3, 8) },
  );
});

fastTest('refuses flags for messages without --messages, and a missing folder', async () => {
  const at = await place();
  const run = (...args: readonly string[]) => at.run(['export', '--out-dir', 'copy', ...args]);
  await expectEnd(run('--since', 'monday'), 64, '--since needs');
  await expectEnd(
    run('--since', 'monday', '--messages', '--base-url', 'emulator:x', '--without-state'),
    64,
    'monday is not a folder',
  );
});

fastTest('records an application in state as exported, with reactions and pins', async () => {
  const ports = await withoutState();
  await exportApplication({ out: 'copy', baseUrl: identity, messages: true, reactions: true }, ports);
  expect((await planChanges({ paths: ['copy'] }, ports)).plan.changes).toHaveLength(0);
});
