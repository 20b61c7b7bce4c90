// Tests the meaning of `--state` values: addresses of folders, databases and buckets, and the errors for unreadable ones.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refusal } from '../../../src/core/model/errors.ts';
import { openBackend } from '../../../src/core/state/index.ts';
import { parseObjectAddress } from '../../../src/core/state/stores/address.ts';
import { parsePostgresAddress } from '../../../src/core/state/stores/postgres.ts';
import { loadPackage } from '../../../src/core/state/stores/sdk.ts';
import { Processes, putBy, refusalOf } from '../../support/state/fixtures.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const context = { ...new Processes().start(), cwd: '/nowhere' };

test.for([
  ['file:.chatform/state'],
  ['file:C:/x'],
  ['postgres://user:secret@host/db', 'postgres://user@host/db'],
  ['postgresql://user:s%40c%2Fret@host:6432/db?sslmode=require', 'postgres://user@host:6432/db'],
  ['postgres://user@host/db?password=secret&state=staging', 'postgres://user@host/db?state=staging'],
  ['postgres:///db?host=/var/run/postgresql', 'postgres:///db'],
  ['azblob://box/a?account=acme', 'azblob://box/a'],
  ['gs://bucket/a'],
] as const)('%s', async ([spec, name = spec]) => {
  expect((await openBackend(spec, context)).name).toBe(name);
});

test.for([
  ['', 'state ""'],
  ['.chatform/state', '.chatform/state'],
  ['file:', 'names no folder'],
  ['file:///srv/state', 'a path without //'],
  ['s4://bucket/a', 'is not a place for state'],
  ['S3://bucket/a', 'is not a place for state'],
  // In none of these is it certain where the password ends.
  ['postgres://user:12#SECRET@host/db', 'cannot be read'],
  ['postgres://user:12/SECRET@host/db', 'cannot be read'],
  ['postgres://user:12?SECRET@host/db', 'cannot be read'],
  ['postgres://user:SECRET@/db', 'cannot be read'],
  ['postgres://user:SECRET%@host/db', 'cannot be read'],
  ['postgres://us%er:SECRET@host/db', 'cannot be read'],
  ['postgres://user:SECRET@host/d%zz', 'cannot be read'],
  ['postgres://user:SECRET@host1,host2/db', 'cannot be read'],
  ['s3://bucket/100%', 'has a prefix that is not percent-encoded'],
  ['postgres://user:SECRET@host/db?sslmode=maybe', 'unknown sslmode'],
  ['postgres://user:SECRET@host/db?pgbouncer=true', 'parameter pgbouncer'],
  ['postgres://user:SECRET@host/db?state=a%20b', 'invalid name'],
  ['s3://', 'cannot be read'],
  ['s3:bucket', 'cannot be read'],
  ['s3://KEY:SECRET@bucket/a', 'cannot be read'],
  ['s3://bucket/../other', 'has a prefix with dots'],
  ['s3://bucket/a?secret=SECRET', 'has a parameter secret that chatform does not know'],
  ['s3://bucket/a?endpoint=http://minio.example.com', 'has an endpoint without TLS'],
  ['s3://bucket/a?endpoint=https://u:SECRET@minio.example.com', 'has an endpoint that is not a URL'],
  ['s3://bucket/a?endpoint=SECRET', 'has an endpoint that is not a URL'],
  ['__proto__:x', '__proto__'],
  ['toString:x', 'toString'],
] as const)('%s is refused, and nothing of it that may be a secret is repeated', async ([spec, says]) => {
  const refusal = await refusalOf(openBackend(spec, context));
  expect(refusal).toMatchObject({ code: 'state.usage', exitCode: 64 });
  expect(refusal.message).toContain(says);
  expect(refusal.message + refusal.advice).not.toContain('SECRET');
});

// The driver reads these files synchronously: a pipe without a writer would block the process, also for Ctrl-C.
test.runIf(process.platform !== 'win32')('a pipe instead of a file of TLS is refused', async () => {
  const pipe = join(await temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const refusal = await refusalOf(openBackend(`postgres://user@host/db?${name}=${pipe}`, context));
    expect(refusal).toMatchObject({ code: 'state.usage', exitCode: 64 });
    expect(refusal.message).toContain(`names a pipe in ${name}`);
  }
});

