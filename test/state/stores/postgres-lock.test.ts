// Tests that one process at a time holds the lock of a state in a database, by the clock of the database.
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import type { Clock } from '../../../src/model/ports.ts';
import { type BackendOptions, stateBackend } from '../../../src/state/engine/backend.ts';
import type { LockOwner } from '../../../src/state/engine/lease.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { postgresAddress } from '../../../src/state/stores/postgres.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import { soon } from '../../support/soon.ts';
import { application, contentsOf, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';

const open = { application, lockTimeoutMs: 0 };
const terms = { leaseMs: 600_000, heartbeatMs: 14_000, retryMs: 2_000 };
let ids = 0;

describe.runIf(noPostgres === undefined)('on a server', () => {
  const server = usePostgres();

  function backend(name: string, owner: Partial<LockOwner> = {}, options: Partial<BackendOptions> = {}): UpkeepBackend {
    return stateBackend(
      postgresAddress(`${server().url()}?state=${name}`, () => undefined),
      {
        clock: nodeClock,
        owner: { user: 'ci', host: 'host-a', pid: 1, ...owner },
        newId: () => `id${++ids}`,
        isAlive: () => true,
        ...options,
      },
    );
  }

  test('exactly one of many processes wins, even without tables', async () => {
    await server().sql('CREATE DATABASE fresh');
    for (const round of [1, 2]) {
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          stateBackend(
            postgresAddress(`${server().url('fresh')}?state=race`, () => undefined),
            {
              clock: nodeClock,
              owner: { user: 'ci', host: `host-${index}`, pid: 1 },
              newId: () => `id${++ids}`,
            },
          ).open(open),
        ),
      );
      const winners = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
      expect(winners, `round ${round}`).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'state.locked', exitCode: 7 });
      }
      for (const winner of winners) await winner.close();
    }
  });

  /** The time of a holder, on its own clock and on that of its lock, moved by the test. A holder sleeps until its next beat. */
  function timeOf(name: string) {
    let passed = 0;
    let wake = () => {};
    const clock: Clock = {
      now: () => nodeClock.now() + passed,
      date: () => new Date(nodeClock.date().getTime() + passed),
      sleep: (ms, signal) =>
        ms === terms.heartbeatMs ? new Promise((resolve) => (wake = resolve)) : nodeClock.sleep(ms, signal),
    };
    const pass = async (ms: number): Promise<void> => {
      passed += ms;
      await server().sql(
        `UPDATE chatform.objects SET at = at - ${ms} * interval '1 ms' WHERE application = '?state=${name}'`,
      );
    };
    /** Resolves when the beat has finished. */
    const beat = async (): Promise<void> => {
      const due = wake;
      due();
      await soon(() => wake !== due);
    };
    return { clock, pass, beat };
  }

  test('a silent holder is replaced when its lease has expired, and cannot write any more', async () => {
    const { clock, pass } = timeOf('silent');
    const old = await backend('silent', {}, { terms, clock }).open(open);
    await old.done('1', put('a'));
    await pass(terms.leaseMs / 2);
    expect((await refusalOf(backend('silent', { host: 'host-b' }).open(open))).code).toBe('state.locked');
    const hasty: Clock = { ...nodeClock, sleep: (ms, signal) => nodeClock.sleep(ms / 20, signal) };
    const patient = backend('silent', { host: 'host-b' }, { clock: hasty });
    const following = patient.open({ application, lockTimeoutMs: 120_000 });
    await pass(terms.leaseMs / 2);
    const next = await following;
    expect(old.leaseLeft()).toBe(0);
    expect(await refusalOf(old.done('2', put('late')))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    await old.close();
    await next.done('3', put('b'));
    await next.close();
    const { records } = contentsOf(await backend('silent').read(application));
    expect(records).toEqual([recordOf('a'), recordOf('b')]);
  });

  test('a holder with heartbeats keeps the lock', async () => {
    const { clock, pass, beat } = timeOf('alive');
    const writer = await backend('alive', {}, { terms, clock }).open(open);
    for (let round = 0; round < 3; round++) {
      await pass(terms.leaseMs / 2);
      await beat();
    }
    const refusal = await refusalOf(backend('alive', { host: 'host-b' }).open(open));
    expect(refusal.code).toBe('state.locked');
    expect(writer.leaseLeft()).toBeGreaterThan(terms.leaseMs / 2);
    await writer.close();
  });

  test.for([
    { name: 'on this machine', owner: { machine: 'm1' }, isOver: true },
    { name: 'of another container with the same host name', owner: { machine: 'm2' }, isOver: false },
    { name: 'on another host', owner: { host: 'host-b', machine: 'm1' }, isOver: false },
  ])('a dead process $name', async ({ name, owner, isOver }) => {
    const place = name.replaceAll(' ', '-');
    const dead = await backend(place, { ...owner, pid: 7 }).open(open);
    await dead.done('1', put('a'));
    const here = backend(place, { machine: 'm1', pid: 8 }, { isAlive: (pid) => pid !== 7 });
    expect(await here.holder(application)).toMatchObject({ isDead: isOver, lock: { owner: { pid: 7 } } });
    const opened = here.open(open).then(
      (writer) => writer.close().then(() => 'taken over'),
      (error) => error.code,
    );
    expect(await opened).toBe(isOver ? 'taken over' : 'state.locked');
    await dead.close();
  });

  test('breaks only the lock that was shown, not a later one', async () => {
    const first = await backend('broken').open(open);
    const shown = await backend('broken').holder(application);
    await first.close();
    const second = await backend('broken', { pid: 2 }).open(open);
    expect(await backend('broken').breakLock(application, shown?.epoch ?? 0)).toBe(false);
    await second.done('1', put('a'));
    await second.close();
  });

  test('a reader takes no lock and waits for none', async () => {
    const writer = await backend('read').open(open);
    await writer.done('1', put('a'));
    const before = await backend('read').read(application);
    await writer.done('2', put('b'));
    expect(contentsOf(before).records).toEqual([recordOf('a')]);
    expect((await backend('read').holder(application))?.lock.owner.host).toBe('host-a');
    await writer.close();
  });
});
