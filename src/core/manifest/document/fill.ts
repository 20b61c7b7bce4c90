// Fills in `${var.NAME}` and `${each.NAME}` in the texts and keys of a tree (semantics §9.10). Values are not expanded again.

import { reservedKeys } from '../../../lib/json.ts';
import { placedAt } from '../files/made-trees.ts';
import type { Tree, TreeEntry } from '../files/tree.ts';

/** `${var.region}` is a declared variable. `${each.city}` is a part of the row of a block with for_each. */
export interface Placeholder {
  readonly scope: 'var' | 'each';
  readonly name: string;
}

/** The source of placeholder values. */
export interface PlaceholderValues {
  /**
   * Returns the value, or `absent` if the row has none, in which case a value that consists of the placeholder is not declared.
   * Reports a problem at the offset and returns undefined if there is no such value. `path` leads from the tree to the text.
   * It is absent if the value becomes a part of a text or a key.
   */
  valueOf(placeholder: Placeholder, offset: number, path?: readonly string[]): Tree | 'absent' | undefined;
  /** Reports `${NAME}`, which only the application block fills in. */
  noteBare(name: string, offset: number): void;
  /** Reports a filled key that is not allowed in its map. */
  refuseKey(key: string, offset: number, why: 'reserved' | 'twice'): void;
}

/** `$${var.region}` is the literal text `${var.region}`, and `$${REGION}` is `${REGION}`. */
const placeholders = /\$?\$\{(?:(var|each)\.([^}]*)|([A-Z][A-Z0-9_]*))\}/gu;
const onlyOne = /^\$\{(var|each)\.([^}]*)\}$/u;

/** Words a `${NAME}` outside of the application block. */
export function bareDetail(name: string): string {
  return `\${${name}} stays literal text here, because only the application block reads the environment in this form. Declare variables: { ${name}: {} } and write \${var.${name}}, or $\${${name}} for the literal text.`;
}

/** Whether a text may contain a placeholder. */
export function mayHoldPlaceholder(text: string): boolean {
  return text.includes('${');
}

/** Returns the same tree if it contains no placeholder, or undefined if it is a placeholder without a value. */
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

/** Fills in a text or key. Placeholders without a value stay. */
export function fillText(text: string, values: PlaceholderValues, offset: number): string {
  if (!mayHoldPlaceholder(text)) return text;
  return text.replace(placeholders, (whole, scope: string | undefined, name: string, bare: string) => {
    if (whole.startsWith('$$')) return whole.slice(1);
    if (scope === undefined) {
      values.noteBare(bare, offset);
      return whole;
    }
    const value = values.valueOf(placeholderOf(scope, name), offset);
    return value === undefined || value === 'absent' || value.type !== 'scalar' ? whole : value.text;
  });
}

/** Escapes `${var.NAME}`, `${each.NAME}` and `${NAME}` in a text. */
export function escapePlaceholders(text: string): string {
  return mayHoldPlaceholder(text) ? text.replace(/\$\{(?:(?:var|each)\.[^}]*|[A-Z][A-Z0-9_]*)\}/gu, '$$$&') : text;
}

function placeholderOf(scope = '', name = ''): Placeholder {
  return { scope: scope === 'each' ? 'each' : 'var', name };
}
