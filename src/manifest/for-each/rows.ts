// The rows that a block with `for_each` is made of: a list, a range, or a file of rows (semantics §9.11).

import { isObject, type JsonObject } from '../../lib/json.ts';
import { type Tree, toJson } from '../yaml/tree.ts';

/** One row. A block is made of it, one object. */
export interface Row {
  /** For people: `data/rooms.csv:7`, or `7` of a range. */
  readonly place: string;
  /** Undefined when the row has no such part. */
  part(name: string): Tree | undefined;
}

export interface Rows {
  readonly length: number;
  at(index: number): Row | undefined;
  /** The names of all parts that any row has. */
  readonly names: ReadonlySet<string>;
  /** Cells of a CSV file have no type: they get that of the attribute they are the value of. */
  readonly areTexts: boolean;
}

/** Most objects that one block may become. */
export const maxRows = 100_000;

/** What a list of scalars and a range call their value. */
const valueName = 'value';

/** The part of a map at `address.city`; a key that has the dots itself comes first. */
export function partOf(tree: Tree, name: string): Tree | undefined {
  if (tree.type !== 'map') return undefined;
  const own = tree.entries.get(name)?.value;
  if (own !== undefined) return own;
  const dot = name.indexOf('.');
  const inner = dot === -1 ? undefined : tree.entries.get(name.slice(0, dot))?.value;
  return inner === undefined ? undefined : partOf(inner, name.slice(dot + 1));
}

/** Adds the names of all parts of a map, nested ones with dots. */
export function addNames(row: JsonObject, names: Set<string>, prefix = ''): void {
  for (const [key, value] of Object.entries(row)) {
    names.add(`${prefix}${key}`);
    if (isObject(value)) addNames(value, names, `${prefix}${key}.`);
  }
}

/** The items of `for_each: [berlin, { city: paris }]`. */
export function listRows(items: readonly Tree[], placeOf: (offset: number) => string): Rows {
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

/** The numbers of `for_each: { from: 1, to: 50, digits: 2 }`, both included. With digits they are texts: 01, 02. */
export function rangeRows(from: number, to: number, digits: number | undefined): Rows {
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
