// The bans or the mutes of all channels and custom types.

import type { RestrictionRecord } from './records.ts';

const NONE: ReadonlyMap<string, RestrictionRecord> = new Map();

export class Restrictions {
  readonly #ofChannel = new Map<string, Map<string, RestrictionRecord>>();

  /** By user id, with those that have ended. */
  of(url: string): ReadonlyMap<string, RestrictionRecord> {
    return this.#ofChannel.get(url) ?? NONE;
  }

  /** The restriction that holds at this moment. */
  current(url: string, userId: string, nowMs: number): RestrictionRecord | undefined {
    const restriction = this.of(url).get(userId);
    return restriction !== undefined && restriction.endAt > nowMs ? restriction : undefined;
  }

  /** The channels that have restricted the user, also if the restriction has ended. */
  urlsOf(userId: string): string[] {
    return [...this.#ofChannel].flatMap(([url, restrictions]) => (restrictions.has(userId) ? [url] : []));
  }

  /** With the channel or custom type of each, and with those that have ended. */
  *all(): Generator<readonly [url: string, restriction: RestrictionRecord]> {
    for (const [url, restrictions] of this.#ofChannel) for (const one of restrictions.values()) yield [url, one];
  }

  put(url: string, restriction: RestrictionRecord): void {
    const known = this.#ofChannel.get(url) ?? new Map<string, RestrictionRecord>();
    this.#ofChannel.set(url, known.set(restriction.userId, restriction));
  }

  delete(url: string, userId: string): void {
    this.#ofChannel.get(url)?.delete(userId);
  }

  deleteChannel(url: string): void {
    this.#ofChannel.delete(url);
  }

  deleteUser(userId: string): void {
    for (const restrictions of this.#ofChannel.values()) restrictions.delete(userId);
  }
}
