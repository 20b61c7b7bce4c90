// Tests the exit codes that CI relies on (semantics §12) and no other test covers.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import { allCommands } from '../../../src/cli/commands/index.ts';
import type { EmulatorOptions, RunningEmulator } from '../../../src/emulator/server.ts';
import type { Clock } from '../../../src/model/ports.ts';
import { user } from '../../../src/resources/user/user.ts';
import { crowd, desk, reaching } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { keysOf } from '../../support/platform-differences.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { soon } from '../../support/soon.ts';
import { type CliChild, spawnCli } from '../../support/spawn-cli.ts';
import { fastTest, inSuite, longTest } from '../../support/suite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const people = 40;

/** A run that takes four seconds and is working when this resolves. */
async function slowRun(
  more: readonly string[] = [],
  faults?: EmulatorOptions['faults'],
): Promise<{ cwd: string; running: RunningEmulator; child: CliChild }> {
  const running = await startPlatform({ rateLimits: false, admin: true, ...(faults === undefined ? {} : { faults }) });
  const at = await place(crowd(people));
  const env = { ...reaching(running), CHATFORM_RATE_PLAN: '5k_mau' };
  const child = spawnCli(['apply', '--auto-approve', '--report', 'report.json', ...more], { cwd: at.cwd, env });
  const isAtWork = (): boolean => (running.stats.requests.get('POST /users') ?? 0) >= 3;
  await Promise.race([child.ended, soon(isAtWork)]);
  return { cwd: at.cwd, running, child };
}

async function expectToGoOn(cwd: string, running: RunningEmulator): Promise<void> {
  const created = (await keysOf(running, user)).length;
  expect(created).toBeGreaterThan(0);
  expect(created).toBeLessThan(people);
  await succeeded(runCli(['apply', '--auto-approve', '--settle-time', '0s'], { cwd, env: reaching(running) }));
  expect(running.stats.requests.get('POST /users')).toBe(people);
  expect(await runCli(['plan', '--detailed-exitcode'], { cwd, env: reaching(running) })).toMatchObject({ exit: 0 });
}

async function reportIn(cwd: string): Promise<unknown> {
  return JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
}

fastTest.for([['schema', 'constructor'], ['completion', 'constructor'], ['constructor'], ['state', 'constructor']])(
  'refuses names that every JavaScript object has: %s',
  async (args) => {
    expect(await runCli(args, { cwd: await temporaryFolder(desk) })).toMatchObject({ exit: 64 });
  },
);

longTest('refuses a second apply with 7, and one that waits for the lock does nothing twice', async () => {
  const { cwd, running, child } = await slowRun();
  await expectEnd(
    runCli(['apply', '--auto-approve'], { cwd, env: reaching(running) }),
    7,
    'state.locked',
    '--lock-timeout',
  );
  const args = ['apply', '--auto-approve', '--lock-timeout', '20s'];
  const second = await runCli(args, { cwd, env: reaching(running) });
  const first = await child.ended;
  expect(first, first.stderr).toMatchObject({ exit: 0 });
  // No particular plan was approved, so it continues with the remaining changes under the lock, which are none.
  expect(second.exit, second.stderr).toBe(0);
  expect(await runCli(args, { cwd, env: reaching(running) })).toMatchObject({ exit: 0 });
  expect(running.stats.requests.get('POST /users')).toBe(people);
});

