// Fits a document into a number of bytes: some sections are written in full, some in short, some not at all.
import { utf8Length } from '../text/budget.ts';

/** One part of a document. Sections are ordered by importance, which is also their order in the document. */
export interface MarkdownSection {
  /** The shortest form. May be empty. */
  readonly short: string;
  /** The number of changes that the short form does not show. */
  readonly hiddenWhenShort: number;
  /** As much as fits into `maxBytes`. Undefined if that is no more than the short form. */
  full(maxBytes: number): Filled | undefined;
}

export interface Filled {
  readonly text: string;
  /** The number of changes left out of the text. */
  readonly hidden: number;
}

export interface Composed {
  readonly text: string;
  readonly hidden: number;
  /** The number of sections that did not fit. */
  readonly dropped: number;
}

/**
 * First the short forms are placed, as far as they fit. The remaining bytes are given out in order of importance: each
 * section may take half of them, or an even share if that is more. What then remains goes to incomplete sections.
 */
export function compose(sections: readonly MarkdownSection[], maxBytes: number): Composed {
  let room = maxBytes;
  const kept: { readonly section: MarkdownSection; filled: Filled }[] = [];
  for (const section of sections) {
    const bytes = utf8Length(section.short);
    if (bytes > room) break;
    room -= bytes;
    kept.push({ section, filled: { text: section.short, hidden: section.hiddenWhenShort } });
  }
  const fill = (entry: (typeof kept)[number], share: number): void => {
    const length = utf8Length(entry.filled.text);
    const filled = entry.section.full(length + Math.floor(share));
    if (filled === undefined) return;
    room -= utf8Length(filled.text) - length;
    entry.filled = filled;
  };
  for (const [at, entry] of kept.entries()) fill(entry, Math.max(room / 2, room / (kept.length - at)));
  for (const entry of kept) if (entry.filled.hidden > 0) fill(entry, room);
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
