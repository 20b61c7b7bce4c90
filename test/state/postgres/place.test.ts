// Is a database reached as its address says, safely where it says nothing, with the password from where it belongs?
import { expect, test } from 'vitest';
import { parsePostgresAddress } from '../../../src/state/postgres/place.ts';

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
  expect(new URL(parsePostgresAddress(spec, { sslmode }).connectionString).searchParams.get('sslmode')).toBe(tls);
});

test.for([
  { spec: 'postgres://u:own%40%23@h/db', password: 'other', expected: 'own@#' },
  { spec: 'postgres://u@h/db?password=own%26', password: 'other', expected: 'own&' },
  { spec: 'postgres://u@h/db', password: 'of the environment/@', expected: 'of the environment/@' },
  { spec: 'postgres://u@h/db', password: undefined, expected: null },
])('$spec: the password', ({ spec, password, expected }) => {
  const { connectionString, name } = parsePostgresAddress(spec, { password });
  const url = new URL(connectionString);
  expect(url.searchParams.get('password')).toBe(expected);
  expect(url.password).toBe('');
  expect(name).toBe('postgres://u@h/db');
});

test('the name of a state is for chatform, not for the driver', () => {
  const { key, connectionString } = parsePostgresAddress('postgres://u@h/db?state=staging', {});
  expect(key).toBe('staging');
  expect(connectionString).not.toContain('staging');
});
