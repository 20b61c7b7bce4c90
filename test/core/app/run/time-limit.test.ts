// Tests that --max-duration counts from the start of the command, including reads and waits before the first step.

import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import type { Clock } from '../../../../src/core/model/ports.ts';
import { applicationIdentity } from '../../../../src/core/platform/base-url.ts';
import { user } from '../../../../src/core/resources/user/user.ts';
import { openBackend } from '../../../../src/core/state/index.ts';
import type { SleepSignal } from '../../../../src/lib/sleep-signal.ts';
import { crowd, deskElsewhere, reaching } from '../../../support/desk.ts';
import { serve } from '../../../support/loopback.ts';
import { connected, place } from '../../../support/place.ts';
import { keysOf } from '../../../support/platform-differences.ts';
import { soon } from '../../../support/soon.ts';

const minuteMs = 60_000;
const apply = 'apply --auto-approve --report report.json';

/** Short sleeps end at once, and long ones when the test ends them. Either way, the virtual time has passed. */
class TestClock implements Clock {
  readonly #from = nodeClock.now();
  readonly #sleeps = new Set<{ readonly until: number; readonly wake: () => void }>();
  #nowMs = this.#from;
  /** Called before a short sleep ends. */
  passing: (sinceMs: number) => Promise<void> = async () => {};

  now(): number {
    return this.#nowMs;
  }

  date(): Date {
    return nodeClock.date();
  }

