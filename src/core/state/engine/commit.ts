// Group commit: steps that finish together share one flush.
import { InternalError } from '../../../lib/errors.ts';
import type { Refusal } from '../../model/errors.ts';

/** Entries that are flushed together, and the promise that all their callers share. */
interface CommitGroup<Item> {
  readonly items: Item[];
  readonly durable: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (refusal: Refusal) => void;
}

export interface CommitPort<Item> {
  /** Appends the items and makes them durable. */
  flush(items: readonly Item[]): Promise<void>;
  /** Called after a flush, before callers are told. Throws a Refusal if the items do not count because the lock is lost. */
  confirm(): Promise<void>;
  /** Called when the items count. Callers are told when this returns. */
  committed(items: readonly Item[]): void;
  /** Returns the refusal that callers get after `flush` or `confirm` has failed. */
  refusal(cause: unknown): Refusal;
}

/**
 * There is no timer. A lone item is flushed at once, and under load each flush contains the items that arrived during the
 * last one. After a failure nothing more is written, because it is unknown whether the last object was written.
 */
export class GroupCommit<Item> {
  readonly #port: CommitPort<Item>;
  #waiting: CommitGroup<Item> | undefined;
  #running: Promise<void> | undefined;
  #failure: Refusal | undefined;
  #closed = false;

  constructor(port: CommitPort<Item>) {
    this.#port = port;
  }

  get failed(): boolean {
    return this.#failure !== undefined;
  }

  /** Resolves when the item is durable and counts. Rejects with a Refusal. */
  append(item: Item): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#closed) return Promise.reject(new InternalError('an entry for a state that is closed'));
    this.#waiting ??= newGroup();
    const { items, durable } = this.#waiting;
    items.push(item);
    this.#running ??= this.#run();
    return durable;
  }

  /** Accepts no more items. Resolves when all are flushed or have failed. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    // Everything appended in this turn is part of the first flush.
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

  #fail(group: CommitGroup<Item>, cause: unknown): void {
    const refusal = this.#port.refusal(cause);
    this.#failure = refusal;
    group.reject(refusal);
    this.#waiting?.reject(refusal);
    this.#waiting = undefined;
  }
}

function newGroup<Item>(): CommitGroup<Item> {
  let resolve = () => {};
  let reject: (refusal: Refusal) => void = () => {};
  const durable = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { items: [], durable, resolve, reject };
}
