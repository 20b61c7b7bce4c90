// Makes a process that has ended but that its parent has not awaited.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { soon } from './soon.ts';

/** Returns the pid. Only for Linux. */
export async function zombie(): Promise<number> {
  // The shell becomes a program that awaits nothing. Only then does its child end, because the shell would have awaited it.
  const script = 'while grep -qx sh /proc/$$/comm; do :; done & echo $!; exec sleep 30';
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [pid] = await once(parent.stdout, 'data');
  await soon(() => /\) Z /u.test(readFileSync(`/proc/${Number(pid)}/stat`, 'latin1')));
  return Number(pid);
}
