// Tests that an export that was killed anywhere is continued by the same command, to the same files, with fewer requests.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import { expectDistinctNames } from '../../support/distinct-names.ts';
import { serve } from '../../support/loopback.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { spawnCli } from '../../support/spawn-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const channels = 12;
/** One channel has more than ten pages, after which its progress is noted. */
const longest = 2_700;
const messages = longest + (7 * channels * (channels - 1)) / 2;
/** One more message has a caption and three files. */
const linesOfCaptioned = 4;

interface Seen {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  /** Paths of requests, in their order. */
  readonly requests: string[];
  /** Called with each request before it is passed on. */
  onRequest: (path: string) => void;
}

/** An application with histories, behind a proxy that sees every request. */
async function application(): Promise<Seen> {
  const running = await startPlatform();
  const api = (path: string, body: JsonObject) => call(running, 'POST', path, body);
  for (const user_id of ['ann', 'bob']) await api('/users', { user_id, nickname: user_id, profile_url: '' });
  for (let channel = 0; channel < channels; channel++) {
    // Pairs differ only in case.
    const channel_url = `${channel % 2 === 0 ? 'room' : 'Room'}-${Math.floor(channel / 2)}`;
    await api('/group_channels', { channel_url, user_ids: ['ann', 'bob'] });
    const count = channel === 0 ? longest : channel * 7;
    for (let first = 0; first < count; first += 100) {
      const sent = Array.from({ length: Math.min(100, count - first) }, (_, place) => ({
        ...{ message_type: 'MESG', user_id: 'ann', message: `message ${first + place}` },
        // Three messages share each time.
        timestamp: 1_700_000_000_000 + Math.floor((first + place) / 3),
      }));
      await api(`/migration/${channel_url}`, { messages: sent });
    }
  }
  const files = ['1', '2', '3'].map((name) => ({ url: `https://files.example.com/${name}`, file_name: name }));
  const together = { user_id: 'ann', message_type: 'FILE', message: 'a caption', created_at: 1_700_000_000_001, files };
  await api('/group_channels/room-0/messages', together);
  const seen: Seen = { url: '', env: {}, requests: [], onRequest: () => {} };
  const host = await serve((request, response) => {
    const path = request.url ?? '';
    seen.requests.push(path);
    seen.onRequest(path);
    const headers = { 'Api-Token': running.token };
    const passed = fetch(`${new URL(running.url).origin}${path}`, { method: request.method ?? 'GET', headers });
    void passed
      .then(async (answer) => {
        response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(await answer.text());
      })
      .catch(() => response.destroy());
  });
  const url = `http://${host}${new URL(running.url).pathname}`;
  const env = { CHATFORM_BASE_URL: url, CHATFORM_API_TOKEN: running.token, CHATFORM_RATE_PLAN: '100k_mau' };
  return Object.assign(seen, { url, env });
}

async function filesIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(files.map(async (file) => [file.slice(folder.length), await readFile(file, 'utf8')]));
  return Object.fromEntries(texts.sort());
}

test('a killed export is continued by the same command, equal to an uninterrupted one and with fewer requests', async () => {
  const platform = await application();
  const cwd = await temporaryFolder({});
  const run = (out: string, killAt = Number.POSITIVE_INFINITY) => {
    platform.requests.length = 0;
    const args = ['export', '--messages', '--reactions', '--out-dir', out, '--state', `file:state-${out}`];
    const child = spawnCli([...args, '--format', 'json'], { cwd, env: platform.env });
    platform.onRequest = () => {
      if (platform.requests.length === killAt) child.kill('SIGKILL');
    };
    return child.ended;
  };
  const whole = await run('whole');
  expect(whole, whole.stderr).toMatchObject({ exit: 0 });
  const asked = platform.requests.length;
  const reads = platform.requests.filter((path) => path.includes('/messages?'));
  // A count and the pins of each channel.
  expect(JSON.parse(whole.stdout).price).toMatchObject({
    kinds: [
      { what: 'messages', objects: messages + 1, requests: reads.length + channels },
      { what: 'pins', objects: channels, requests: channels },
    ],
    requests: reads.length + 2 * channels,
    is_estimate: false,
  });
  const files = await filesIn(join(cwd, 'whole'));
  expectDistinctNames(Object.keys(files));
  for (const { out, killAt, isContinued } of [
    { out: 'while-listing', killAt: [3], isContinued: false },
    { out: 'in-a-history', killAt: [asked - 8, asked - reads.length - 2 * channels], isContinued: true },
    { out: 'near-its-end', killAt: [asked - 2], isContinued: true },
  ]) {
    for (const at of killAt) expect((await run(out, at)).exit).toBe(-1);
    const ended = await run(out);
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    expect(await filesIn(join(cwd, out))).toEqual(files);
    const result = JSON.parse(ended.stdout);
    expect(result).toMatchObject({
      messages: messages + linesOfCaptioned,
      continued: isContinued,
      requests: platform.requests.length,
    });
    if (isContinued) expect(result.requests).toBeLessThan(asked);
  }
  const plan = ['plan', 'near-its-end', '--state', 'file:state-near-its-end', '--detailed-exitcode'];
  expect(await spawnCli(plan, { cwd, env: platform.env }).ended).toMatchObject({ exit: 0 });
});
