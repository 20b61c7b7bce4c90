// The rows of a block with `for_each`: a list, a range, or a file of rows (semantics §9.11).

import { isObject, type JsonObject } from '../../../lib/json.ts';
import { type Tree, toJson } from '../files/tree.ts';

/** One row, from which one block is made. */
export interface ManifestRow {
  /** As shown in messages: `data/rooms.csv:7`, or `7` of a range. */
  readonly place: string;
  /** Returns undefined if the row has no such part. */
  part(name: string): Tree | undefined;
}

export interface ManifestRows {
  readonly length: number;
  at(index: number): ManifestRow | undefined;
  /** The names of all parts that any row has. */
  readonly names: ReadonlySet<string>;
  /** Whether the parts are untyped CSV cells, which get the type of their attribute. */
  readonly areTexts: boolean;
}

/** The maximum number of objects from one block. */
export const maxRows = 100_000;

/** The part name of a scalar in a list or range. */
const valueName = 'value';

/** Returns the part of a map at `address.city`. A key that itself contains dots takes precedence. */
export function partOf(tree: Tree, name: string): Tree | undefined {
  if (tree.type !== 'map') return undefined;
  const part = tree.entries.get(name)?.value;
  if (part !== undefined) return part;
  const dot = name.indexOf('.');
  const inner = dot === -1 ? undefined : tree.entries.get(name.slice(0, dot))?.value;
  return inner === undefined ? undefined : partOf(inner, name.slice(dot + 1));
}

/** Adds the names of all parts of a map. Names of nested parts contain dots. */
export function addNames(row: JsonObject, names: Set<string>, prefix = ''): void {
  for (const [key, value] of Object.entries(row)) {
    names.add(`${prefix}${key}`);
    if (isObject(value)) addNames(value, names, `${prefix}${key}.`);
  }
}

/** Returns the rows of `for_each: [berlin, { city: paris }]`. */
export function listRows(items: readonly Tree[], placeOf: (offset: number) => string): ManifestRows {
  const names = new Set<string>();
  for (const item of items) {
    const value = toJson(item);
    if (isObject(value)) addNames(value, names);
    else names.add(valueName);
  }
  return {
    length: items.length,
    names,
    areTexts: false,
    at(index) {
      const item = items[index];
      if (item === undefined) return undefined;
      const part = (name: string) => (item.type === 'map' ? partOf(item, name) : name === valueName ? item : undefined);
      return { place: placeOf(item.offset), part };
    },
  };
}

/** Returns the rows of `for_each: { from: 1, to: 50, digits: 2 }`, both ends included. With digits they are texts: 01, 02. */
export function rangeRows(from: number, to: number, digits: number | undefined): ManifestRows {
  return {
    length: to - from + 1,
    names: new Set([valueName]),
    areTexts: false,
    at(index) {
      const number = from + index;
      const text = digits === undefined ? String(number) : String(number).padStart(digits, '0');
      const value: Tree = { type: 'scalar', offset: 0, value: digits === undefined ? number : text, text };
      return { place: text, part: (name) => (name === valueName ? value : undefined) };
    },
  };
}
