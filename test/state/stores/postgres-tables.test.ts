// Tests that tables are created and migrated automatically, with the documented privileges.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import { type BackendOptions, stateBackend } from '../../../src/state/engine/backend.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { postgresAddress } from '../../../src/state/stores/postgres.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import { application, contentsOf, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';

const open = { application, lockTimeoutMs: 0 };
let ids = 0;

function backendAt(url: string, options: Partial<BackendOptions> = {}): UpkeepBackend {
  return stateBackend(
    postgresAddress(url, () => undefined),
    {
      clock: nodeClock,
      owner: { user: 'ci', host: 'h', pid: 1 },
      newId: () => `id${++ids}`,
      ...options,
    },
  );
}

describe.runIf(noPostgres === undefined)('on a server', () => {
  const server = usePostgres();

  async function database(name: string, options = ''): Promise<string> {
    await server().sql(`CREATE DATABASE ${name} ${options}`);
    return server().url(name);
  }

  async function user(name: string): Promise<(url: string) => string> {
    await server().sql(`CREATE ROLE ${name} LOGIN PASSWORD 'pw'`);
    return (url) => url.replace(/\/\/[^@]*@/u, `//${name}:pw@`);
  }

  test('a reader creates nothing, and a writer creates the table', async () => {
    const url = await database('made');
    expect((await backendAt(url).read(application)).header).toBeUndefined();
    expect(await backendAt(url).applications()).toEqual([]);
    expect(await backendAt(url).holder(application)).toBeUndefined();
    const schemas = `SELECT count(*)::int AS found FROM pg_namespace WHERE nspname = 'chatform'`;
    expect(await server().sql(schemas, 'made')).toEqual([{ found: 0 }]);
    await (await backendAt(url).open(open)).close();
    expect(await server().sql(schemas, 'made')).toEqual([{ found: 1 }]);
    const others = `SELECT count(*)::int AS found FROM pg_tables WHERE schemaname NOT IN ('chatform', 'pg_catalog', 'information_schema')`;
    expect(await server().sql(others, 'made')).toEqual([{ found: 0 }]);
  });

  test('processes can create the table at the same time', async () => {
    const url = await database('migrated');
    const opened = await Promise.allSettled(Array.from({ length: 5 }, () => backendAt(url).open(open)));
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of opened) if (one.status === 'fulfilled') await one.value.close();
  });

  test('a state in the tables of 0.2 is refused with two commands, and 0.2 refuses the pushed state', async () => {
    const url = await database('older');
    await server().sql(await readFile(join(import.meta.dirname, '../fixtures/tables-1.sql'), 'utf8'), 'older');
    for (const use of [() => backendAt(url).read(application), () => backendAt(url).open(open)]) {
      const refusal = await refusalOf(use());
      expect(refusal).toMatchObject({ code: 'state.older-version', exitCode: 1 });
      expect(refusal.advice).toContain('With chatform 0.2.0: chatform state pull copy.ndjson --state');
      expect(refusal.advice).toContain('chatform state push copy.ndjson --state');
    }
    expect((await backendAt(url).read('another/v3')).header).toBeUndefined();
    const pushing = await backendAt(url, { replacesOlder: true }).open(open);
    await pushing.replace({ header: pushing.header, serial: 3, pending: [], records: () => [recordOf('a')] });
    expect(contentsOf(await backendAt(url).read(application)).records).toEqual([recordOf('a')]);
    expect(await server().sql('SELECT format FROM chatform.states', 'older')).toEqual([{ format: 'chatform-state/2' }]);
  });

  test('one database contains many applications and named states', async () => {
    const url = await database('many');
    for (const name of ['one/v3', 'two/v3']) {
      const writer = await backendAt(url).open({ application: name, lockTimeoutMs: 0 });
      await writer.done('1', put(name.slice(0, 3)));
      // Each has its own lock, and the writer of the other one is still active.
      const other = await backendAt(`${url}?state=named`)
        .open({ application: name, lockTimeoutMs: 0 })
        .catch(() => undefined);
      await other?.close();
      await writer.close();
    }
    expect(await backendAt(url).applications()).toEqual(['one/v3', 'two/v3']);
    expect(await backendAt(`${url}?state=named`).applications()).toEqual(['one/v3']);
    expect(contentsOf(await backendAt(url).read('one/v3')).records).toEqual([recordOf('one')]);
    expect(contentsOf(await backendAt(url).read('two/v3')).records).toEqual([recordOf('two')]);
    expect((await refusalOf(backendAt(`${url}?state=named`).read('two/v3'))).code).toBe('state.other-application');
  });

  test('a state without the port of its loopback address is found, and each port has its own', async () => {
    const url = await database('ports');
    const fill = async (application: string) => {
      const writer = await backendAt(url).open({ ...open, application });
      await writer.done('1', put(application));
      await writer.close();
    };
    await fill('127.0.0.1:8080/v3');
    await fill('127.0.0.1/v3');
    expect((await refusalOf(backendAt(url).read('127.0.0.1:8081/v3'))).advice).toContain('chatform state rebind');
    expect((await backendAt(url).read('127.0.0.1:8080/v3')).header?.application).toBe('127.0.0.1:8080/v3');
    expect((await backendAt(url).read('127.0.0.1/v3')).header?.application).toBe('127.0.0.1/v3');
    expect((await backendAt(url).read('proxy.example.org:8080/v3')).header).toBeUndefined();
  });

  test('a user with a schema can apply, and a read-only user can plan', async () => {
    const url = await database('granted');
    const asWriter = await user('writer');
    const asReader = await user('reader');
    const asStranger = await user('stranger');
    expect(await refusalOf(backendAt(asWriter(url)).open(open))).toMatchObject({
      code: 'state.privilege-missing',
      exitCode: 1,
    });
    await server().sql('CREATE SCHEMA chatform AUTHORIZATION writer', 'granted');
    const writer = await backendAt(asWriter(url)).open(open);
    await writer.done('1', put('a'));
    await writer.close();
    await server().sql(
      'GRANT USAGE ON SCHEMA chatform TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA chatform TO reader',
      'granted',
    );
    expect(contentsOf(await backendAt(asReader(url)).read(application)).records).toEqual([recordOf('a')]);
    for (const use of [() => backendAt(asReader(url)).open(open), () => backendAt(asStranger(url)).read(application)]) {
      const refusal = await refusalOf(use());
      expect(refusal).toMatchObject({ code: 'state.privilege-missing', exitCode: 1 });
      expect(refusal.advice).toContain('CREATE SCHEMA chatform AUTHORIZATION');
    }
  });

  test('a read-only server serves plans and refuses an apply', async () => {
    const url = await database('standby');
    await (await backendAt(url).open(open)).close();
    await server().sql('ALTER DATABASE standby SET default_transaction_read_only = on');
    expect((await backendAt(url).read(application)).size).toBe(0);
    const refusal = await refusalOf(backendAt(url).open(open));
    expect(refusal).toMatchObject({ code: 'state.unreachable', exitCode: 1 });
    expect(refusal.message).toContain('read-only');
  });

  test.for([
    {
      name: 'a wrong password',
      of: (url: string) => url.replace(/:[^:@]*@/u, ':wrong@'),
      code: 'state.login-refused',
      exitCode: 3,
      says: 'password',
    },
    {
      name: 'no password',
      of: (url: string) => url.replace(/:[^:@]*@/u, '@'),
      code: 'state.login-refused',
      exitCode: 3,
      says: 'asks for a password, and none is set',
      advises: 'CHATFORM_STATE_PASSWORD',
    },
    {
      name: 'no such database',
      of: (url: string) => url.replace(/\/\w+$/u, '/nowhere'),
      exitCode: 1,
      says: 'the database does not exist',
    },
    {
      name: 'no such host',
      of: (url: string) => url.replace('127.0.0.1', 'nowhere.invalid').concat('?sslmode=disable'),
      exitCode: 1,
      says: 'host',
    },
    { name: 'nothing there', of: () => 'postgres://u:wrong@127.0.0.1:1/db', exitCode: 1, says: 'nothing listens' },
    {
      name: 'no TLS there',
      of: (url: string) => `${url}?sslmode=verify-full`,
      exitCode: 1,
      says: 'no secure connection',
    },
    {
      name: 'no such certificate',
      of: (url: string) => `${url}?sslmode=verify-full&sslrootcert=/nowhere.pem`,
      exitCode: 1,
      says: 'does not exist',
    },
  ])('$name', async ({ of, code = 'state.unreachable', exitCode, says, advises = '' }) => {
    const url = of(server().url());
    for (const use of [() => backendAt(url).read(application), () => backendAt(url).open(open)]) {
      const refusal = await refusalOf(use());
      expect(refusal).toMatchObject({ code, exitCode });
      expect(refusal.message).toContain(says);
      expect(refusal.advice).toContain(advises);
      expect(`${refusal.message}${refusal.advice}`).not.toMatch(/wrong|secret/u);
    }
  });

  test('a database that cannot store every name is refused', async () => {
    const url = await database('latin', `ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`);
    expect(await refusalOf(backendAt(url).open(open))).toMatchObject({ code: 'state.wrong-encoding' });
  });
});
