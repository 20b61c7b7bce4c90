// Reads the files of mysqldump --tab and SELECT … INTO OUTFILE: the rows of one table, whose columns are in an .sql file beside them.
import { type FileLine, maxLineBytes } from '../../../lib/line-reader.ts';
import { countedLines } from '../../export/lines.ts';
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

export async function* tabRows(pass: TablePass, { path, tables }: TableFile): AsyncGenerator<RowBatch> {
  const [table] = tables;
  if (table === undefined) return;
  pass.met.add(table);
  const columns = table.columns ?? (await createdColumns(pass, table, path));
  demandColumns(pass.mapping, table, columns, path);
  const { delimiter = '\t', quote = '' } = table;
  let open: FileLine[] = [];
  const take = (lines: readonly FileLine[], isEnd: boolean): TableRow[] => {
    const rows: TableRow[] = [];
    const add = (): void => {
      const [first] = open;
      if (first === undefined) return;
      const texts = open.map(({ text }) => text);
      const cells = texts.includes(undefined) ? undefined : cellsOf(texts.join('\n'), delimiter, quote);
      open = [];
      rows.push({ table, at: `${path}#${first.line}`, row: rowOf(columns, cells) });
    };
    for (const line of lines) {
      open.push(line);
      if (!isContinued(line.text ?? '')) add();
    }
    if (isEnd) add();
    return rows;
  };
  for await (const { lines, bytes } of countedLines(await pass.tree.stream(path), maxLineBytes))
    yield { rows: take(lines, false), bytes };
  yield { rows: take([], true), bytes: 0 };
}

async function createdColumns({ tree, mapping }: TablePass, table: Table, path: string): Promise<readonly string[]> {
  const schema = schemaFileOf(path);
  const bytes = await tree.read(schema, mostSchemaBytes).catch(() => Buffer.alloc(0));
  const statement = /CREATE TABLE[^(]*\(.*/su.exec(bytes.toString('latin1'))?.[0] ?? '';
  const columns: readonly Column[] = statement === '' ? [] : columnsOf(statement);
  if (columns.length > 0) return columns.map(({ name }) => name);
  const detail = `${path} does not name its columns, and ${schema} does not create the table. Write columns: [id, …] under this table.`;
  throw wrongTable(mapping, table, 'files', detail);
}

/** A backslash at the end of a line continues the cell. */
function isContinued(text: string): boolean {
  return /(?:^|[^\\])(?:\\\\)*\\$/u.test(text);
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
