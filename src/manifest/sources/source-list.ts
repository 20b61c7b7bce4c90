// Which objects does a file under `sources` declare? Kept of each are its place and its length, nothing else.
import { Buffer, isAscii } from 'node:buffer';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { isObject, type JsonObject, type JsonValue } from '../../model/json.ts';
import type { KindDefinition } from '../../resources/define.ts';
import type { BlockList, DeclaredValue } from '../block-list.ts';
import { type DeclaredBlock, declaredBlock } from '../declared.ts';
import type { ManifestFile } from '../discover.ts';
import type { FileAccess, OpenFile } from '../files.ts';
import { NumberColumn } from '../number-column.ts';
import { Problems, type Spot } from '../problems.ts';
import { type Entry, type MapTree, mergeTrees, type Tree, toJson } from '../tree.ts';
import { described, quote } from '../wording.ts';
import { type RawRow, type RowFormat, RowText, tellUnreadable } from './row.ts';

/** A row that names its object. */
export interface KeyedRow extends RawRow {
  readonly key: string;
  /** Without the key, with the defaults. */
  readonly value: JsonValue;
}

/** Of a file with more broken rows than that, one part is as good as unread. */
const maxUnread = 10_000;

export class SourceList implements BlockList {
  readonly kind: KindDefinition;
  readonly file: ManifestFile;
  readonly #files: Pick<FileAccess, 'open'>;
  readonly #format: RowFormat;
  readonly #defaults: MapTree | undefined;
  readonly #defaultValue: JsonObject;
  readonly #starts = new NumberColumn();
  readonly #bytes = new NumberColumn();
  readonly #lines = new NumberColumn();
  #version = '';
  /** Some row could not be read, and nobody can tell which object it was meant to declare. */
  #isPartial = false;
  /** Keys of rows that could not be read. */
  readonly #unread = new Set<string>();

  /** `defaults`: of the manifest that names the file. */
  constructor(
    kind: KindDefinition,
    file: ManifestFile,
    files: Pick<FileAccess, 'open'>,
    format: RowFormat,
    defaults?: MapTree,
  ) {
    this.kind = kind;
    this.file = file;
    this.#files = files;
    this.#format = format;
    this.#defaults = defaults;
    const value = defaults === undefined ? {} : toJson(defaults);
    this.#defaultValue = isObject(value) ? value : {};
  }

  get length(): number {
    return this.#starts.length;
  }

  /** Every row of the file that names an object; what is wrong with the others is told. */
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
      // What the format tells of is no row; what is told of a row is told meanwhile by whoever takes it.
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

  /** May the object stand in what could not be read? */
  mayHold(key: string): boolean {
    return this.#isPartial || this.#unread.has(key);
  }

  #keyed({ start, bytes, line, text }: RawRow, value: JsonValue | undefined): KeyedRow | undefined {
    if (!isObject(value)) return undefined;
    const { [this.kind.keyName]: key, ...declared } = value;
    if (typeof key !== 'string') return undefined;
    return { start, bytes, line, text, key, value: this.#merged(declared) };
  }

