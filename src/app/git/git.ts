// How is git asked? As a program with a list of arguments, never through a shell; it only reads.
import { spawn, spawnSync } from 'node:child_process';
import type { Environment } from '../../cli/environment.ts';

export interface GitEnd {
  /** Undefined when the program could not be started. */
  readonly exit: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Never rejects: what the exit means depends on what was asked. */
export function git(args: readonly string[], world: Pick<Environment, 'cwd' | 'env'>): Promise<GitEnd> {
  return new Promise((resolve) => {
    const child = startGit(args, world);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdin.end();
    child.stdout.on('data', (part: Buffer) => stdout.push(part));
    child.stderr.on('data', (part: Buffer) => stderr.push(part));
    const end = (exit: number | undefined): void =>
      resolve({ exit, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString('utf8').trim() });
    child.on('error', () => end(undefined));
    child.on('close', (code) => end(code ?? 1));
  });
}

export function startGit(args: readonly string[], world: Pick<Environment, 'cwd' | 'env'>) {
  return spawn('git', [...always, ...args], { ...surroundings(world), stdio: ['pipe', 'pipe', 'pipe'] });
}

/** The content of one object, at once; undefined when git has none. */
export function blobNow(id: string, world: Pick<Environment, 'cwd' | 'env'>): Buffer | undefined {
  const end = spawnSync('git', [...always, 'cat-file', 'blob', id], {
    ...surroundings(world),
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  return end.status === 0 ? end.stdout : undefined;
}

const always = ['--no-optional-locks'];

function surroundings({ cwd, env }: Pick<Environment, 'cwd' | 'env'>) {
  // Nothing of ours is git's business, the API token least of all.
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('CHATFORM_'));
  return {
    cwd,
    env: { ...Object.fromEntries(inherited), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' },
    windowsHide: true,
  };
}
