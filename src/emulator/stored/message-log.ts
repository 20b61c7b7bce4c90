// The messages of one channel, sorted by time and id, with an index by id.

import type { MessageRecord } from './records.ts';
import { countWhile } from './sequence.ts';

export class MessageLog {
  readonly #ordered: MessageRecord[] = [];
  readonly #byId = new Map<number, MessageRecord>();
  #removed = 0;

  get(id: number): MessageRecord | undefined {
    return this.#byId.get(id);
  }

  /** The number of messages that are not removed. */
  get count(): number {
    return this.#ordered.length - this.#removed;
  }

  put(message: MessageRecord): void {
    const known = this.#byId.get(message.id);
    this.#byId.set(message.id, message);
    if (message.removed && known?.removed !== true) this.#removed++;
    const place = this.#place(message.createdAt, message.id);
    // The time of a message never changes, so neither does its position.
    if (known === undefined) this.#ordered.splice(place, 0, message);
    else this.#ordered[place] = message;
  }

  delete(id: number): void {
    const message = this.#byId.get(id);
    if (message === undefined) return;
    this.#byId.delete(id);
    this.#ordered.splice(this.#place(message.createdAt, id), 1);
    if (message.removed) this.#removed--;
  }

  /** Messages at or after `ts`, oldest first. */
  *from(ts: number): Generator<MessageRecord> {
    for (let place = this.#place(ts, 0); place < this.#ordered.length; place++) {
      const message = this.#ordered[place];
      if (message !== undefined) yield message;
    }
  }

  /** Messages before `ts`, newest first. */
  *before(ts: number): Generator<MessageRecord> {
    for (let place = this.#place(ts, 0) - 1; place >= 0; place--) {
      const message = this.#ordered[place];
      if (message !== undefined) yield message;
    }
  }

  /** The latest message that is not removed and that `isWanted` accepts. */
  last(isWanted: (message: MessageRecord) => boolean = () => true): MessageRecord | undefined {
    for (const message of this.before(Number.POSITIVE_INFINITY))
      if (!message.removed && isWanted(message)) return message;
    return undefined;
  }

  /** The first place that is not before (time, id). Checks the end first, where most new messages belong. */
  #place(ts: number, id: number): number {
    const isBefore = (message: MessageRecord) =>
      message.createdAt < ts || (message.createdAt === ts && message.id < id);
    const last = this.#ordered.at(-1);
    return last === undefined || isBefore(last) ? this.#ordered.length : countWhile(this.#ordered, isBefore);
  }
}
