// Tests that every command prints one JSON document of its published schema, in success and in failure.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCommands } from '../../../src/cli/commands/index.ts';
import type { JsonValue } from '../../../src/lib/json.ts';
import { desk, deskElsewhere } from '../../support/desk.ts';
import { makeFolder, removeFolder } from '../../support/folders.ts';
import { acceptedCopies } from '../../support/mutated-copies.ts';
import { Place, place } from '../../support/place.ts';
import { closedSchema, publishedSchema, schemaOf } from '../../support/published-schema.ts';
import { type CliEnd, type CliOptions, expectEnd, runCli } from '../../support/run-cli.ts';
import { spawnCli } from '../../support/spawn-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const history = {
  'history/lobby.ndjson': '{"message_id":"m1","user_id":"alice","created_at":1700000000000,"message":"Hi"}\n',
};
const slackExport = {
  'export/users.json': '[{"id":"U1","name":"ada","profile":{"real_name":"Ada"}}]',
  'export/channels.json': '[{"id":"C1","name":"general","members":["U1"],"created":1600000000,"creator":"U1"}]',
  'export/general/2024-01-01.json': '[{"type":"message","user":"U1","text":"Hi","ts":"1704100000.000100"}]',
};
const table = {
  'users.csv': 'id,name\nu1,Ann\n',
  'mapping.yaml': `version: 1
name: acme
tables: { users: { files: users.csv } }
users: { from: users, id: "\${id}", name: "\${name}" }
`,
};
const tests = {
  'a.test.yaml': `tests:
  - name: creates the desk
    given: { applied: false }
    expect: { counts: { create: 5 } }
`,
};

let applied = '';
beforeAll(async () => {
  applied = await makeFolder({ ...desk, ...slackExport });
  const { stdout } = await expectEnd(runCli(['apply', '--auto-approve', '--format', 'json'], { cwd: applied }), 0);
  expect(publishedSchema('report')(JSON.parse(stdout))).toEqual([]);
  expect((await runCli(['plan', '--out', 'saved.chatform'], { cwd: applied })).exit).toBe(0);
});
afterAll(() => removeFolder(applied));

interface Case extends Omit<CliOptions, 'cwd'> {
  readonly args: readonly string[];
  /** Files of a new folder; absent: the applied one. */
  readonly files?: Readonly<Record<string, string>>;
  readonly schema: string;
  readonly exit?: number;
}

