// Tests that nothing is lost or doubled when connections break, or the database is away for a while or cannot write.
import { describe, expect, onTestFinished, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import type { Clock } from '../../../src/model/ports.ts';
import { type BackendOptions, stateBackend } from '../../../src/state/engine/backend.ts';
import { journalKey } from '../../../src/state/engine/layout.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { postgresAddress } from '../../../src/state/stores/postgres.ts';
import { encodedPassword, noPostgres, usePostgres } from '../../support/postgres.ts';
import { application, beginOf, contentsOf, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';
import { startProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

const open = { application, lockTimeoutMs: 0 };
let ids = 0;

/** The real policy with shorter pauses. */
const hasty: Clock = { ...nodeClock, sleep: (ms, signal) => nodeClock.sleep(ms > 5_000 ? ms : ms / 20, signal) };

describe.runIf(noPostgres === undefined)('on a server', () => {
  const server = usePostgres();

  function backendAt(url: string, options: Partial<BackendOptions> = {}): UpkeepBackend {
    return stateBackend(
      postgresAddress(url, () => undefined),
      {
        clock: hasty,
        owner: { user: 'ci', host: 'elsewhere', pid: 1 },
        newId: () => `id${++ids}`,
        ...options,
      },
    );
  }

  async function proxied(): Promise<{ readonly proxy: TcpProxy; readonly url: string; readonly direct: string }> {
    const proxy = await startProxy(server().port);
    onTestFinished(() => proxy.close());
    const name = `state=w${++ids}`;
    const direct = `${server().url()}?${name}`;
    return { proxy, url: direct.replace(`:${server().port}/`, `:${proxy.port}/`), direct };
  }

  const isBatch = (bytes: Buffer) => bytes.includes('WITH made AS');

  test('a batch whose answer was lost counts once, as do later batches', async () => {
    const { proxy, url, direct } = await proxied();
    const writer = await backendAt(url).open(open);
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
    expect(contentsOf(await backendAt(direct).read(application))).toEqual(expected);
    await writer.close();
  });

  test('a holder that was fenced off while its answer was lost learns about it', async () => {
    const { proxy, url, direct } = await proxied();
    const writer = await backendAt(url).open(open);
    proxy.loseAnswerTo(isBatch);
    proxy.refuse();
    proxy.cut();
    const write = refusalOf(writer.done('1', put('late')));
    const other = backendAt(direct);
    const holder = await other.holder(application);
    expect(await other.breakLock(application, holder?.epoch ?? 0)).toBe(true);
    proxy.open();
    expect(await write).toMatchObject({ code: 'state.lease-lost', exitCode: 8 });
    expect(writer.leaseLeft()).toBe(0);
    await writer.close();
    expect(contentsOf(await other.read(application)).records).toEqual([]);
  });

  test('a database is waited for within the patience, and the lock stays', async () => {
    const { proxy, url, direct } = await proxied();
    const writer = await backendAt(url).open(open);
    proxy.refuse();
    proxy.cut();
    const writes = Promise.all(Array.from({ length: 100 }, (_, index) => writer.done(`${index}`, put(`u${index}`))));
    await nodeClock.sleep(200);
    proxy.open();
    await writes;
    expect((await backendAt(direct).read(application)).size).toBe(100);
    expect(writer.leaseLeft()).toBeGreaterThan(100_000);
    await writer.close();
    expect(await backendAt(direct).holder(application)).toBeUndefined();
  });

  test('a database that stays away ends the run, and later entries are refused alike', async () => {
    const { proxy, url, direct } = await proxied();
    const writer = await backendAt(url, { patienceMs: 300 }).open(open);
    await writer.done('1', put('a'));
    proxy.refuse();
    proxy.cut();
    const refusal = await refusalOf(writer.done('2', put('b')));
    expect(refusal).toMatchObject({ code: 'state.write-failed', exitCode: 8 });
    expect(refusal.message).toContain('it did not recover within');
    expect(refusal.message).not.toContain(encodedPassword);
    expect((await refusalOf(writer.begin(beginOf('3')))).code).toBe('state.write-failed');
    await writer.close();
    expect(contentsOf(await backendAt(direct).read(application)).records).toEqual([recordOf('a')]);
  });

  test.for([
    { name: 'a full disk', code: '53100', says: 'no space is left' },
    { name: 'a primary that was stood down', code: '25006', says: 'read-only' },
  ])('$name is waited for', async ({ code, says }) => {
    const name = `full${code}`;
    const url = `${server().url()}?state=${name}`;
    const writer = await backendAt(url).open(open);
    await server().sql(`
      CREATE FUNCTION chatform.refuse_${name}() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'made up by a test' USING ERRCODE = '${code}'; END $$;
      CREATE TRIGGER refuse_${name} BEFORE INSERT ON chatform.objects
        FOR EACH ROW WHEN (NEW.application = '?state=${name}' AND NEW.key LIKE 'journal/%') EXECUTE FUNCTION chatform.refuse_${name}()`);
    const write = writer.done('1', put(name));
    await nodeClock.sleep(100);
    await server().sql(`DROP TRIGGER refuse_${name} ON chatform.objects`);
    await write;
    expect(contentsOf(await backendAt(url).read(application)).records).toEqual([recordOf(name)]);

    await server().sql(`
      CREATE TRIGGER refuse_${name} BEFORE INSERT ON chatform.objects
        FOR EACH ROW WHEN (NEW.application = '?state=${name}' AND NEW.key LIKE 'journal/%') EXECUTE FUNCTION chatform.refuse_${name}()`);
    await writer.close();
    const hurried = await backendAt(url, { patienceMs: 100 }).open(open);
    const refusal = await refusalOf(hurried.done('2', put(`${name}-2`)));
    expect(refusal).toMatchObject({ code: 'state.write-failed', exitCode: 8 });
    expect(refusal.message).toContain(says);
    await hurried.close();
    await server().sql(`DROP TRIGGER refuse_${name} ON chatform.objects`);
  });

  test('a database that lost acknowledged entries is noticed', async () => {
    const url = `${server().url()}?state=rewound`;
    const writer = await backendAt(url).open(open);
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
    const writer = await backendAt(server().url(database)).open(open);
    const before = await server().sql('SELECT pg_current_wal_flush_lsn() AS lsn', database);
    await writer.done('1', put('a'));
    const [row] = await server().sql(
      `SELECT pg_current_wal_flush_lsn() > '${String(before[0]?.lsn)}' AS flushed`,
      database,
    );
    expect(row).toEqual({ flushed: true });
    await writer.close();
  });
});
