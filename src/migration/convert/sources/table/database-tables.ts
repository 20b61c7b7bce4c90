// The tables of a mapping in a database: which columns are read, in which order, from which value on, and what was read.
import { createHash, type Hash } from 'node:crypto';
import type { ReadTable } from '../../../../core/model/migration/read-tables.ts';
import { parseDuration } from '../../../../lib/option-values.ts';
import type { Database, DatabaseColumn, ReadFrom, Relation } from './databases/database.ts';
import type { Mapping, MappingProblem, Table } from './mapping.ts';
import { unfitMapping } from './problems.ts';
import { type DatabaseRows, placeIn, type RowBatch, rowOf, type TableFile, type TableRow } from './reading.ts';
import { isNamed } from './table-names.ts';

export interface DatabaseReading {
  /** What the last conversion from this database with this mapping read. Undefined: all rows are read. */
  readonly earlier: readonly ReadTable[] | undefined;
  /** The largest number of rows of tables of messages, for a sample. */
  readonly sample?: number | undefined;
}

/** How a table is read. */
interface OpenTable {
  readonly table: Table;
  readonly relation: Relation;
  readonly columns: readonly string[];
  /** The columns that give the order of rows. They are read, but those which are not in `columns` are not part of a row. */
  readonly order: readonly string[];
  /** Columns of the order that identify a row and say nothing about a person. */
  readonly named: readonly string[];
  readonly from: ReadFrom | undefined;
  readonly since: ReadTable['since'];
}

/** Of the last pass over a table. */
interface Tally {
  readonly digest: Hash;
  rows: number;
  last: Readonly<Record<string, string>> | undefined;
}

const overlaps = { time: '1h', number: 10_000 } as const;

export class DatabaseTables implements DatabaseRows {
  readonly #database: Database;
  readonly #reading: DatabaseReading;
  #open: readonly OpenTable[];
  readonly #tallies = new Map<Table, Tally>();

  private constructor(database: Database, reading: DatabaseReading, tables: readonly OpenTable[]) {
    this.#database = database;
    this.#reading = reading;
    this.#open = tables;
  }

  /** Refused (65) when tables or columns are missing or may not be read, with all of them. */
  static async open(mapping: Mapping, database: Database, reading: DatabaseReading): Promise<DatabaseTables> {
    const problems: MappingProblem[] = [];
    const tables: OpenTable[] = [];
    for (const table of mapping.tables) {
      const found = await database.relations(table.table, (names) => isNamed(table.table, names));
      const [relation] = found;
      const report = (field: string, detail: string): void =>
        void problems.push({ path: ['tables', table.name, field], detail });
      if (relation === undefined) {
        if (table.isOptional) continue;
        report(
          'table',
          `${database.name} has no table or view ${table.table}. Write its name under table, with its schema: public.messages.`,
        );
      } else if (found.length > 1) {
        report(
          'table',
          `${database.name} has ${found.map(({ name }) => name).join(' and ')}. Write one of these under table.`,
        );
      } else if (table.path.length > 1 || table.path[0] !== '*') {
        report('path', 'A table of a database has no path. Remove path, or make a view that takes the rows apart.');
      } else {
        const faults = columnProblems(table, relation);
        problems.push(...faults);
        if (faults.length === 0) tables.push(await openTable(table, relation, database, reading));
      }
    }
    if (problems.length > 0) throw unfitMapping(mapping, problems);
    return new DatabaseTables(database, reading, tables);
  }

