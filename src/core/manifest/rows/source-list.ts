// Reads the objects of a file under `sources`.

import { isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import type { Collect, Series } from '../../../lib/series.ts';
import type { RawRow } from '../../../lib/tables/csv-records.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { SourcePosition } from '../../model/source.ts';
import { type BlockList, type DeclaredBlock, declaredBlock } from '../document/declared-block.ts';
import { inSharedSpelling, namesToRespell } from '../document/spellings.ts';
import type { FileAccess } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import { mergeTrees, placedAt, treeOf } from '../files/made-trees.ts';
import { type MapTree, type Tree, type TreeEntry, toJson } from '../files/tree.ts';
import { Problems, type Spot } from '../problems/problems.ts';
import { describeValue, quoted } from '../problems/wording.ts';
import { linesOf, type RowFormat, RowText } from './row.ts';

/** A row with a valid key. */
export interface KeyedRow {
  readonly row: RawRow;
  readonly key: string;
  /** The value without the key, with defaults. */
  readonly value: JsonValue;
}

/** The number of unreadable rows above which any object may be missing. */
const maxUnread = 10_000;

export class SourceList implements BlockList {
  readonly kind: KindDefinition;
  readonly file: ManifestFile;
  readonly manifest: ManifestFile;
  readonly #files: FileAccess;
  readonly #format: RowFormat;
  readonly #defaults: MapTree | undefined;
  readonly #defaultValue: JsonObject;
  /** Attributes that a row and the defaults may spell in two ways. */
  readonly #namesToRespell: readonly string[];
  /** The rows of an overlay, which are merged with those of its base. */
  #kept: Series<KeyedRow> | undefined;
  /** Whether a row with an unknown key could not be read. */
  #isPartial = false;
  /** Keys of rows that could not be read. */
  readonly #unread = new Set<string>();

  /** `defaults` are those of the manifest that names the file. */
  constructor(
    kind: KindDefinition,
    { file, manifest }: { readonly file: ManifestFile; readonly manifest: ManifestFile },
    files: FileAccess,
    format: RowFormat,
    defaults?: MapTree,
  ) {
    this.kind = kind;
    this.file = file;
    this.manifest = manifest;
    this.#files = files;
    this.#format = format;
    this.#defaults = defaults;
    const value = defaults === undefined ? {} : toJson(defaults);
    this.#defaultValue = isObject(value) ? value : {};
    this.#namesToRespell = defaults === undefined ? [] : namesToRespell(kind, defaults);
  }

  /** Yields rows with a key in batches and reports the others. Throws a Refusal (exit code 65) if the file changes meanwhile. */
  async *read(problems: Problems): AsyncGenerator<Iterable<KeyedRow>> {
    if (this.#kept !== undefined) {
      yield this.#kept;
      return;
    }
    const version = await this.#version();
    const before = problems.errors;
    const lines = linesOf(this.file, this.#files, problems);
    // Errors between two batches come from the format and mean unreadable lines. The caller reports errors of rows.
    let errors = before;
    for await (const rows of this.#format.rows(lines, this.file.name, problems)) {
      this.#isPartial ||= problems.errors > errors;
      const batch: KeyedRow[] = [];
      for (const row of rows) {
        const keyed = this.#keyed(row);
        if (keyed === undefined) this.#refuse(row, problems);
        else batch.push(keyed);
      }
      yield batch;
      errors = problems.errors;
    }
    this.#isPartial ||= problems.errors > errors;
    if ((await this.#version()) !== version) throw this.#changed();
  }

  /** Returns undefined for a missing file, which is reported when it is read. */
  async #version(): Promise<string | undefined> {
    return (await this.#files.stat(this.file.path).catch(() => undefined))?.version;
  }

  /** Reads all rows and returns their keys. */
  async keep(collect: Collect, problems: Problems): Promise<readonly string[]> {
    const keptRows = collect<KeyedRow>();
    const keys: string[] = [];
    for await (const rows of this.read(problems)) {
      for (const row of rows) {
        keptRows.push(row);
        keys.push(row.key);
      }
    }
    this.#kept = keptRows.end();
    return keys;
  }

  /** Whether the object may be in a part that could not be read. */
  mayHold(key: string): boolean {
    return this.#isPartial || this.#unread.has(key);
  }

  /** Returns undefined if the key is missing or is not a text. */
  #keyed(row: RawRow): KeyedRow | undefined {
    const whole = this.#format.value(row);
    if (!isObject(whole)) return undefined;
    const { [this.kind.keyName]: key, ...declared } = whole;
    if (typeof key !== 'string') return undefined;
    return { row, key, value: this.#withDefaults(declared) };
  }

  #withDefaults(declared: JsonObject): JsonObject {
    if (this.#defaults === undefined) return declared;
    if (!this.#namesToRespell.some((name) => Object.hasOwn(declared, name)))
      return mergeValues(declared, this.#defaultValue);
    const merged = toJson(mergeTrees(...inSharedSpelling(this.kind, treeOf(declared), this.#defaults)));
    return isObject(merged) ? merged : declared;
  }

  /** Reports problems with the row itself or with its key. */
  #refuse(row: RawRow, problems: Problems): void {
    const keys = this.#format.keysIn(row.text, this.kind.keyName);
    for (const key of keys) this.#unread.add(key);
    this.#isPartial ||= keys.length === 0 || this.#unread.size > maxUnread;
    const source = new RowText(this.file.name, row);
    const errors = problems.errors;
    const tree = this.#format.tree(row, source, problems);
    if (tree === undefined || problems.errors > errors) return;
    const entry = tree.type === 'map' ? tree.entries.get(this.kind.keyName) : undefined;
    const { title, keyName } = this.kind;
    const spot: Spot = { source, offset: entry?.value.offset ?? tree.offset };
    if (tree.type !== 'map') {
      const detail = `A row must be a map with ${keyName} and the attributes of the ${title}: received ${describeValue(toJson(tree), undefined)}.`;
      problems.add('manifest.wrong-type', detail, spot);
    } else if (entry === undefined) {
      const detail = `The row lacks its ${keyName}, which names the ${title}.`;
      problems.add('manifest.missing-key', detail, spot);
    } else {
      const text = entry.value.type === 'scalar' ? entry.value.text : undefined;
      const advice = text === undefined || text === 'null' ? '' : ` Put it in quotes: ${quoted(text)}.`;
      const detail = `${keyName}: expected text, received ${describeValue(toJson(entry.value), text)}. Ids are texts, so that no zero or digit is lost.${advice}`;
      problems.add('manifest.wrong-type', detail, spot);
    }
  }

  /** Returns the row with the positions of its parts. */
  blockOf(row: KeyedRow): DeclaredBlock {
    return this.#block(row, this.#defaults);
  }

  /** Returns the row of an overlay without defaults. */
  writtenAt(index: number): DeclaredBlock {
    return this.#block(this.#kept?.at(index) as KeyedRow, undefined);
  }

  #block({ row, key }: KeyedRow, defaults: MapTree | undefined): DeclaredBlock {
    const source = new RowText(this.file.name, row);
    const tree = this.#format.tree(row, source, new Problems());
    const entry = entryOfRow(tree, this.kind, defaults);
    return declaredBlock(this.kind, key, { file: this.file, source }, entry);
  }

  /** The place of a row is its line. */
  positionAt(line: number): SourcePosition {
    return { file: this.file.name, line, column: 1 };
  }

  #changed(): Refusal {
    return new Refusal(
      'manifest.changed',
      exitCode.conflict,
      `${this.file.name} changed while chatform was reading it.`,
      'The new content was not checked, so nothing was done with it. Run the command again when the file is complete.',
    );
  }
}

/** Maps merge by key. For anything else, the upper value takes precedence. */
function mergeValues(upper: JsonObject, lower: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...upper };
  for (const [key, value] of Object.entries(lower)) {
    const above = ownValue(upper, key);
    if (above === undefined) merged[key] = value;
    else if (isObject(above) && isObject(value)) merged[key] = mergeValues(above, value);
  }
  return merged;
}

/** `row` is undefined if nothing of it can be read. */
function entryOfRow(row: Tree = nothing, kind: KindDefinition, defaults: MapTree | undefined): TreeEntry {
  const entry = row.type === 'map' ? withoutKey(row, kind.keyName) : row;
  // Defaults are not in the row, so problems with them point at its start.
  const value =
    defaults === undefined ? entry : mergeTrees(...inSharedSpelling(kind, entry, placedAt(defaults, row.offset)));
  return { offset: keyOffset(row, kind.keyName), value };
}

const nothing: Tree = { type: 'scalar', offset: 0, value: null, text: '' };

function withoutKey(tree: MapTree, name: string): MapTree {
  const entries = new Map(tree.entries);
  entries.delete(name);
  return { ...tree, entries };
}

function keyOffset(tree: Tree, name: string): number {
  const entry = tree.type === 'map' ? tree.entries.get(name) : undefined;
  return entry?.value.offset ?? tree.offset;
}
