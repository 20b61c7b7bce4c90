// Tests exports in several files, archives or folders: every file has a line in the ledger.
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { convertFiles, convertInto } from './support/converted.ts';
import { zipOf } from './support/zip.ts';

const user = (username: string) => ({
  type: 'user',
  user: { username, teams: [{ name: 'team', channels: [{ name: 'room' }] }] },
});
const post = (message: string, create_at: number) => ({
  type: 'post',
  post: { team: 'team', channel: 'room', user: 'ann', message, create_at },
});
const room = { type: 'channel', channel: { team: 'team', name: 'room', type: 'O' } };
const jsonl = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const textsOf = (lines: readonly { readonly message?: unknown }[] = []) => lines.map(({ message }) => message);

test('reads all parts of a Mattermost export, past JSONL files that people attached', async () => {
  const { archives, ledger } = await convertFiles('mattermost', {
    'data/2024/log.jsonl': jsonl({ level: 'info' }),
    'a-log.jsonl': jsonl({ level: 'warn' }),
    'export-1.jsonl': jsonl({ type: 'version', version: 1 }, room, user('ann'), post('one', 1_700_000_000_000)),
    'export-2.jsonl': jsonl(post('two', 1_700_000_001_000)),
    'export-10.jsonl': jsonl(post('three', 1_700_000_002_000)),
  });
  expect(textsOf(archives.mattermost_team_room)).toEqual(['one', 'two', 'three']);
  expect(ledger.filter(({ reason }) => reason === 'file.unknown').map(({ at }) => at)).toEqual([
    'a-log.jsonl',
    'data/2024/log.jsonl',
  ]);
});

const workspace = (day: string, text: string, name: string) => ({
  'users.json': JSON.stringify([{ id: 'U000001', name }]),
  'channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001'] }]),
  [`room/${day}.json`]: JSON.stringify([
    { type: 'message', user: 'U000001', text, ts: `${Date.parse(`${day}T08:00:00Z`) / 1000}.000100` },
  ]),
});

test('reads all Slack exports in a folder, and takes people from the latest', async () => {
  const folder = await temporaryFolder();
  const exported = join(folder, 'export');
  await mkdir(join(exported, 'february/room'), { recursive: true });
  for (const [name, text] of Object.entries(workspace('2024-02-01', 'two', 'ann now')))
    await writeFile(join(exported, 'february', name), text);
  await writeFile(join(exported, 'january.zip'), zipOf(workspace('2024-01-01', 'one', 'ann')));
  const { archives, ledger } = await convertInto('slack', exported, join(folder, 'out'));
  expect(textsOf(archives.slack_C000001)).toEqual(['one', 'two']);
  expect(ledger.map(({ at }) => at)).toContain('january.zip/room/2024-01-01.json#1');
  const users = await runCli(['explain', 'user.U000001'], { cwd: join(folder, 'out') });
  expect(users.stdout).toContain('ann now');
});

test('reads the workspaces of an organisation, whose folders are below teams', async () => {
  const { 'users.json': users = '', 'channels.json': channels = '', ...days } = workspace('2024-01-01', 'hello', 'ann');
  const inTeams = Object.entries(days).map(([name, text]) => [`teams/Sales/${name}`, text] as const);
  const { archives } = await convertFiles('slack', {
    'org_users.json': users,
    'channels.json': channels,
    ...Object.fromEntries(inTeams),
  });
  expect(textsOf(archives.slack_C000001)).toEqual(['hello']);
});

test('refuses a truncated archive in the folder, and one with a wrong checksum', async () => {
  const folder = await temporaryFolder();
  const exported = join(folder, 'export');
  await mkdir(exported);
  const whole = zipOf(workspace('2024-01-01', 'one', 'ann'));
  await writeFile(join(exported, 'january.zip'), whole);
  await writeFile(join(exported, 'february.zip'), whole.subarray(0, -40));
  await expect(convertInto('slack', exported, join(folder, 'out'))).rejects.toMatchObject({ code: 'convert.cut' });
  const changed = zipOf([
    { name: 'users.json', content: '[]', checksum: 7 },
    { name: 'channels.json', content: '[]' },
  ]);
  await writeFile(join(folder, 'changed.zip'), changed);
  await expect(convertInto('slack', join(folder, 'changed.zip'), join(folder, 'out'))).rejects.toMatchObject({
    code: 'convert.unreadable',
    message: expect.stringContaining('checksum'),
  });
});

test('refuses an unreadable file, and gives a link its line', async () => {
  const folder = await temporaryFolder();
  const exported = join(folder, 'export.jsonl');
  await mkdir(exported);
  await writeFile(join(exported, 'export.jsonl'), jsonl(room, user('ann')));
  await symlink('/etc/hosts', join(exported, 'more.jsonl'));
  const { ledger } = await convertInto('mattermost', exported, join(folder, 'out'));
  expect(ledger.at(-1)).toMatchObject({ at: 'more.jsonl', reason: 'file.link' });
  if (process.getuid?.() === 0) return;
  await chmod(join(exported, 'export.jsonl'), 0);
  await expect(convertInto('mattermost', exported, join(folder, 'out'))).rejects.toMatchObject({
    code: 'convert.unreadable',
  });
});
