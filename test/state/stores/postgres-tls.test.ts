// Tests TLS to the database: its certificate is checked, and an untrusted one is refused.
import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { postgresAddress } from '../../../src/state/stores/postgres.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import { soon } from '../../support/soon.ts';
import { application, put, refusalOf } from '../../support/state/fixtures.ts';

const openssl = 'openssl';
const hasOpenssl = spawnSync(openssl, ['version']).status === 0;

describe.runIf(noPostgres === undefined && hasOpenssl)('by TLS', () => {
  const server = usePostgres();
  const certificate = () => join(server().folder, 'server.pem');

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
    await server().sql('SELECT pg_reload_conf()');
    await soon(async () => (await server().sql('SHOW ssl'))[0]?.ssl === 'on');
  });

  afterAll(async () => {
    await server().sql('ALTER SYSTEM RESET ALL');
    await server().sql('SELECT pg_reload_conf()');
    await soon(async () => (await server().sql('SHOW ssl'))[0]?.ssl === 'off');
  });

  function at(host: string, query: string): UpkeepBackend {
    const url = server().url().replace('127.0.0.1', host);
    return stateBackend(
      postgresAddress(`${url}?${query}`, () => undefined),
      {
        clock: nodeClock,
        owner: { user: 'ci', host: 'h', pid: 1 },
        newId: () => 'id',
      },
    );
  }

  const authority = () => `sslrootcert=${encodeURIComponent(certificate())}`;

  test.for(['verify-full', 'require', 'verify-ca'])('sslmode=%s accepts the right authority', async (mode) => {
    const writer = await at('localhost', `sslmode=${mode}&${authority()}&state=${mode}`).open({
      application,
      lockTimeoutMs: 0,
    });
    await writer.done('1', put('a'));
    const sessions = await server().sql(
      'SELECT count(*)::int AS encrypted FROM pg_stat_ssl WHERE ssl AND pid <> pg_backend_pid()',
    );
    expect(sessions[0]?.encrypted).toBeGreaterThan(0);
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
