// The head in the hands of its holder: every change of it is a conditional write, one after the other.
import type { Lease } from '../lease.ts';
import { leaseLost } from '../refusals.ts';
import { pack } from './content.ts';
import { type Head, printHead } from './head.ts';
import { headKey } from './layout.ts';
import { readHeadObject, type StatePlace } from './place.ts';

export class HeadKeeper {
  readonly lease: Lease;
  readonly #place: StatePlace;
  #head: Head;
  #tag: string;
  #last: Promise<unknown> = Promise.resolve();

  /** `tag`: of the head that this process has written. `lease` must be from before that. */
  constructor(place: StatePlace, head: Head, tag: string, lease: Lease) {
    this.#place = place;
    this.#head = head;
    this.#tag = tag;
    this.lease = lease;
  }

  get head(): Head {
    return this.#head;
  }

  /** Renews the lock until the lease ends. */
  keep(): void {
    void this.lease.keep(async () => {
      await this.update((head) => {
        const heartbeat = this.#place.context.clock.date().toISOString();
        return head.lock === undefined ? head : { ...head, lock: { ...head.lock, heartbeat } };
      });
      return true;
    });
  }

  /** Rejects with `state.lease-lost`, and ends the lease, when another process has taken the lock. */
  update(change: (head: Head) => Head): Promise<void> {
    const writing = this.#last.then(() => this.#write(change));
    this.#last = writing.catch(() => undefined);
    return writing;
  }

  /** Ends the lease and writes the head without a lock. */
  async release(change: (head: Head) => Head): Promise<void> {
    await this.lease.release();
    await this.update((head) => {
      const { lock: _lock, ...rest } = change(head);
      return rest;
    });
  }

  /** Whether the head still is of this holder. */
  async isOurs(): Promise<boolean> {
    return (await readHeadObject(this.#place))?.holder === this.#head.holder;
  }

  async #write(change: (head: Head) => Head): Promise<void> {
    const { name, store, context } = this.#place;
    const next = change(this.#head);
    const bytes = pack(printHead(next), headKey, context.sealing);
    for (;;) {
      const tag = await store.replace(headKey, bytes, this.#tag);
      if (tag !== undefined) {
        this.#head = next;
        this.#tag = tag;
        return;
      }
      // Nobody but this holder writes a head with its name, so an unknown version of it is one whose answer was lost.
      const there = await readHeadObject(this.#place);
      if (there?.holder !== this.#head.holder) {
        this.lease.end();
        throw leaseLost(name);
      }
      this.#tag = there.tag;
    }
  }
}
