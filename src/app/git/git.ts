// Runs git, as a program with a list of arguments and never through a shell. It only reads.
import { spawn, spawnSync } from 'node:child_process';
import type { Ports } from '../ports.ts';

export type GitPorts = Pick<Ports, 'cwd' | 'env'>;

export interface GitEnd {
  /** Undefined when the program could not be started. */
  readonly exit: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Never rejects: what the exit means depends on what was asked. */
export function git(args: readonly string[], ports: GitPorts): Promise<GitEnd> {
  return new Promise((resolve) => {
    const child = startGit(args, ports);
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

export function startGit(args: readonly string[], ports: GitPorts) {
  return spawn('git', [...always, ...args], { ...surroundings(ports), stdio: ['pipe', 'pipe', 'pipe'] });
}

/** The content of one object, at once; undefined when git has none. */
export function blobNow(id: string, ports: GitPorts): Buffer | undefined {
  const end = spawnSync('git', [...always, 'cat-file', 'blob', id], {
    ...surroundings(ports),
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  return end.status === 0 ? end.stdout : undefined;
}

const always = ['--no-optional-locks'];

function surroundings({ cwd, env }: GitPorts) {
  // git must not see chatform's variables, least of all the API token.
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('CHATFORM_'));
  return {
    cwd,
    env: { ...Object.fromEntries(inherited), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' },
    windowsHide: true,
  };
}
