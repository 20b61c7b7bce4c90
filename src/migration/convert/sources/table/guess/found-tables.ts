// Finds the tables in files, with their columns, a few rows and the keys that dumps declare.
import type { FileTree } from '../../../../../lib/file-tree.ts';
import type { JsonObject } from '../../../../../lib/json.ts';
import { isClutter } from '../../../export/parts.ts';
import { otherFile } from '../../../export/refusals.ts';
import { naturally } from '../../../export/values.ts';
import { Doubts } from '../doubts.ts';
import { unreadDump } from '../dump.ts';
import { dumpFormatOf, foreignDump } from '../dumps/dialects.ts';
import { DumpError, DumpReader } from '../dumps/dump-reader.ts';
import { keysIn, type TableReference } from '../dumps/keys.ts';
import { asUtf8 } from '../encodings.ts';
import { compileMapping } from '../mapping.ts';
import { type FileFormat, rowOf, type TablePass } from '../reading.ts';
import { rowsOf } from '../rows.ts';
import { schemaFileOf } from '../tab.ts';
import { formatOf } from '../table-files.ts';
import { MeantTables } from '../table-names.ts';
import { UnreadTables } from '../unread.ts';

export interface FoundTable {
  readonly name: string;
  /** Paths in the tree. */
  readonly files: string[];
  /** Its name in a dump. */
  readonly table?: string;
  /** The place of its rows in JSON. */
  readonly path?: string;
  readonly columns: readonly string[];
  readonly rows: readonly JsonObject[];
  /** The columns of its primary key, if a dump declares one. */
  readonly primary?: readonly string[];
}

export interface FoundTables {
  readonly tables: readonly FoundTable[];
  readonly keys: readonly TableReference[];
  /** Files, and places in JSON, in which no rows were found. */
  readonly others: readonly string[];
}

/** Enough to see how times are written. */
const mostRows = 50;
const startLength = 1 << 16;

export async function findTables(tree: FileTree): Promise<FoundTables> {
  const tables: FoundTable[] = [];
  const keys: TableReference[] = [];
  const others: string[] = [];
  const add = (table: FoundTable): void => {
    const form = formOf(table);
    const same = tables.find((known) => table.table === undefined && formOf(known) === form);
    if (same === undefined) tables.push(table);
    else same.files.push(...table.files);
  };
  const texts = new Set(tree.files.map(({ path }) => path).filter((path) => formatOf(path, tree) === 'mysql_tab'));
  const schemas = new Set([...texts].map(schemaFileOf));
  for (const path of naturally(tree.files.map((file) => file.path))) {
    if (isClutter(path) || schemas.has(path)) continue;
    const format = formatOf(path, tree);
    const before = tables.length;
    if (format === 'dump') {
      const dump = await dumpTables(tree, path);
      dump.tables.forEach(add);
      keys.push(...dump.keys);
    } else if (format !== undefined) {
      const plain = await plainTables(tree, path, format);
      plain.tables.forEach(add);
      others.push(...plain.others);
    }
    if (tables.length === before && !tables.some(({ files }) => files.includes(path))) others.push(path);
  }
  return { tables, keys, others };
}

/** Files with equal columns, such as one for each month, are one table. */
function formOf({ files: [file = ''], path, columns }: FoundTable): string {
  return JSON.stringify([file.split('.').at(-1), path, columns]);
}

async function plainTables(tree: FileTree, path: string, format: FileFormat): Promise<Omit<FoundTables, 'keys'>> {
  const base =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.[^.]*$/u, '') ?? path;
  const lists = format === 'json' ? await listsIn(tree, path) : [undefined];
  const tables: FoundTable[] = [];
  const others: string[] = [];
  for (const list of lists) {
    const rowsPath = list === undefined || list === '*' ? undefined : `${list.replaceAll('/', '.')}.*`;
    const rows = await firstRows(passOf(tree, path, rowsPath), path, format);
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const name = list === undefined || list === '*' ? base : (list.split('/').findLast((step) => step !== '*') ?? base);
    if (columns.length === 0) {
      if (list !== undefined) others.push(`${path}#${list}`);
      continue;
    }
    tables.push({ name, files: [path], columns, rows, ...(rowsPath === undefined ? {} : { path: rowsPath }) });
  }
  return { tables, others };
}

