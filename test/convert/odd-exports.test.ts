// Tests smaller things that real exports hold: nested values, webhooks, credentials in texts, people who were left out.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../support/folders.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { convertFiles } from './support/converted.ts';

const said = { type: 'message', user: 'U000001', text: 'hello', ts: '1700000000.000100' };
const slack = (messages: string, more: Readonly<Record<string, string>> = {}) => ({
  'users.json': JSON.stringify([
    { id: 'U000001', name: 'ann' },
    { id: 'U000002', name: 'bob' },
  ]),
  'channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001'], creator: 'U000002' }]),
  'room/2023-11-14.json': messages,
  ...more,
});
const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

test('values that are nested 100,000 deep are broken lines, and the others are carried', async () => {
  const deep = JSON.stringify({ ...said, ts: '1700000001.000100', blocks: 0 }).replace(
    '"blocks":0',
    `"blocks":${nested}`,
  );
  const { archives, ledger } = await convertFiles('slack', slack(`[${JSON.stringify(said)},${deep}]`));
  expect(archives.slack_C000001).toHaveLength(1);
  expect(ledger.at(-1)).toMatchObject({ at: 'room/2023-11-14.json#2', reason: 'object.broken' });
  const row = `{"type":"user","item":{"id":"u1","teams":${nested}}}`;
  const stream = await convertFiles('stream', { 'e.jsonl': `{"type":"user","item":{"id":"u2"}}\n${row}\n` });
  expect(stream.ledger[1]).toMatchObject({ reason: 'object.broken' });
});

test("a webhook's post shows the text of its attachments", async () => {
  const rows = [
    { type: 'channel', channel: { team: 'team', name: 'room', type: 'O' } },
    { type: 'user', user: { username: 'hook', teams: [{ name: 'team', channels: [{ name: 'room' }] }] } },
    {
      type: 'post',
      post: {
        team: 'team',
        channel: 'room',
        user: 'hook',
        type: 'slack_attachment',
        message: '',
        create_at: 1_700_000_000_000,
        props: { attachments: [{ title: 'Build 7', text: 'is green' }, { fallback: 'see the log' }] },
      },
    },
  ];
  const { archives } = await convertFiles('mattermost', {
    'export.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  });
  expect(archives.mattermost_team_room?.[0]?.message).toBe('Build 7\nis green\nsee the log');
});

test('passwords in URLs and tokens of apps are removed from texts', async () => {
  const text = 'see https://ann:secret@example.com/x and xapp-1-A0-abc';
  const { archives } = await convertFiles('slack', slack(JSON.stringify([{ ...said, text }])));
  expect(archives.slack_C000001?.[0]?.message).toBe('see https://example.com/x and ');
});

test('somebody who is left out is not the creator of a channel, and the purpose of a group conversation names nobody', async () => {
  const group = { id: 'G000001', name: 'mpdm-ann--bob-1', members: ['U000001'], purpose: { value: 'with: @ann @bob' } };
  const { folder } = await convertFiles(
    'slack',
    slack(JSON.stringify([said]), { 'mpims.json': JSON.stringify([group]) }),
    'format_version: 1\nsource: slack\nleft_out: { users: { U000002: asked } }\n',
  );
  const declared = await readFile(join(folder, 'group_channels.yaml'), 'utf8');
  expect(declared).not.toContain('U000002');
  expect(declared).not.toContain('@bob');
});

test('an output folder in the export is refused, and nothing is written there', async () => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, 'export/out'), { recursive: true });
  await writeFiles(join(cwd, 'export'), slack(JSON.stringify([said])));
  for (const out of ['export', 'export/out']) {
    expect(await runCli(['convert', 'slack', 'export', '--out', out], { cwd })).toMatchObject({
      exit: 65,
      stderr: expect.stringContaining('convert.own-folder'),
    });
  }
});
