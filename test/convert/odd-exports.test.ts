// Tests oddities of real exports: nested values, webhooks, credentials in texts, people who were left out.
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contentOf, writeFiles } from '../support/folders.ts';
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

test('treats values nested 100,000 deep as broken lines, and keeps the others', async () => {
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

/** The value that replaces the `0` in `deep`, after the exports were written as JSON. */
const withDeep = (value: unknown): string => JSON.stringify(value).replaceAll('"deep":0', `"deep":${nested}`);

describe('values that are nested 100,000 deep', () => {
  const author = { id: '100000000000000001', name: 'ann' };
  const at = '2024-01-01T10:00:00Z';
  const cases: readonly (readonly [string, string, Readonly<Record<string, string>>])[] = [
    [
      'slack',
      'a user',
      slack(JSON.stringify([said]), { 'users.json': withDeep([{ id: 'U000001', name: 'ann', deep: 0 }]) }),
    ],
    [
      'slack',
      'a channel',
      slack(JSON.stringify([said]), {
        'channels.json': withDeep([{ id: 'C000001', name: 'room', topic: { deep: 0 } }]),
      }),
    ],
    [
      'mattermost',
      'a post',
      {
        'e.jsonl': `${JSON.stringify({ type: 'version', version: 1 })}\n${withDeep({ type: 'post', post: { deep: 0 } })}\n`,
      },
    ],
    [
      'discord',
      'the head and a message',
      {
        'e.json': withDeep({
          guild: { id: '1', name: 'G', deep: 0 },
          channel: { id: '7', type: 'GuildTextChat', name: 'room' },
          messages: [{ id: '1', type: 'Default', timestamp: at, content: 'hi', author, embeds: [{ deep: 0 }] }],
        }),
        'f.json': JSON.stringify({ guild: { id: '1' }, channel: { id: '8', name: 'other' }, messages: [] }),
      },
    ],
    [
      'sendbird',
      'a message',
      {
        'e.json': withDeep({
          channel: { channel_url: 'own_url', members: [{ user_id: 'ann-1' }] },
          messages: [{ message_id: 1, message: 'hi', created_at: 1_700_000_000_000, deep: 0 }],
        }),
      },
    ],
  ];
  test.for(cases)('%s: in %s, have a line or change nothing', async ([source, , files]) => {
    const { ledger } = await convertFiles(source, files);
    expect(new Set(ledger.map(({ at: place }) => place.split(/[#/]/u)[0]))).toEqual(
      new Set(Object.keys(files).map((name) => name.split('/')[0])),
    );
  });
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

test('removes passwords in URLs and tokens of apps from texts', async () => {
  const text = 'see https://ann:secret@example.com/x and xapp-1-A0-abc';
  const { archives } = await convertFiles('slack', slack(JSON.stringify([{ ...said, text }])));
  expect(archives.slack_C000001?.[0]?.message).toBe('see https://example.com/x and ');
});

test('does not name a creator who is left out along with all deleted users', async () => {
  const people = [
    { id: 'U000001', name: 'ann' },
    { id: 'U000002', name: 'bob', deleted: true },
  ];
  const { folder } = await convertFiles(
    'slack',
    slack(JSON.stringify([said]), { 'users.json': JSON.stringify(people) }),
    'format_version: 1\nsource: slack\nusers: { deleted: leave_out }\n',
  );
  expect(await readFile(join(folder, 'group_channels.yaml'), 'utf8')).not.toContain('U000002');
});

test('names no creator who is left out, and nobody in the purpose of a group conversation', async () => {
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

describe('paths', () => {
  const refused: readonly (readonly [what: string, exported: string, out: string, exit: number, code: string])[] = [
    ['the export itself as the output', 'export', 'export', 65, 'convert.own-folder'],
    ['an output in the export', 'export', 'export/out', 65, 'convert.own-folder'],
    ['an output in the export behind a link', 'export', 'link/out', 65, 'convert.own-folder'],
    ['an export behind a link, with an output in it', 'link', 'export/out', 65, 'convert.own-folder'],
    ['an export among archives', 'chat/history/export', 'chat', 65, 'convert.own-folder'],
    ['an export among conversion files', 'chat/conversion/export', 'chat', 65, 'convert.own-folder'],
    ['a link that leads nowhere', 'dangling', 'chat', 65, 'convert.not-found'],
    ['a file as the output', 'export', 'file', 1, 'file.unwritable'],
    ['an output below a file', 'export', 'file/below', 1, 'file.unwritable'],
    ['a folder in the place of the decisions', 'export', 'folder', 65, 'convert.decisions'],
  ];
  test.for(refused)('refuses %s, and writes nothing', async ([, exported, out, exit, code]) => {
    const cwd = await temporaryFolder();
    const files = slack(JSON.stringify([said]));
    for (const name of ['export', 'chat/history/export', 'chat/conversion/export'])
      await writeFiles(join(cwd, name), files);
    await writeFiles(cwd, { file: 'mine', 'folder/conversion/decisions.yaml/x': '' });
    await symlink('export', join(cwd, 'link'));
    await symlink('nowhere', join(cwd, 'dangling'));
    const before = await contentOf(cwd);
    expect(await runCli(['convert', 'slack', exported, '--out', out], { cwd })).toMatchObject({
      exit,
      stderr: expect.stringContaining(code),
    });
    expect(await contentOf(cwd)).toEqual(before);
  });

  test('reads an export behind a link, and one beside the manifests', async () => {
    const cwd = await temporaryFolder();
    await writeFiles(join(cwd, 'chat/export'), slack(JSON.stringify([said])));
    await symlink('chat/export', join(cwd, 'link'));
    for (const exported of ['link', 'chat/export']) {
      expect(await runCli(['convert', 'slack', exported, '--out', 'chat'], { cwd })).toMatchObject({ exit: 0 });
    }
  });
});
