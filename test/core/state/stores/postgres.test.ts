// Tests that a state in a database has one holder at a time, by the clock of the database, and that nothing is lost or doubled
// when connections break, or the database is away for a while or cannot write.
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import type { Clock } from '../../../../src/core/model/ports.ts';
import type { BackendOptions } from '../../../../src/core/state/engine/backend.ts';
import { journalKey } from '../../../../src/core/state/engine/layout.ts';
import { encodedPassword, noPostgres, usePostgres } from '../../../support/postgres.ts';
import { soon } from '../../../support/soon.ts';
import {
  application,
  beginOf,
  contentsOf,
  later,
  now,
  put,
  readBy,
  recordOf,
  refusalOf,
} from '../../../support/state/fixtures.ts';
import { startProxy } from '../../../support/tcp-proxy.ts';
import { backendAt as plainBackendAt } from '../support/backend-at.ts';

const terms = { leaseMs: 600_000, heartbeatMs: 14_000, retryMs: 2_000 };

/** The real policy with shorter pauses. */
const hasty: Clock = { ...nodeClock, sleep: (ms, signal) => nodeClock.sleep(ms > 5_000 ? ms : ms / 20, signal) };
const backendAt = (url: string, options: Partial<BackendOptions> = {}) =>
  plainBackendAt(url, { clock: hasty, ...options });