test('refuses every address that it cannot read', () => {
  const text = fc.stringMatching(/^[a-z%@:/?#&=,.[\]]{0,20}$/u);
  const parsers = [
    (rest: string) => parsePostgresAddress(`postgres://${rest}`, () => undefined),
    ...['s3', 'azblob', 'gs'].map((scheme) => (rest: string) => parseObjectAddress(`${scheme}://${rest}`, [])),
  ];
  fc.assert(
    fc.property(fc.constantFrom(...parsers), text, (parse, rest) => {
      try {
        parse(rest);
      } catch (error) {
        expect(error).toBeInstanceOf(Refusal);
      }
    }),
  );
});

test('resolves a relative folder from the given working directory', async () => {
  const cwd = await temporaryFolder();
  const backend = await openBackend('file:x/y', { ...context, cwd });
  await putBy(() => backend);
  expect(readdirSync(join(cwd, 'x/y'))).toEqual(['head_0000000001.2']);
});

test.for([
  ['s3://bucket', 's3://bucket', ''],
  ['s3://bucket/', 's3://bucket', ''],
  ['s3://bucket/a/b/', 's3://bucket/a/b', 'a/b/'],
  [
    's3://bucket/a?endpoint=https://minio.example.com&region=eu-1',
    's3://bucket/a?endpoint=https://minio.example.com',
    'a/',
  ],
  [
    's3://bucket/a?endpoint=http://minio.internal:9000&tls=off',
    's3://bucket/a?endpoint=http://minio.internal:9000',
    'a/',
  ],
] as const)('%s is the bucket %s with the prefix "%s"', ([spec, name, prefix]) => {
  expect(parseObjectAddress(spec, ['endpoint', 'profile', 'region', 'tls'])).toMatchObject({
    name,
    bucket: 'bucket',
    prefix,
  });
});

/** What the driver of PostgreSQL gets. */
function driverParameters(spec: string, variables: Readonly<Record<string, string | undefined>> = {}) {
  const { connectionString, ...parsed } = parsePostgresAddress(spec, (name) => variables[name]);
  return { ...parsed, connectionString, url: new URL(connectionString) };
}

test.for([
  ['postgres://u@127.0.0.1:5432/db', 'disable'],
  ['postgres://u@localhost/db', 'disable'],
  ['postgres://u@[::1]/db', 'disable'],
  ['postgres:///db?host=/var/run/postgresql', 'disable'],
  ['postgres://u@db.example.com/db', 'verify-full'],
  ['postgres://u@db.example.com/db?sslmode=require', 'verify-full'],
  ['postgres://u@db.example.com/db?sslmode=no-verify', 'no-verify'],
  ['postgres://u@db.example.com/db?sslmode=disable', 'disable'],
  ['postgres://u@db.example.com/db', 'disable', 'disable'],
  ['postgres://u@127.0.0.1/db?host=db.example.com', 'verify-full'],
] as const)('%s is reached with sslmode %s', ([spec, tls, PGSSLMODE]) => {
  expect(driverParameters(spec, { PGSSLMODE }).url.searchParams.get('sslmode')).toBe(tls);
});

test.for([
  ['postgres://u:own%40%23@h/db', { CHATFORM_STATE_PASSWORD: 'other' }, 'own@#'],
  ['postgres://u@h/db?password=own%26', { CHATFORM_STATE_PASSWORD: 'other' }, 'own&'],
  ['postgres://u@h/db', { CHATFORM_STATE_PASSWORD: 'own/@', PGPASSWORD: 'other' }, 'own/@'],
  ['postgres://u@h/db', { PGPASSWORD: 'of others' }, 'of others'],
  ['postgres://u@h/db', {}, null],
] as const)('%s with %o: the password', ([spec, variables, expected]) => {
  const { url, name } = driverParameters(spec, variables);
  expect(url.searchParams.get('password')).toBe(expected);
  expect(url.password).toBe('');
  expect(name).toBe('postgres://u@h/db');
});

test('the name of a state is not passed to the driver', () => {
  const { key, connectionString } = driverParameters('postgres://u@h/db?state=staging');
  expect(key).toBe('staging');
  expect(connectionString).not.toContain('staging');
});

/** As Node says it, and Plug'n'Play of Yarn. */
const missing: readonly (() => Promise<never>)[] = [
  () => import('@chatform/no-such-package' as string) as Promise<never>,
  () => Promise.reject(Object.assign(new Error('no such package'), { code: 'MODULE_NOT_FOUND' })),
];

test.for([
  ['s3', '@aws-sdk/client-s3'],
  ['azblob', '@azure/storage-blob @azure/identity'],
  ['gs', '@google-cloud/storage'],
  ['postgres', 'pg'],
] as const)(
  'names the package of %s that is not installed, with the command that installs it',
  async ([scheme, packages]) => {
    for (const load of missing) {
      const refusal = await refusalOf(loadPackage(scheme, load));
      expect(refusal).toMatchObject({ code: 'state.package-missing', exitCode: 64 });
      expect(refusal.advice).toContain(`npm install ${packages}. `);
    }
  },
);
