// Tests that a run on a full disk stops with an error and the next run completes it. In the real process, files may only grow
// to a few kilobytes, so that writes to the journal fail in the middle of the work.

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startEmulator } from '../../../src/emulator/server.ts';
import { crowd, reaching } from '../../support/desk.ts';
import { declaredIn } from '../../support/estate.ts';
import { differences } from '../../support/platform-differences.ts';
import { runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const main = join(import.meta.dirname, '../../../src/cli/main.ts');
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

/** Kilobytes; the signal that comes with the error is ignored, so that the process sees the error alone. */
function applyWithFilesUpTo(
  size: number,
  cwd: string,
  env: Record<string, string>,
): Promise<{ exit: number; stderr: string }> {
  const command = `trap '' XFSZ; ulimit -f ${size}; exec "$0" "$@"`;
  const child = spawn('bash', ['-c', command, process.execPath, '--import', tsx, main, 'apply', '--auto-approve'], {
    cwd,
    env: { PATH: process.env.PATH, NO_COLOR: '1', TSX_DISABLE_CACHE: '1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ exit: code ?? -1, stderr }));
  });
}

test('a disk that is full in the middle of a run: it stops, and the next run goes on', async () => {
  const cwd = await temporaryFolder(crowd(60));
  const running = await startEmulator({ ratePlan: '100k_mau', latencyMs: 5 });
  onTestFinished(() => running.close());
  const env = reaching(running);
  const full = await applyWithFilesUpTo(16, cwd, env);
  expect(full.exit, full.stderr).toBe(1);
  expect(full.stderr).toMatch(/could not be written|cannot be written/u);
  const again = await runCli(['apply', '--auto-approve'], { cwd, env });
  expect(again, again.stderr).toMatchObject({ exit: 0 });
  const { resources } = await declaredIn(cwd);
  expect(await differences(running, [...resources])).toEqual([]);
  expect(await runCli(['plan', '--detailed-exitcode'], { cwd, env })).toMatchObject({ exit: 0 });
}, 30_000);
