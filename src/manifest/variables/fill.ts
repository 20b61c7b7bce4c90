// Fills `${var.NAME}` and `${each.NAME}` into the texts and keys of a tree (semantics §9.10). No placeholder is read twice.

import { reservedKeys } from '../../lib/json.ts';
import { placedAt, type Tree, type TreeEntry } from '../yaml/tree.ts';

/** `${var.region}`: a declared variable. `${each.city}`: a part of the row that a block with for_each is made of. */
export interface Placeholder {
  readonly scope: 'var' | 'each';
  readonly name: string;
}

/** What placeholders stand for. */
export interface PlaceholderValues {
  /**
   * The value, placed anywhere. `absent` when the row leaves it open: then a value that is nothing else is not declared.
   * Undefined, with a report at the offset, when there is none. `path` leads from the filled tree to the text; absent
   * where the value has to become a part of a text or a key.
   */
  valueOf(placeholder: Placeholder, offset: number, path?: readonly string[]): Tree | 'absent' | undefined;
  /** Reports a filled key that its map cannot take. */
  refuseKey(key: string, offset: number, why: 'reserved' | 'twice'): void;
}

/** `$${var.region}` is the plain text `${var.region}`. */
const placeholders = /\$?\$\{(var|each)\.([^}]*)\}/gu;
const onlyOne = /^\$\{(var|each)\.([^}]*)\}$/u;

/** Whether a text may hold a placeholder. */
export function mayHoldPlaceholder(text: string): boolean {
  return text.includes('${');
}

/** The same tree when it holds no placeholder. Undefined when all of it is one that is absent. */
export function fillTree(tree: Tree, values: PlaceholderValues, path: readonly string[] = []): Tree | undefined {
  switch (tree.type) {
    case 'scalar': {
      if (typeof tree.value !== 'string' || !mayHoldPlaceholder(tree.value)) return tree;
      const whole = onlyOne.exec(tree.value);
      if (whole === null) {
        const text = fillText(tree.value, values, tree.offset);
        return text === tree.value ? tree : { ...tree, value: text, text };
      }
      const value = values.valueOf(placeholderOf(whole[1], whole[2]), tree.offset, path);
      if (value === 'absent') return undefined;
      return value === undefined ? tree : placedAt(value, tree.offset);
    }
    case 'list': {
      const items = tree.items.map((item, index) => fillTree(item, values, [...path, String(index)]));
      const isSame = items.every((item, index) => item === tree.items[index]);
      return isSame ? tree : { ...tree, items: items.filter((item) => item !== undefined) };
    }
    case 'map': {
      const entries = new Map<string, TreeEntry>();
      let isSame = true;
      for (const [key, entry] of tree.entries) {
        const name = fillText(key, values, entry.offset);
        const value = fillTree(entry.value, values, [...path, name]);
        isSame &&= name === key && value === entry.value;
        const fault = name === key ? undefined : faultOfKey(name, entries);
        if (fault !== undefined) values.refuseKey(name, entry.offset, fault);
        else if (value !== undefined) entries.set(name, value === entry.value ? entry : { ...entry, value });
      }
      return isSame ? tree : { ...tree, entries };
    }
  }
}

function faultOfKey(name: string, entries: ReadonlyMap<string, TreeEntry>): 'reserved' | 'twice' | undefined {
  if (reservedKeys.has(name)) return 'reserved';
  return entries.has(name) ? 'twice' : undefined;
}

/** A text or key. Placeholders without a value stay. */
export function fillText(text: string, values: PlaceholderValues, offset: number): string {
  if (!mayHoldPlaceholder(text)) return text;
  return text.replace(placeholders, (whole, scope: string, name: string) => {
    if (whole.startsWith('$$')) return whole.slice(1);
    const value = values.valueOf(placeholderOf(scope, name), offset);
    return value === undefined || value === 'absent' || value.type !== 'scalar' ? whole : value.text;
  });
}

/** Has `${var.NAME}` and `${each.NAME}` of a text stand for themselves. */
export function escapePlaceholders(text: string): string {
  return mayHoldPlaceholder(text) ? text.replace(/\$\{(?:var|each)\.[^}]*\}/gu, '$$$&') : text;
}

function placeholderOf(scope = '', name = ''): Placeholder {
  return { scope: scope === 'each' ? 'each' : 'var', name };
}
