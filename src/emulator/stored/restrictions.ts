// The bans or the mutes of all channels, with an index by user.

import type { RestrictionRecord } from './records.ts';

const NONE: ReadonlyMap<string, RestrictionRecord> = new Map();
const NO_URLS: ReadonlySet<string> = new Set();

export class Restrictions {
  readonly #ofChannel = new Map<string, Map<string, RestrictionRecord>>();
  readonly #urlsOf = new Map<string, Set<string>>();

  /** By user id, with those that have ended. */
  of(url: string): ReadonlyMap<string, RestrictionRecord> {
    return this.#ofChannel.get(url) ?? NONE;
  }

  /** The restriction that holds at this moment. */
  current(url: string, userId: string, nowMs: number): RestrictionRecord | undefined {
    const restriction = this.of(url).get(userId);
    return restriction !== undefined && restriction.endAt > nowMs ? restriction : undefined;
  }

  urlsOf(userId: string): ReadonlySet<string> {
    return this.#urlsOf.get(userId) ?? NO_URLS;
  }

  put(url: string, restriction: RestrictionRecord): void {
    const known = this.#ofChannel.get(url) ?? new Map<string, RestrictionRecord>();
    this.#ofChannel.set(url, known.set(restriction.userId, restriction));
    this.#urlsOf.set(restriction.userId, (this.#urlsOf.get(restriction.userId) ?? new Set<string>()).add(url));
  }

  delete(url: string, userId: string): void {
    this.#ofChannel.get(url)?.delete(userId);
    this.#urlsOf.get(userId)?.delete(url);
  }

  deleteChannel(url: string): void {
    for (const userId of this.of(url).keys()) this.#urlsOf.get(userId)?.delete(url);
    this.#ofChannel.delete(url);
  }

  deleteUser(userId: string): void {
    for (const url of this.urlsOf(userId)) this.#ofChannel.get(url)?.delete(userId);
    this.#urlsOf.delete(userId);
  }
}