const succeeding: readonly Case[] = [
  { args: ['commands'], schema: 'results#commands' },
  { args: ['init'], files: {}, schema: 'results#initialised' },
  { args: ['validate'], schema: 'diagnostics' },
  { args: ['fmt'], files: desk, schema: 'results#formatted' },
  {
    args: ['fmt', '--check'],
    files: { 'a.yaml': 'users: {b: {nickname: B}}\nversion: 1\n' },
    schema: 'results#formatted',
    exit: 65,
  },
  { args: ['fmt', '-'], input: 'users: {b: {nickname: B}}\nversion: 1\n', schema: 'results#formatted' },
  { args: ['plan'], schema: 'plan' },
  {
    // With warnings.
    args: ['plan', '.'],
    files: { ...desk, 'more.yaml': 'version: 1\ngroup_channels: { old-form: { user_ids: [alice] } }\n' },
    schema: 'plan',
  },
  { args: ['plan', '--each', 'one'], files: { 'one/chat.yaml': desk['chat.yaml'] ?? '' }, schema: 'results#each' },
  { args: ['show', 'saved.chatform'], schema: 'plan' },
  { args: ['apply', '--auto-approve'], schema: 'report' },
  {
    args: ['apply', '--auto-approve', '--each', 'one'],
    files: { 'one/chat.yaml': desk['chat.yaml'] ?? '' },
    schema: 'results#each',
  },
  { args: ['drift'], schema: 'plan' },
  { args: ['drift', '--unmanaged'], schema: 'plan' },
  { args: ['test'], files: { ...desk, ...tests }, schema: 'results#tested' },
  { args: ['rehearse'], files: desk, schema: 'results#rehearsed' },
  { args: ['explain', 'user.alice'], schema: 'results#explained' },
  { args: ['explain', '--access', 'user.alice'], schema: 'results#access' },
  { args: ['explain', '--access', 'open_channel.lobby'], schema: 'results#access' },
  { args: ['convert', 'slack', 'export', '--out-dir', 'chat'], files: slackExport, schema: 'results#converted' },
  {
    args: ['convert', 'table', 'users.csv', '--mapping', 'mapping.yaml', '--sample', '1'],
    files: table,
    schema: 'results#sampled',
  },
  { args: ['convert', 'table', 'users.csv', '--guess'], files: table, schema: 'results#guessed' },
  { args: ['convert', '--decode', 'history/lobby.ndjson'], files: history, schema: 'results#decoded' },
  {
    args: ['export', '--out-dir', 'copy'],
    files: { 'a.yaml': desk['chat.yaml']?.split('users:')[0] ?? '' },
    schema: 'results#exported',
  },
  { args: ['adopt', 'user.alice', '--state', 'file:adopting'], schema: 'results#adopted' },
  { args: ['verify'], schema: 'migration' },
  { args: ['cutover'], schema: 'results#cutover', exit: 4 },
  { args: ['state', 'list'], schema: 'results#state_list' },
  { args: ['state', 'show', 'user.alice'], schema: 'results#state_show' },
  { args: ['state', 'html', 'app.html'], schema: 'results#state_html' },
  { args: ['state', 'lock-status'], schema: 'results#state_lock_status' },
  { args: ['state', 'unlock'], schema: 'results#state_unlock' },
  { args: ['state', 'log', '--verify'], schema: 'results#state_log' },
  { args: ['state', 'pull', 'copy.ndjson'], schema: 'results#state_pull' },
  { args: ['state', 'push', 'copy.ndjson', '--state', 'file:pushed'], schema: 'results#state_push' },
  { args: ['state', 'rekey', '--unencrypted', '--state', 'file:pushed'], schema: 'results#state_rekey' },
  { args: ['state', 'rebuild', '--state', 'file:rebuilt'], schema: 'results#state_rebuild' },
  {
    args: ['state', 'rebind', 'emulator:.chatform/emulator', '--auto-approve', '--state', 'file:pushed'],
    schema: 'results#state_rebind',
  },
  {
    args: ['state', 'forget', 'user.carol', '--auto-approve', '--state', 'file:rebuilt'],
    schema: 'results#state_forget',
  },
  { args: ['schema', 'plan'], schema: 'https://json-schema.org/draft/2020-12/schema' },
  { args: ['completion', 'bash'], schema: 'results#completion' },
];

/** By schema, what it accepts of altered copies of the documents. */
const accepted = new Map<string, Set<string>>();

/** Each key of the document is described, with its type. */
function fits(schema: string, document: JsonValue): void {
  expect(publishedSchema(schema)(document)).toEqual([]);
  if (schema.startsWith('http')) return;
  expect(closedSchema(schema)(document)).toEqual([]);
  accepted.set(schema, new Set([...(accepted.get(schema) ?? []), ...acceptedCopies(schema, document)]));
}

async function run({ args, files, ...options }: Case): Promise<CliEnd> {
  const cwd = files === undefined ? applied : await temporaryFolder(files);
  return runCli([...args, '--format', 'json'], { cwd, ...options });
}

