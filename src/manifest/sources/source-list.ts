// The objects of a file under `sources`. Only the place and length of each row are kept.

import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { BlockList, DeclaredValue } from '../blocks/block-list.ts';
import { type DeclaredBlock, declaredBlock } from '../blocks/declared-block.ts';
import { Problems, type Spot } from '../checks/problems.ts';
import { describeValue, quoted } from '../checks/wording.ts';
import type { ManifestFile } from '../discover.ts';
import type { FileAccess, OpenFile } from '../files.ts';
import { type MapTree, toJson } from '../yaml/tree.ts';
import { readAgain } from './reread.ts';
import { type RawRow, type RowFormat, RowText, reportUnreadable } from './row.ts';
import { entryOfRow, mergeValues } from './row-defaults.ts';
import { RowPlaces } from './row-places.ts';

/** A row with a valid key. */
export interface KeyedRow {
  readonly row: RawRow;
  readonly key: string;
  /** Without the key, with the defaults. */
  readonly value: JsonValue;
}

const noDefaults: MapTree = { type: 'map', offset: 0, entries: new Map() };

/** With more unreadable rows than this, any object may be missing. */
const maxUnread = 10_000;

export class SourceList implements BlockList {
  readonly kind: KindDefinition;
  readonly file: ManifestFile;
  readonly manifest: ManifestFile;
  readonly #files: Pick<FileAccess, 'open'>;
  readonly #format: RowFormat;
  readonly #defaults: MapTree | undefined;
  readonly #defaultValue: JsonObject;
  readonly #places = new RowPlaces();
  #version = '';
  /** Some row could not be read, and its key is unknown. */
  #isPartial = false;
  /** Keys of rows that could not be read. */
  readonly #unread = new Set<string>();

  /** `defaults`: those of the manifest that names the file. */
  constructor(
    kind: KindDefinition,
    { file, manifest }: { readonly file: ManifestFile; readonly manifest: ManifestFile },
    files: Pick<FileAccess, 'open'>,
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
  }

  get length(): number {
    return this.#places.length;
  }

  /** Reads every row that has a key; reports the others. */
  *scan(problems: Problems): Generator<KeyedRow> {
    let file: OpenFile;
    try {
      file = this.#files.open(this.file.path);
    } catch (error) {
      this.#unreadable(error, problems);
      return;
    }
    try {
      this.#version = file.version;
      // Errors between two batches come from the format, and mean unreadable lines; the caller reports errors of rows.
      let errors = problems.errors;
      for (const rows of this.#format.rows(file, this.file.name, problems)) {
        this.#isPartial ||= problems.errors > errors;
        for (const row of rows) {
          const keyed = this.#keyed(row, this.#format.value(row));
          if (keyed === undefined) this.#refuse(row, problems);
          else yield keyed;
        }
        errors = problems.errors;
      }
      this.#isPartial ||= problems.errors > errors;
    } catch (error) {
      if (!isOfSystem(error)) throw error;
      this.#unreadable(error, problems);
    } finally {
      file.close();
    }
  }

  /** Whether the object may stand in a part that could not be read. */
  mayHold(key: string): boolean {
    return this.#isPartial || this.#unread.has(key);
  }

