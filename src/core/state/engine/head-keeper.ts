// Updates the head of the holder of the lock. Only the holder changes it, by one conditional write at a time.
import { emptyBase, type ObjectsInUse, type StateHead } from './head.ts';
import { isNewest, packHead, readHead, type StatePlace } from './heads.ts';
import { headKey } from './layout.ts';
import type { Lease } from './lease.ts';
import { leaseLost } from './refusals.ts';

export class HeadKeeper {
  readonly lease: Lease;
  /** The last number that this holder has written in its journal. */
  written = 0;
  readonly #place: StatePlace;
  #head: StateHead;
  #tag: string;
  #last: Promise<unknown> = Promise.resolve();

  /** `tag` is that of the head that this process has written. `lease` must have begun before that write. */
  constructor(place: StatePlace, head: StateHead, tag: string, lease: Lease) {
    this.#place = place;
    this.#head = head;
    this.#tag = tag;
    this.lease = lease;
  }

  get head(): StateHead {
    return this.#head;
  }

  /** Defined once the lock is taken. */
  get base(): ObjectsInUse {
    return this.#head.base ?? emptyBase;
  }

  /** Renews the lock until the lease ends. */
  keep(): void {
    void this.lease.keep(async () => {
      await this.update((head) => {
        const heartbeat = this.#place.context.clock.date().toISOString();
        if (head.lock === undefined || head.base?.open === undefined) return head;
        const open = { ...head.base.open, least: this.written };
        return { ...head, lock: { ...head.lock, heartbeat }, base: { ...head.base, open } };
      });
      return this.isNewest();
    });
  }

  /** Rejects with `state.lease-lost`, and ends the lease, if a later holder has removed the head. */
  update(change: (head: StateHead) => StateHead): Promise<void> {
    const writing = this.#last.then(() => this.#write(change));
    this.#last = writing.catch(() => undefined);
    return writing;
  }

  /** Ends the lease and writes the head without a lock. */
  async release(change: (head: StateHead) => StateHead): Promise<void> {
    await this.lease.release();
    await this.update((head) => {
      const { lock: _lock, ...rest } = change(head);
      return rest;
    });
  }

  /** Returns false if another process has taken the lock. */
  isNewest(): Promise<boolean> {
    return isNewest(this.#place, this.#head.epoch);
  }

  async #write(change: (head: StateHead) => StateHead): Promise<void> {
    const next = change(this.#head);
    const bytes = packHead(this.#place, next);
    for (;;) {
      const tag = await this.#place.store.replace(headKey(next.epoch), bytes, this.#tag);
      if (tag !== undefined) {
        this.#head = next;
        this.#tag = tag;
        return;
      }
      // Nobody else writes this head. An unknown version of it is a write by this process whose answer was lost.
      const there = await readHead(this.#place, next.epoch);
      if (there === undefined) {
        this.lease.end();
        throw leaseLost(this.#place.name);
      }
      this.#tag = there.tag;
    }
  }
}
