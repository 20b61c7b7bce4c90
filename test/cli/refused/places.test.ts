// Tests that no option takes an address for the name of a folder or file, and that file: means the same in each.
import { symlink } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { localPath } from '../../../src/core/model/stores/local-path.ts';
import { isBucketPlace, stores } from '../../../src/core/model/stores/places.ts';
import * as library from '../../../src/library.ts';
import { desk } from '../../support/desk.ts';
import { type Place, place } from '../../support/place.ts';

const slackExport = {
  'export/users.json': '[{"id":"U1","name":"ann"}]',
  'export/channels.json': '[{"id":"C1","name":"all","members":["U1"]}]',
  'export/all/2024-01-01.json': '[{"type":"message","user":"U1","text":"hi","ts":"1704096000.000100"}]',
};

/** Misspelt buckets, addresses, and forms that other programs know. */
const wrong = [
  's4://acme/files',
  'gcs://acme/files',
  'S3://acme/files',
  'file:///srv/files',
  'https://acme.example/files',
];

const files = 'convert-files slack export --public-url https://cdn.example.com';

/** Each option that names a place, with PLACE where it stands. */
const commands = [
  `${files} --out-dir chat --to PLACE`,
  `${files} --out-dir PLACE --to copies`,
  'convert slack export --out-dir PLACE',
  'convert table export/users.json --out-dir other --mapping PLACE',
  'convert slack export --out-dir other --identities PLACE',
  'export --out-dir PLACE',
  'init PLACE',
  'init new --state PLACE',
  'plan chat.yaml --state PLACE',
  'plan chat.yaml --out PLACE',
  'plan chat.yaml --write html=PLACE',
  'apply chat.yaml --auto-approve --report PLACE',
  'apply chat.yaml --auto-approve --events PLACE',
  'apply chat.yaml --auto-approve --tokens-out PLACE',
  'verify chat.yaml --report PLACE.json',
  'test --junit PLACE',
  'calibrate --auto-approve --out PLACE',
  'state pull PLACE',
  'state list --state PLACE',
  'emulator --port 0 --data PLACE',
];

async function converted(): Promise<Place> {
  const at = await place({
    ...slackExport,
    ...desk,
    'desk.test.yaml': 'tests:\n  - name: t\n    expect: { counts: {} }\n',
  });
  await at.does('convert slack export --out-dir chat');
  return at;
}

describe('an address', () => {
  test('is refused by every option that takes a place, and nothing is written', async () => {
    const at = await converted();
    await at.does('apply --auto-approve chat.yaml');
    const before = Object.keys(await at.content());
    for (const command of commands) {
      for (const address of wrong) {
        const end = await at.run(command.replace('PLACE', address));
        expect({ command, address, exit: end.exit }).toEqual({ command, address, exit: 64 });
        expect(end.stderr, command).toMatch(/cannot be in \w+:\/\/|is not a place for state/u);
      }
    }
    expect(Object.keys(await at.content())).toEqual(before);
  });

  test.for(wrong)('is refused by the library: %s', async (address) => {
    const { cwd } = await converted();
    const conversion = { source: 'slack', exported: 'export', cwd } as const;
    const calls = {
      to: () => library.copyFiles({ ...conversion, out: 'chat', to: address, publicUrl: 'https://cdn.example.com' }),
      out: () => library.convert({ ...conversion, out: address }),
      mapping: () => library.convert({ source: 'table', exported: 'export', out: 'x', mapping: address, cwd }),
      export: () => library.exportEstate({ out: address, cwd }),
      plan: () => library.plan({ paths: ['chat.yaml'], out: address, cwd }),
      state: () => library.plan({ paths: ['chat.yaml'], state: address, cwd }),
    };
    for (const [name, call] of Object.entries(calls))
      await expect(call(), name).rejects.toMatchObject({ name: 'Refusal', exitCode: 64 });
  });
});

test('file: names a path in every option', async () => {
  const at = await converted();
  await at.does(`${files} --out-dir file:chat --to file:copies`);
  await at.does('convert slack export --out-dir file:again');
  await at.does('plan chat.yaml --state file:its --out file:plan.chatform');
  const names = Object.keys(await at.content());
  expect(names.filter((name) => name.startsWith('file:'))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['again/conversion/report.md', 'plan.chatform']));
});

test.for([
  ['folder/a', 'folder/a'],
  ['file:folder', 'folder'],
  ['file:/srv/a', '/srv/a'],
  ['C:\\chat', 'C:\\chat'],
  ['2024-01-01T10:00/a', '2024-01-01T10:00/a'],
  ['odd:name', 'odd:name'],
] as const)('reads the path %s as %s', ([text, path]) => {
  expect(localPath(text, 'A file')).toBe(path);
});

test('says how a path is written that looks like a URL', () => {
  const refusal = (text: string) => expect(() => localPath(text, 'Copies'));
  refusal('file:///srv/a').toThrow(expect.objectContaining({ advice: 'Nothing was done. Write file:/srv/a' }));
  // What follows the scheme may be a password.
  refusal('postgres://user:SECRET@host/db').toThrow('Copies cannot be in postgres://.');
});

test.for(Object.keys(stores))('tells whether %s is a bucket', (scheme) => {
  const isBucket = ['s3', 'azblob', 'gs'].includes(scheme);
  expect(isBucketPlace(`${scheme}://name/prefix`)).toBe(isBucket);
  expect(() => localPath(`${scheme}://name/prefix`, 'Copies')).toThrow('cannot be in');
});

describe('a folder of git', () => {
  /** Two are read, and `init` makes no folder for a state. */
  const reading = /--mapping PLACE|--identities PLACE|^init new|^calibrate/u;
  test.for(commands.filter((command) => !reading.test(command)))('takes nothing of: chatform %s', async (command) => {
    const at = await converted();
    await at.write({ '.git/HEAD': 'ref: refs/heads/main\n', 'a/file': '' });
    await symlink('.git', at.path('link'));
    if (command.startsWith('state')) await at.does('apply chat.yaml --auto-approve');
    const before = await at.content('.git');
    for (const inGit of ['.git/x', 'link/x', 'file:.git/x', './a/../.git/hooks/x', '.GIT/x']) {
      const isState = command.includes('--state');
      const named = isState ? `file:${inGit.replace(/^file:/u, '')}` : inGit;
      const { exit, stderr } = await at.run(command.replace('PLACE', named));
      expect([exit, stderr], named).toEqual([1, expect.stringContaining('is in the folder of git')]);
    }
    expect(await at.content('.git')).toEqual(before);
  });
});