describe('a command that does its work prints its document', () => {
  test.for(succeeding.map((one) => ({ ...one, name: one.args.join(' ') })))('$name', async (one) => {
    const { exit, stdout, stderr } = await run(one);
    expect({ exit, stderr: exit === (one.exit ?? 0) ? '' : stderr + stdout }).toEqual({
      exit: one.exit ?? 0,
      stderr: '',
    });
    fits(one.schema, JSON.parse(stdout));
  });

  test('emulator', async () => {
    const child = spawnCli(['emulator', '--port', '0', '--format', 'json'], { cwd: applied });
    await child.wrote(/"token"/u);
    child.kill('SIGINT');
    const { exit, stdout } = await child.ended;
    expect(exit).toBe(0);
    fits('results#emulator', JSON.parse(stdout));
  });

  test('undo, and destroy after it', async () => {
    const at = await place(desk);
    await at.does('apply --auto-approve');
    await at.write({ 'chat.yaml': (desk['chat.yaml'] ?? '').replace('Alice', 'Alicia') });
    await at.does('apply --auto-approve');
    const printed = async (args: readonly string[], schema: string) => {
      const { stdout } = await at.does([...args, '--format', 'json']);
      fits(schema, JSON.parse(stdout));
      return JSON.parse(stdout);
    };
    await printed(['undo', '--out', 'undo.chatform'], 'plan');
    await printed(['undo', '--auto-approve'], 'report');
    const { before_values: kept } = await printed(['state', 'log'], 'results#state_log');
    expect(kept.map(({ run }: { readonly run: number }) => run)).toEqual([1, 2, 3]);
    await printed(['destroy', '--confirm', 'emulator:.chatform/emulator'], 'report');
  });
});

const wrong = { 'chat.yaml': 'version: 1\nuserz: {}\n' };
const failing: readonly Omit<Case, 'schema'>[] = [
  { args: ['commands', '--max-bytes', '1'], exit: 64 },
  { args: ['cutover', '--check'], exit: 6 },
  { args: ['init', '--max-bytes', 'x'], files: { 'chatform.yaml': 'version: 1\n' }, exit: 64 },
  { args: ['validate', 'missing'], exit: 65 },
  { args: ['fmt', '-', 'other'], exit: 64 },
  { args: ['plan'], files: wrong, exit: 65 },
  { args: ['plan', '--each', 'nowhere'], exit: 64 },
  { args: ['show', 'missing.chatform'], exit: 6 },
  { args: ['apply'], files: desk, exit: 64 },
  { args: ['apply', '--auto-approve', '--approved-hash', 'other'], files: desk, exit: 6 },
  { args: ['undo'], files: desk, exit: 66 },
  { args: ['undo', '1', '2'], exit: 64 },
  { args: ['drift'], files: desk, exit: 66 },
  { args: ['test'], files: desk, exit: 64 },
  { args: ['rehearse'], files: wrong, exit: 65 },
  { args: ['explain', 'user.nobody'], exit: 66 },
  { args: ['convert', 'icq', 'export'], exit: 64 },
  { args: ['convert-files'], exit: 64 },
  { args: ['export'], exit: 64 },
  { args: ['adopt', 'user.alice'], exit: 6 },
  { args: ['destroy'], exit: 64 },
  { args: ['verify'], files: wrong, exit: 65 },
  ...['list user.nobody', 'show user.nobody', 'forget', 'lock now', 'unlock now', 'rebind a b', 'pull'].map(
    (words) => ({ args: ['state', ...words.split(' ')], exit: words.endsWith('user.nobody') ? 66 : 64 }),
  ),
  { args: ['state', 'rebuild'], exit: 6 },
  { args: ['state', 'push'], exit: 64 },
  { args: ['state', 'log', 'now'], exit: 64 },
  { args: ['state', 'rekey', 'now'], exit: 64 },
  { args: ['state', 'nosuch'], exit: 64 },
  { args: ['emulator', '--behaviour', 'x'], exit: 64 },
  { args: ['mcp', '--max-bytes', '1'], exit: 64 },
  { args: ['calibrate'], files: {}, exit: 64 },
  { args: ['conformance'], files: {}, exit: 64 },
  { args: ['schema', 'nosuch'], exit: 64 },
  { args: ['schema', 'manifest', 'usr'], exit: 64 },
  { args: ['schema', 'manifest', '--max-bytes', '8192'], exit: 64 },
  { args: ['completion', 'tcsh'], exit: 64 },
  { args: ['plan', '--no-such-flag'], exit: 64 },
  { args: ['nosuch'], exit: 64 },
  { args: ['plan'], env: { CHATFORM_STATE: '' }, exit: 64 },
];

