// Tables of any system, described by a mapping. The source is made from the mapping.

import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import type { FileTree } from '../../../../lib/file-tree.ts';
import type { JsonObject } from '../../../../lib/json.ts';
import type { Collect } from '../../../../lib/series.ts';
import { NameTable } from '../../../../lib/typed-arrays.ts';
import type { Roster, SourceChannel, SourceItem, SourceUser } from '../../export/items.ts';
import { LinkedRows } from '../../export/linked-rows.ts';
import type { ExportSource, ItemBatch, OpenExport, OpeningOptions } from '../../export/source.ts';
import { CostlyRows } from './costly-rows.ts';
import { csvNotes } from './csv.ts';
import type { DatabaseTables } from './database-tables.ts';
import { Doubts } from './doubts.ts';
import { type LinkedPart, type MessageParts, type PlacedRow, RowItems } from './items.ts';
import { JoinedRows } from './joins.ts';
import { LatestRows } from './latest-rows.ts';
import { findsValuesOf, keyText, remember } from './lookups.ts';
import type { Mapping, MappingEntry, MappingProblem, Table } from './mapping.ts';
import { mappingDiagnostic, mappingProblems, unfitMapping, wrongMapping } from './problems.ts';
import type { RowBatch, TableFile, TablePass, TableRow } from './reading.ts';
import type { FailedCondition, Lookup } from './row-values.ts';
import { rowsOf } from './rows.ts';
import { capturedIn, filesOf, filesReadFor, tablesIn } from './table-files.ts';
import { MeantTables } from './table-names.ts';
import { LookedUpColumns, UnreadTables } from './unread.ts';

/** Called for every row that becomes an object or a message, before its items are yielded. */
export type RowListener = (row: TableRow) => void;

/** `database`: where all tables are, instead of in files. */
export function tableSource(mapping: Mapping, onRow?: RowListener, database?: DatabaseTables): ExportSource {
  return {
    name: mapping.name,
    title: mapping.title,
    form: 'the files that the mapping names',
    isSingleFile: true,
    idsAreNames: false,
    idsArePersonal: mapping.tables.some(({ entries }) =>
      entries.some(({ section, hasPersonalIds }) => section === 'users' && hasPersonalIds),
    ),
    listsEverybody: mapping.isComplete,
    isOpaqueId: (id) => /^[UWB][A-Z0-9]{6,}$|^\d{15,20}$/u.test(id),
    fields: { user: {}, channel: {}, member: {}, message: {}, reaction: {}, file: {} },
    recognises: (tree) => tree.files.some(({ path }) => tablesIn(mapping, path).length > 0),
    open: (tree, options) => new TableExport(mapping, tree, options, onRow, database).open(),
  };
}

/** The objects that rows were read into, by id. */
interface People {
  readonly users: Map<string, SourceUser>;
  readonly channels: Map<string, SourceChannel>;
  readonly members: Map<string, MemberList>;
}

/** The people of a channel, by id. */
interface MemberList {
  readonly all: string[];
  readonly operators: string[];
  readonly invited: string[];
  readonly muted: string[];
}

/** The label of a row that other rows look up. */
const lookupLabel = 'lookup';
/** The last part of the place of a row whose key an earlier row has. */
const keyLabel = 'key';

/** Deferred, since a row may precede the message that it belongs to. */
interface Deferred {
  readonly file: string;
  readonly item: SourceItem;
}

class TableExport {
  readonly #mapping: Mapping;
  readonly #items: RowItems;
  readonly #doubts = new Doubts();
  readonly #files: readonly TableFile[];
  /** Tables that are in no file, or in files that cannot be read. */
  readonly #problems: readonly MappingProblem[];
  readonly #reading: TablePass;
  readonly #collect: Collect;
  readonly #parts: LinkedRows<LinkedPart> | undefined;
  readonly #partsOf: ((message: string) => MessageParts) | undefined;
  readonly #onRow: RowListener | undefined;
  readonly #costly: CostlyRows;
  readonly #joined: JoinedRows;
  readonly #latest: LatestRows;
  /** Of each table that is looked up. */
  readonly #lookups: ReadonlyMap<string, readonly Lookup[]>;
  readonly #lookedUp: LookedUpColumns;
  readonly #database: DatabaseTables | undefined;

