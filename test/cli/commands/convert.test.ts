// Tests the command convert: what it prints, how it ends, and what it refuses.
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { sources } from '../../../src/migration/convert/sources/index.ts';
import { zipOf } from '../../migration/convert/support/zip.ts';
import { Place, place } from '../../support/place.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { runCli } from '../../support/run-cli.ts';

const files = {
  'users.json': JSON.stringify([{ id: 'U000001', name: 'ann' }]),
  'channels.json': JSON.stringify([{ id: 'C000001', name: 'room', members: ['U000001'] }]),
  'room/2023-11-14.json': JSON.stringify([
    { type: 'message', user: 'U000001', text: 'hello', ts: '1700000000.000100' },
  ]),
};

async function folderWith(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const at = await place();
  await writeFile(at.path('export.zip'), zipOf({ ...files, ...more }));
  return at.cwd;
}

test('names what was left out without a decision, and ends with 4 under --strict until it is accepted', async () => {
  const at = new Place(await folderWith({ 'integration_logs.json': '[{}, {}]' }));
  const args = ['convert', 'slack', 'export.zip', '--out-dir', 'chat'];
  const { exit, stdout, stderr } = await at.run(args);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  expect(stdout).toContain('Wrote 1 user, 1 channel and 1 message to chat\n');
  expect(stdout).toContain('! 2 lines left out without a decision: object.not-carried\n');
  await at.ends([...args, '--strict'], 4);
  const decisions = 'format_version: 1\nsource: slack\naccepted: { object.not-carried: yes }\n';
  await writeFile(at.path('chat/conversion/decisions.yaml'), decisions);
  await at.does([...args, '--strict']);
});

test('keeps states out of git, and leaves a .gitignore of others alone', async () => {
  const at = new Place(await folderWith());
  const args = ['convert', 'slack', 'export.zip', '--out-dir', 'chat'];
  await at.run(args);
  const file = at.path('chat/.gitignore');
  expect(await readFile(file, 'utf8')).toMatch(/^\.chatform\/\*$/mu);
  await writeFile(file, 'mine\n');
  await at.does(args);
  expect(await readFile(file, 'utf8')).toBe('mine\n');
});

test.for<readonly [string, string, string]>([
  ['before it replaced any file. It begins again', 'conversion/.staged/users.yaml', 'half a file'],
  ['while it replaced its files. They are complete now', 'conversion/.commit.json', ''],
])('says that an earlier conversion was interrupted %s', async ([words, file, text]) => {
  const at = new Place(await folderWith());
  const convert = 'convert slack export.zip --out-dir chat';
  await at.does(convert);
  const before = await at.content('chat');
  // As a killed run leaves the folder.
  const index = JSON.parse(await at.read('chat/conversion/generated.json'));
  await at.write({ [`chat/${file}`]: text === '' ? JSON.stringify({ index, removed: [] }) : text });
  expect((await at.ends(convert, 0, words)).stderr).toContain('An earlier conversion into this folder');
  expect(Object.keys(await at.content('chat'))).toEqual(Object.keys(before));
  expect((await at.does(convert)).stderr).toBe('');
});

test('prints figures and reasons as JSON, and writes decisions that fit their schema', async () => {
  const at = new Place(await folderWith());
  const { stdout } = await at.run('convert slack export.zip --out-dir chat --format json');
  expect(JSON.parse(stdout)).toMatchObject({
    format_version: '1.0',
    users: 1,
    channels: 1,
    messages: 1,
    outcomes: { carried: 2, changed: 1, left_out: 0 },
    undecided: [],
  });
  const { stdout: schema } = await at.run('schema decisions');
  expect(JSON.parse(schema)).toMatchObject({ title: 'chatform decisions of a conversion' });
  expect(publishedSchema('decisions')({ format_version: 1, source: 'slack', own: 1 })).not.toEqual([]);
});

const systems = [...sources.map(({ name }) => name), 'table'];

test.for<readonly [string, readonly string[], number, string]>([
  ['an unknown system', ['irc', 'export.zip', '--out-dir', 'chat'], 64, `Choose one of ${systems.join(', ')}.`],
  ['no export', ['slack', '--out-dir', 'chat'], 64, 'Exactly one export is required.'],
  ['no table', ['table', '--mapping', 'm.yaml', '--out-dir', 'chat'], 64, 'At least one file or folder is required.'],
  ['two exports', ['slack', 'a.zip', 'b.zip', '--out-dir', 'chat'], 64, 'Exactly one export is required.'],
  ['no folder', ['slack', 'export.zip'], 64, '--out-dir is required.'],
  ['nothing to decode', ['--decode'], 64, 'No history file was given.'],
  ['a history file that is not there', ['--decode', 'missing.ndjson'], 65, 'convert.unreadable'],
  ['an export that is not there', ['slack', 'missing.zip', '--out-dir', 'chat'], 65, 'convert.not-found'],
  ['a device as an export', ['slack', '/dev/null', '--out-dir', 'chat'], 65, 'it is not a regular file'],
  ['a guess from a device', ['table', '--guess', '/dev/null'], 65, 'Pass the path of the export'],
  ['a guess from a file that is not there', ['table', '--guess', 'missing.sql'], 65, 'convert.not-found'],
])('refuses %s', async ([_name, args, exit, text]) => {
  const found = await runCli(['convert', ...args], { cwd: await folderWith() });
  expect(found).toMatchObject({ exit, stdout: '' });
  expect(found.stderr).toContain(text);
});

test('repeats no password of an address in the place of a file', async () => {
  for (const command of [
    'convert table postgres://u:SECRET@h/db --mapping m.yaml --out-dir o',
    'convert slack mysql://u:SECRET@h/db --out-dir o',
  ]) {
    const { stdout, stderr } = await (await place()).ends(command, 64, 'An export cannot be in');
    expect(stdout + stderr).not.toContain('SECRET');
  }
});