describe('a command that cannot prints why, in one form', () => {
  test.for(failing.map((one) => ({ ...one, name: one.args.join(' ') })))('$name', async (one) => {
    const { exit, stdout } = await run({ ...one, schema: '' });
    const document = JSON.parse(stdout);
    // Problems of manifests are the result of a validation.
    if (one.args[0] === 'validate') expect(publishedSchema('diagnostics')(document)).toEqual([]);
    else {
      expect(publishedSchema('results#error')(document)).toEqual([]);
      expect(document.error.exit_code).toBe(exit);
    }
    expect({ exit, stdout }).toEqual({ exit: one.exit, stdout });
  });
});

test('the schemas accept only the altered copies that are listed', async () => {
  const lines = [...accepted].flatMap(([schema, copies]) => Array.from(copies, (copy) => `${schema}: ${copy}`));
  await expect(`${lines.sort().join('\n')}\n`).toMatchFileSnapshot('goldens/accepted-copies-of-results.txt');
});

test('every schema of every command is tried in success, and every command in failure', async () => {
  const definitions = await allCommands();
  const tried = new Set([...succeeding.map(({ schema }) => schema), 'results#emulator', 'report']);
  // Certificates, copies of files, an examination and a proof have tests of their own, and `mcp` speaks its protocol.
  const elsewhere = new Set([
    'certificate',
    'results#cutover_checked',
    'results#cutover_rehearsed',
    'results#convert_files',
    'results#examined',
    'results#conformance',
    'https://modelcontextprotocol.io',
  ]);
  const published = definitions.flatMap(({ schemas }) => Object.values(schemas));
  expect(published.filter((schema) => !tried.has(schema) && !elsewhere.has(schema))).toEqual([]);
  const failed = new Set(failing.map(({ args }) => args[0]));
  expect(definitions.map(({ name }) => name).filter((name) => !failed.has(name))).toEqual([]);
});

test('every result states the version of its format', async () => {
  const { $defs: results } = schemaOf('results') as { $defs: Record<string, { required?: readonly string[] }> };
  const printed = (await allCommands()).flatMap(({ schemas }) => Object.values(schemas));
  const names = ['results#error', ...printed].flatMap((schema) => /^results#(.+)/u.exec(schema)?.[1] ?? []);
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name) => results[name]?.required?.includes('format_version') !== true)).toEqual([]);
});

test('commands names the flags, exit codes and schemas of every command', async () => {
  const { stdout } = await runCli(['commands', '--format', 'json'], { cwd: '/' });
  const { commands } = JSON.parse(stdout);
  expect(commands.map(({ name }: { readonly name: string }) => name)).toEqual(
    (await allCommands()).map(({ name }) => name),
  );
  for (const { name, flags, exit_codes: codes } of commands) {
    expect(flags, name).toContainEqual(expect.objectContaining({ flag: '--format', variable: 'CHATFORM_FORMAT' }));
    expect(codes[0].code, name).toBe(0);
  }
  const codesOf = (name: string) => commands.find((command: { name: string }) => command.name === name).exit_codes;
  // drift --repair carries out a plan, so it ends as an apply may end.
  expect(codesOf('drift')).toEqual(
    expect.arrayContaining(codesOf('apply').map((exit: object) => ({ ...exit, when: '--repair' }))),
  );
  expect(codesOf('validate')).toContainEqual({ code: 1, meaning: 'unreachable', when: '--online' });
});