describe.runIf(noPostgres === undefined)('on a server', () => {
  const server = usePostgres();
  const at = (state: string) => `${server().url()}?state=${state}`;

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
    const old = await backendAt(at('silent'), { terms, clock }).open(now);
    await old.done('1', put('a'));
    await pass(terms.leaseMs / 2);
    expect((await refusalOf(backendAt(at('silent')).open(now))).code).toBe('state.locked');
    const following = backendAt(at('silent')).open(later);
    await pass(terms.leaseMs / 2);
    const next = await following;
    expect(old.leaseLeft()).toBe(0);
    expect(await refusalOf(old.done('2', put('late')))).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    await old.close();
    await next.done('3', put('b'));
    await next.close();
    expect((await readBy(() => backendAt(at('silent')))).records).toEqual([recordOf('a'), recordOf('b')]);
  });

  test('a holder with heartbeats keeps the lock', async () => {
    const { clock, pass, beat } = timeOf('alive');
    const writer = await backendAt(at('alive'), { terms, clock }).open(now);
    for (let round = 0; round < 3; round++) {
      await pass(terms.leaseMs / 2);
      await beat();
    }
    expect((await refusalOf(backendAt(at('alive')).open(now))).code).toBe('state.locked');
    expect(writer.leaseLeft()).toBeGreaterThan(terms.leaseMs / 2);
    await writer.close();
  });

  test.for([
    { name: 'on this machine', host: 'a', machine: 'm1', isDead: true },
    { name: 'of another container with the same host name', host: 'a', machine: 'm2', isDead: false },
    { name: 'on another host', host: 'b', machine: 'm1', isDead: false },
  ])('a dead process $name', async ({ name, host, machine, isDead }) => {
    const spec = at(name.replaceAll(' ', '-'));
    const dead = await backendAt(spec, { owner: { user: 'ci', host, machine, pid: 7 } }).open(now);
    await dead.done('1', put('a'));
    const owner = { user: 'ci', host: 'a', machine: 'm1', pid: 8 };
    const here = backendAt(spec, { owner, isAlive: (pid) => pid !== 7 });
    expect(await here.holder(application)).toMatchObject({ isDead, lock: { owner: { pid: 7 } } });
    const opening = here.open(now).then((writer) => writer.close());
    if (isDead) await opening;
    else expect((await refusalOf(opening)).code).toBe('state.locked');
    await dead.close();
  });

  let places = 0;

  async function proxied() {
    const proxy = await startProxy(server().port);
    onTestFinished(() => proxy.close());
    const direct = at(`w${++places}`);
    const url = direct.replace(`:${server().port}/`, `:${proxy.port}/`);
    return { proxy, url, read: () => readBy(() => backendAt(direct)), other: backendAt(direct) };
  }

  const isBatch = (bytes: Buffer) => bytes.includes('WITH made AS');

  test('a batch whose answer was lost counts once, as do later batches', async () => {
    const { proxy, url, read } = await proxied();
    const writer = await backendAt(url).open(now);
    await writer.done('1', put('a', { tags: [] }));
    for (const [round, tag] of ['x', 'y', 'z'].entries()) {
      proxy.loseAnswerTo(isBatch);
      await Promise.all([
        writer.begin(beginOf(`b${round}`)),
        writer.done(`s${round}`, {
          type: 'patch',
          address: 'user.a',
          edits: [{ op: 'add', path: ['tags'], values: [tag] }],
        }),
        round === 1 ? writer.done('gone', { type: 'delete', address: 'user.b' }) : writer.done('put', put('b')),
      ]);
    }
    const expected = {
      records: [recordOf('a', { tags: ['x', 'y', 'z'] }), recordOf('b')],
      pending: ['b0', 'b1', 'b2'],
    };
    expect(contentsOf(writer)).toEqual(expected);
    expect(await read()).toEqual(expected);
    await writer.close();
  });

  test('a holder that was fenced off while its answer was lost learns about it', async () => {
    const { proxy, url, other, read } = await proxied();
    const writer = await backendAt(url).open(now);
    proxy.loseAnswerTo(isBatch);
    proxy.refuse();
    proxy.cut();
    const write = refusalOf(writer.done('1', put('late')));
    const holder = await other.holder(application);
    expect(await other.breakLock(application, holder?.epoch ?? 0)).toBe(true);
    proxy.open();
    expect(await write).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    expect(writer.leaseLeft()).toBe(0);
    await writer.close();
    expect((await read()).records).toEqual([]);
  });

  test('a database is waited for within the patience, and the lock stays', async () => {
    const { proxy, url, other, read } = await proxied();
    const writer = await backendAt(url).open(now);
    proxy.refuse();
    proxy.cut();
    const writes = Promise.all(Array.from({ length: 100 }, (_, index) => writer.done(`${index}`, put(`u${index}`))));
    await nodeClock.sleep(200);
    proxy.open();
    await writes;
    expect((await read()).records).toHaveLength(100);
    expect(writer.leaseLeft()).toBeGreaterThan(100_000);
    await writer.close();
    expect(await other.holder(application)).toBeUndefined();
  });

  test('a database that stays away ends the run, and later entries are refused alike', async () => {
    const { proxy, url, read } = await proxied();
    const writer = await backendAt(url, { patienceMs: 300 }).open(now);
    await writer.done('1', put('a'));
    proxy.refuse();
    proxy.cut();
    const refusal = await refusalOf(writer.done('2', put('b')));
    expect(refusal).toMatchObject({ code: 'state.write-failed', exitCode: 8 });
    expect(refusal.message).toContain('it did not recover within');
    expect(refusal.message).not.toContain(encodedPassword);
    expect((await refusalOf(writer.begin(beginOf('3')))).code).toBe('state.write-failed');
    await writer.close();
    expect((await read()).records).toEqual([recordOf('a')]);
  });

  test.for([
    { name: 'a full disk', code: '53100', says: 'no space is left' },
    { name: 'a primary that was stood down', code: '25006', says: 'read-only' },
  ])('$name is waited for', async ({ code, says }) => {
    const name = `full${code}`;
    const trigger = `
      CREATE OR REPLACE FUNCTION chatform.refuse_${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'made up by a test' USING ERRCODE = '${code}'; END $$;
      CREATE TRIGGER refuse_${name} BEFORE INSERT ON chatform.objects
        FOR EACH ROW WHEN (NEW.application = '?state=${name}' AND NEW.key LIKE 'journal/%') EXECUTE FUNCTION chatform.refuse_${name}()`;
    const recover = () => server().sql(`DROP TRIGGER refuse_${name} ON chatform.objects`);
    const writer = await backendAt(at(name)).open(now);
    await server().sql(trigger);
    const write = writer.done('1', put(name));
    await nodeClock.sleep(100);
    await recover();
    await write;
    expect((await readBy(() => backendAt(at(name)))).records).toEqual([recordOf(name)]);
    await server().sql(trigger);
    await writer.close();
    const hurried = await backendAt(at(name), { patienceMs: 100 }).open(now);
    const refusal = await refusalOf(hurried.done('2', put(`${name}-2`)));
    expect(refusal).toMatchObject({ code: 'state.write-failed', exitCode: 8 });
    expect(refusal.message).toContain(says);
    await hurried.close();
    await recover();
  });

  test('a run leaves a connection to a server that became read-only', async () => {
    await server().sql('CREATE DATABASE demoted');
    const sessions = "FROM pg_stat_activity WHERE datname = 'demoted'";
    const writer = await backendAt(server().url('demoted')).open(now);
    await writer.done('1', put('a'));
    // A session keeps the setting that it began with.
    await server().sql('ALTER DATABASE demoted SET default_transaction_read_only = on');
    await server().sql(`SELECT pg_terminate_backend(pid) ${sessions}`);
    const write = writer.done('2', put('b'));
    await soon(async () => (await server().sql(`SELECT pid ${sessions} AND query LIKE '%INSERT%'`)).length > 0);
    await server().sql('ALTER DATABASE demoted SET default_transaction_read_only = off');
    await write;
    await writer.close();
    expect((await readBy(() => backendAt(server().url('demoted')))).records).toEqual([recordOf('a'), recordOf('b')]);
  });

  test('a database that lost acknowledged entries is noticed', async () => {
    const writer = await backendAt(at('rewound')).open(now);
    await writer.done('1', put('a'));
    await writer.done('2', put('b'));
    await server().sql(
      `DELETE FROM chatform.objects WHERE application = '?state=rewound' AND key = '${journalKey(1, 2)}'`,
    );
    expect(await refusalOf(writer.done('3', put('c')))).toMatchObject({ code: 'state.rewound', exitCode: 8 });
    await writer.close();
  });

  test('acknowledged entries are durable, also for a user with synchronous_commit off', async () => {
    const database = 'careless';
    await server().sql(`CREATE DATABASE ${database}`);
    await server().sql(`ALTER DATABASE ${database} SET synchronous_commit = off`);
    const writer = await backendAt(server().url(database)).open(now);
    const [before] = await server().sql('SELECT pg_current_wal_flush_lsn() AS lsn', database);
    await writer.done('1', put('a'));
    const [row] = await server().sql(`SELECT pg_current_wal_flush_lsn() > '${before?.lsn}' AS flushed`, database);
    expect(row).toEqual({ flushed: true });
    await writer.close();
  });
});
