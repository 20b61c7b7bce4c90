// Support: runs a command as a child process, which can be killed or interrupted.
import { spawn } from 'node:child_process';
import { onTestFinished, vi } from 'vitest';
import { program } from './program.ts';
import type { CliEnd, CliOptions } from './run-cli.ts';

export interface CliChild {
  /** The output so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** `exit` is -1 for a process that was ended by a signal. */
  readonly ended: Promise<CliEnd>;
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Resolves once the output on either stream matches. Rejects if the child ends before. */
  wrote(pattern: RegExp): Promise<void>;
}

/** Kills the child when the test ends, if it is still running. */
export function spawnCli(args: readonly string[], { cwd, env = {} }: Omit<CliOptions, 'answers'>): CliChild {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { PATH: process.env.PATH, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (part: string) => {
      written[name] += part;
    });
  }
  let hasEnded = false;
  const ended = new Promise<CliEnd>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      hasEnded = true;
      resolve({ exit: code ?? -1, ...written });
    });
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    get stdout() {
      return written.stdout;
    },
    get stderr() {
      return written.stderr;
    },
    ended,
    kill: (signal) => void child.kill(signal),
    wrote: async (pattern) => {
      const matches = (): boolean => pattern.test(written.stdout) || pattern.test(written.stderr);
      await vi.waitUntil(() => matches() || hasEnded, { timeout: 600_000, interval: 2 });
      if (!matches())
        throw new Error(`the child ended without writing ${pattern}:\n${written.stdout}${written.stderr}`);
    },
  };
}