  constructor(
    mapping: Mapping,
    tree: FileTree,
    { collect, fields }: OpeningOptions,
    onRow: RowListener | undefined,
    database: DatabaseTables | undefined,
  ) {
    this.#mapping = mapping;
    this.#items = new RowItems(mapping, this.#doubts, fields);
    this.#costly = new CostlyRows(mapping);
    this.#joined = new JoinedRows(mapping, collect);
    this.#latest = new LatestRows(mapping, this.#doubts);
    this.#lookups = byTable(mapping.lookups.flat());
    this.#lookedUp = new LookedUpColumns((table) => database?.unselected(table) ?? []);
    this.#database = database;
    const { files, problems } =
      database === undefined ? filesOf(mapping, tree) : { files: database.files, problems: [] };
    this.#files = files;
    this.#problems = problems;
    this.#reading = {
      tree,
      mapping,
      met: new Set(),
      meant: new MeantTables(),
      doubts: this.#doubts,
      unread: new UnreadTables(),
      csvFiles: new Map(),
      database,
    };
    this.#collect = collect;
    this.#onRow = onRow;
    const hasParts = mapping.tables.some(({ entries }) => entries.some(isLinked));
    this.#parts = hasParts ? new LinkedRows(collect) : undefined;
    this.#partsOf = this.#parts && ((message) => partsIn(this.#parts?.of(message) ?? []));
  }

  async open(): Promise<OpenExport> {
    if (this.#problems.length > 0) throw await this.#withOtherTables(unfitMapping(this.#mapping, this.#problems));
    await this.#findLatest();
    for await (const { rows } of this.#rowsOf((table) => this.#joined.has(table)))
      for (const { table, row } of rows) if (row !== undefined) this.#joined.add(table, row);
    this.#joined.end();
    for (const level of this.#mapping.lookups) {
      const lookups = byTable(level);
      for await (const { rows } of this.#rowsOf(({ name }) => lookups.has(name))) {
        for (const { table, at, row } of rows) {
          if (row === undefined) continue;
          this.#costly.unless(at, lookupLabel, () => {
            const key = keyText(table.key?.(row));
            if (key !== undefined) remember(lookups.get(table.name) ?? [], key, row);
          });
        }
      }
    }
    const roster = await this.#roster();
    const changed = this.#database?.settle((table) => this.#isPartOfMessages(table)) ?? [];
    const sizes = new Map(this.#reading.tree.files.map(({ path, bytes }) => [path, bytes]));
    return {
      roster,
      totalBytes: this.#files.reduce((sum, { path }) => sum + (sizes.get(path) ?? 0), 0),
      files: [...new Set(this.#files.flatMap(filesReadFor))],
      ...(this.#database === undefined ? {} : databaseWindow(this.#database)),
      read: () => this.#read(),
      notes: () => [
        ...csvNotes(this.#reading.csvFiles, (path) => this.#tableOf(path)),
        ...this.#doubts.notes(),
        ...this.#items.notes(),
        ...this.#lookedUp.notes(),
        ...(changed.length === 0
          ? []
          : [
              `All messages were read, because they have values of tables that changed since the last conversion: ${changed.join(', ')}.`,
            ]),
      ],
    };
  }

  #tableOf(path: string): Table | undefined {
    return this.#files.find((file) => file.path === path)?.tables[0];
  }

  /** Finds the rows that count in tables with several rows of one key. */
  async #findLatest(): Promise<void> {
    const numbers = new RowNumbers();
    for await (const { rows } of this.#unjoinedRowsOf((table) => this.#latest.has(table)))
      for (const row of rows) this.#latest.note(row, numbers.next(row.table));
  }

  /** The rows of some tables that count, or all of them with earlier revisions. Skips files without any of them. */
  async *#rowsOf(
    isWanted: (table: Table) => boolean,
    withEarlier = false,
  ): AsyncGenerator<RowBatch & { readonly file: string }> {
    const numbers = new RowNumbers();
    const hasLatest = this.#mapping.tables.some((table) => this.#latest.has(table));
    const hasJoins = this.#mapping.tables.some(({ joins }) => joins.length > 0);
    for await (const { rows, ...batch } of this.#unjoinedRowsOf(isWanted)) {
      const counting = hasLatest ? this.#counting(rows, numbers, withEarlier) : rows;
      yield { ...batch, rows: hasJoins ? this.#withJoined(counting) : counting };
    }
  }

  *#counting(rows: Iterable<TableRow>, numbers: RowNumbers, withEarlier: boolean): Generator<TableRow> {
    for (const row of rows) {
      const isEarlier = this.#latest.has(row.table) && this.#latest.isEarlier(row, numbers.next(row.table));
      if (!isEarlier) yield row;
      else if (withEarlier) yield { ...row, isEarlier };
    }
  }

  async *#unjoinedRowsOf(isWanted: (table: Table) => boolean): AsyncGenerator<RowBatch & { readonly file: string }> {
    for (const file of this.#files) {
      const tables = file.tables.filter(isWanted);
      if (tables.length === 0) continue;
      const captured = new Map(tables.map((table) => [table, capturedIn(table, file.path) ?? {}]));
      const hasCaptured = [...captured.values()].some((columns) => Object.keys(columns).length > 0);
      const isPlain = tables.length === file.tables.length && !hasCaptured;
      // All tables of a file are read, since the rows of one may be nested in those of another.
      try {
        for await (const { rows, bytes } of rowsOf(this.#reading, file)) {
          const wanted = isPlain ? rows : wantedRows(rows, captured);
          yield { rows: wanted, bytes, file: file.path };
        }
      } catch (error) {
        throw await this.#withOtherTables(error);
      }
    }
  }

  /** Adds the problems of the other tables to a refusal of the mapping. */
  async #withOtherTables(error: unknown): Promise<unknown> {
    const first = mappingProblems(error);
    if (first === undefined) return error;
    const problems: MappingProblem[] = [];
    const mapping: Mapping = { ...this.#mapping, collect: (found) => problems.push(...found) };
    const others: Diagnostic[] = [];
    for (const file of this.#files) {
      // JSON has no header.
      if (file.format === 'json' || file.format === 'ndjson') continue;
      const reading: TablePass = {
        ...this.#reading,
        mapping,
        met: new Set(),
        meant: new MeantTables(),
        doubts: new Doubts(),
      };
      try {
        for await (const _rows of rowsOf(reading, file)) if (file.format === 'csv') break;
      } catch (cause) {
        others.push(...(mappingProblems(cause) ?? []));
      }
    }
    const all = [...first, ...problems.map((problem) => mappingDiagnostic(mapping.position, problem)), ...others];
    return wrongMapping([...new Map(all.map((problem) => [JSON.stringify(problem), problem])).values()]);
  }

  *#withJoined(rows: Iterable<TableRow>): Generator<TableRow> {
    for (const row of rows) yield this.#joined.joined(row);
  }

  /** Whether an earlier row has the same key, so that look-ups and joins find that one. */
  #hasRepeatedKey({ table, at, row }: PlacedRow): boolean {
    if (this.#joined.has(table) && !this.#joined.isJoined(table, row)) return true;
    const lookups = this.#lookups.get(table.name);
    if (lookups === undefined) return false;
    const isFound = this.#costly.unless(at, lookupLabel, () => {
      const key = keyText(table.key?.(row));
      return key === undefined || findsValuesOf(lookups, key, row);
    });
    return isFound === false;
  }

  async #roster(): Promise<Roster> {
    const users: People['users'] = new Map();
    const channels: People['channels'] = new Map();
    const members: People['members'] = new Map();
    const isNeeded = ({ entries }: Table): boolean => entries.some(({ section }) => section !== 'messages');
    for await (const { rows } of this.#rowsOf(isNeeded)) {
      for (const { table, at, row } of rows) {
        if (row === undefined) continue;
        const placed: PlacedRow = { table, at, row };
        for (const entry of table.entries) {
          if (entry.section === 'messages') continue;
          this.#costly.unless(at, entry.label, () => {
            if (takes(entry, row) === true) this.#meet(entry, placed, { users, channels, members });
          });
        }
      }
    }
    this.#parts?.end();
    const withMembers = [...channels.values()].map((channel): SourceChannel => {
      const list = members.get(channel.id);
      if (list === undefined) return channel;
      const { all, operators, invited } = list;
      const muted = new Map(list.muted.map((id) => [id, {}]));
      const everybody = [...new Set([...(channel.members ?? []), ...all])];
      return { ...channel, members: everybody, operators: [...channel.operators, ...operators], invited, muted };
    });
    return { users: [...users.values()], channels: withMembers };
  }

  /** Adds the object of a row, or what the row says of another object. */
  #meet(entry: MappingEntry, placed: PlacedRow, { users, channels, members }: People): void {
    if (entry.section === 'users') {
      const user = this.#items.user(entry, placed);
      if (user !== undefined && !users.has(user.id)) users.set(user.id, user);
    } else if (entry.section === 'channels') {
      const id = this.#items.idOf(entry, placed);
      if (id === undefined || channels.has(id)) return;
      const channel = this.#items.channel(entry, placed);
      if (channel !== undefined) channels.set(id, channel);
    } else if (entry.section === 'members') {
      const found = this.#items.membership(entry, placed);
      if (typeof found === 'string') return;
      const list = members.get(found.channel) ?? { all: [], operators: [], invited: [], muted: [] };
      members.set(found.channel, list);
      list.all.push(found.user);
      if (found.isOperator) list.operators.push(found.user);
      if (found.isInvited) list.invited.push(found.user);
      if (found.isMuted) list.muted.push(found.user);
    } else {
      const part = this.#items.part(entry, placed);
      if (part !== undefined) this.#parts?.add(part.message, part);
    }
  }

  async *#read(): AsyncGenerator<ItemBatch> {
    const seen = new NameTable();
    const deferred = this.#collect<Deferred>();
    this.#doubts.isCounting = true;
    this.#reading.unread.isCounting = true;
    this.#lookedUp.isCounting = true;
    for (const { name, path } of this.#database?.partial ?? [])
      yield { items: [{ type: 'left_out', at: path, id: name, reason: 'table.since' }], bytes: 0, file: path };
    for await (const { rows, bytes, file } of this.#rowsOf(() => true, true)) {
      yield { items: this.#itemsOf(rows, seen, (item) => deferred.push({ file, item })), bytes, file };
    }
    this.#demandTables();
    const problems = this.#doubts.problems();
    if (problems.length > 0) throw unfitMapping(this.#mapping, problems);
    for (const { file, item } of deferred.end()) yield { items: [item], bytes: 0, file };
    for (const { path } of this.#files) yield { items: this.#unreadIn(path), bytes: 0, file: path };
    for (const [table, rows] of this.#lookedUp.counts()) {
      const { path } = this.#files.find(({ tables }) => tables.includes(table)) ?? noFile;
      const at = `${path}#${table.name}`;
      yield {
        items: [{ type: 'left_out', at, id: table.name, reason: 'table.looked-up', rows }],
        bytes: 0,
        file: path,
      };
    }
  }

  /** Whether messages have values of its rows: reactions, files, and what is joined or looked up. */
  #isPartOfMessages({ name, entries, isJoined }: Table): boolean {
    return isJoined || this.#lookups.has(name) || entries.some(isLinked);
  }

  /** Whether values of its rows are looked up, and its rows are neither objects nor joined to rows that keep them. */
  #isOnlyLookedUp({ name, entries, isJoined }: Table): boolean {
    return entries.length === 0 && !isJoined && this.#lookups.has(name);
  }

  /** A line for each table of a file that the mapping does not name, and for a file of which nothing was understood. */
  *#unreadIn(path: string): Generator<SourceItem> {
    const { unread } = this.#reading;
    for (const [table, rows] of unread.in(path))
      yield { type: 'left_out', at: `${path}#${table}`, id: table, reason: 'table.unmapped', rows };
    if (unread.isUnknown(path)) yield { type: 'left_out', at: path, id: path, reason: 'file.unknown' };
  }

  /** Refuses tables that are in no file. */
  #demandTables(): void {
    const problems: MappingProblem[] = [];
    for (const table of this.#mapping.tables) {
      if (table.isOptional || this.#reading.met.has(table)) continue;
      const { path, format } = this.#files.find(({ tables }) => tables.includes(table)) ?? noFile;
      const isDump = format !== 'json';
      const detail = isDump
        ? `${path} has no table ${table.table}.`
        : `Nothing in ${path} matches the path ${table.path.join('.')}.`;
      problems.push({
        path: ['tables', table.name, isDump ? 'table' : 'path'],
        detail: `${detail} Write optional: true if that is expected.`,
      });
    }
    if (problems.length > 0) throw unfitMapping(this.#mapping, problems);
  }

  *#itemsOf(rows: Iterable<TableRow>, seen: NameTable, defer: (item: SourceItem) => void): Generator<SourceItem> {
    for (const tableRow of rows) {
      const { table, at, row, isEarlier } = tableRow;
      if (isEarlier) {
        yield { type: 'left_out', at, id: at, reason: 'row.earlier' };
        continue;
      }
      this.#onRow?.(tableRow);
      if (row === undefined) {
        yield { type: 'left_out', at, id: at, reason: 'object.broken' };
        continue;
      }
      if (this.#isOnlyLookedUp(table)) this.#lookedUp.note(table, row);
      let count = 0;
      let repeated: SourceItem | undefined;
      for (const entry of table.entries) {
        const place = count === 0 ? at : `${at}/${entry.label}`;
        const found = this.#costly.unless(at, entry.label, () => this.#itemIf(entry, { table, at: place, row }, seen));
        if (found === 'none') continue;
        const item = found ?? { type: 'left_out', at: place, id: place, reason: 'row.costly' };
        if (entry.repeats && item.type === 'part') {
          repeated = item;
          continue;
        }
        count += 1;
        if (item.type === 'part' && item.of.type === 'message') defer(item);
        else yield item;
      }
      const isRepeatedKey = this.#hasRepeatedKey({ table, at, row });
      if (isRepeatedKey) {
        const place = count === 0 && repeated === undefined ? at : `${at}/${keyLabel}`;
        yield { type: 'left_out', at: place, id: place, reason: 'row.repeated-key' };
        if (place === at) continue;
      }
      if (count > 0) continue;
      yield repeated ?? {
        type: 'left_out',
        at,
        id: at,
        reason: this.#costly.has(at, lookupLabel)
          ? 'row.costly'
          : table.entries.length === 0
            ? 'row.lookup'
            : 'row.unmapped',
      };
    }
  }

  /** `none` if the condition of the entry says no. */
  #itemIf(entry: MappingEntry, placed: PlacedRow, seen: NameTable): SourceItem | 'none' {
    const { at, row } = placed;
    const isTaken = takes(entry, row);
    if (entry.where !== undefined) this.#doubts.noteCondition(entry, isTaken, at, row);
    if (typeof isTaken === 'object') return { type: 'left_out', at, id: at, reason: 'row.condition' };
    return isTaken ? this.#itemOf(entry, placed, seen) : 'none';
  }

  #itemOf(entry: MappingEntry, placed: PlacedRow, seen: NameTable): SourceItem {
    const { at } = placed;
    const required: SourceItem = { type: 'left_out', at, id: at, reason: 'row.required' };
    switch (entry.section) {
      case 'users':
      case 'channels': {
        const type = entry.section === 'users' ? 'user' : 'channel';
        const id = this.#items.idOf(entry, placed);
        if (id === undefined) return required;
        if (this.#items.isUnreadable(entry, placed)) return { type: 'left_out', at, id, reason: 'row.unreadable' };
        this.#items.look(entry, placed);
        if (isNew(seen, `${type}\n${id}`)) return { type, at, id };
        if (entry.repeats) return { type: 'part', at, id: `${id}:${at}`, of: { type, id } };
        return { type: 'left_out', at, id, reason: 'row.repeated' };
      }
      case 'members': {
        const found = this.#items.membership(entry, placed);
        if (typeof found === 'string') return { type: 'left_out', at, id: at, reason: found };
        const { channel, user, reasons } = found;
        const [reason] = reasons;
        const doubt = reason === undefined ? {} : { reason };
        return { type: 'part', at, id: `${channel}:${user}`, of: { type: 'channel', id: channel }, ...doubt };
      }
      case 'messages': {
        const message = this.#items.message(entry, placed, this.#partsOf);
        if ('reason' in message) return { type: 'left_out', at, ...message };
        // History files find copies, whose times are equal. A message with another time is none.
        if (!isNew(seen, message.facts.id)) {
          const id = message.facts.id.slice(this.#mapping.name.length + 1);
          return {
            type: 'left_out',
            at,
            id,
            reason: entry.values.id === undefined ? 'message.repeated' : 'message.conflict',
          };
        }
        return { type: 'message', at, message };
      }
      case 'reactions':
      case 'files': {
        const part = this.#items.part(entry, placed);
        if (part === undefined) return required;
        this.#items.look(entry, placed);
        const of = { type: 'message', id: part.message } as const;
        const isReaction = entry.section === 'reactions';
        return { type: 'part', at, id: part.name, of, ...(isReaction ? { reason: 'reactions.enveloped' } : {}) };
      }
    }
  }
}

