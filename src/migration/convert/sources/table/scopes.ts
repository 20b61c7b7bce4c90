// What the values of a mapping may refer to: the columns of their table, its computed columns, the row of a joined table, and values of
// tables with a key.

import type { WrittenTable } from '../../../../core/model/tables/mapping.ts';
import { ownValue } from '../../../../lib/json.ts';
import { RowExpressions } from './expressions.ts';
import { levelsOf } from './lookups.ts';
import {
  absent,
  type ColumnUse,
  type Condition,
  type Lookup,
  type RowValue,
  type ValueContext,
  viewAdvice,
} from './row-values.ts';
import { UsedColumns } from './used-columns.ts';
import { compileText, compileValue } from './values.ts';

/** What is known of the columns of a table. */
export interface TableColumns {
  /** Columns that the mapping reads, and those that it omits. */
  readonly used: UsedColumns;
  /** Columns that values read, whole or in part. */
  readonly read: Set<string>;
  /** Columns that ids read. */
  readonly ids: Set<string>;
  /** Required columns, with the paths of the values that read them. */
  readonly needed: Map<string, readonly string[]>;
}

/** A table whose rows are joined to those of another one, by its key. */
export interface Join {
  readonly table: string;
  /** The key in the rows that it is joined to. */
  readonly key: RowValue;
}

/** A compiled value, the columns that it reads, and the look-ups that it needs. */
interface Compiled {
  readonly value: RowValue;
  readonly uses: readonly ColumnUse[];
  readonly needs: ReadonlySet<Lookup>;
}

/** The tables of a mapping, by name. */
export class Scopes {
  readonly report: ValueContext['report'];
  readonly expressions = new RowExpressions();
  readonly #tables = new Map<string, TableScope>();
  readonly #lookups = new Map<string, { readonly lookup: Lookup; readonly at: readonly string[] }>();
  /** What the values that are being compiled need, the innermost value last. */
  readonly #needs: Set<Lookup>[] = [];

  constructor(report: ValueContext['report']) {
    this.report = report;
  }

  add(name: string, written: WrittenTable, columns: TableColumns): TableScope {
    const scope = new TableScope(this, name, written, columns);
    this.#tables.set(name, scope);
    return scope;
  }

  of(name: string): TableScope | undefined {
    return this.#tables.get(name);
  }

  /** For values of an entry whose table does not exist, so that their own problems are reported, too. */
  nowhere(): ValueContext {
    const columns = { used: new UsedColumns(), read: new Set<string>(), ids: new Set<string>(), needed: new Map() };
    return new TableScope(this, '', { files: [] }, columns);
  }

  /** Compiles something and returns the look-ups that it needs. */
  needsOf(compile: () => void): ReadonlySet<Lookup> {
    const needs = new Set<Lookup>();
    this.#needs.push(needs);
    compile();
    this.#needs.pop();
    return needs;
  }

  need(lookup: Lookup): void {
    this.#needs.at(-1)?.add(lookup);
  }

  /** Look-ups of one value share their memory. */
  lookup(scope: TableScope, get: string, at: readonly string[]): Lookup {
    const name = `${scope.name}\n${get}`;
    let found = this.#lookups.get(name)?.lookup;
    if (found === undefined) {
      const lookup = { table: scope.name, get: absent, values: new Map(), needs: new Set<Lookup>() };
      this.#lookups.set(name, { lookup, at });
      const needs = this.needsOf(() => {
        lookup.get = compileText(get, at, scope);
      });
      for (const need of needs) lookup.needs.add(need);
      found = lookup;
    }
    this.need(found);
    return found;
  }

