// How does an output keep to a number of bytes without being cut in the middle of anything?

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

export interface BoundedDocument {
  readonly head: string;
  readonly items: Iterable<string>;
  /** Between two items. */
  readonly separator?: string;
  /** How many items there are. */
  readonly total: number;
  /** What follows the items: knows how many of them are left out. It gets no longer when fewer are. */
  tail(leftOut: number): string;
}

/** Head and tail whole, and between them as many items as fit: one at a time, so that a big output is never in memory. */
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

/** As many of the first items as fit, and how many bytes they take with what joins them. */
export function firstThatFit(items: readonly string[], maxBytes: number, joinBytes: number): readonly string[] {
  let used = 0;
  for (const [at, item] of items.entries()) {
    used += utf8Length(item) + joinBytes;
    if (used > maxBytes) return items.slice(0, at);
  }
  return items;
}

/** As many pieces as fit, and the ending when that is not all of them. */
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
