// The values for the placeholders of one block: the parts of its row, and variables.
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { SourcePosition } from '../../model/source.ts';
import { bareDetail, type Placeholder, type PlaceholderValues } from '../document/fill.ts';
import type { LoadContext } from '../document/load-context.ts';
import { treeOf } from '../files/made-trees.ts';
import type { Tree } from '../files/tree.ts';
import type { ProblemSource, Spot } from '../problems/problems.ts';
import { quoted } from '../problems/wording.ts';
import { type CellForm, cellValue, columnOf } from './csv-columns.ts';
import type { ManifestRow, ManifestRows } from './rows.ts';

/** The source of a block, with its row. */
export class RowSource implements ProblemSource {
  readonly file: string;
  readonly #source: ProblemSource;
  readonly #row: string;

  constructor(source: ProblemSource, row: string) {
    this.file = source.file;
    this.#source = source;
    this.#row = row;
  }

  position(offset: number): SourcePosition {
    return { ...this.#source.position(offset), row: this.#row };
  }

  excerpt(offset: number): string | undefined {
    return this.#source.excerpt(offset);
  }
}

interface RowOfBlock {
  readonly rows: ManifestRows;
  readonly row: ManifestRow | undefined;
}

export class BlockValues implements PlaceholderValues {
  readonly #kind: KindDefinition;
  readonly #source: ProblemSource;
  readonly #context: LoadContext;
  readonly #made: RowOfBlock | undefined;

  constructor(kind: KindDefinition, source: ProblemSource, context: LoadContext, made?: RowOfBlock) {
    this.#kind = kind;
    this.#source = source;
    this.#context = context;
    this.#made = made;
  }

  valueOf({ scope, name }: Placeholder, offset: number, path?: readonly string[]): Tree | 'absent' | undefined {
    if (scope === 'each') {
      return this.#made === undefined
        ? this.#refuseOutside(name, offset)
        : this.#partOf(this.#made, name, offset, path);
    }
    const value = this.#context.variableTable?.valueOf(name, { source: this.#source, offset });
    return value === undefined || path === undefined ? value : inTextsAsText(value, this.#kind, path);
  }

  noteBare(name: string, offset: number): void {
    this.#context.problems.add('manifest.unknown-variable', bareDetail(name), this.#spot(offset), 'warning');
  }

  refuseKey(key: string, offset: number, why: 'reserved' | 'twice'): void {
    const spot = this.#spot(offset);
    if (why === 'reserved') {
      const detail = `${quoted(key)} is reserved and cannot be used as a key. Choose another key.`;
      this.#context.problems.add('manifest.reserved-key', detail, spot);
    } else {
      const detail = `After values are filled in, ${quoted(key)} appears twice in this map. Keep one of them.`;
      this.#context.problems.add('manifest.duplicate-key', detail, spot);
    }
  }

  #refuseOutside(name: string, offset: number): undefined {
    const detail = `\${each.${name}} has a value only in a block with for_each. For the literal text, write $\${each.`;
    this.#context.problems.add('manifest.each-outside', detail, { source: this.#source, offset });
    return undefined;
  }

  #partOf({ rows, row }: RowOfBlock, name: string, offset: number, path?: readonly string[]) {
    const { problems, suggestions } = this.#context;
    if (!rows.names.has(name)) {
      const names = [...rows.names];
      const suggestion = suggestions.sentence(name, names);
      const columns = names.length === 0 ? '' : ` Rows have ${names.slice(0, 20).join(', ')}.`;
      const detail = `No row has ${quoted(name)}.${suggestion === '' ? columns : suggestion}`;
      problems.add('manifest.each-unknown', detail, { source: this.#source, offset });
      return undefined;
    }
    const part = row?.part(name);
    const isEmpty = part === undefined || (part.type === 'scalar' && part.value === null);
    if (path !== undefined) {
      if (isEmpty) return 'absent';

      return rows.areTexts ? typed(part, this.#kind, path) : inTextsAsText(part, this.#kind, path);
    }
    if (!isEmpty && part.type === 'scalar') return part;
    const why = isEmpty ? `has no ${name}` : `has a ${part.type} as ${name}`;
    const detail = `The row ${row?.place ?? ''} ${why}, but a text or a key needs the value here. Complete the row.`;
    problems.add('manifest.each-unknown', detail, this.#spot(offset));
    return undefined;
  }

  #spot(offset: number): Spot {
    const row = this.#made?.row;
    return { source: row === undefined ? this.#source : new RowSource(this.#source, row.place), offset };
  }
}

/** A cell as the attribute wants it: true or false, a number, or ids that semicolons separate. */
function typed(cell: Tree, kind: KindDefinition, path: readonly string[]): Tree {
  if (cell.type !== 'scalar') return cell;
  const value = cellValue(cell.text, formAt(kind, path) ?? 'text');
  return typeof value === 'object' ? treeOf(value) : { ...cell, value };
}

/** Converts numbers and flags to text for a text attribute, as written. */
function inTextsAsText(tree: Tree, kind: KindDefinition, path: readonly string[]): Tree {
  if (tree.type !== 'scalar' || tree.value === null || formAt(kind, path) !== 'text') return tree;
  return { ...tree, value: tree.text };
}

const forms = new WeakMap<KindDefinition, Map<string, CellForm | undefined>>();

/** Returns the form of the attribute at a path, or undefined if a cell cannot express it. */
function formAt(kind: KindDefinition, path: readonly string[]): CellForm | undefined {
  const ofKind = forms.get(kind) ?? new Map<string, CellForm | undefined>();
  forms.set(kind, ofKind);
  const name = path.join('.');
  if (!ofKind.has(name)) ofKind.set(name, columnOf(name, kind)?.form);
  return ofKind.get(name);
}
