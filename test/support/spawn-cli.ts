// Support: runs a command as a child process, which can be killed or interrupted.

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { program } from './program.ts';
import type { CliEnd, CliOptions } from './run-cli.ts';

export interface CliChild {
  /** The output so far. */
  readonly stdout: string;
  readonly stderr: string;
  /** `exit` is -1 for a process that was ended by a signal. */
  readonly ended: Promise<CliEnd>;
  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
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
  const running = new Child(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await running.ended;
  });
  return running;
}

class Child implements CliChild {
  stdout = '';
  stderr = '';
  readonly ended: Promise<CliEnd>;
  readonly #process: ChildProcessByStdio<null, Readable, Readable>;
  readonly #watchers = new Set<() => void>();

  constructor(child: ChildProcessByStdio<null, Readable, Readable>) {
    this.#process = child;
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      this.stdout += part;
      this.#tell();
    });
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      this.stderr += part;
      this.#tell();
    });
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => {
        resolve({ exit: code ?? -1, stdout: this.stdout, stderr: this.stderr });
        this.#tell();
      });
    });
  }

  kill(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
    this.#process.kill(signal);
  }

  wrote(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const watch = (): void => {
        const hasWritten = pattern.test(this.stdout) || pattern.test(this.stderr);
        if (!hasWritten && this.#process.exitCode === null && this.#process.signalCode === null) return;
        this.#watchers.delete(watch);
        if (hasWritten) resolve();
        else reject(new Error(`the child ended without writing ${pattern}:\n${this.stdout}${this.stderr}`));
      };
      this.#watchers.add(watch);
      watch();
    });
  }

  #tell(): void {
    for (const watch of [...this.#watchers]) watch();
  }
}