  /** In the order of the mapping, as the files of an export. */
  get files(): readonly (TableFile & { readonly bytes: number })[] {
    return this.#open.map(({ table, relation }) => ({
      path: relation.name,
      tables: [table],
      format: 'database',
      bytes: relation.bytes,
    }));
  }

  get takenAt(): number {
    return this.#database.takenAt;
  }

  /**
   * Reads tables of messages whole if a table that their messages also have values of is not as the last conversion read it: a new
   * reaction or file, or a changed value that is joined or looked up, belongs to a message whose own row did not change.
   * Called once these tables were read. Returns the names of such tables.
   */
  settle(isPartOfMessages: (table: Table) => boolean): readonly string[] {
    const before = new Map(this.#reading.earlier?.map(({ table, sha256 }) => [table, sha256]));
    const now = new Map(this.read().map(({ table, sha256 }) => [table, sha256]));
    const parts = this.#open.filter(({ table }) => isPartOfMessages(table)).map(({ relation }) => relation.name);
    const changed = [...new Set(parts)].filter((name) => before.get(name) !== now.get(name));
    if (this.partial.length === 0 || changed.length === 0) return [];
    this.#open = this.#open.map((open) => {
      if (open.from === undefined || open.since === undefined) return open;
      const { from: _from, ...since } = open.since;
      return { ...open, from: undefined, since };
    });
    return changed;
  }

  /** The tables of which only new and changed rows are read. `path` is that in `files`. */
  get partial(): readonly { readonly name: string; readonly path: string }[] {
    return this.#open.flatMap(({ table: { name }, relation, from }) =>
      from === undefined ? [] : [{ name, path: relation.name }],
    );
  }

  async *rows(table: Table): AsyncGenerator<RowBatch> {
    const open = this.#open.find((opened) => opened.table === table);
    if (open === undefined) return;
    const { relation, columns, order, named, from } = open;
    const read = [...columns, ...order.filter((column) => !columns.includes(column))];
    const tally: Tally = { digest: createHash('sha256'), rows: 0, last: undefined };
    this.#tallies.set(table, tally);
    const limit = table.entries.every(({ section }) => section === 'messages') ? this.#reading.sample : undefined;
    const flags = new Set(relation.columns.flatMap(({ name, isBoolean }) => (isBoolean ? [name] : [])));
    const places = named.map((column) => read.indexOf(column));
    const isFirst = this.#open.find((opened) => opened.relation.name === relation.name) === open;
    const pages = this.#database.rows({ relation, columns: read, order, from, limit, digest: tally.digest });
    for await (const { rows, bytes } of pages) {
      const made = rows.map((cells): TableRow => {
        tally.rows += 1;
        const key = places.map((place) => cells?.[place] ?? '');
        const at = `${relation.name}#${key.length === 0 ? tally.rows : key.join(',')}`;
        return { table, at: placeIn(table, at, isFirst), row: rowOf(columns, cells?.slice(0, columns.length), flags) };
      });
      const cells = rows.at(-1);
      if (cells !== undefined && named.length > 0)
        tally.last = Object.fromEntries(named.map((column, place) => [column, cells[places[place] ?? 0] ?? '']));
      yield { rows: made, bytes };
    }
  }

  /** The columns that are not read, because the mapping neither reads nor omits them, and no object would keep them. */
  unselected(table: Table): readonly string[] {
    const { relation, columns = [] } = this.#open.find((opened) => opened.table === table) ?? {};
    const others = relation?.columns.filter(({ name, isComputed }) => !isComputed && !columns.includes(name)) ?? [];
    return others.map(({ name }) => name).filter((name) => !table.used.isWhole(name));
  }

  /** Complete once every table was read to its end. */
  read(): readonly ReadTable[] {
    return this.#open.map(({ table, relation, since }): ReadTable => {
      const { rows = 0, digest, last } = this.#tallies.get(table) ?? {};
      return {
        table: relation.name,
        rows,
        sha256: digest?.copy().digest('hex') ?? '',
        ...(last === undefined ? {} : { last }),
        ...(since === undefined ? {} : { since }),
      };
    });
  }
}

