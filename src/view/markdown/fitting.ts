// Which parts of a document are shown in full, which in short and which not at all, when there is room for so many bytes?
import { utf8Length } from '../budget.ts';

/** One part, in its place in the document; the order is the order of importance as well. */
export interface Section {
  /** The least that has to be said; empty when nothing has to. */
  readonly short: string;
  /** Changes that the short form does not show. */
  readonly hiddenWhenShort: number;
  /** As much as fits into so many bytes, or undefined when that is no more than the short form. */
  full(maxBytes: number): Filled | undefined;
}

export interface Filled {
  readonly text: string;
  /** Changes that are left out of it. */
  readonly hidden: number;
}

export interface Composed {
  readonly text: string;
  readonly hidden: number;
  /** Whole sections that found no room. */
  readonly dropped: number;
}

/**
 * First every section gets its short form, as far as they fit. What is left is shared out in the order of importance: each
 * section may take half of it, or its even share when that is more. What then is left goes to those that are not whole.
 */
export function compose(sections: readonly Section[], maxBytes: number): Composed {
  let room = maxBytes;
  const kept: { readonly section: Section; filled: Filled }[] = [];
  for (const section of sections) {
    const bytes = utf8Length(section.short);
    if (bytes > room) break;
    room -= bytes;
    kept.push({ section, filled: { text: section.short, hidden: section.hiddenWhenShort } });
  }
  const fill = (one: (typeof kept)[number], share: number): void => {
    const own = utf8Length(one.filled.text);
    const filled = one.section.full(own + Math.floor(share));
    if (filled === undefined) return;
    room -= utf8Length(filled.text) - own;
    one.filled = filled;
  };
  for (const [at, one] of kept.entries()) fill(one, Math.max(room / 2, room / (kept.length - at)));
  for (const one of kept) if (one.filled.hidden > 0) fill(one, room);
  const dropped = sections.slice(kept.length);
  return {
    text: kept.map(({ filled }) => filled.text).join(''),
    hidden: [
      ...kept.map(({ filled }) => filled.hidden),
      ...dropped.map(({ hiddenWhenShort }) => hiddenWhenShort),
    ].reduce((sum, hidden) => sum + hidden, 0),
    dropped: dropped.length,
  };
}
