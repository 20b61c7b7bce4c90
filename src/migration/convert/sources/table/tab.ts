// Reads the files of mysqldump --tab and SELECT … INTO OUTFILE: the rows of one table, whose columns are in an .sql file beside them.
import { brokenFile } from '../../export/refusals.ts';
import { binaryText, bitsNumber, fromUtf8 } from './dumps/bytes.ts';
import { type Column, columnsOf } from './dumps/names.ts';
import { withoutBackslashes } from './dumps/row-parser.ts';
import type { Table } from './mapping.ts';
import { demandColumns, wrongTable } from './problems.ts';
import { type RowBatch, rowOf, type TableFile, type TablePass, type TableRow } from './reading.ts';

/** The file that creates the table of a file of rows. */
export function schemaFileOf(path: string): string {
  return path.replace(/\.[^./]*$/u, '.sql');
}

/** A longer statement does not create a table. */
const mostSchemaBytes = 1 << 20;

/** A longer row is not read. */
const mostCharacters = 64 << 20;

export async function* tabRows(pass: TablePass, { path, tables }: TableFile): AsyncGenerator<RowBatch> {
  const [table] = tables;
  if (table === undefined) return;
  pass.met.add(table);
  const columns = table.columns?.map(textColumn) ?? (await createdColumns(pass, table, path));
  const names = columns.map(({ name }) => name);
  const flags = new Set(columns.flatMap(({ name, isBoolean }) => (isBoolean ? [name] : [])));
  demandColumns(pass.mapping, table, names, path);
  const { delimiter = '\t', quote = '' } = table;
  let rest = '';
  let line = 1;
  const take = (text: string): TableRow[] => {
    const rows: TableRow[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) {
      if (isContinued(text, start, end)) continue;
      const row = text.slice(start, end);
      const cells = cellsOf(row, delimiter, quote).map((cell, at) => decoded(cell, columns[at]));
      const isReadable = cells.every((cell) => cell !== undefined);
      rows.push({ table, at: `${path}#${line}`, row: isReadable ? rowOf(names, cells, flags) : undefined });
      line += row.split('\n').length;
      start = end + 1;
    }
    rest = text.slice(start);
    if (rest.length > mostCharacters)
      throw brokenFile(path, `a row is longer than ${mostCharacters >> 20} MB, at line ${line}`);
    return rows;
  };
  for await (const piece of await pass.tree.stream(path)) {
    const text = rest + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1');
    yield { rows: take(text), bytes: piece.length };
  }
  yield { rows: take(rest === '' ? '' : `${rest}\n`), bytes: 0 };
}

function textColumn(name: string): Column {
  return { name, isGenerated: false, content: 'text', isBoolean: false };
}

/** Binary columns contain any bytes. */
function decoded(cell: string | null, column: Column | undefined): string | null | undefined {
  if (cell === null || column === undefined) return cell;
  if (column.content === 'bits') return bitsNumber(cell);
  return column.content === 'binary' ? binaryText(cell) : fromUtf8(cell);
}

async function createdColumns({ tree, mapping }: TablePass, table: Table, path: string): Promise<readonly Column[]> {
  const schema = schemaFileOf(path);
  const bytes = await tree.read(schema, mostSchemaBytes).catch(() => Buffer.alloc(0));
  const statement = /CREATE TABLE[^(]*\(.*/su.exec(bytes.toString('latin1'))?.[0] ?? '';
  const columns = statement === '' ? [] : columnsOf(statement);
  if (columns.length > 0) return columns;
  const detail = `${path} does not name its columns, and ${schema} does not create the table. Write columns: [id, …] under this table.`;
  throw wrongTable(mapping, table, 'files', detail);
}

/** Whether a backslash before the line end says that the line end belongs to the cell. */
function isContinued(text: string, start: number, end: number): boolean {
  let count = 0;
  while (end - count > start && text[end - count - 1] === '\\') count += 1;
  return count % 2 === 1;
}

function cellsOf(text: string, delimiter: string, quote: string): readonly (string | null)[] {
  const cells: (string | null)[] = [];
  let start = 0;
  let isQuoted = quote !== '' && text.startsWith(quote);
  for (let at = isQuoted ? 1 : 0; at <= text.length; at += 1) {
    const mark = text[at];
    if (mark === '\\') at += 1;
    else if (isQuoted && mark === quote) isQuoted = false;
    else if (mark === undefined || (mark === delimiter && !isQuoted)) {
      cells.push(cellOf(text.slice(start, at), quote));
      start = at + 1;
      isQuoted = quote !== '' && text[start] === quote;
      if (isQuoted) at += 1;
    }
  }
  return cells;
}

function cellOf(written: string, quote: string): string | null {
  if (written === '\\N' || (written === 'NULL' && quote !== '')) return null;
  const isQuoted = quote !== '' && written.length > 1 && written.startsWith(quote) && written.endsWith(quote);
  const text = isQuoted ? written.slice(1, -1) : written;
  return text.includes('\\') ? withoutBackslashes(text) : text;
}
