// Runs git with a list of arguments, never through a shell, to read its answers and the files of a commit.
import { execFile, spawn } from 'node:child_process';
import { InternalError } from '../../lib/errors.ts';
import type { Ports } from '../context/ports.ts';

export interface GitEnd {
  /** Undefined when the program could not be started. */
  readonly exit: number | undefined;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Never rejects, because the meaning of the exit depends on the command. */
export function git(args: readonly string[], ports: Ports): Promise<GitEnd> {
  return new Promise((resolve) => {
    const options = { ...surroundings(ports), encoding: 'buffer', maxBuffer: Number.POSITIVE_INFINITY } as const;
    const child = execFile('git', [...always, ...args], options, (error, stdout, stderr) => {
      // The code is a text if the program could not be started, and absent if it was killed.
      const code = error === null ? 0 : (error.code ?? 1);
      resolve({ exit: typeof code === 'number' ? code : undefined, stdout, stderr: stderr.toString('utf8').trim() });
    });
    child.stdin?.end();
  });
}

function startGit(args: readonly string[], ports: Ports) {
  return spawn('git', [...always, ...args], { ...surroundings(ports), stdio: ['pipe', 'pipe', 'pipe'] });
}

const always = ['--no-optional-locks'];

function surroundings({ cwd, env }: Ports) {
  // git must not see chatform's variables, least of all the API token.
  const inherited = Object.entries(env).filter(([name]) => !name.startsWith('CHATFORM_'));
  return {
    cwd,
    env: { ...Object.fromEntries(inherited), LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1' },
    windowsHide: true,
  };
}

/** Reads through `git cat-file --batch`: the name of an object in, `<name> <type> <size>`, its bytes and a line end out. */
export class GitBlobs {
  readonly #child: ReturnType<typeof startGit>;
  readonly #waiting: { resolve(bytes: Buffer): void; reject(error: Error): void }[] = [];
  #parts: Buffer[] = [];
  #length = 0;
  /** Bytes of the current answer, including its line end. Undefined before its head arrives. */
  #wanted: number | undefined;
  #failure: Error | undefined;

  constructor(ports: Ports) {
    this.#child = startGit(['cat-file', '--batch'], ports);
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
      const all = Buffer.concat(this.#parts);
      this.#parts = [all];
      if (this.#wanted === undefined) {
        const end = all.indexOf('\n');
        if (end === -1) return;
        const [id, type, size] = all.toString('latin1', 0, end).split(' ');
        this.#rest(all, end + 1);
        if (type === 'missing' || size === undefined) {
          this.#waiting.shift()?.reject(new Error(`git has no object ${id}`));
        } else this.#wanted = Number(size) + 1;
      } else {
        const bytes = all.subarray(0, this.#wanted - 1);
        this.#rest(all, this.#wanted);
        this.#wanted = undefined;
        this.#waiting.shift()?.resolve(bytes);
      }
    }
  }

  #rest(all: Buffer, from: number): void {
    const rest = all.subarray(from);
    this.#parts = [rest];
    this.#length = rest.length;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
