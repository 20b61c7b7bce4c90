// Tests that waiting for another process's lock ends at the time limit, or at once when the user interrupts.
import { expect, test } from 'vitest';
import { LockWait } from '../../../src/state/engine/lock-wait.ts';
import { Processes, refusalOf } from '../../support/state/fixtures.ts';

const { clock } = new Processes();
const at = clock.date().toISOString();
const owner = { user: 'ada', host: 'build-7', pid: 4711, job: '12' };
const lock = { owner, since: at, heartbeat: at, expires: at };
const holder = 'ada@build-7 (process 4711, job 12) since 2026-01-01T00:00:00.000Z';

function waitOf(timeoutMs: number) {
  const stop = new AbortController();
  const told: string[] = [];
  const waiting = (who: string, maxMs: number) => {
    told.push(`${who}, ${maxMs} ms`);
    return { signal: stop.signal, end: () => void told.push('ended') };
  };
  return { wait: new LockWait('file:s', timeoutMs, { clock, waiting }), stop, told };
}

test('names the holder once, and refuses at the time limit', async () => {
  const { wait, told } = waitOf(700);
  const whole = refusalOf(
    (async () => {
      for (;;) await wait.forLock(lock);
    })(),
  );
  await clock.advance(1_000);
  expect(await whole).toMatchObject({ code: 'state.locked', exitCode: 7 });
  wait.end();
  expect(told).toEqual([`${holder}, 700 ms`, 'ended']);
});

test('names nobody if no wait is allowed', async () => {
  const { wait, told } = waitOf(0);
  expect(await refusalOf(wait.forLock(lock))).toMatchObject({ code: 'state.locked' });
  wait.end();
  expect(told).toEqual([]);
});

test('ends at once at an interrupt', async () => {
  const { wait, stop } = waitOf(60_000);
  const first = refusalOf(wait.forLock(lock));
  stop.abort();
  const refusal = await first;
  expect(refusal).toMatchObject({
    code: 'state.wait-interrupted',
    exitCode: 8,
    advice: expect.stringContaining('Nothing'),
  });
  expect(refusal.message).toContain(`file:s, held by ${holder}`);
});
