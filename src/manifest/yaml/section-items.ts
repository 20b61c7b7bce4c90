// The objects of one section of a document, one by one, parsed or still text.

import type { OutlineItem } from './outline.ts';
import { readPlainMap } from './plain-block.ts';
import type { Source } from './source-text.ts';
import type { MapTree, TreeEntry } from './tree.ts';

/** In the order of the file, each key once. */
export interface SectionItems {
  readonly length: number;
  keyAt(index: number): string;
  /** The value as written. Parsed anew at each call where only the text is kept. */
  entryAt(index: number): TreeEntry;
  /** What an item is written in, where that is not the document alone. */
  sourceAt?(index: number): Source;
}

/** The items of a parsed section. */
export function parsedItems(section: MapTree): SectionItems {
  const entries = [...section.entries];
  return {
    length: entries.length,
    keyAt: (index) => entries[index]?.[0] ?? '',
    entryAt: (index) => entries[index]?.[1] ?? missing,
  };
}

/** The items of a section that stays text. `parsed` holds those that only the library can read. */
export function textItems(
  text: string,
  items: readonly OutlineItem[],
  parsed: ReadonlyMap<OutlineItem, TreeEntry>,
): SectionItems {
  return {
    length: items.length,
    keyAt: (index) => items[index]?.key ?? '',
    entryAt(index) {
      const item = items[index];
      if (item === undefined) return missing;
      return parsed.get(item) ?? readPlainMap(text, item.start, item.end)?.entries.get(item.key) ?? missing;
    },
  };
}

/** The section as one item: its own items are the attributes. `offset` is that of its name. */
export function wholeItem(key: string, items: SectionItems, offset: number): SectionItems {
  const entryAt = (): TreeEntry => ({
    offset,
    value: {
      type: 'map',
      offset,
      entries: new Map(Array.from({ length: items.length }, (_, place) => [items.keyAt(place), items.entryAt(place)])),
    },
  });
  return { length: items.length === 0 ? 0 : 1, keyAt: () => key, entryAt };
}

const missing: TreeEntry = { offset: 0, value: { type: 'scalar', offset: 0, value: null, text: '' } };
