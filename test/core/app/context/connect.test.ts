// Tests that a host that does not respond is reported once, within ten seconds, and a host that responds never.
import { describe, expect, test } from 'vitest';
import { watchReach } from '../../../../src/core/app/context/connect.ts';
import type { Notice } from '../../../../src/core/model/event.ts';
import type { Answer } from '../../../../src/core/model/ports.ts';

const ok: Answer = { type: 'ok', body: {} };
const unsent: Answer = { type: 'unsent', message: 'no connection: ECONNREFUSED' };

/** An alarm that the test triggers. */
function watched(answers: readonly (Answer | Promise<Answer>)[]) {
  const told: Notice[] = [];
  const alarms: { readonly ms: number; ring(): void; isCancelled: boolean }[] = [];
  const left = [...answers];
  const watch = watchReach(
    { send: async () => (await left.shift()) ?? ok },
    'api-1.example.com',
    (notice) => told.push(notice),
    (ms, ring) => {
      const alarm = { ms, ring, isCancelled: false };
      alarms.push(alarm);
      return () => {
        alarm.isCancelled = true;
      };
    },
  );
  return { watch, told, alarms };
}
const request = { method: 'GET', route: '/users', params: {} } as const;

describe('a host', () => {
  test('that refuses the connection is reported immediately, and only once', async () => {
    const { watch, told } = watched([unsent, unsent, ok]);
    for (let at = 0; at < 3; at += 1) await watch.send(request);
    expect(told).toEqual([{ type: 'host-silent', host: 'api-1.example.com', why: unsent.message }]);
  });

  test('that is silent is reported within ten seconds', async () => {
    let answer: (value: Answer) => void = () => {};
    const { watch, told, alarms } = watched([new Promise<Answer>((resolve) => (answer = resolve))]);
    const sent = watch.send(request);
    expect(alarms.map(({ ms }) => ms <= 10_000)).toEqual([true]);
    alarms[0]?.ring();
    expect(told).toEqual([{ type: 'host-silent', host: 'api-1.example.com', why: 'no response yet' }]);
    answer(unsent);
    await sent;
    expect(told).toHaveLength(1);
  });

  test('that answers is never reported, and leaves no timer', async () => {
    const { watch, told, alarms } = watched([ok, unsent]);
    await watch.send(request);
    expect(alarms).toMatchObject([{ isCancelled: true }]);
    alarms[0]?.ring();
    await watch.send(request);
    expect(told).toEqual([]);
  });

  test('that is no longer waited for is not reported', async () => {
    const { watch, told, alarms } = watched([new Promise<Answer>(() => {})]);
    void watch.send(request);
    watch.end();
    alarms[0]?.ring();
    expect(told).toEqual([]);
  });
});
