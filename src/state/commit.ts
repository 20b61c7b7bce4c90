// How do steps that finish together share one flush or one statement? Natural group commit: what arrives while a flush runs goes with the next.
import { InternalError } from '../lib/errors.ts';
import type { Refusal } from '../model/errors.ts';

/** Entries that are flushed together, and the one promise that all who wait for them share. */
interface Group<Item> {
  readonly items: Item[];
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (refusal: Refusal) => void;
}

export interface CommitPort<Item> {
  /** Appends and makes durable. */
  flush(items: readonly Item[]): Promise<void>;
  /** After a flush and before anybody is told: throws a Refusal when the entries do not count, because the lock is lost. */
  confirm(): Promise<void>;
  /** The entries count: nobody is told before this returns. */
  committed(items: readonly Item[]): void;
  /** What to tell those who wait when one of the two has failed. */
  refusal(cause: unknown): Refusal;
}

/**
 * No timer: a lone entry is flushed at once, and under load each flush takes along what came in the meantime.
 * After a failure nothing is written any more, because a part of a line may stand at the end of the file.
 */
export class GroupCommit<Item> {
  readonly #port: CommitPort<Item>;
  #waiting: Group<Item> | undefined;
  #running: Promise<void> | undefined;
  #failure: Refusal | undefined;
  #closed = false;

  constructor(port: CommitPort<Item>) {
    this.#port = port;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves when the item is durable and counts. */
  append(item: Item): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new InternalError('an entry for a state that is closed'));
    this.#waiting ??= newGroup();
    const { items, durable } = this.#waiting;
    items.push(item);
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
        await this.#port.flush(group.items);
        await this.#port.confirm();
      } catch (cause) {
        this.#fail(group, cause);
        break;
      }
      this.#port.committed(group.items);
      group.resolve();
    }
    this.#running = undefined;
  }

  #fail(group: Group<Item>, cause: unknown): void {
    const refusal = this.#port.refusal(cause);
    this.#failure = refusal;
    group.reject(refusal);
    this.#waiting?.reject(refusal);
    this.#waiting = undefined;
  }
}

function newGroup<Item>(): Group<Item> {
  let resolve = () => {};
  let reject: (refusal: Refusal) => void = () => {};
  const durable = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { items: [], durable, resolve, reject };
}
