// Tests that tables are created and migrated automatically, with the documented privileges, and what refuses a connection.
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noPostgres, usePostgres } from '../../../support/postgres.ts';
import { soon } from '../../../support/soon.ts';
import {
  application,
  contentsOf,
  now,
  put,
  putBy,
  readBy,
  recordOf,
  refusalOf,
} from '../../../support/state/fixtures.ts';
import { backendAt } from '../support/backend-at.ts';

const openssl = 'openssl';
const hasOpenssl = spawnSync(openssl, ['version']).status === 0;

const uses = [(url: string) => backendAt(url).read(application), (url: string) => backendAt(url).open(now)];

describe.runIf(noPostgres === undefined)('on a server', () => {
  const server = usePostgres();

  async function database(name: string, options = ''): Promise<string> {
    await server().sql(`CREATE DATABASE ${name} ${options}`);
    return server().url(name);
  }

  test('a reader creates nothing, and a writer creates the table', async () => {
    const url = await database('made');
    expect((await backendAt(url).read(application)).header).toBeUndefined();
    expect(await backendAt(url).applications()).toEqual([]);
    expect(await backendAt(url).holder(application)).toBeUndefined();
    const schemas = `SELECT count(*)::int AS found FROM pg_namespace WHERE nspname = 'chatform'`;
    expect(await server().sql(schemas, 'made')).toEqual([{ found: 0 }]);
    await putBy(() => backendAt(url));
    expect(await server().sql(schemas, 'made')).toEqual([{ found: 1 }]);
    const others = `SELECT count(*)::int AS found FROM pg_tables WHERE schemaname NOT IN ('chatform', 'pg_catalog', 'information_schema')`;
    expect(await server().sql(others, 'made')).toEqual([{ found: 0 }]);
  });

  test('exactly one of many processes wins, even if each of them creates the table', async () => {
    const url = await database('migrated');
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => backendAt(url).open(now)));
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of opened) {
      if (one.status === 'fulfilled') await one.value.close();
      else expect(one.reason).toMatchObject({ code: 'state.locked', exitCode: 7 });
    }
  });

  test('one database contains many applications and named states', async () => {
    const url = await database('many');
    const named = `${url}?state=named`;
    for (const application of ['one/v3', 'two/v3']) {
      const writer = await backendAt(url).open({ ...now, application });
      await writer.done('1', put(application.slice(0, 3)));
      // Each has its own lock, and the writer of the other one is still active.
      const other = await backendAt(named)
        .open({ ...now, application })
        .catch(() => undefined);
      await other?.close();
      await writer.close();
    }
    expect(await backendAt(url).applications()).toEqual(['one/v3', 'two/v3']);
    expect(await backendAt(named).applications()).toEqual(['one/v3']);
    expect(contentsOf(await backendAt(url).read('one/v3')).records).toEqual([recordOf('one')]);
    expect(contentsOf(await backendAt(url).read('two/v3')).records).toEqual([recordOf('two')]);
    expect((await refusalOf(backendAt(named).read('two/v3'))).code).toBe('state.other-application');
  });

  test('a user with a schema can apply, and a read-only user can plan', async () => {
    const url = await database('granted');
    const [asWriter = '', asReader = '', asStranger = ''] = ['writer', 'reader', 'stranger'].map((name) =>
      url.replace(/\/\/[^@]*@/u, `//${name}:pw@`),
    );
    for (const name of ['writer', 'reader', 'stranger']) await server().sql(`CREATE ROLE ${name} LOGIN PASSWORD 'pw'`);
    const expectRefused = async (using: Promise<unknown>): Promise<void> => {
      const refusal = await refusalOf(using);
      expect(refusal).toMatchObject({ code: 'state.privilege-missing', exitCode: 1 });
      expect(refusal.advice).toContain('CREATE SCHEMA chatform AUTHORIZATION');
    };
    await expectRefused(backendAt(asWriter).open(now));
    await server().sql('CREATE SCHEMA chatform AUTHORIZATION writer', 'granted');
    await putBy(() => backendAt(asWriter), 'a');
    await server().sql(
      'GRANT USAGE ON SCHEMA chatform TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA chatform TO reader',
      'granted',
    );
    expect((await readBy(() => backendAt(asReader))).records).toEqual([recordOf('a')]);
    await expectRefused(backendAt(asReader).open(now));
    await expectRefused(backendAt(asStranger).read(application));
  });

  test('a read-only server serves plans and refuses an apply', async () => {
    const url = await database('standby');
    await putBy(() => backendAt(url));
    await server().sql('ALTER DATABASE standby SET default_transaction_read_only = on');
    expect((await backendAt(url).read(application)).size).toBe(0);
    const refusal = await refusalOf(backendAt(url).open(now));
    expect(refusal).toMatchObject({ code: 'state.unreachable', exitCode: 1 });
    expect(refusal.message).toContain('read-only');
  });

  test.for<[name: string, of: (url: string) => string, says: string, code?: string, exitCode?: number]>([
    ['a wrong password', (url) => url.replace(/:[^:@]*@/u, ':wrong@'), 'password', 'state.login-refused', 3],
    [
      'no password',
      (url) => url.replace(/:[^:@]*@/u, '@'),
      'asks for a password, and none is set',
      'state.login-refused',
      3,
    ],
    ['no such database', (url) => url.replace(/\/\w+$/u, '/nowhere'), 'the database does not exist'],
    ['no such host', (url) => url.replace('127.0.0.1', 'nowhere.invalid').concat('?sslmode=disable'), 'host'],
    ['nothing there', () => 'postgres://u:wrong@127.0.0.1:1/db', 'nothing listens'],
    ['no TLS there', (url) => `${url}?sslmode=verify-full`, 'no secure connection'],
    ['no such certificate', (url) => `${url}?sslmode=verify-full&sslrootcert=/nowhere.pem`, 'does not exist'],
  ])('%s', async ([, of, says, code = 'state.unreachable', exitCode = 1]) => {
    for (const use of uses) {
      const refusal = await refusalOf(use(of(server().url())));
      expect(refusal).toMatchObject({ code, exitCode });
      expect(refusal.message).toContain(says);
      if (says.startsWith('asks')) expect(refusal.advice).toContain('CHATFORM_STATE_PASSWORD');
      expect(`${refusal.message}${refusal.advice}`).not.toMatch(/wrong|secret/u);
    }
  });

  test('a database that cannot store every name is refused', async () => {
    const url = await database('latin', `ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'`);
    expect(await refusalOf(backendAt(url).open(now))).toMatchObject({ code: 'state.wrong-encoding' });
  });

  describe.runIf(hasOpenssl)('by TLS', () => {
    const certificate = () => join(server().folder, 'server.pem');

    const reload = async (isOn: 'on' | 'off') => {
      await server().sql('SELECT pg_reload_conf()');
      await soon(async () => (await server().sql('SHOW ssl'))[0]?.ssl === isOn);
    };

    beforeAll(async () => {
      const key = join(server().folder, 'server.key');
      const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', certificate()];
      const named = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
      execFileSync(openssl, ['req', ...made, ...named], { stdio: 'ignore' });
      const { uid, gid } = statSync(server().folder);
      for (const path of [certificate(), key]) chownSync(path, uid, gid);
      await server().sql(`ALTER SYSTEM SET ssl_cert_file = '${certificate()}'`);
      await server().sql(`ALTER SYSTEM SET ssl_key_file = '${key}'`);
      await server().sql('ALTER SYSTEM SET ssl = on');
      await reload('on');
    });

    afterAll(async () => {
      await server().sql('ALTER SYSTEM RESET ALL');
      await reload('off');
    });

    const at = (host: string, query: string) => backendAt(`${server().url().replace('127.0.0.1', host)}?${query}`);
    const authority = () => `sslrootcert=${encodeURIComponent(certificate())}`;

    test.for(['verify-full', 'require', 'verify-ca'])('sslmode=%s accepts the right authority', async (mode) => {
      const writer = await at('localhost', `sslmode=${mode}&${authority()}&state=${mode}`).open(now);
      const [sessions] = await server().sql(
        'SELECT count(*)::int AS encrypted FROM pg_stat_ssl WHERE ssl AND pid <> pg_backend_pid()',
      );
      expect(sessions?.encrypted).toBeGreaterThan(0);
      await writer.close();
    });

    test.for([
      { name: 'an unknown authority', host: 'localhost', query: () => 'sslmode=verify-full' },
      { name: 'a certificate for another name', host: '127.0.0.1', query: () => `sslmode=require&${authority()}` },
    ])('$name is refused', async ({ host, query }) => {
      const refusal = await refusalOf(at(host, query()).read(application));
      expect(refusal).toMatchObject({ code: 'state.unreachable', exitCode: 1 });
      expect(refusal.message).toContain('no secure connection');
      expect(refusal.advice).toContain('sslrootcert');
    });

    test('sslmode=no-verify encrypts without checking the certificate', async () => {
      expect((await at('127.0.0.1', 'sslmode=no-verify&state=x').read(application)).size).toBe(0);
    });
  });
});
