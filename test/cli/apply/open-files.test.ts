// Tests an apply in a process that may open few files.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { connectionsWithin } from '../../../src/core/platform/client.ts';
import { crowd, reaching } from '../../support/desk.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { program } from '../../support/program.ts';

test.for([
  { limit: undefined, connections: 512 },
  { limit: 1_048_576, connections: 512 },
  { limit: 1_024, connections: 480 },
  { limit: 256, connections: 96 },
  { limit: 60, connections: 8 },
])('opens $connections connections at most where $limit files may be open', ({ limit, connections }) => {
  expect(connectionsWithin(limit)).toBe(connections);
});

test.skipIf(process.platform !== 'linux')('opens fewer connections where few files may be open', async () => {
  const running = await startPlatform({ rateLimits: false, latencyMs: 150 });
  const at = await place(crowd(100));
  const env = { PATH: process.env.PATH, ...reaching(running) };
  const command = `ulimit -n 60 && exec "${process.execPath}" "${program}" apply --auto-approve`;
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', command], { cwd: at.cwd, env });
  expect(stdout + stderr).toContain('Done. 100 steps succeeded.');
  expect(stdout + stderr).not.toContain('EMFILE');
});
