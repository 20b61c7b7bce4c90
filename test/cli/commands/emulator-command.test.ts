// Tests a command that runs beside an emulator: what it finds there, how it ends, and signals.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { Place, place } from '../../support/place.ts';
import { program } from '../../support/program.ts';
import { type CliEnd, runCli } from '../../support/run-cli.ts';
import { type CliChild, spawnCli } from '../../support/spawn-cli.ts';
import { copiesOf } from '../../support/temporary-folder.ts';

/** Calls the platform and prints the answer. Loading `fetch` would take longer than the rest. */
const client = `
import { request } from 'node:http';
const { CHATFORM_BASE_URL: url, CHATFORM_API_TOKEN: token } = process.env;
const [method, path, body] = process.argv.slice(2);
request(url + path, { method, headers: { 'Api-Token': token } }, (answer) => answer.pipe(process.stdout)).end(body);
`;

/** As a process of its own, which signals can reach. */
function started(at: Place, words: readonly string[], flags: readonly string[] = []): CliChild {
  return spawnCli(['emulator', ...flags, '--', ...words], { cwd: at.cwd });
}

/**
 * Runs the command beside an emulator of this process. A command inherits standard output, and that of this process belongs to the
 * tests, so a shell redirects it into a file.
 */
async function beside(at: Place, words: readonly string[], flags: readonly string[] = [], env = {}): Promise<CliEnd> {
  const redirected = ['sh', '-c', `exec "$@" > '${output}'`, 'sh', ...words];
  const { exit, stderr } = await runCli(['emulator', ...flags, '--', ...redirected], {
    cwd: at.cwd,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  const stdout = await at.read(output).catch(() => '');
  await rm(at.path(output), { force: true });
  return { exit, stdout, stderr };
}

/** No manifest, so `chatform` does not read it. */
const output = 'output.txt';

async function printed(at: Place, words: readonly string[], flags: readonly string[] = []): Promise<string> {
  const end = await beside(at, words, flags);
  expect(end, end.stderr).toMatchObject({ exit: 0 });
  return end.stdout;
}

const call = (...words: readonly string[]) => ['node', 'client.mjs', ...words];
const script = (text: string) => ['node', '-e', text];

async function withManifests(): Promise<Place> {
  return place({ ...desk, 'client.mjs': client });
}

describe('a command', () => {
  test('finds the manifests of the folder applied, and nothing of it in the folder', async () => {
    const at = await withManifests();
    const before = await at.content();
    const { users } = JSON.parse(await printed(at, call('GET', '/users')));
    expect(users.map(({ user_id: id }: { user_id: string }) => id)).toEqual(['alice', 'bob', 'carol']);
    expect(await at.content()).toEqual(before);
  });

  test('finds those of --seed instead, and users that others manage', async () => {
    const at = await place({ 'client.mjs': client, 'app.yaml': 'not: a manifest\n' });
    await at.write({
      'chat/chat.yaml':
        'version: 1\ngroup_channels: { room: { name: Room, members: { eve: } } }\npolicy: { external: { users: [eve] } }\n',
    });
    const { members } = JSON.parse(await printed(at, call('GET', '/group_channels/room/members'), ['--seed', 'chat']));
    expect(members).toMatchObject([{ user_id: 'eve' }]);
  });

  test('finds an empty emulator where no manifests are, which says so', async () => {
    const at = await place({ 'client.mjs': client });
    const end = await beside(at, call('GET', '/users'));
    expect(end).toMatchObject({ exit: 0, stdout: '{"users":[],"next":""}' });
    expect(end.stderr).toContain('No manifests are in this folder, so nothing was applied.');
  });

  test('plans nothing with chatform itself, which knows what was applied', async () => {
    const at = await withManifests();
    const plan = [process.execPath, program, 'plan', '--detailed-exitcode'];
    expect(await beside(at, [...plan, '--refresh'])).toMatchObject({ exit: 0 });
    const edited = `${JSON.stringify((await at.read('chat.yaml')).replace('Bob', 'Robert'))}`;
    const edit = ['node', '-e', `fs.writeFileSync('chat.yaml', ${edited})`];
    await beside(at, edit);
    expect(await beside(at, plan)).toMatchObject({ exit: 0 });
  });

  test('gets no token of another application, and its own words unchanged', async () => {
    const at = await place();
    const env = { CHATFORM_API_TOKEN: 'real', CHATFORM_API_TOKEN_FILE: 'real.txt', CHATFORM_API_TOKEN_STAGING: 'real' };
    const show =
      'console.log(JSON.stringify([process.argv.slice(1), Object.entries(process.env).filter(([name]) => name.startsWith("CHATFORM_"))]))';
    const words = ['--port', '1', '--', 'a b', '$HOME', '--format=json'];
    const { stdout } = await beside(at, [...script(show), '--', ...words], [], env);
    const [args, variables] = JSON.parse(stdout);
    expect(args).toEqual(words);
    expect(variables.map(([name]: [string]) => name).sort()).toEqual([
      'CHATFORM_API_TOKEN',
      'CHATFORM_BASE_URL',
      'CHATFORM_EMULATOR_URL',
      'CHATFORM_RATE_PLAN',
      'CHATFORM_STATE',
      'CHATFORM_TOKENS_OUT',
    ]);
    expect(JSON.stringify(variables)).not.toContain('real');
  });

  test.for([
    ['exit 0', 0],
    ['exit 42', 42],
    ['kill -9 $$', 137],
  ] as const)('that does %s ends chatform with %i', async ([text, exit]) => {
    expect((await beside(await place(), ['sh', '-c', text])).exit).toBe(exit);
  });

  test.for([
    [['no-such-program', 'x'], 'The command no-such-program cannot be started: there is no such program in PATH.'],
    [['./notes.txt'], 'it is not a program that you may run'],
  ] as const)('%j that does not exist is refused', async ([words, says]) => {
    const at = await place({ 'notes.txt': 'x\n' }, { PATH: process.env.PATH ?? '' });
    await at.ends(['emulator', '--', ...words], 64, says);
  });

  test('is not run when its manifests are not valid or cannot be applied', async () => {
    const at = await place({ 'chat.yaml': 'version: 1\nusers: { ann: { nickname: 5 } }\n' });
    const end = await beside(at, ['echo', 'ran']);
    expect(end).toMatchObject({ exit: 65, stdout: '' });
  });
});

describe('a signal', () => {
  const waiting = (then: string) =>
    script(
      `process.on("SIGINT", () => { ${then} }); process.on("SIGTERM", () => process.exit(9)); console.log("up"); setInterval(() => {}, 1000)`,
    );

  test.for([
    ['SIGINT', 7],
    ['SIGTERM', 9],
  ] as const)('%s is passed on, and the command ends first', async ([signal, exit]) => {
    const child = started(await place(), waiting('console.log("down"); setTimeout(() => process.exit(7), 100)'));
    await child.wrote(/up/u);
    child.kill(signal);
    expect(await child.ended).toMatchObject({ exit });
  });

  test('that comes again ends a command that ignores the first, and leaves no orphan', async () => {
    const child = started(await place(), waiting('console.log("ignored " + process.pid)'));
    await child.wrote(/up/u);
    child.kill('SIGINT');
    await child.wrote(/ignored/u);
    await new Promise((resolve) => setTimeout(resolve, 350));
    child.kill('SIGINT');
    const { exit, stdout } = await child.ended;
    expect(exit).toBe(130);
    const pid = Number(/ignored (\d+)/u.exec(stdout)?.[1]);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

/** A process whose parent has ended may stay as a zombie in a container. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** A folder whose data file has a snapshot of the applied manifests. */
const withSnapshot = copiesOf(async (cwd) => {
  await writeFiles(cwd, { ...desk, 'client.mjs': client });
  await printed(new Place(cwd), ['true'], ['--data', 'test.data', '--snapshot']);
});

describe('the data file', () => {
  test('is kept by --snapshot and returned to by --reset, with what chatform knows of it', async () => {
    const at = new Place(await withSnapshot());
    const data = ['--data', 'test.data'];
    const ann = JSON.stringify({ user_id: 'ann', nickname: 'Ann', profile_url: '' });
    await printed(at, call('POST', '/users', ann), data);
    const idsOf = (text: string) => JSON.parse(text).users.map(({ user_id: id }: { user_id: string }) => id);
    expect(idsOf(await printed(at, call('GET', '/users'), data))).toEqual(['alice', 'bob', 'carol', 'ann']);
    expect(idsOf(await printed(at, call('GET', '/users'), [...data, '--reset']))).toEqual(['alice', 'bob', 'carol']);
  });

  test('is planned against by chatform in the command, also after a reset on another port', async () => {
    const at = new Place(await withSnapshot());
    const plan = [process.execPath, program, 'plan', '--refresh', '--detailed-exitcode'];
    expect(await beside(at, plan, ['--data', 'test.data', '--reset'])).toMatchObject({ exit: 0 });
  });

  test('of a running emulator is not reset', async () => {
    const at = new Place(await withSnapshot());
    const child = started(at, ['sh', '-c', 'echo up; exec sleep 600'], ['--data', 'test.data']);
    await child.wrote(/up/u);
    await at.ends('emulator --port 0 --data test.data --reset', 64, 'in use by another emulator', 'POST /__reset');
    child.kill('SIGTERM');
    expect(await child.ended).toMatchObject({ exit: 143 });
  });

  test.for([
    ['--snapshot', '--snapshot needs --data'],
    ['--reset', '--reset needs --data'],
    ['--data d --reset', 'There is no snapshot in'],
    ['--data d --reset --snapshot', 'cannot be combined'],
    ['--data d --reset --seed .', 'cannot be combined'],
    ['--deliver-to http://example.com', 'example.com is not this machine'],
    ['--deliver-to https://127.0.0.1:1', 'does not begin with http://'],
  ] as const)('or the target is refused: %s', async ([flags, says]) => {
    await (await place()).ends(`emulator --port 0 ${flags}`, 64, says);
  });
});
