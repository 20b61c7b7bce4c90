// Tests the meaning of `--state` values.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/model/errors.ts';
import { openBackend } from '../../src/state/index.ts';
import { application, Processes } from '../support/state/fixtures.ts';

const context = { ...new Processes().start(), cwd: '/nowhere' };

test.for([
  { spec: 'file:.chatform/state', name: 'file:.chatform/state' },
  { spec: 'file:C:/x', name: 'file:C:/x' },
  { spec: 'postgres://user:secret@host/db', name: 'postgres://user@host/db' },
  { spec: 'postgresql://user:s%40c%2Fret@host:6432/db?sslmode=require', name: 'postgres://user@host:6432/db' },
  { spec: 'postgres://user@host/db?password=secret&state=staging', name: 'postgres://user@host/db?state=staging' },
  { spec: 'postgres:///db?host=/var/run/postgresql', name: 'postgres:///db' },
])('$spec', async ({ spec, name }) => {
  expect((await openBackend(spec, context)).name).toBe(name);
});

test.for([
  { spec: '', says: 'state ""' },
  { spec: '.chatform/state', says: '.chatform/state' },
  { spec: 'file:', says: 'names no folder' },
  // In none of these is it certain where the password ends.
  { spec: 'postgres://user:12#secret@host/db', says: 'cannot be read' },
  { spec: 'postgres://user:12/secret@host/db', says: 'cannot be read' },
  { spec: 'postgres://user:12?secret@host/db', says: 'cannot be read' },
  { spec: 'postgres://user:secret@/db', says: 'cannot be read' },
  { spec: 'postgres://user:secret@host/db?sslmode=maybe', says: 'unknown sslmode' },
  { spec: 'postgres://user:secret@host/db?pgbouncer=true', says: 'parameter pgbouncer' },
  { spec: 'postgres://user:secret@host/db?state=a%20b', says: 'invalid name' },
  { spec: '__proto__:x', says: '__proto__' },
  { spec: 'toString:x', says: 'toString' },
])('$spec is refused', async ({ spec, says }) => {
  try {
    await openBackend(spec, context);
    expect.unreachable();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error).toMatchObject({ code: 'state.usage', exitCode: 64 });
    expect(error.message).toContain(says);
    expect(error.message + error.advice).not.toContain('secret');
  }
});

test('resolves a relative folder from the given working directory', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'chatform-cwd-'));
  try {
    const backend = await openBackend('file:x/y', { ...context, cwd });
    const writer = await backend.open({ application, lockTimeoutMs: 0 });
    await writer.close();
    expect(readdirSync(join(cwd, 'x/y'))).toEqual(['head_0000000001.2']);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
