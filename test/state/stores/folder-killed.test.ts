// Tests that everything a real process acknowledged is there after it is killed while it writes.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { application, Processes } from '../../support/state/fixtures.ts';

const child = join(import.meta.dirname, '../support/write-child.ts');

/** Runs the child until it has acknowledged this many entries, kills it, and returns its output. */
function killAfter(path: string, name: string, acknowledged: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const running = spawn(process.execPath, ['--import', 'tsx', child, `file:${path}`, name], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    let complained = '';
    running.stderr.on('data', (part) => {
      complained += part;
    });
    running.stdout.on('data', (part) => {
      said += part;
      if (said.length > acknowledged * 8) running.kill('SIGKILL');
    });
    running.on('error', reject);
    running.on('close', (_code, signal) => {
      if (signal === 'SIGKILL') resolve(said.split('\n').slice(1, -1));
      else reject(new Error(`the child ended by itself: ${complained}`));
    });
  });
}

test('kill -9 loses nothing acknowledged, the next process gets the lock at once, and files are private', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'chatform-kill-'));
  const path = join(parent, 'a', 'state');
  try {
    const backend = stateBackend(folderAddress('file:DIR', path), new Processes().start());
    const acknowledged: string[] = [];
    for (const [round, count] of [1_000, 200].entries()) {
      acknowledged.push(...(await killAfter(path, `r${round}`, count)));
      const snapshot = await backend.read(application);
      for (const key of acknowledged) expect(snapshot.get(`user.${key}`)?.address).toBe(`user.${key}`);
    }
    expect(acknowledged.length).toBeGreaterThan(500);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(parent, 'a')).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o777).toBe(0o600);
  } finally {
    rmSync(parent, { recursive: true });
  }
});
