// Runs git on the repository that the user works in, to read its answers and the files of a commit.
//
// Files under review must not choose the repository, its rules or a program. So each call names the repository, reads objects
// and never the work tree, and sees no GIT_ variable.
import { dirname } from 'node:path';
import { InternalError } from '../../../lib/errors.ts';
import { environmentOutside, type ProcessSurroundings, runProgram, startProgram } from '../context/child-processes.ts';
import { trustedRepository } from '../context/repository.ts';

export interface GitEnd {
  /** Undefined when the program could not be started. */
  readonly exit: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The reason why no repository can be read. `said` is what git says against the one that was found. */
export type OpenedRepository =
  | Repository
  | { readonly problem: 'no git' }
  | { readonly problem: 'none'; readonly said?: string };

/** Refused (64) for a repository that files under review may have chosen. */
export async function openRepository(folder: string, ports: ProcessSurroundings): Promise<OpenedRepository> {
  const trustedPaths = await trustedRepository(folder, ports);
  if (trustedPaths === undefined) return { problem: 'none' };
  const { workTree, gitDir } = trustedPaths;
  const env = await environmentFor(workTree, ports.env);
  // Without --git-dir, git also checks who owns the repository (safe.directory).
  const end = await run(['rev-parse', '--absolute-git-dir'], { cwd: workTree, env });
  if (end.exit === undefined) return { problem: 'no git' };
  if (end.exit !== 0) return { problem: 'none', said: end.stderr };
  if (end.stdout.toString('utf8').replace(/\n$/u, '') !== gitDir)
    return { problem: 'none', said: `${workTree}/.git is not a repository` };
  return new Repository(workTree, gitDir, env);
}

export class Repository {
  /** Absolute, without links. */
  readonly workTree: string;
  readonly #gitDir: string;
  readonly #env: ProcessSurroundings['env'];

  constructor(workTree: string, gitDir: string, env: ProcessSurroundings['env']) {
    this.workTree = workTree;
    this.#gitDir = gitDir;
    this.#env = env;
  }

  /** Paths count from the root. Never rejects, because the meaning of the exit depends on the command. */
  git(args: readonly string[]): Promise<GitEnd> {
    return run([...this.#names(), ...args], { cwd: this.workTree, env: this.#env });
  }

  /** The caller closes it. */
  blobs(): GitBlobs {
    return new GitBlobs(
      startProgram('git', [...always, ...this.#names(), 'cat-file', '--batch'], { cwd: this.workTree, env: this.#env }),
    );
  }

  #names(): readonly string[] {
    return [`--git-dir=${this.#gitDir}`, `--work-tree=${this.workTree}`];
  }
}

const always = [
  ...['--no-pager', '--no-optional-locks', '--no-replace-objects'],
  ...['-c', 'safe.bareRepository=explicit'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'core.hooksPath=/dev/null'],
];

async function run(args: readonly string[], surroundings: ProcessSurroundings): Promise<GitEnd> {
  const { failure, stdout, stderr } = await runProgram('git', [...always, ...args], surroundings);
  // The code is a text if the program could not be started, and absent if it was killed.
  const code = failure === undefined ? 0 : (failure.code ?? 1);
  return { exit: typeof code === 'number' ? code : undefined, stdout, stderr: stderr.trim() };
}

/** Variables that start with GIT_ could name another repository, settings or programs. */
async function environmentFor(workTree: string, env: ProcessSurroundings['env']): Promise<ProcessSurroundings['env']> {
  const outside = await environmentOutside(workTree, env);
  return {
    ...Object.fromEntries(Object.entries(outside).filter(([name]) => !name.startsWith('GIT_'))),
    LC_ALL: 'C',
    GIT_CEILING_DIRECTORIES: dirname(workTree),
    GIT_TERMINAL_PROMPT: '0',
    // A partial clone must not fetch. Versions before 2.45 know only the second variable.
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

/** Reads through `git cat-file --batch`: the name of an object in, `<name> <type> <size>`, its bytes and a line end out. */
export class GitBlobs {
  readonly #child: ReturnType<typeof startProgram>;
  readonly #waiting: { resolve(bytes: Buffer): void; reject(error: Error): void }[] = [];
  #parts: Buffer[] = [];
  #length = 0;
  /** Bytes of the current answer, including its line end. Undefined before its head arrives. */
  #wanted: number | undefined;
  #failure: Error | undefined;

  constructor(child: ReturnType<typeof startProgram>) {
    this.#child = child;
    this.#child.stdout.on('data', (part: Buffer) => this.#take(part));
    this.#child.stderr.resume();
    // Writing to an ended process fails; `close` rejects pending reads.
    this.#child.stdin.on('error', () => {});
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('close', () => this.#fail(new Error('git exited before it answered')));
  }

  /** `id` is an object id, as `ls-tree` prints it. */
  read(id: string): Promise<Buffer> {
    if (!/^[0-9a-f]{40,64}$/u.test(id)) throw new InternalError(`${id} is not an object id`);
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) reject(this.#failure);
      else {
        this.#waiting.push({ resolve, reject });
        this.#child.stdin.write(`${id}\n`);
      }
    });
  }

  close(): void {
    this.#child.stdin.end();
  }

  #take(part: Buffer): void {
    this.#parts.push(part);
    this.#length += part.length;
    // Parts are joined only when an answer is complete, so that a large file is not copied for each part.
    while (this.#waiting.length > 0 && this.#length >= (this.#wanted ?? 1)) {
      const receivedBytes = Buffer.concat(this.#parts);
      this.#parts = [receivedBytes];
      if (this.#wanted === undefined) {
        const end = receivedBytes.indexOf('\n');
        if (end === -1) return;
        const [id, type, size] = receivedBytes.toString('latin1', 0, end).split(' ');
        this.#rest(receivedBytes, end + 1);
        if (type === 'missing' || size === undefined) {
          this.#waiting.shift()?.reject(new Error(`git has no object ${id}`));
        } else this.#wanted = Number(size) + 1;
      } else {
        const bytes = receivedBytes.subarray(0, this.#wanted - 1);
        this.#rest(receivedBytes, this.#wanted);
        this.#wanted = undefined;
        this.#waiting.shift()?.resolve(bytes);
      }
    }
  }

  #rest(receivedBytes: Buffer, from: number): void {
    const unreadBytes = receivedBytes.subarray(from);
    this.#parts = [unreadBytes];
    this.#length = unreadBytes.length;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
