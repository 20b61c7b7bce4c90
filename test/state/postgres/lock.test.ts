// One process at a time holds the lock of a state in a database, by the database's own clock.
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/session/node-clock.ts';
import type { Clock } from '../../../src/model/ports.ts';
import type { LockOwner } from '../../../src/state/lease.ts';
import { type PostgresOptions, postgresBackend } from '../../../src/state/postgres/postgres.ts';
import type { UpkeepBackend } from '../../../src/state/upkeep.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import { soon } from '../../support/soon.ts';
import { application, contentsOf, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';

const open = { application, lockTimeoutMs: 0 };
const terms = { leaseMs: 600_000, heartbeatMs: 15_000, retryMs: 2_000 };
let ids = 0;

describe.runIf(noPostgres === undefined)('on a server', () => {
  const server = usePostgres();

  function backend(
    name: string,
    owner: Partial<LockOwner> = {},
    options: Partial<PostgresOptions> = {},
  ): UpkeepBackend {
    return postgresBackend(`${server().url()}?state=${name}`, {
      clock: nodeClock,
      owner: { user: 'ci', host: 'host-a', pid: 1, ...owner },
      newId: () => `id${++ids}`,
      isAlive: () => true,
      ...options,
    });
  }

  test('of processes that start at the same instant exactly one wins, even without tables', async () => {
    await server().sql('CREATE DATABASE fresh');
    for (const round of [1, 2]) {
      const results = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          postgresBackend(`${server().url('fresh')}?state=race`, {
            clock: nodeClock,
            owner: { user: 'ci', host: `host-${index}`, pid: 1 },
            newId: () => `id${++ids}`,
          }).open(open),
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

  /** As if the lock of a state had been taken or renewed that much earlier. */
  async function passes(name: string, ms: number): Promise<void> {
    await server().sql(`UPDATE chatform.states SET expires = expires - ${ms} * interval '1 ms' WHERE name = '${name}'`);
  }

  test('a holder that is silent is followed when its lease has run out, not before, and can write no more', async () => {
    let passed = 0;
    const silent: Clock = {
      now: () => nodeClock.now() + passed,
      date: () => new Date(nodeClock.date().getTime() + passed),
      sleep: () => new Promise(() => {}),
    };
    const old = await backend('silent', {}, { terms, clock: silent }).open(open);
    await old.done('1', put('a'));
    await passes('silent', terms.leaseMs / 2);
    expect((await refusalOf(backend('silent', { host: 'host-b' }).open(open))).code).toBe('state.locked');
    passed = terms.leaseMs;
    await passes('silent', terms.leaseMs / 2);
    const next = await backend('silent', { host: 'host-b' }).open(open);
    expect(old.leaseLeft()).toBe(0);
    expect(await refusalOf(old.done('2', put('late')))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    await old.close();
    await next.done('3', put('b'));
    await next.close();
    const { records } = contentsOf(await backend('silent').read(application));
    expect(records).toEqual([recordOf('a'), recordOf('b')]);
  });

  test('a holder that shows signs of life keeps the lock for as long as it likes', async () => {
    let beat: (() => void) | undefined;
    const clock: Clock = { ...nodeClock, sleep: () => new Promise((resolve) => (beat = resolve)) };
    const writer = await backend('alive', {}, { terms, clock }).open(open);
    for (let round = 0; round < 3; round++) {
      await passes('alive', terms.leaseMs / 2);
      const due = beat;
      due?.();
      await soon(() => beat !== due);
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

  test('the lock that was shown is broken, and no later one', async () => {
    const first = await backend('broken').open(open);
    const shown = await backend('broken').holder(application);
    await first.close();
    const second = await backend('broken', { pid: 2 }).open(open);
    expect(await backend('broken').breakLock(application, shown?.epoch ?? 0)).toBe(false);
    await second.done('1', put('a'));
    await second.close();
  });

  test('a reader takes no lock and is not held up by one', async () => {
    const writer = await backend('read').open(open);
    await writer.done('1', put('a'));
    const before = await backend('read').read(application);
    await writer.done('2', put('b'));
    expect(contentsOf(before).records).toEqual([recordOf('a')]);
    expect((await backend('read').holder(application))?.lock.owner.host).toBe('host-a');
    await writer.close();
  });
});
