// Splits long lists into pages with an opaque token that holds a position and expires (platform §1.1).

import { ApiError } from '../api/errors.ts';
import type { Sequence } from '../stored/sequence.ts';
import type { Call } from './call.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 10;
/** The lifetime of a token is not documented. */
const TOKEN_LIFETIME_MS = 1_800_000;

export interface Page<T> {
  readonly items: readonly T[];
  /** The token of the next page. Empty at the end. */
  readonly next: string;
}

/**
 * One page of what `from` yields. `from` starts after a position, so every page costs the same.
 * `listing` names the list. A token from another list is refused.
 */
export function takePage<T>(
  call: Call,
  listing: string,
  from: (position: string | undefined) => Iterable<T>,
  positionOf: (item: T) => string,
): Page<T> {
  const limit = call.query.integerIn('limit', 1, MAX_LIMIT, DEFAULT_LIMIT);
  const token = call.query.filled('token');
  const items: T[] = [];
  for (const item of from(token === undefined ? undefined : readToken(call, listing, token))) {
    const last = items.at(-1);
    if (items.length === limit && last !== undefined) {
      return { items, next: makeToken(call.nowMs, listing, positionOf(last)) };
    }
    items.push(item);
  }
  return { items, next: '' };
}

/** One page of a bounded list that is sorted for each request. `keyOf` must give distinct keys. */
export function takeSortedPage<T>(
  call: Call,
  listing: string,
  items: Iterable<T>,
  keyOf: (item: T) => string,
): Page<T> {
  const sorted = [...items].map((item) => ({ item, key: keyOf(item) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  const page = takePage(
    call,
    listing,
    (position) => (position === undefined ? sorted : sorted.filter(({ key }) => key > position)),
    ({ key }) => key,
  );
  return { items: page.items.map(({ item }) => item), next: page.next };
}

/** Records after `position`, oldest first: all of them, or those with the given ids. */
export function oldestOf<T extends { readonly seq: number }>(
  records: Sequence<T>,
  ids: readonly string[] | undefined,
  position: string | undefined,
): Iterable<T> {
  const after = position === undefined ? -1 : Number(position);
  if (ids === undefined) return records.ascending(after);
  return named(records, ids)
    .filter(({ seq }) => seq > after)
    .sort((a, b) => a.seq - b.seq);
}

/** Records after `position`, newest first. */
export function newestOf<T extends { readonly seq: number }>(
  records: Sequence<T>,
  ids: readonly string[] | undefined,
  position: string | undefined,
): Iterable<T> {
  const before = position === undefined ? Number.POSITIVE_INFINITY : Number(position);
  if (ids === undefined) return records.descending(before);
  return named(records, ids)
    .filter(({ seq }) => seq < before)
    .sort((a, b) => b.seq - a.seq);
}

function named<T extends { readonly seq: number }>(records: Sequence<T>, ids: readonly string[]): T[] {
  return [...new Set(ids)].map((id) => records.get(id)).filter((record) => record !== undefined);
}

export function* filtered<T>(items: Iterable<T>, matches: (item: T) => boolean): Generator<T> {
  for (const item of items) if (matches(item)) yield item;
}

/** A sort key that puts larger numbers first. */
export function newestFirst(value: number): string {
  return String(10 ** 15 - value).padStart(16, '0');
}

function makeToken(nowMs: number, listing: string, position: string): string {
  return Buffer.from(JSON.stringify([listing, nowMs, position])).toString('base64url');
}

function readToken(call: Call, listing: string, token: string): string {
  const [tokenListing, issuedAt, position] = parse(token);
  if (tokenListing !== listing || typeof issuedAt !== 'number' || typeof position !== 'string') {
    throw new ApiError('invalidValue', 'token');
  }
  if (call.nowMs - issuedAt > TOKEN_LIFETIME_MS) throw new ApiError('expiredToken', 'token');
  return position;
}

function parse(token: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