longTest('ends with 8 when it is interrupted while it waits for the lock', async () => {
  const { cwd, running, child } = await slowRun();
  const stop = new AbortController();
  const sleep: Clock['sleep'] = (ms, signal) => {
    // Longer sleeps are the time-outs of calls.
    if (ms <= 500) stop.abort();
    return nodeClock.sleep(ms, signal);
  };
  const args = ['apply', '--auto-approve', '--lock-timeout', '20s'];
  const clock = { ...nodeClock, sleep };
  await expectEnd(
    runCli(args, { cwd, env: reaching(running), clock, interrupt: stop.signal }),
    8,
    /Waiting for the lock on the state, at most 20 s\. It is held by .* \(process \d+/u,
    'state.wait-interrupted',
  );
  child.kill('SIGKILL');
  await child.ended;
});

longTest('refuses a second apply with 7 on the embedded platform', async () => {
  const application = 'application: { base_url: "emulator:data", rate_plan: 5k_mau }\n';
  const at = await place(crowd(people, application));
  const child = spawnCli(['apply', '--auto-approve'], { cwd: at.cwd });
  await child.wrote(/Applying|\d+\/\d+/u);
  await at.ends('apply --auto-approve', 7, 'state.locked');
  const second = await at.does('apply --auto-approve --lock-timeout 20s');
  expect(second.stderr).toContain('Waiting for the lock on the state');
  expect(await child.ended).toMatchObject({ exit: 0 });
  await at.does('plan --refresh --detailed-exitcode');
});

test.for(inSuite(['SIGINT'] as const, ['SIGINT', 'SIGTERM'] as const))(
  'saves what was done at %s, and the next run does the rest',
  async (signal) => {
    const { cwd, running, child } = await slowRun();
    child.kill(signal);
    const ended = await child.ended;
    expect(ended.exit, ended.stderr).toBe(8);
    expect(await reportIn(cwd)).toMatchObject({
      outcome: 'interrupted',
      exit_code: 8,
      steps: { failed: 0, unknown: 0 },
    });
    await expectToGoOn(cwd, running);
  },
);

longTest('leaves at once and safely at a second SIGINT', async () => {
  const { cwd, running, child } = await slowRun();
  child.kill('SIGINT');
  child.kill('SIGINT');
  await child.ended;
  expect(await reportIn(cwd)).toMatchObject({ outcome: 'interrupted', exit_code: 8 });
  await succeeded(runCli(['apply', '--auto-approve'], { cwd, env: reaching(running) }));
  expect(await keysOf(running, user)).toHaveLength(people);
});

async function setFaults({ url }: RunningEmulator, faults: { readonly rules: readonly object[] }): Promise<void> {
  const answer = await fetch(new URL('/_emulator/faults', url), { method: 'PUT', body: JSON.stringify(faults) });
  expect(answer.status).toBe(200);
}

longTest('releases the lock at SIGTERM while it reads what became of a killed run', async () => {
  const { cwd, running, child } = await slowRun([], {
    rules: [{ fault: 'hang_after', route: 'POST /users', at: [3] }],
  });
  child.kill('SIGKILL');
  await child.ended;
  await setFaults(running, { rules: [{ fault: 'error_503' }] });
  const second = spawnCli(['apply', '--auto-approve', '--settle-time', '0s', '--report', 'report.json'], {
    cwd,
    env: reaching(running),
  });
  const isReading = (): boolean => (running.stats.requests.get('GET /users/{user_id}') ?? 0) >= 2;
  await Promise.race([second.ended, soon(isReading)]);
  second.kill('SIGTERM');
  const ended = await second.ended;
  expect(ended.exit, ended.stderr).toBe(8);
  expect(await reportIn(cwd)).toMatchObject({ outcome: 'interrupted', exit_code: 8, steps: { planned: 0 } });
  expect((await runCli(['state', 'lock'], { cwd, env: reaching(running) })).stdout).toContain('is not locked');
  await setFaults(running, { rules: [] });
  await expectToGoOn(cwd, running);
});

fastTest.for([
  { args: ['plan', '--frmat', 'json'], says: /--format/u },
  { args: ['plan', '--format', 'xml'], says: /human, json/u },
  { args: ['aply'], says: /apply/u },
  { args: ['apply', '--auto-approve', '--max-duration', 'soon'], says: /50m/u },
  { args: ['plan', '--target', 'alice'], says: /user\.alice/u },
  { args: ['plan', '--rate-plan', 'gold'], says: /25k_mau/u },
])('ends with 64 for $args', async ({ args, says }) => {
  const at = await place(desk);
  const before = await at.content();
  const ended = await at.ends(args, 64);
  expect(ended.stderr).toMatch(says);
  expect(await at.content()).toEqual(before);
});

const takingArguments = (await allCommands()).filter(({ arguments: takes = [] }) => takes.length > 0);

fastTest.for([
  ...takingArguments.map(({ name }) => ({ args: [name, ''], what: 'An argument' })),
  { args: ['apply', 'chat.yaml', '', '--auto-approve'], what: 'An argument' },
  { args: ['adopt', 'user.alice', '--path', ''], what: '--path' },
  { args: ['apply', '--auto-approve', '--approved-hash', ''], what: '--approved-hash' },
  { args: ['plan', '--target', 'user.alice', '--target', ''], what: '--target' },
])('refuses an empty argument, as an unset variable gives it: $args', async ({ args, what }) => {
  const at = await place(desk);
  const before = await at.content();
  await at.ends(args, 64, `${what} is empty: it probably comes from a variable that is not set.`);
  expect(await at.content()).toEqual(before);
});

fastTest.for([
  { args: ['plan'], twin: 'CHATFORM_STATE', flag: ['--state', 'file:elsewhere'] },
  { args: ['apply', '--auto-approve'], twin: 'CHATFORM_APPROVED_HASH', flag: [] },
  { args: ['apply'], twin: 'CHATFORM_AUTO_APPROVE', flag: ['--auto-approve'] },
  { args: ['plan'], twin: 'CHATFORM_TARGET', flag: ['--target', 'user.alice'] },
])('refuses an empty $twin instead of taking the default', async ({ args, twin, flag }) => {
  const at = await place(desk);
  const before = await at.content();
  await at.with({ env: { [twin]: '' } }).ends(args, 64, `${twin} is empty`, 'Unset it or set a value.');
  expect(await at.content()).toEqual(before);
  // A flag overrides its variable, and a command needs no variable of a flag that it does not have.
  if (flag.length > 0) await at.with({ env: { [twin]: '' } }).does([...args, ...flag]);
  await at.with({ env: { [twin]: '', CHATFORM_API_TOKEN: '' } }).does('validate');
});

fastTest.for([{ CHATFORM_RATE_PLAN: 'gold' }, { CHATFORM_AUTO_APPROVE: 'maybe' }])(
  'refuses %j in the environment',
  async (env) => {
    const at = await place(desk);
    await at.with({ env }).ends('apply', 64, ...Object.keys(env));
  },
);

fastTest('reads a flag from the environment as pipelines spell it', async () => {
  const at = await place(desk);
  for (const no of ['False', 'OFF', '0']) {
    await at.with({ env: { CHATFORM_AUTO_APPROVE: no } }).ends('apply', 64);
  }
  await at.with({ env: { CHATFORM_AUTO_APPROVE: 'True' } }).does('apply');
});

fastTest('ends with 0 after help and version', async () => {
  const at = await place();
  expect(await at.run('--version')).toMatchObject({ exit: 0, stdout: '0.3.0\n' });
  const help = await at.does('apply --help');
  expect(help.stdout).toContain('--auto-approve');
});