/** The paths of the lists of objects. */
async function listsIn(tree: FileTree, path: string): Promise<readonly string[]> {
  const pass = passOf(tree, path, 'nothing.of.this.name');
  pass.unread.isCounting = true;
  for await (const _rows of rowsOf(pass, { path, tables: pass.mapping.tables, format: 'json' }));
  return [...pass.unread.in(path)].map(([list]) => list);
}

async function firstRows(pass: TablePass, path: string, format: FileFormat): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for await (const { rows } of rowsOf(pass, { path, tables: pass.mapping.tables, format })) {
    for (const { row } of rows) if (row !== undefined && found.length < mostRows) found.push(row);
    if (found.length >= mostRows) break;
  }
  return found;
}

/** A pass over a table of which nothing is known. */
function passOf(tree: FileTree, path: string, rowsPath: string | undefined): TablePass {
  const table = { files: path, ...(rowsPath === undefined ? {} : { path: rowsPath }) };
  const position = () => ({ file: path, line: 1, column: 1 });
  const mapping = compileMapping({ version: 1, name: 'guess', tables: { table } }, position, () => undefined);
  const doubts = new Doubts();
  const unread = new UnreadTables();
  return {
    tree,
    mapping,
    met: new Set(),
    meant: new MeantTables(),
    doubts,
    unread,
    csvFiles: new Map(),
    database: undefined,
  };
}

async function dumpTables(tree: FileTree, path: string): Promise<Pick<FoundTables, 'tables' | 'keys'>> {
  const tables = new Map<string, { columns: readonly string[]; readonly rows: JsonObject[] }>();
  const keys: TableReference[] = [];
  const primaryKeys = new Map<string, readonly string[]>();
  const note = (name: string, columns: readonly string[]) => {
    const table = tables.get(name) ?? { columns, rows: [] };
    if (table.columns.length === 0) table.columns = columns;
    tables.set(name, table);
    return table;
  };
  const readerFor = (start: string) => {
    const foreign = foreignDump(start);
    if (foreign !== undefined) throw otherFile(path, foreign.what, foreign.advice);
    return new DumpReader<{ readonly columns: readonly string[]; readonly rows: JsonObject[] }>({
      format: dumpFormatOf(start),
      enter: ({ names, columns = [], stored }) => {
        const { rows } = note(names.join('.'), columns);
        return rows.length < mostRows ? { columns: stored.length === 0 ? columns : stored, rows } : undefined;
      },
      created: (names, columns) => void note(names.join('.'), columns),
      statement: (text, full) => {
        const declared = keysIn(text, full);
        keys.push(...(declared?.foreign ?? []));
        if (declared !== undefined && declared.primary.length > 0) primaryKeys.set(declared.table, declared.primary);
      },
      skipped: () => undefined,
    });
  };
  let reader: ReturnType<typeof readerFor> | undefined;
  let start = '';
  const take = (text: string, isLast: boolean): void => {
    if (reader === undefined && !isLast && start.length + text.length < startLength) {
      start += text;
      return;
    }
    reader ??= readerFor((start + text).slice(0, startLength));
    for (const { target, cells } of [...reader.push(start + text), ...(isLast ? reader.end() : [])]) {
      const shown = cells.every((cell) => cell !== undefined) ? cells : undefined;
      const row = target.rows.length < mostRows ? rowOf(target.columns, shown) : undefined;
      if (row !== undefined) target.rows.push(row);
    }
    start = '';
  };
  try {
    for await (const piece of asUtf8(await tree.stream(path), path))
      take(Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1'), false);
    take('', true);
  } catch (error) {
    if (!(error instanceof DumpError)) throw error;
    throw unreadDump(path, error);
  }
  const found = [...tables].filter(([name, { columns }]) => columns.length > 0 && !/(?:^|\.)sqlite_/u.test(name));
  return {
    tables: found.map(([table, { columns, rows }]): FoundTable => {
      const primary = primaryKeys.get(table) ?? [];
      return { name: table.split('.').at(-1) ?? table, files: [path], table, columns, rows, primary };
    }),
    keys,
  };
}