  #keyed(row: RawRow, whole: JsonValue | undefined): KeyedRow | undefined {
    const { key, value } = this.#parted(whole);
    return key === undefined ? undefined : { row, key, value };
  }

  /** `key` is undefined when it is missing or no text. */
  #parted(whole: JsonValue | undefined): { readonly key: string | undefined; readonly value: JsonObject } {
    const { [this.kind.keyName]: _key, ...declared } = isObject(whole) ? whole : {};
    return { key: this.#keyIn(whole), value: this.#merged(declared) };
  }

  #keyIn(whole: JsonValue | undefined): string | undefined {
    const key = isObject(whole) ? whole[this.kind.keyName] : undefined;
    return typeof key === 'string' ? key : undefined;
  }

  #merged(declared: JsonObject): JsonObject {
    return this.#defaults === undefined ? declared : mergeValues(declared, this.#defaultValue);
  }

  /** Makes the row the next object of the list. */
  keep({ row }: KeyedRow): void {
    this.#places.push(row);
  }

  /** The keys of all rows that have one, which become objects of the list now. Reports nothing. */
  keepAll(): readonly string[] {
    const keys: string[] = [];
    for (const row of this.scan(new Problems())) {
      this.keep(row);
      keys.push(row.key);
    }
    return keys;
  }

  /** Reports what is wrong with the row itself, or with its key. */
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
      const detail = `A row is a map with ${keyName} and the attributes of the ${title}: received ${describeValue(toJson(tree), undefined)}.`;
      problems.add('manifest.wrong-type', detail, spot);
    } else if (entry === undefined) {
      const detail = `Every row names its ${title}: ${keyName} is missing here.`;
      problems.add('manifest.missing-key', detail, spot);
    } else {
      const text = entry.value.type === 'scalar' ? entry.value.text : undefined;
      const advice = text === undefined || text === 'null' ? '' : ` Put it in quotes: ${quoted(text)}.`;
      const detail = `${keyName}: expected text, received ${describeValue(toJson(entry.value), text)}. Ids are texts, so that they keep every zero and digit.${advice}`;
      problems.add('manifest.wrong-type', detail, spot);
    }
  }

  blockOf({ row, key }: KeyedRow): DeclaredBlock {
    return this.#block(row, key);
  }

  blockAt(index: number): DeclaredBlock {
    const [row] = this.#reread([index]);
    if (row === undefined) throw this.#changed();
    return this.#block(row, this.#keyOf(row));
  }

  writtenAt(index: number): DeclaredBlock {
    const [row] = this.#reread([index]);
    if (row === undefined) throw this.#changed();
    return this.#block(row, this.#keyOf(row), noDefaults);
  }

  /** Of a row that is read again. */
  #keyOf({ text }: RawRow): string {
    const key = this.#keyIn(this.#format.valueAgain(text));
    if (key === undefined) throw this.#changed();
    return key;
  }

  #block(row: RawRow, key: string, defaults = this.#defaults): DeclaredBlock {
    const source = new RowText(this.file.name, row);
    const tree = this.#format.tree(row, source, new Problems());
    const entry = entryOfRow(tree, this.kind.keyName, defaults);
    return declaredBlock(this.kind, key, { file: this.file, source }, entry);
  }

  keysAt(indices: readonly number[]): readonly string[] {
    // Copies the keys: callers that sort keep all of them, and a slice would keep the whole page of rows in memory.
    return this.#reread(indices).map((row) => ` ${this.#keyOf(row)}`.slice(1));
  }

  valuesAt(indices: readonly number[]): readonly DeclaredValue[] {
    return this.#reread(indices).map(({ text, line }) => {
      const { key, value } = this.#parted(this.#format.valueAgain(text));
      if (key === undefined) throw this.#changed();
      return { key, value, source: { file: this.file.name, line, column: 1 } };
    });
  }

  #reread(indices: readonly number[]): readonly RawRow[] {
    let file: OpenFile;
    try {
      file = this.#files.open(this.file.path);
    } catch {
      throw this.#changed();
    }
    try {
      const places = indices.map((index) => this.#places.at(index));
      const rows = file.version === this.#version ? readAgain(file, places) : undefined;
      if (rows === undefined) throw this.#changed();
      return rows;
    } finally {
      file.close();
    }
  }

  #changed(): Refusal {
    return new Refusal(
      'manifest.changed',
      exitCode.conflict,
      `${this.file.name} was changed while it was read.`,
      'Its content is no longer what was checked, so it was not used. Run the command again when the file is complete.',
    );
  }

  #unreadable(error: unknown, problems: Problems): void {
    this.#isPartial = true;
    reportUnreadable(this.file.name, error, problems);
  }
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
