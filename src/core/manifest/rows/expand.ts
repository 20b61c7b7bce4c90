// Expands the blocks of a section: fills in placeholders, and turns a block with `for_each` into one block per row
// (semantics §9.11). Blocks are made again whenever they are read.
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { forEachKey, type ManifestDocument } from '../document/document.ts';
import { fillText, fillTree, mayHoldPlaceholder, type PlaceholderValues } from '../document/fill.ts';
import type { LoadContext } from '../document/load-context.ts';
import type { SectionItems } from '../files/documents.ts';
import type { MapTree, TreeEntry } from '../files/tree.ts';
import type { ProblemSource } from '../problems/problems.ts';
import { BlockValues, RowSource } from './block-values.ts';
import { type ExpandContext, rowsOf } from './read-for-each.ts';
import type { ManifestRow, ManifestRows } from './rows.ts';

/** The expanded blocks of one section. */
export interface DeclaredItems {
  readonly items: SectionItems;
  /** Whether some blocks come from rows. */
  readonly isExpanded: boolean;
}

/** `isPartial`: whether rows could not be read, so that objects may be missing. */
export async function expandItems(
  items: SectionItems,
  kind: KindDefinition,
  document: ManifestDocument,
  context: ExpandContext,
): Promise<{ readonly parts: readonly DeclaredItems[]; readonly isPartial: boolean }> {
  const plain: number[] = [];
  const parts: DeclaredItems[] = [];
  let isPartial = false;
  for (let index = 0; index < items.length; index += 1) {
    const entry = items.entryAt(index);
    // A kind with a single object has no rows, so its block has no such key.
    const mayRepeat = kind.onlyKey === undefined && entry.value.type === 'map';
    const each = mayRepeat ? entry.value.entries.get(forEachKey) : undefined;
    if (each === undefined || entry.value.type !== 'map') {
      plain.push(index);
      continue;
    }
    const rows = await rowsOf(each, kind, document, context);
    const template = { key: items.keyAt(index), offset: entry.offset, value: withoutForEach(entry.value) };
    if (rows?.length === 0) noteUses(template, context);
    if (rows === undefined || isNamedByUnknown(template, rows, kind, document.source, context)) isPartial = true;
    else parts.push({ items: expandedItems(template, rows, kind, document.source, context), isExpanded: true });
  }
  const values = new BlockValues(kind, document.source, context);
  const chosen = plain.length === items.length ? items : chosenItems(items, plain);
  return { parts: [{ items: filledItems(chosen, values), isExpanded: false }, ...parts], isPartial };
}

/** Notes the variables of a template without rows as used. */
function noteUses({ key, offset, value }: Template, { variableTable }: LoadContext): void {
  const values: PlaceholderValues = {
    valueOf: ({ scope, name }) => {
      if (scope === 'var') variableTable?.noteUse(name);
      return undefined;
    },
    noteBare: () => {},
    refuseKey: () => {},
  };
  fillText(key, values, offset);
  fillTree(value, values);
}

/**
 * Whether the key needs a part that no row has, as after a column was renamed. Reports all such parts of the template. No block
 * is made then, because all would have one key that is not valid.
 */
function isNamedByUnknown(
  { key, offset, value }: Template,
  rows: ManifestRows,
  kind: KindDefinition,
  source: ProblemSource,
  context: LoadContext,
): boolean {
  if (rows.length === 0) return false;
  const values = new BlockValues(kind, source, context, { rows, row: rows.at(0) });
  let isUnknown = false;
  const look: PlaceholderValues = {
    valueOf: ({ scope, name }) => {
      isUnknown ||= scope === 'each' && !rows.names.has(name);
      return undefined;
    },
    noteBare: () => {},
    refuseKey: () => {},
  };
  fillText(key, look, offset);
  if (!isUnknown) return false;
  fillText(key, values, offset);
  fillTree(value, values);
  return true;
}

function withoutForEach(tree: MapTree): MapTree {
  const entries = new Map(tree.entries);
  entries.delete(forEachKey);
  return { ...tree, entries };
}

function chosenItems(items: SectionItems, indices: readonly number[]): SectionItems {
  return {
    length: indices.length,
    keyAt: (index) => items.keyAt(indices[index] ?? 0),
    entryAt: (index) => items.entryAt(indices[index] ?? 0),
  };
}

function filledItems(items: SectionItems, values: BlockValues): SectionItems {
  return {
    length: items.length,
    keyAt(index) {
      const key = items.keyAt(index);
      return mayHoldPlaceholder(key) ? fillText(key, values, items.entryAt(index).offset) : key;
    },
    entryAt: (index) => filled(items.entryAt(index), values),
  };
}

function filled(entry: TreeEntry, values: BlockValues): TreeEntry {
  const value = fillTree(entry.value, values) ?? entry.value;
  return value === entry.value ? entry : { offset: entry.offset, value };
}

interface Template extends TreeEntry {
  readonly key: string;
}

function expandedItems(
  { key, ...entry }: Template,
  rows: ManifestRows,
  kind: KindDefinition,
  source: ProblemSource,
  context: LoadContext,
): SectionItems {
  // Cache the last row, because its key, value and position are requested one after the other.
  let last: { readonly index: number; readonly row: ManifestRow | undefined; readonly values: BlockValues } | undefined;
  const valuesAt = (index: number) => {
    if (last?.index === index) return last;
    const row = rows.at(index);
    last = { index, row, values: new BlockValues(kind, source, context, { rows, row }) };
    return last;
  };
  return {
    length: rows.length,
    keyAt: (index) => fillText(key, valuesAt(index).values, entry.offset),
    entryAt: (index) => filled(entry, valuesAt(index).values),
    sourceAt: (index) => new RowSource(source, valuesAt(index).row?.place ?? ''),
  };
}