  #merged(declared: JsonObject): JsonObject {
    return this.#defaults === undefined ? declared : mergeValues(declared, this.#defaultValue);
  }

  /** The object is the next of the list. */
  keep({ start, bytes, line }: KeyedRow): void {
    this.#starts.push(start);
    this.#bytes.push(bytes);
    this.#lines.push(line);
  }

  /** Says what is wrong with a row as such, or with its key. */
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
      const detail = `A row is a map with ${keyName} and what is declared of the ${title}: received ${described(toJson(tree), undefined)}.`;
      problems.add('manifest.wrong-type', detail, spot);
    } else if (entry === undefined) {
      const detail = `Every row names its ${title}: ${keyName} is missing here.`;
      problems.add('manifest.missing-key', detail, spot);
    } else {
      const text = entry.value.type === 'scalar' ? entry.value.text : undefined;
      const advice = text === undefined || text === 'null' ? '' : ` Put it in quotes: ${quote(text)}.`;
      const detail = `${keyName}: expected text, received ${described(toJson(entry.value), text)}. Ids are texts, so that none loses a zero or a digit.${advice}`;
      problems.add('manifest.wrong-type', detail, spot);
    }
  }

  blockOf(row: KeyedRow): DeclaredBlock {
    return this.#block(row, row.key);
  }

  blockAt(index: number): DeclaredBlock {
    const [row] = this.#reread([index]);
    const value = row === undefined ? undefined : this.#format.valueAgain(row.text);
    const key = isObject(value) ? value[this.kind.keyName] : undefined;
    if (row === undefined || typeof key !== 'string') throw this.#changed();
    return this.#block(row, key);
  }

  #block(row: RawRow, key: string): DeclaredBlock {
    const source = new RowText(this.file.name, row);
    const tree = this.#format.tree(row, source, new Problems()) ?? nothing;
    const own = tree.type === 'map' ? withoutKey(tree, this.kind.keyName) : tree;
    const defaults = this.#defaults === undefined ? undefined : placedAt(this.#defaults, tree.offset);
    const value = defaults === undefined ? own : mergeTrees(own, defaults);
    return declaredBlock(
      this.kind,
      key,
      { file: this.file, source },
      { offset: keyOffset(tree, this.kind.keyName), value },
    );
  }

  keysAt(indices: readonly number[]): readonly string[] {
    return this.valuesAt(indices).map(({ key }) => key);
  }

  valuesAt(indices: readonly number[]): readonly DeclaredValue[] {
    return this.#reread(indices).map(({ text, line }) => {
      const value = this.#format.valueAgain(text);
      const { [this.kind.keyName]: key, ...declared } = isObject(value) ? value : {};
      if (typeof key !== 'string') throw this.#changed();
      return { key, value: this.#merged(declared), source: { file: this.file.name, line, column: 1 } };
    });
  }

  /** Rows that lie together are read together. */
  #reread(indices: readonly number[]): readonly RawRow[] {
    let file: OpenFile;
    try {
      file = this.#files.open(this.file.path);
    } catch {
      throw this.#changed();
    }
    try {
      if (file.version !== this.#version) throw this.#changed();
      const places = indices.map((index) => this.#placeOf(index));
      const texts = isDense(places) ? readTogether(file, places) : readEach(file, places);
      return places.map((place, at) => {
        const text = texts?.[at];
        if (text === undefined) throw this.#changed();
        return { start: place.start, bytes: place.bytes, line: place.line, text };
      });
    } finally {
      file.close();
    }
  }

  #placeOf(index: number): RowPlace {
    return { start: this.#starts.at(index), bytes: this.#bytes.at(index), line: this.#lines.at(index) };
  }

  #changed(): Refusal {
    return new Refusal(
      'manifest.changed',
      exitCode.conflict,
      `${this.file.name} was changed while it was read.`,
      'What was checked is not what stands there now, so that nothing is done with it. Run the command again when the file is complete.',
    );
  }

  #unreadable(error: unknown, problems: Problems): void {
    this.#isPartial = true;
    tellUnreadable(this.file.name, error, problems);
  }
}

function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

interface RowPlace {
  readonly start: number;
  readonly bytes: number;
  readonly line: number;
}

/** Is little read that is not wanted, when all is read at once? */
function isDense(places: readonly RowPlace[]): boolean {
  const [start, end] = spanOf(places);
  return end - start <= 65_536 + 2 * places.reduce((sum, { bytes }) => sum + bytes, 0);
}

function spanOf(places: readonly RowPlace[]): readonly [number, number] {
  let start = Number.POSITIVE_INFINITY;
  let end = 0;
  for (const place of places) {
    start = Math.min(start, place.start);
    end = Math.max(end, place.start + place.bytes);
  }
  return [Math.min(start, end), end];
}

/** Undefined when the file ends before. */
function readTogether(file: OpenFile, places: readonly RowPlace[]): readonly string[] | undefined {
  const [start, end] = spanOf(places);
  const buffer = readRange(file, start, end);
  if (buffer === undefined) return undefined;
  const text = isAscii(buffer) ? buffer.toString('latin1') : undefined;
  return places.map((place) => {
    const [from, to] = [place.start - start, place.start - start + place.bytes];
    return text?.slice(from, to) ?? buffer.toString('utf8', from, to);
  });
}

function readEach(file: OpenFile, places: readonly RowPlace[]): readonly (string | undefined)[] {
  return places.map(({ start, bytes }) => readRange(file, start, start + bytes)?.toString('utf8'));
}

/** The same memory for all: what is read is made text at once. */
let memory = Buffer.allocUnsafe(65_536);

function readRange(file: OpenFile, start: number, end: number): Buffer | undefined {
  if (memory.length < end - start) memory = Buffer.allocUnsafe(2 * (end - start));
  const buffer = memory.subarray(0, end - start);
  let filled = 0;
  while (filled < buffer.length) {
    const count = file.read(buffer.subarray(filled), start + filled);
    if (count === 0) return undefined;
    filled += count;
  }
  return buffer;
}

/** Maps merge by key; of anything else, the upper one is taken. */
function mergeValues(upper: JsonObject, lower: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...upper };
  for (const [key, value] of Object.entries(lower)) {
    const own = merged[key];
    if (own === undefined) merged[key] = value;
    else if (isObject(own) && isObject(value)) merged[key] = mergeValues(own, value);
  }
  return merged;
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

/** What comes from the manifest stands nowhere in the row: problems with it are told at the row's start. */
function placedAt(tree: Tree, offset: number): Tree {
  if (tree.type === 'scalar') return { ...tree, offset };
  if (tree.type === 'list') return { ...tree, offset, items: tree.items.map((item) => placedAt(item, offset)) };
  const entries = Array.from(tree.entries, ([key, { value }]): [string, Entry] => [
    key,
    { offset, value: placedAt(value, offset) },
  ]);
  return { type: 'map', offset, entries: new Map(entries) };
}
