// Reads the files of a commit, one after the other, through one git process.
import { InternalError } from '../../lib/errors.ts';
import { type GitPorts, startGit } from './git.ts';

/** Reads through `git cat-file --batch`: the name of an object in, `<name> <type> <size>`, its bytes and a line end out. */
export class GitBlobs {
  readonly #child: ReturnType<typeof startGit>;
  readonly #waiting: { resolve(bytes: Buffer): void; reject(error: Error): void }[] = [];
  #parts: Buffer[] = [];
  #length = 0;
  /** Bytes of the answer under way, its line end included; undefined before its head has come. */
  #wanted: number | undefined;
  #failure: Error | undefined;

  constructor(ports: GitPorts) {
    this.#child = startGit(['cat-file', '--batch'], ports);
    this.#child.stdout.on('data', (part: Buffer) => this.#take(part));
    this.#child.stderr.resume();
    // Writing to a process that has ended fails; `close` rejects what waits.
    this.#child.stdin.on('error', () => {});
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('close', () => this.#fail(new Error('git ended before it had answered')));
  }

  /** `id` is an object id, as `ls-tree` prints it. */
  read(id: string): Promise<Buffer> {
    if (!/^[0-9a-f]{40,64}$/u.test(id)) throw new InternalError(`${id} is no object id`);
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
    // Parts are put together only when an answer is whole, so that a large file is not copied again for each of them.
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