/** Numbers the rows of each table in the order of a pass. */
class RowNumbers {
  readonly #counts = new Map<Table, number>();

  next(table: Table): number {
    const number = this.#counts.get(table) ?? 0;
    this.#counts.set(table, number + 1);
    return number;
  }
}

function byTable(lookups: readonly Lookup[]): ReadonlyMap<string, readonly Lookup[]> {
  const tables = new Map<string, Lookup[]>();
  for (const lookup of lookups) tables.set(lookup.table, [...(tables.get(lookup.table) ?? []), lookup]);
  return tables;
}

/** All rows are all that the source has, of any time. Those since an earlier value say nothing about the others. */
function databaseWindow({ takenAt, partial }: DatabaseTables): Pick<OpenExport, 'windows' | 'isPartial'> {
  const isPartial = partial.length > 0;
  const times = isPartial ? {} : { from: Number.NEGATIVE_INFINITY, to: takenAt };
  return { isPartial, windows: new Map([['', { ...times, takenAt }]]) };
}

function partsIn(parts: readonly LinkedPart[]): MessageParts {
  return {
    reactions: parts.flatMap((part) => ('reaction' in part ? [part.reaction] : [])),
    files: parts.flatMap((part) => ('file' in part ? [part.file] : [])),
  };
}

function isNew(seen: NameTable, name: string): boolean {
  const { size } = seen;
  return seen.add(name) === size;
}

/** `captured`: of each table that is wanted, the columns that the name of the file gives. */
function* wantedRows(rows: Iterable<TableRow>, captured: ReadonlyMap<Table, JsonObject>): Generator<TableRow> {
  for (const tableRow of rows) {
    const columns = captured.get(tableRow.table);
    if (columns === undefined) continue;
    yield tableRow.row === undefined ? tableRow : { ...tableRow, row: { ...tableRow.row, ...columns } };
  }
}

const noFile = { path: 'the data', format: 'json' } as const;

function isLinked({ section }: MappingEntry): boolean {
  return section === 'reactions' || section === 'files';
}

function takes({ where }: MappingEntry, row: JsonObject): boolean | FailedCondition {
  return where === undefined || where(row);
}