function columnProblems(table: Table, relation: Relation): readonly MappingProblem[] {
  const problems: MappingProblem[] = [];
  const byName = new Map(relation.columns.map((column) => [column.name, column]));
  const missing = (name: string): string =>
    `${relation.name} has no column ${name}. Its columns are ${[...byName.keys()].join(', ')}.`;
  for (const [name, path] of table.needed) {
    if (!byName.has(name) && !byName.has(name.split('.')[0] ?? '')) problems.push({ path, detail: missing(name) });
  }
  const at = (field: string): readonly string[] => ['tables', table.name, field];
  const closed = relation.columns.filter((column) => !column.isReadable && isRead(table, column));
  if (closed.length > 0) {
    const names = closed.map(({ name }) => name).join(', ');
    const isAll = relation.columns.every(({ isReadable }) => !isReadable);
    const detail = isAll
      ? `This user may not read ${relation.name}. Run as its owner: ${relation.grant}`
      : `This user may not read ${names} of ${relation.name}. Run as its owner: ${relation.grant} Or list what is not needed under omit.`;
    problems.push({ path: at('table'), detail });
  }
  if (table.since !== undefined) {
    const column = byName.get(table.since.column);
    const detail = column === undefined ? missing(table.since.column) : sinceProblem(table.since, column);
    if (detail !== undefined) problems.push({ path: at('since'), detail });
  }
  return problems;
}

function sinceProblem({ overlap }: NonNullable<Table['since']>, column: DatabaseColumn): string | undefined {
  const { name, kind, isReadable } = column;
  if (!isReadable) return `This user may not read ${name}.`;
  if (kind !== 'time' && kind !== 'number') return `The column ${name} has neither times nor numbers.`;
  if (overlap === undefined) return undefined;
  if (kind === 'number')
    return typeof overlap === 'number'
      ? undefined
      : `The column ${name} has numbers. Write overlap: ${overlaps.number}.`;
  return typeof overlap === 'string' && parseDuration(overlap) !== undefined
    ? undefined
    : `The column ${name} has times. Write overlap: ${overlaps.time}, or 90s, or 1h30m.`;
}

/** Unused columns of rows that become objects are read, because the ledger and the data of messages name them. */
function isRead({ read, used, entries, isJoined }: Table, { name, isComputed }: DatabaseColumn): boolean {
  return read.has(name) || ((entries.length > 0 || isJoined) && !used.isWhole(name) && !isComputed);
}

async function openTable(
  table: Table,
  relation: Relation,
  database: Database,
  { earlier, sample }: DatabaseReading,
): Promise<OpenTable> {
  const columns = relation.columns.filter((column) => isRead(table, column)).map(({ name }) => name);
  const byName = new Map(relation.columns.map((column) => [column.name, column]));
  const order = orderOf(table, relation);
  const isNameable = (name: string): boolean => {
    const { kind = 'other' } = byName.get(name) ?? {};
    // A key of text may be a name or an address. One that the mapping takes for an id is in the ledger anyway.
    return kind !== 'other' || (table.ids.has(name) && table.entries.every(({ hasPersonalIds }) => !hasPersonalIds));
  };
  // Only a key tells rows apart.
  const named = order === relation.key && order.every(isNameable) ? order : [];
  const open = { table, relation, columns, order, named };
  const column = byName.get(table.since?.column ?? '');
  if (table.since === undefined || column === undefined || sample !== undefined)
    return { ...open, from: undefined, since: undefined };
  const overlap = overlapOf(table.since.overlap, column);
  const from = earlier?.find((read) => read.table === relation.name && read.since?.column === column.name)?.since
    ?.value;
  // A table that was emptied has no last value, and keeps the earlier one.
  const value = (await database.lastValue(relation, column)) ?? from;
  return {
    ...open,
    from: from === undefined ? undefined : { column, value: from, overlap },
    since: {
      column: column.name,
      overlap,
      ...(from === undefined ? {} : { from }),
      ...(value === undefined ? {} : { value }),
    },
  };
}

function overlapOf(written: string | number | undefined, { kind }: DatabaseColumn): number {
  if (kind === 'number') return typeof written === 'number' ? written : overlaps.number;
  return parseDuration(typeof written === 'string' ? written : overlaps.time) ?? 0;
}

/** The key; without one, the ids that the mapping reads, so that equal data has an equal order. */
function orderOf({ ids }: Table, { key, columns }: Relation): readonly string[] {
  const sortable = new Set(columns.filter((column) => column.isSortable && column.isReadable).map(({ name }) => name));
  return key.length > 0 && key.every((name) => sortable.has(name))
    ? key
    : [...ids].filter((name) => sortable.has(name));
}