  async sleep(ms: number, signal?: SleepSignal): Promise<void> {
    const until = this.#nowMs + ms;
    if (signal?.aborted === true) return;
    if (ms < 1000) {
      await this.passing(until - this.#from);
      this.pass(until - this.#nowMs);
      // Lets the responses of the emulator arrive.
      return new Promise((resolve) => void setTimeout(resolve, 2));
    }
    return new Promise((resolve) => {
      const sleep = { until, wake: resolve };
      this.#sleeps.add(sleep);
      signal?.addEventListener('abort', () => {
        this.#sleeps.delete(sleep);
        resolve();
      });
    });
  }

  pass(ms: number): void {
    this.#nowMs = Math.max(this.#nowMs, this.#nowMs + ms);
    for (const sleep of this.#sleeps) {
      if (sleep.until > this.#nowMs) continue;
      this.#sleeps.delete(sleep);
      sleep.wake();
    }
  }
}

/** A platform that never responds. `asked` resolves when a request arrives. */
async function silentPlatform(): Promise<{ readonly env: Record<string, string>; readonly asked: Promise<void> }> {
  let ask = (): void => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const host = await serve(() => ask());
  return { env: reaching({ url: `http://${host}/v3`, token: 'token' }), asked };
}

/** Another run's lock on the state of `cwd`. */
async function lockedBy(cwd: string, application: string): Promise<{ close(): Promise<void> }> {
  const owner = { user: 'other', host: 'elsewhere', pid: 1 };
  const backend = await openBackend('file:.chatform/state', { clock: nodeClock, owner, newId: () => 'other', cwd });
  return backend.open({ application, lockTimeoutMs: 0 });
}

const dora = { 'more.yaml': 'version: 1\nusers: { dora: { nickname: Dora } }\n' };

describe('starts no step and says so when the time is up', () => {
  test('while live objects are read', async () => {
    const { env, asked } = await silentPlatform();
    const clock = new TestClock();
    const at = (await place(deskElsewhere, env)).with({ clock });
    const says = 'The time limit was reached before its first step.';
    const ended = at.ends(`${apply} --refresh --max-duration 50m`, 9, says);
    await asked;
    clock.pass(50 * minuteMs);
    await ended;
    const report = { outcome: 'out_of_time', exit_code: 9, steps: { planned: 0 } };
    expect(await at.readJson('report.json')).toMatchObject(report);
  });

  test.for([apply, 'destroy --confirm IDENTITY'])('while it waits for the lock: %s', async (command) => {
    const { at, running } = await connected(deskElsewhere);
    const application = applicationIdentity(running.url);
    await at.does(apply);
    await at.write(dora);
    const requests = running.stats.requests.size;
    const lock = await lockedBy(at.cwd, application);
    const limited = `${command.replace('IDENTITY', application)} --max-duration 5s --lock-timeout 1h`;
    const { stderr } = await at.with({ clock: new TestClock() }).ends(limited, 9, 'apply.out-of-time');
    // The wait is limited to the remaining time.
    expect(Number(/Waiting for the lock on the state, at most ([\d.]+) s\./u.exec(stderr)?.[1])).toBeLessThanOrEqual(5);
    expect(running.stats.requests.size).toBe(requests);
    await lock.close();
  });

  test('before the first step, unless the wait for the lock ends first (7)', async () => {
    const { at, running } = await connected(deskElsewhere);
    const lock = await lockedBy(at.cwd, applicationIdentity(running.url));
    await at.with({ clock: new TestClock() }).ends(`${apply} --max-duration 5s --lock-timeout 3s`, 7);
    await lock.close();
  });

  test('with no time at all, although the plan is made', async () => {
    const { at, running } = await connected(deskElsewhere);
    await at.ends(`${apply} --max-duration 0s`, 9, 'Stopped at the time limit. 0 of');
    expect(await at.readJson('report.json')).toMatchObject({ outcome: 'out_of_time', steps: { succeeded: 0 } });
    expect(running.stats.requests.get('POST /users')).toBeUndefined();
  });
});

test('a time to stop at is the next one, and the earlier of two limits counts', async () => {
  const { at } = await connected(deskElsewhere);
  await at.ends(`${apply} --max-duration 50m --stop-at 2020-01-01T00:00Z`, 9, 'Stopped at the time limit. 0 of');
  await at.ends(`${apply} --max-duration 0s --stop-at 2999-01-01T00:00Z`, 9, 'Stopped at the time limit. 0 of');
  await at.ends(`${apply} --stop-at 4am`, 64, 'Write it as 04:00, 04:00Z');
  await at.does(
    `${apply} --max-duration 50m --stop-at ${new Date(Date.now() - minuteMs).toISOString().slice(11, 16)}Z`,
  );
});

test('gives a run the time that remains after its wait for the lock', async () => {
  const { at, running } = await connected(crowd(100));
  const lock = await lockedBy(at.cwd, applicationIdentity(running.url));
  const clock = new TestClock();
  clock.passing = async (sinceMs) => {
    if (sinceMs >= 3000) await lock.close();
  };
  // Ten users a second.
  const slow = at.with({ env: { CHATFORM_RATE_PLAN: '5k_mau' }, clock });
  await slow.ends(`${apply} --max-duration 5s --lock-timeout 1h`, 9);
  const { steps } = await at.readJson('report.json');
  expect(steps.succeeded).toBeGreaterThan(0);
  expect(steps.succeeded).toBeLessThanOrEqual(30);
  // Calls that were never sent are not in doubt, so nothing is waited for.
  expect((await at.does(apply)).stderr).not.toContain('may still take effect');
  expect(await keysOf(running, user)).toHaveLength(100);
  expect(running.stats.requests.get('POST /users')).toBe(100);
});

test('says that an apply could not be verified in time', async () => {
  const route = 'GET /open_channels/{channel_url}/messages';
  const { at, running } = await connected(
    {
      'chat.yaml': 'version: 1\nopen_channels: { hall: { name: Hall, messages: { file: hall.ndjson } } }\n',
      'hall.ndjson': `${JSON.stringify({ message_type: 'ADMM', message: 'Welcome', timestamp: 1_600_000_000_000 })}\n`,
    },
    { faults: { rules: [{ fault: 'hang_before', route }] } },
  );
  const clock = new TestClock();
  const says = 'was reached before every message was verified.';
  const ended = at.with({ clock }).ends(`${apply} --verify --max-duration 50m`, 9, says);
  await soon(() => running.stats.requests.has(route));
  clock.pass(50 * minuteMs);
  await ended;
  const report = { outcome: 'out_of_time', exit_code: 9, steps: { planned: 2, succeeded: 2 } };
  expect(await at.readJson('report.json')).toMatchObject(report);
});

test('does not end at once with a limit of years, which is too long for a timer', async () => {
  const warned: Error[] = [];
  const warn = (warning: Error): void => void warned.push(warning);
  process.on('warning', warn);
  onTestFinished(() => void process.off('warning', warn));
  const { at } = await connected(deskElsewhere);
  await at.does(`${apply} --refresh --max-duration 99999h`);
  expect(warned.map(({ name }) => name)).not.toContain('TimeoutOverflowWarning');
});