describe('a long result', () => {
  test('is cut with the number of entries left out and the flag that shows them', async () => {
    const count = 100;
    const ids = Array.from({ length: count }, (_, index) => `${index}`.padStart(80, 'u'));
    const at = await place({
      'chat.yaml': `version: 1\nusers: { ${ids.map((id) => `${id}: { nickname: U }`).join(', ')} }\n`,
    });
    const args = ['state', 'list', '--base-url', 'emulator:e', '--format', 'json'];
    await at.does('apply --auto-approve --base-url emulator:e --rate-plan 100k_mau');
    const whole = await at.run([...args, '--max-bytes', '0']);
    expect(JSON.parse(whole.stdout)).toMatchObject({ count, addresses: { length: count } });
    const { stdout } = await at.run([...args, '--max-bytes', '8192']);
    expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(8192);
    const { addresses, omitted, rest } = JSON.parse(stdout);
    expect(addresses.length + omitted.addresses).toBe(count);
    expect(rest).toContain('--max-bytes 0');
    expect(publishedSchema('results#state_list')(JSON.parse(stdout))).toEqual([]);
  });

  test('is a part of a schema that refers only to itself, and smaller', async () => {
    const at = await place({});
    const [whole, user] = [await at.does('schema'), await at.does('schema manifest user --max-bytes 20000')];
    expect(user.stdout.length).toBeLessThan(whole.stdout.length / 20);
    const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
    for (const [name, part] of [
      ['manifest', 'user'],
      ['manifest', 'policy'],
      ['manifest', 'defaults'],
      ['results', 'exported'],
      ['plan', 'changes'],
    ]) {
      const schema = JSON.parse((await at.does(`schema ${name} ${part}`)).stdout);
      expect(() => ajv.compile(schema), part).not.toThrow();
    }
    const isUser = ajv.compile(JSON.parse(user.stdout));
    expect([isUser({ nickname: 'Ann' }), isUser({ nikname: 'Ann' })]).toEqual([true, false]);
  });

  test('is cut when it is an error', async () => {
    const rows = Array.from({ length: 90 }, (_, index) => `  ${'u'.repeat(60)}${index}: { nick: x }\n`);
    const at = await place({ 'chat.yaml': `version: 1\nusers:\n${rows.join('')}` });
    for (const command of ['plan', 'apply --auto-approve', 'rehearse', 'explain user.x', 'export --to x']) {
      const { stdout, exit } = await at.run(`${command} --format json --max-bytes 8192`);
      expect(exit, command).toBeGreaterThan(0);
      expect(Buffer.byteLength(stdout), command).toBeLessThanOrEqual(8192);
      expect(publishedSchema('results#error')(JSON.parse(stdout)), command).toEqual([]);
    }
  });

  test('says how many problems stand behind those that are listed', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `  u${index}: { nick: x }\n`);
    const at = await place({ 'chat.yaml': `version: 1\nusers:\n${rows.join('')}` });
    const { stdout } = await at.run('validate --format json');
    const { summary, diagnostics, omitted } = JSON.parse(stdout);
    expect(diagnostics.length + omitted.diagnostics).toBe(summary.errors + summary.warnings + summary.notes);
  });
});

test('approval is asked and the plan is shown on stderr, so that stdout has only the report', async () => {
  const at = await place(desk);
  const { stdout, stderr } = await at.with({ answers: ['yes'] }).run('apply --format json');
  expect(publishedSchema('report')(JSON.parse(stdout))).toEqual([]);
  expect(stderr).toContain('user.alice');
});

const unknownKey = 'version: 1\nusers:\n  dave: { nickname: Dave, nick: D }\n';

test.for(['sarif', 'github'])(
  'names file and line of a problem as %s, from the root of the checkout',
  async (format) => {
    const root = await place({
      'team a/chat/sub/more.yaml': unknownKey,
      'team a/other.yaml': 'version: 1\nuserz: {}\n',
    });
    const at = new Place(root.path('team a/chat'));
    const command = `validate . ../other.yaml --format ${format}`;
    const encoded = format === 'sarif' ? 'team%20a' : 'team a';
    for (const name of ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR']) {
      const { stdout } = await at.with({ env: { [name]: root.cwd } }).ends(command, 65);
      expect(stdout).toContain(`${encoded}/other.yaml`);
      expect(stdout).toContain('manifest.unknown-key');
      expect(stdout).not.toContain('..');
      const file = `${encoded}/chat/sub/more.yaml`;
      if (format === 'github') expect(stdout).toContain(`::error file=${file},line=3`);
      else expect([JSON.parse(stdout).version, stdout]).toEqual(['2.1.0', expect.stringContaining(file)]);
    }
    // The checkout is elsewhere, so its root is unknown.
    const { stdout } = await at.with({ env: { GITHUB_WORKSPACE: root.path('else') } }).ends(command, 65);
    expect(stdout).not.toContain('team');
  },
);

test('prints the code and the advice of a refusal as JSON', async () => {
  expect(await (await place(deskElsewhere)).json('plan', 64)).toMatchObject({
    error: { code: 'application.missing', advice: expect.stringContaining('--base-url') },
  });
});
