// Tests that a conversion that cannot be done is refused with a code, and that nothing is written then.
import { createHash } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { convertExport } from '../../../src/migration/convert.ts';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { convertFiles, convertInto } from './support/converted.ts';
import { decided, Series } from './support/series.ts';
import { ann, jsonl, mattermost, room, said, slackFiles } from './support/small-exports.ts';
import { type ZipEntry, zipOf } from './support/zip.ts';

const small = slackFiles();
const { 'users.json': users = '', 'channels.json': channels = '', ...days } = small;
const unpackable = (): Buffer => {
  const bytes = zipOf(small);
  const at = bytes.indexOf('room/2023-11-14.json') + 'room/2023-11-14.json'.length;
  return bytes.fill(0xff, at, at + 20);
};

const lfsPointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 12345\n`;

describe('refuses with 65, and writes nothing for', () => {
  const shared: readonly ZipEntry[] = ['users.json', 'a.json', 'b.json', 'c.json', 'd.json'].map((name) => ({
    name,
    content: users.repeat(20),
    sharesFirst: true,
  }));
  const entry = (name: string, content: string, more: Partial<ZipEntry> = {}) => ({ name, content, ...more });
  test.for<readonly [what: string, content: string | Buffer, code: string, source?: string, file?: string]>([
    ['text that is no zip', 'hello', 'convert.not-an-export', 'slack', 'notes.txt'],
    ['a pointer of Git LFS', lfsPointer, 'convert.unreadable'],
    ['a file that age encrypted', 'age-encryption.org/v1\n', 'convert.unreadable', 'mattermost', 'export.jsonl'],
    ['a file that is a pointer of Git LFS', lfsPointer, 'convert.unreadable', 'mattermost', 'export.jsonl'],
    ['a zip whose end is missing', zipOf(small).subarray(0, 300), 'convert.cut'],
    ['a zip with a path that leads out', zipOf({ ...small, '../evil.json': '[]' }), 'convert.bad-path'],
    ['a zip with one name twice', zipOf([entry('users.json', users), entry('users.json', '[]')]), 'convert.bad-path'],
    ['a zip with a password', zipOf([entry('users.json', users, { isEncrypted: true })]), 'convert.encrypted'],
    ['a zip whose entries share their bytes', zipOf(shared), 'convert.zip-bomb'],
    [
      'a zip that unpacks to a thousand times its size',
      zipOf([entry('users.json', ' '.repeat(20_000_000))]),
      'convert.zip-bomb',
    ],
    [
      'a zip that lies about sizes',
      zipOf([entry('users.json', users, { claimedBytes: 3 }), entry('channels.json', channels)]),
      'convert.unreadable',
    ],
    [
      'a zip with a wrong checksum',
      zipOf([entry('users.json', users, { checksum: 7 }), entry('channels.json', channels)]),
      'convert.unreadable',
    ],
    ['a day that cannot be unpacked, even after days that were written', unpackable(), 'convert.unreadable'],
    ['a Slack export without users.json', zipOf({ 'channels.json': channels, ...days }), 'convert.missing-file'],
    ['a users.json that was cut', zipOf({ ...small, 'users.json': users.slice(0, 20) }), 'convert.broken-file'],
    ['a channels.json that is not a list', zipOf({ ...small, 'channels.json': '{}' }), 'convert.broken-file'],
    [
      'a version line of another system',
      jsonl(mattermost.version, mattermost.room),
      'convert.wrong-export',
      'stream',
      'e.jsonl',
    ],
    ['another zip', zipOf({ 'readme.md': 'hello' }), 'convert.wrong-export'],
    ['a Slack export taken for one of Mattermost', zipOf(small), 'convert.wrong-export', 'mattermost'],
    [
      'a Stream file that was cut',
      '[{"type":"user","item":{"id":"u1"}},{"type":"us',
      'convert.broken-file',
      'stream',
      'e.json',
    ],
  ])('%s', async ([, content, code, source = 'slack', file = 'e.zip']) => {
    const folder = await temporaryFolder();
    await writeFiles(folder, { [file]: content });
    const converted = convertExport({ source, exported: join(folder, file), out: join(folder, 'out') });
    await expect(converted).rejects.toMatchObject({ code, exitCode: 65, message: expect.stringMatching(/[^.]\.$/u) });
    expect(Object.keys(await contentOf(folder))).toEqual([file]);
  });
});

test.for<readonly [what: string, exported: string, out: string, exit: number, code: string]>([
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
])('refuses %s, and writes nothing', async ([, exported, out, exit, code]) => {
  const cwd = await temporaryFolder({ file: 'mine', 'folder/conversion/decisions.yaml/x': '' });
  for (const name of ['export', 'chat/history/export', 'chat/conversion/export'])
    await writeFiles(join(cwd, name), small);
  await symlink('export', join(cwd, 'link'));
  await symlink('nowhere', join(cwd, 'dangling'));
  const before = await contentOf(cwd);
  await expectEnd(runCli(['convert', 'slack', exported, '--out-dir', out], { cwd }), exit, code);
  expect(await contentOf(cwd)).toEqual(before);
});

test('reads an export behind a link, and one beside the manifests', async () => {
  const cwd = await temporaryFolder();
  await writeFiles(join(cwd, 'chat/export'), small);
  await symlink('chat/export', join(cwd, 'link'));
  for (const exported of ['link', 'chat/export'])
    await expectEnd(runCli(['convert', 'slack', exported, '--out-dir', 'chat'], { cwd }), 0);
});

describe('files that people edited', () => {
  const outside = createHash('sha256').update('precious').digest('hex');
  test.for([
    ['users.yaml', 'that was edited', 'version: 1\nusers: {}\n'],
    ['conversion/generated.json', 'with marks of a merge', '<<<<<<< ours\n{}\n=======\n'],
    ['conversion/generated.json', 'without its files', '{"format_version": "1.0"}\n'],
    ['conversion/generated.json', 'cut', '{"format_version": "1.0", "files": {'],
    ['conversion/generated.json', 'with a file elsewhere', JSON.stringify({ files: { '../precious.txt': outside } })],
    [
      'conversion/.commit.json',
      'with a file elsewhere',
      JSON.stringify({ index: { files: {} }, removed: ['a/../../precious.txt'] }),
    ],
    [
      'conversion/.commit.json',
      'with a file of the system',
      JSON.stringify({ index: { files: {} }, removed: ['/etc/passwd'] }),
    ],
    ['conversion/.commit.json', 'of another form', '[]'],
  ] as const)('refuses a %s %s and changes nothing', async ([name, , broken]) => {
    const { folder } = await convertFiles('slack', small);
    await writeFiles(folder, { '../precious.txt': 'precious', 'policy.yaml': 'version: 1\n', [name]: broken });
    const before = await contentOf(join(folder, '..'));
    const again = convertInto('slack', join(folder, '../export'), folder);
    await expect(again).rejects.toMatchObject({ code: 'convert.edited', exitCode: 5 });
    expect(await contentOf(join(folder, '..'))).toEqual(before);
  });

  test('keeps ids, comments and choices of decisions.yaml in the next conversion', async () => {
    const series = await Series.of('slack');
    const mine = decided('# ours\nuser_ids:\n  U000001: ann-1 # she asked for it\nmessages: { joins: leave_out }');
    await series.write({ 'conversion/decisions.yaml': mine });
    await series.converted(small);
    const text = await series.read('conversion/decisions.yaml');
    for (const kept of ['# ours', 'U000001: ann-1 # she asked for it', 'joins: leave_out', 'U000002: U000002'])
      expect(text).toContain(kept);
    const renamed = { channels: [{ ...room, name: 'renamed' }], 'room/2023-11-14': [], 'renamed/2023-11-14': [said] };
    await series.converted(slackFiles(renamed));
    expect(await series.read('history/slack_C000001.ndjson')).toContain('"user_id":"ann-1"');
    expect(await series.read('conversion/decisions.yaml')).toBe(text);
  });

  test.for<readonly [string, string]>([
    ['source: stream', 'line 2: These decisions are for stream'],
    ['source: {}', 'line 2: source must be slack.'],
    ['source: slack\nusers: { guests: maybe }', 'line 3: users.guests is "maybe". Write declare or leave_out.'],
    ['source: slack\nuser_ids: { U1: ann@example.com }', 'is not an e-mail address'],
    ['source: slack\nuser_ids: { U1: constructor }', 'is not one of __proto__, constructor, prototype.'],
    ['source: slack\nchannel_urls: { C1: prototype }', 'is not one of __proto__, constructor, prototype.'],
    ['source: slack\nleft_out: { users: [U1] }', 'line 3: left_out.users must be a map'],
    ['source: slack\nleft_out: U1', 'line 3: left_out must be a map'],
    ['source: slack\nusers: leave_out', 'line 3: users must be a map'],
    ['source: slack\nfolders: { room: [C1, C2] }', 'line 3: Write the id of one channel.'],
    ['source: slack\nuser_ids: { U1: &id x }\naccepted: *id', 'line 4: accepted must be a map'],
    ['source: slack\nuser_ids: { U1: x, U2: x }', 'x is already given to U1.'],
    ['source: slack\naccepted: { text.markup: yes }', 'text.markup is not a reason for leaving something out.'],
    ['source: slack\nown: 1', 'own is unknown.'],
    ['source: slack\nusers: { constructor: declare }', 'users.constructor is unknown.'],
    ['source: [', 'line '],
  ])('refuses unusable decisions: %s', async ([text, detail]) => {
    const message = expect.stringContaining(detail);
    const failure = convertFiles('slack', small, `format_version: 1\n${text}\n`);
    await expect(failure).rejects.toMatchObject({ code: 'convert.decisions', exitCode: 65, message });
  });
});

test('refuses a folder with an interrupted conversion, even inside another folder, until it is converted again', async () => {
  const series = await Series.of('slack');
  await series.converted(slackFiles({ users: [ann] }));
  const index = JSON.parse(await series.read('conversion/generated.json')) as object;
  await series.write({ 'conversion/.commit.json': JSON.stringify({ index, removed: [] }) });
  for (const path of ['chat', '.'])
    await expectEnd(runCli(['validate', path], { cwd: series.cwd }), 65, 'convert.unfinished');
  await series.converted();
  await expectEnd(series.chat('validate'), 0);
});
