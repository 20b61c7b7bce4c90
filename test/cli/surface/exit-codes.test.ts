// Tests the exit codes of runs that are locked out, interrupted or killed (semantics §12), with real processes.
import { expect, test } from 'vitest';
import { nodeClock } from '../../../src/core/app/context/this-process.ts';
import type { Clock } from '../../../src/core/model/ports.ts';
import { user } from '../../../src/core/resources/user/user.ts';
import type { EmulatorOptions, RunningEmulator } from '../../../src/emulator/server.ts';
import { crowd, reaching } from '../../support/desk.ts';
import { type Place, place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { keysOf } from '../../support/platform-differences.ts';
import { soon } from '../../support/soon.ts';
import { type CliChild, spawnCli } from '../../support/spawn-cli.ts';
import { inSuite, longTest } from '../../support/suite.ts';

const people = 40;
const apply = 'apply --auto-approve';

interface SlowRun {
  /** With a rate plan at which nothing waits. */
  readonly at: Place;
  readonly running: RunningEmulator;
  readonly child: CliChild;
}

/** A run that takes four seconds and is working when this resolves. */
async function slowRun(faults?: EmulatorOptions['faults']): Promise<SlowRun> {
  const running = await startPlatform({ rateLimits: false, admin: true, ...(faults === undefined ? {} : { faults }) });
  const at = await place(crowd(people), reaching(running));
  const env = { ...reaching(running), CHATFORM_RATE_PLAN: '5k_mau' };
  const child = spawnCli(`${apply} --report report.json`.split(' '), { cwd: at.cwd, env });
  const isAtWork = (): boolean => (running.stats.requests.get('POST /users') ?? 0) >= 3;
  await Promise.race([child.ended, soon(isAtWork)]);
  return { at, running, child };
}

/** A platform that answers 429 to everything. */
const busy = [{ fault: 'rate_limited', ms: 100, retry_after: 'seconds' }];

/** Calls `act` when a command begins to wait for the lock. Its longer sleeps are the time-outs of calls. */
function whenItWaits(act: () => void): Clock {
  let isWaiting = false;
  const sleep: Clock['sleep'] = (ms, signal) => {
    if (ms <= 500 && !isWaiting) {
      isWaiting = true;
      act();
    }
    return nodeClock.sleep(ms, signal);
  };
  return { ...nodeClock, sleep };
}

async function expectToGoOn({ at, running }: SlowRun): Promise<void> {
  const created = (await keysOf(running, user)).length;
  expect(created).toBeGreaterThan(0);
  expect(created).toBeLessThan(people);
  await at.does(`${apply} --settle-time 0s`);
  expect(running.stats.requests.get('POST /users')).toBe(people);
  await at.does('plan --detailed-exitcode');
}

longTest('refuses a second apply with 7, and one that waits for the lock does nothing twice', async () => {
  const { at, running, child } = await slowRun();
  // The run keeps its lock and goes on asking until the others have wanted the lock.
  await setFaults(running, busy);
  await at.ends(apply, 7, 'state.locked', '--lock-timeout');
  // No particular plan was approved, so it continues with the remaining changes under the lock, which are none.
  const patient = at.with({ clock: whenItWaits(() => void setFaults(running, [])) });
  await patient.does(`${apply} --lock-timeout 2m`);
  const first = await child.ended;
  expect(first, first.stderr).toMatchObject({ exit: 0 });
  await at.does(apply);
  expect((running.stats.requests.get('POST /users') ?? 0) - running.stats.limited).toBe(people);
});

longTest('ends with 8 when it is interrupted while it waits for the lock', async () => {
  const { at, running, child } = await slowRun();
  await setFaults(running, busy);
  const stop = new AbortController();
  await at
    .with({ clock: whenItWaits(() => stop.abort()), interrupt: stop.signal })
    .ends(
      `${apply} --lock-timeout 20s`,
      8,
      /Waiting for the lock on the state, at most 20 s\. It is held by .* \(process \d+/u,
      'state.wait-interrupted',
    );
  child.kill('SIGKILL');
  await child.ended;
});

longTest('refuses a second apply with 7 on the embedded platform', async () => {
  const at = await place(crowd(people, 'application: { base_url: "emulator:data", rate_plan: 5k_mau }\n'));
  const child = spawnCli(apply.split(' '), { cwd: at.cwd });
  await child.wrote(/Applying|\d+\/\d+/u);
  // A stopped process keeps its lock for half a minute.
  child.kill('SIGSTOP');
  await at.ends(apply, 7, 'state.locked');
  const patient = at.with({ clock: whenItWaits(() => child.kill('SIGCONT')) });
  await patient.ends(`${apply} --lock-timeout 2m`, 0, 'Waiting for the lock on the state');
  expect(await child.ended).toMatchObject({ exit: 0 });
  await at.does('plan --refresh --detailed-exitcode');
});

test.for(inSuite(['SIGINT'] as const, ['SIGINT', 'SIGTERM'] as const))(
  'saves what was done at %s, and the next run does the rest',
  async (signal) => {
    const run = await slowRun();
    run.child.kill(signal);
    const ended = await run.child.ended;
    expect(ended.exit, ended.stderr).toBe(8);
    const report = { outcome: 'interrupted', exit_code: 8, steps: { failed: 0, unknown: 0 } };
    expect(await run.at.readJson('report.json')).toMatchObject(report);
    await expectToGoOn(run);
  },
);

longTest('leaves at once and safely at a second SIGINT', async () => {
  const { at, running, child } = await slowRun();
  child.kill('SIGINT');
  child.kill('SIGINT');
  await child.ended;
  expect(await at.readJson('report.json')).toMatchObject({ outcome: 'interrupted', exit_code: 8 });
  await at.does(apply);
  expect(await keysOf(running, user)).toHaveLength(people);
});

async function setFaults({ url }: RunningEmulator, rules: readonly object[]): Promise<void> {
  const body = JSON.stringify({ rules });
  expect((await fetch(new URL('/_emulator/faults', url), { method: 'PUT', body })).status).toBe(200);
}

longTest('releases the lock at SIGTERM while it reads what became of a killed run', async () => {
  const run = await slowRun({ rules: [{ fault: 'hang_after', route: 'POST /users', at: [3] }] });
  const { at, running, child } = run;
  child.kill('SIGKILL');
  await child.ended;
  await setFaults(running, [{ fault: 'error_503' }]);
  const args = `${apply} --settle-time 0s --report report.json`.split(' ');
  const second = spawnCli(args, { cwd: at.cwd, env: reaching(running) });
  const isReading = (): boolean => (running.stats.requests.get('GET /users/{user_id}') ?? 0) >= 2;
  await Promise.race([second.ended, soon(isReading)]);
  second.kill('SIGTERM');
  const ended = await second.ended;
  expect(ended.exit, ended.stderr).toBe(8);
  const report = { outcome: 'interrupted', exit_code: 8, steps: { planned: 0 } };
  expect(await at.readJson('report.json')).toMatchObject(report);
  expect((await at.run('state lock-status')).stdout).toContain('is not locked');
  await setFaults(running, []);
  await expectToGoOn(run);
});