  /** The look-ups in the order in which they are filled. Reports what nothing reads, and look-ups that need each other. */
  end(): readonly (readonly Lookup[])[] {
    for (const scope of this.#tables.values()) scope.demandReaders();
    const all = [...this.#lookups.values()];
    for (const { lookup } of all) for (const need of this.of(lookup.table)?.keyNeeds ?? []) lookup.needs.add(need);
    const levels = levelsOf(all.map(({ lookup }) => lookup));
    const filled = new Set(levels.flat());
    for (const { lookup, at } of all) {
      if (!filled.has(lookup)) this.report(at, `The look-up in ${lookup.table} needs its own result. ${viewAdvice}`);
    }
    return levels;
  }
}

/** The context of values that are computed from the rows of a table. */
export class TableScope implements ValueContext {
  readonly name: string;
  readonly report: ValueContext['report'];
  readonly #scopes: Scopes;
  readonly written: WrittenTable;
  readonly #columns: TableColumns;
  readonly #computed = new Map<string, Compiled | 'open'>();
  readonly #readComputed = new Set<string>();
  /** The uses of the values that are being compiled, the innermost value last. */
  readonly #uses: ColumnUse[][] = [];
  #key: Compiled | undefined;
  #latest: Compiled | undefined;

  constructor(scopes: Scopes, name: string, written: WrittenTable, columns: TableColumns) {
    this.#scopes = scopes;
    this.report = scopes.report;
    this.name = name;
    this.written = written;
    this.#columns = columns;
  }

  get keyUses(): readonly ColumnUse[] {
    return this.#key?.uses ?? [];
  }

  get latestUses(): readonly ColumnUse[] {
    return this.#latest?.uses ?? [];
  }

  get keyNeeds(): ReadonlySet<Lookup> {
    return this.#key?.needs ?? new Set();
  }

  /** The key by which other rows look up a row of the table. */
  key(): RowValue | undefined {
    const { key } = this.written;
    if (key === undefined) return undefined;
    this.#key ??= this.#compile(() => compileText(key, ['tables', this.name, 'key'], this));
    return this.#key.value;
  }

  /** The value that is largest in the row that counts, of several with one key. */
  latest(): RowValue | undefined {
    const { key, latest } = this.written;
    if (latest === undefined) return undefined;
    const at = ['tables', this.name, 'latest'];
    if (this.#latest !== undefined) return this.#latest.value;
    if (key === undefined) this.report(at, 'Write the column that is equal in all revisions of an object under key.');
    this.key();
    this.#latest = this.#compile(() => compileText(latest, at, this));
    const { value, needs, uses } = this.#latest;
    const all = [...uses, ...this.keyUses];
    if (needs.size > 0 || this.keyNeeds.size > 0 || all.some(({ path }) => this.isJoined(path[0])))
      this.report(at, `latest and its key consist of columns of the table itself. ${viewAdvice}`);
    return value;
  }

  /** The tables that are joined to this one. */
  joins(): readonly Join[] {
    return Object.entries(this.written.join ?? {}).flatMap(([name, written]): readonly Join[] => {
      const at = ['tables', this.name, 'join', name];
      const joined = this.#scopes.of(name);
      const problem = this.#problemOfJoin(name, joined);
      if (problem !== undefined) this.report(at, problem);
      if (joined === undefined || problem !== undefined) return [];
      joined.key();
      joined.latest();
      const { value, needs, uses } = this.#compile(() => compileText(written, at, this));
      if (needs.size > 0 || joined.keyNeeds.size > 0 || uses.some(({ path }) => this.isJoined(path[0])))
        this.report(at, `The key of a join consists of columns of the table itself. ${viewAdvice}`);
      for (const { path } of [...joined.keyUses, ...joined.latestUses])
        this.#columns.used.add([name, ...path], 'whole');
      for (const column of joined.written.omit ?? []) this.#columns.used.addNamed(`${name}.${column}`);
      return [{ table: name, key: value }];
    });
  }

  #problemOfJoin(name: string, joined: TableScope | undefined): string | undefined {
    if (joined === this || joined?.written.join !== undefined)
      return `${name} is joined to a table already. ${viewAdvice}`;
    return joined?.written.key === undefined
      ? `There is no table ${name} with a key. Declare one under tables.`
      : undefined;
  }

  isJoined(name: string | undefined): boolean {
    return name !== undefined && ownValue(this.written.join ?? {}, name) !== undefined;
  }

  /** Reports computed columns that nothing reads. */
  demandReaders(): void {
    for (const name of Object.keys(this.written.computed ?? {})) {
      if (this.#readComputed.has(name)) continue;
      const at = ['tables', this.name, 'computed', name];
      this.computed(name, at);
      this.report(
        at,
        `Nothing reads the computed column ${name}. Read it as \${${name}} or row.${name}, or remove it.`,
      );
    }
  }

  use(use: ColumnUse, at: readonly string[]): void {
    if (use.extent !== 'inside') this.#columns.used.add(use.path, use.extent);
    this.#note(use, use.path[0] ?? '', at);
  }

  useNamed(name: string, at: readonly string[]): void {
    this.#columns.used.addNamed(name);
    this.#note({ path: name.split('.'), isNeeded: true, extent: 'whole' }, name, at);
  }

  /** `shown`: how a problem names the column. */
  #note(use: ColumnUse, shown: string, at: readonly string[]): void {
    const [column = '', ...parts] = use.path;
    this.#uses.at(-1)?.push(use);
    this.#columns.read.add(column);
    this.noteId(use.path, at);
    if (this.isJoined(column)) {
      if (parts.length > 0) this.#scopes.of(column)?.use({ ...use, path: parts }, at);
    } else if (use.isNeeded && !this.#columns.needed.has(shown)) this.#columns.needed.set(shown, at);
  }

  /** Notes that an id reads the column. */
  noteId([column = '', ...parts]: readonly string[], at: readonly string[]): void {
    // The second step is the name of a table.
    if (!(at[0] === 'tables' ? at.slice(2) : at).some((step) => idFields.has(step))) return;
    if (this.isJoined(column)) this.#scopes.of(column)?.noteId(parts, at);
    else this.#columns.ids.add(column);
  }

  computed(name: string, at: readonly string[]): RowValue | undefined {
    const written = ownValue(this.written.computed ?? {}, name);
    if (written === undefined) return undefined;
    let compiled = this.#computed.get(name);
    if (compiled === 'open') {
      this.report(
        at,
        `The computed column ${name} needs its own value. Give it another name than the columns that it reads.`,
      );
      return absent;
    }
    if (compiled === undefined) {
      this.#computed.set(name, 'open');
      compiled = this.#compile(() => ofLastRow(compileValue(written, ['tables', this.name, 'computed', name], this)));
      this.#computed.set(name, compiled);
    }
    this.#readComputed.add(name);
    this.#uses.at(-1)?.push(...compiled.uses);
    for (const need of compiled.needs) this.#scopes.need(need);
    for (const { path } of compiled.uses) this.noteId(path, at);
    return compiled.value;
  }

  lookup(table: string, get: string, at: Parameters<ValueContext['lookup']>[2]): Lookup | undefined {
    const scope = this.#scopes.of(table);
    if (scope?.written.key !== undefined) return this.#scopes.lookup(scope, get, at.get);
    this.report(at.table, `There is no table ${table} with a key. Declare one under tables.`);
    return undefined;
  }

  compileExpression(text: string, at: readonly string[]): RowValue {
    return this.#scopes.expressions.compile(text, at, this);
  }

  compileCondition(text: string, at: readonly string[]): Condition {
    return this.#scopes.expressions.compileCondition(text, at, this);
  }

  #compile(compile: () => RowValue): Compiled {
    const uses: ColumnUse[] = [];
    let value = absent;
    this.#uses.push(uses);
    const needs = this.#scopes.needsOf(() => {
      value = compile();
    });
    this.#uses.pop();
    return { value, uses, needs };
  }
}

/** Several values read a computed column of the same row. */
function ofLastRow(value: RowValue): RowValue {
  let last: { readonly row: Parameters<RowValue>[0]; readonly value: ReturnType<RowValue> } | undefined;
  return (row) => {
    if (last?.row !== row) last = { row, value: value(row) };
    return last.value;
  };
}

/** Fields of a mapping that contain an id. */
const idFields: ReadonlySet<string> = new Set([
  ...['id', 'key', 'channel', 'user', 'sender', 'message', 'creator', 'thread', 'reply_to'],
  ...['members', 'operators', 'mentions', 'join'],
]);
