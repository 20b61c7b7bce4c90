// How do steps that finish together share one disk flush? Natural group commit: what arrives while a flush runs goes with the next.
import { InternalError, type Refusal } from '../model/errors.ts';

/** Entries that are flushed together, and the one promise that all who wait for them share. */
interface Group {
  readonly lines: string[];
  /** What an entry changes once it counts, in the order of the lines. */
  readonly effects: (() => void)[];
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (refusal: Refusal) => void;
}

export interface CommitPort {
  /** Appends and makes durable. */
  flush(text: string): Promise<void>;
  /** After a flush and before anybody is told: throws a Refusal when the entries do not count, because the lock is lost. */
  confirm(): Promise<void>;
  /** What to tell those who wait when one of the two has failed. */
  refusal(cause: unknown): Refusal;
}

/**
 * No timer: a lone entry is flushed at once, and under load each flush takes along what came in the meantime.
 * After a failure nothing is written any more, because a part of a line may stand at the end of the file.
 */
export class GroupCommit {
  readonly #port: CommitPort;
  #waiting: Group | undefined;
  #running: Promise<void> | undefined;
  #failure: Refusal | undefined;
  #closed = false;

  constructor(port: CommitPort) {
    this.#port = port;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves when the line is durable and counts; `effect` has run by then. */
  append(line: string, effect: () => void): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new InternalError('an entry for a state that is closed'));
    this.#waiting ??= newGroup();
    const { lines, effects, durable } = this.#waiting;
    lines.push(line);
    effects.push(effect);
    this.#running ??= this.#run();
    return durable;
  }

  /** Takes no more entries; resolves when all are flushed or have failed. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    // All that is appended in this very turn goes with the first flush.
    await Promise.resolve();
    for (let group = this.#waiting; group !== undefined; group = this.#waiting) {
      this.#waiting = undefined;
      try {
        await this.#port.flush(group.lines.join(''));
        await this.#port.confirm();
      } catch (cause) {
        this.#fail(group, cause);
        break;
      }
      for (const effect of group.effects) effect();
      group.resolve();
    }
    this.#running = undefined;
  }

  #fail(group: Group, cause: unknown): void {
    const refusal = this.#port.refusal(cause);
    this.#failure = refusal;
    group.reject(refusal);
    this.#waiting?.reject(refusal);
    this.#waiting = undefined;
  }
}

function newGroup(): Group {
  let resolve = () => {};
  let reject: (refusal: Refusal) => void = () => {};
  const durable = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { lines: [], effects: [], durable, resolve, reject };
}
