// Tests the address of a state in PostgreSQL: TLS by default, and the password from the address or the environment.
import { expect, test } from 'vitest';
import { parsePostgresAddress } from '../../../src/state/stores/postgres-address.ts';

const environment = (variables: Readonly<Record<string, string | undefined>>) => (name: string) => variables[name];

test.for([
  { spec: 'postgres://u@127.0.0.1:5432/db', tls: 'disable' },
  { spec: 'postgres://u@localhost/db', tls: 'disable' },
  { spec: 'postgres://u@[::1]/db', tls: 'disable' },
  { spec: 'postgres:///db?host=/var/run/postgresql', tls: 'disable' },
  { spec: 'postgres://u@db.example.com/db', tls: 'verify-full' },
  { spec: 'postgres://u@db.example.com/db?sslmode=require', tls: 'verify-full' },
  { spec: 'postgres://u@db.example.com/db?sslmode=no-verify', tls: 'no-verify' },
  { spec: 'postgres://u@db.example.com/db?sslmode=disable', tls: 'disable' },
  { spec: 'postgres://u@db.example.com/db', sslmode: 'disable', tls: 'disable' },
  { spec: 'postgres://u@127.0.0.1/db?host=db.example.com', tls: 'verify-full' },
])('$spec is reached with sslmode $tls', ({ spec, sslmode, tls }) => {
  expect(
    new URL(parsePostgresAddress(spec, environment({ PGSSLMODE: sslmode })).connectionString).searchParams.get(
      'sslmode',
    ),
  ).toBe(tls);
});

test.for([
  { spec: 'postgres://u:own%40%23@h/db', variables: { CHATFORM_STATE_PASSWORD: 'other' }, expected: 'own@#' },
  { spec: 'postgres://u@h/db?password=own%26', variables: { CHATFORM_STATE_PASSWORD: 'other' }, expected: 'own&' },
  {
    spec: 'postgres://u@h/db',
    variables: { CHATFORM_STATE_PASSWORD: 'own/@', PGPASSWORD: 'other' },
    expected: 'own/@',
  },
  { spec: 'postgres://u@h/db', variables: { PGPASSWORD: 'of others' }, expected: 'of others' },
  { spec: 'postgres://u@h/db', variables: {}, expected: null },
])('$spec with $variables: the password', ({ spec, variables, expected }) => {
  const { connectionString, name } = parsePostgresAddress(spec, environment(variables));
  const url = new URL(connectionString);
  expect(url.searchParams.get('password')).toBe(expected);
  expect(url.password).toBe('');
  expect(name).toBe('postgres://u@h/db');
});

test('the name of a state is not passed to the driver', () => {
  const { key, connectionString } = parsePostgresAddress('postgres://u@h/db?state=staging', environment({}));
  expect(key).toBe('staging');
  expect(connectionString).not.toContain('staging');
});
