// Keeps an output within a number of bytes by leaving out whole items.

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

export interface BoundedDocument {
  readonly head: string;
  readonly items: Iterable<string>;
  readonly separator?: string;
  readonly total: number;
  /** The text after the items, given how many were left out. It must not get longer when fewer are. */
  tail(leftOut: number): string;
}

/** Yields the head, as many items as fit, and the tail. Items are yielded one by one, so that a large output is never in memory. */
export function* writeWithin(
  { head, items, separator = '', total, tail }: BoundedDocument,
  maxBytes?: number,
): Generator<string> {
  yield head;
  let room = maxBytes === undefined ? Number.POSITIVE_INFINITY : maxBytes - utf8Length(head) - utf8Length(tail(total));
  let shown = 0;
  for (const item of items) {
    const piece = shown === 0 ? item : separator + item;
    if (maxBytes !== undefined) room -= utf8Length(piece);
    if (room < 0) break;
    yield piece;
    shown += 1;
  }
  yield tail(total - shown);
}

/** As many of the first items as fit, each with `joinBytes` for its separator. */
export function firstThatFit(items: readonly string[], maxBytes: number, joinBytes: number): readonly string[] {
  let used = 0;
  for (const [at, item] of items.entries()) {
    used += utf8Length(item) + joinBytes;
    if (used > maxBytes) return items.slice(0, at);
  }
  return items;
}

/** As many pieces as fit, then `ending` if some were left out. */
export function* cutAfter(pieces: Iterable<string>, ending: string, maxBytes?: number): Generator<string> {
  let room = maxBytes === undefined ? Number.POSITIVE_INFINITY : maxBytes - utf8Length(ending);
  for (const piece of pieces) {
    if (maxBytes !== undefined) room -= utf8Length(piece);
    if (room < 0) {
      yield ending;
      return;
    }
    yield piece;
  }
}
