// Tests chatform test: the inputs of a test, its comparisons, and problems of test files.
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { place } from '../../../support/place.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const manifest = `version: 1
application: { base_url: emulator:.chatform/emulator, rate_plan: 100k_mau }
variables: { region: { default: eu } }
users:
  alice: { nickname: "Alice $\{var.region}" }
  bob: { nickname: Bob }
open_channels:
  lobby: { name: Lobby, operators: [alice] }
group_channels:
  club-1: { name: Club, members: { alice:, bob: }, operators: [alice], messages: { file: club.ndjson } }
`;
const historyFile = '{"message_type":"MESG","user_id":"alice","message":"Hello","timestamp":1700000000000}\n';

interface Found {
  readonly exit: number;
  readonly stderr: string;
  readonly tests: readonly {
    readonly name: string;
    readonly failures: readonly { readonly what: string; readonly expected: string; readonly actual: string }[];
  }[];
}

async function run(tests: readonly object[]): Promise<Found> {
  const at = await place({
    'chat.yaml': manifest,
    'club.ndjson': historyFile,
    'chat.test.yaml': JSON.stringify({ tests }),
  });
  const { exit, stdout, stderr } = await at.run('test --format json');
  const report = exit === 0 || exit === 4 ? (JSON.parse(stdout) as { tests: Found['tests'] }) : { tests: [] };
  return { exit, stderr, tests: report.tests };
}

const replace = (text: string, by: string) => ({ edit: [{ file: 'chat.yaml', replace: text, with: by }] });

const met: readonly { readonly name: string; readonly given?: object; readonly expect: object }[] = [
  {
    name: 'everything is new',
    given: { applied: false },
    expect: { counts: { create: 4, migrate: 1 }, outcome: 'done', end: { 'user.alice': { nickname: 'Alice eu' } } },
  },
  { name: 'nothing is to do', expect: { counts: {}, addresses: [] } },
  {
    name: 'a variable',
    given: { applied: false, variables: { region: 'us' } },
    expect: { end: { 'user.alice': { nickname: 'Alice us' } } },
  },
  {
    name: 'an edit',
    given: replace('nickname: Bob', 'nickname: Bobby'),
    expect: { counts: { update: 1 }, end: { 'user.bob': { nickname: 'Bobby' } } },
  },
  {
    name: 'a new file',
    given: { edit: [{ file: 'more/z.yaml', write: 'version: 1\nusers: { zoe: { nickname: Zoe } }\n' }] },
    expect: { addresses: ['user.zoe'] },
  },
  {
    name: 'a file that is gone',
    given: { edit: [{ file: 'club.ndjson', remove: true }] },
    expect: { errors: ['manifest.file-missing'] },
  },
  {
    name: 'a live change',
    given: { live: [{ call: 'PUT /users/bob', body: { nickname: 'Robert' } }] },
    expect: { counts: { 'user.update': 1 }, end: { 'user.bob': { nickname: 'Bob' } } },
  },
  {
    name: 'a live change without a refresh',
    given: { refresh: false, live: [{ call: 'PUT /users/bob', body: { nickname: 'Robert' } }] },
    expect: { counts: {} },
  },
  {
    name: 'a fault that heals',
    given: { applied: false, faults: [{ fault: 'error_503', at: [1, 2, 3] }] },
    expect: { outcome: 'done', duration: '5m' },
  },
  {
    name: 'a shrunk manifest',
    given: { edit: [{ file: 'chat.yaml', write: 'version: 1\nusers: { alice: { nickname: Alice } }\n' }] },
    expect: { refusals: ['safety.input-shrank'] },
  },
  {
    name: 'an expired acknowledgement',
    given: {
      date: '2027-01-01',
      ...replace(
        'users:',
        'policy: { acknowledge: [{ effect: user.deactivate, count: 1, expires: "2026-06-01" }] }\nusers:',
      ),
    },
    expect: { counts: {}, warnings: [] },
  },
  ...[1, 2, 3, 4, 5].map((kill) => ({
    name: `killed at ${kill}`,
    given: { applied: false, kill },
    expect: { outcome: 'done', end: { 'messages.club-1': {}, 'group_channel.club-1': { operators: ['alice'] } } },
  })),
];

test('passes tests whose expectations are met', async () => {
  const { exit, tests, stderr } = await run(met);
  expect(tests.filter(({ failures }) => failures.length > 0)).toEqual([]);
  expect([exit, stderr]).toEqual([0, '']);
  expect(tests.length).toBe(met.length);
});

const unmet: readonly (readonly [name: string, what: string, expected: object, given?: object])[] = [
  ['counts', 'expect.counts', { counts: { create: 1 } }],
  ['addresses', 'expect.addresses', { addresses: [] }, replace('nickname: Bob', 'nickname: B')],
  ['an error that nobody expects', 'expect.errors', { counts: {} }, replace('nickname: Bob', 'nick: Bob')],
  ['an error that does not come', 'expect.errors', { errors: ['manifest.syntax'] }],
  ['a refusal that does not come', 'expect.refusals', { refusals: ['safety.rule'] }],
  ['a warning that does not come', 'expect.warnings', { warnings: ['plan.rule'] }],
  ['another end', 'expect.end.user.bob', { end: { 'user.bob': { nickname: 'B' } } }, { applied: false }],
  ['an object that should be gone', 'expect.end.user.bob', { end: { 'user.bob': null } }, { applied: false }],
  ['another outcome', 'expect.outcome', { outcome: 'done' }, { applied: false, faults: [{ fault: 'quota_exceeded' }] }],
  ['too long', 'expect.duration', { duration: '5s' }, { applied: false, faults: [{ fault: 'latency', ms: 20_000 }] }],
  ['an edit that fits nothing', 'given', { counts: {} }, replace('nickname: Robert', 'x')],
  ['a call that is refused', 'given', { counts: {} }, { live: [{ call: 'PUT /users/nobody', body: {} }] }],
];

test('fails each expectation that is not met, and says what was found', async () => {
  const { exit, tests } = await run(unmet.map(([name, , expected, given]) => ({ name, given, expect: expected })));
  expect(exit).toBe(4);
  expect(tests.map(({ name, failures }) => [name, failures.map(({ what }) => what)[0]])).toEqual(
    unmet.map(([name, what]) => [name, what]),
  );
  for (const { failures } of tests) for (const { expected, actual } of failures) expect(actual).not.toBe(expected);
});

test.for<[string, object]>([
  ['a test that asserts nothing', { name: 'x', expect: {} }],
  ['a test without an expectation', { name: 'x' }],
  ['an unknown key', { name: 'x', expect: { count: {} } }],
  ['no duration', { name: 'x', expect: { duration: 'soon' } }],
  [
    'an edit of two kinds',
    { name: 'x', given: { edit: [{ file: 'a', write: '', remove: true }] }, expect: { counts: {} } },
  ],
  ['a kill before the first call', { name: 'x', given: { kill: 0 }, expect: { counts: {} } }],
])('%s is refused, with file and line', async ([, one]) => {
  const { exit, stderr } = await run([one]);
  expect(exit).toBe(65);
  expect(stderr).toContain('chat.test.yaml:1:');
});

test('refuses two tests with the same name, and a folder without tests', async () => {
  const one = { name: 'x', expect: { counts: {} } };
  expect((await run([one, one])).stderr).toContain('manifest.declared-twice');
  const at = await place({ 'chat.yaml': manifest });
  await at.ends('test', 64);
  await at.does('test --pass-with-no-tests');
  await at.ends('test --pass-with-no-tests --name x', 0);
});

test('writes a well-formed report for CI, with escaped names', async () => {
  const at = await place({
    'chat.yaml': manifest,
    'club.ndjson': historyFile,
    'a.test.yaml': JSON.stringify({ tests: [{ name: '<b> & "x" \u001b[31m', expect: { counts: { create: 9 } } }] }),
  });
  const end = await at.run('test --junit tests.xml');
  expect(end.exit).toBe(4);
  expect(end.stdout).not.toContain('\u001b[31m');
  const xml = await readFile(at.path('tests.xml'), 'utf8');
  expect(xml).toContain('<testcase name="&lt;b&gt; &amp; &quot;x&quot; \\u{1b}[31m" classname="a.test.yaml"');
  expect(xml).toContain('failures="1"');
  expect(xml.match(/<(?!\/|\?)[a-z]+/gu)?.length).toBe(4);
});

test('passes the tests that init writes, which are not read as manifests', async () => {
  const at = await place();
  await at.does('init');
  await at.does('test');
  const plan = await at.run('plan');
  expect(plan).toMatchObject({ exit: 0, stderr: '' });
});

test.for([
  ['an absolute path', { applied: '/etc/passwd' }, 'is outside the repository'],
  ['a path out of the folder', { manifests: '../other.yaml' }, 'is outside the repository'],
  ['a link out of the folder', { manifests: 'link.yaml' }, 'is outside the repository'],
  [
    'an edit of another file',
    { edit: [{ file: '/etc/passwd', replace: 'root', with: 'x' }] },
    'is outside the repository',
  ],
  ['the environment file', { applied: '.env' }, 'leads to .env'],
  ['a file of git', { manifests: ['chat.yaml', '.git/config'] }, 'leads to .git'],
  ['a link to a hidden file', { applied: 'hidden.yaml' }, 'leads to .env'],
])('reads nothing by %s', async ([, given, says]) => {
  const secret = 'geheim: [';
  const outside = await temporaryFolder({ 'other.yaml': secret });
  const at = await place({
    'chat.yaml': manifest,
    'club.ndjson': historyFile,
    '.env': secret,
    '.git/config': secret,
    'chat.test.yaml': JSON.stringify({ tests: [{ name: 'reads', given, expect: { counts: {} } }] }),
  });
  await symlink(join(outside, 'other.yaml'), at.path('link.yaml'));
  await symlink('.env', at.path('hidden.yaml'));
  const { exit, stdout, stderr } = await at.run('test --format json');
  expect(exit).toBe(4);
  expect(stdout).toContain(says);
  expect(stdout + stderr).not.toMatch(/geheim|root:/u);
});
