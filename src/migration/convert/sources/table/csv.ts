// Reads the rows of CSV files. Delimiter, quote and encoding are those of the mapping, or found by looking.
import { maxLineBytes, readStreamLines } from '../../../../lib/line-reader.ts';
import { type CsvForm, cellOffsets, cellsOf, RecordReader, usualCsv } from '../../../../lib/tables/csv-records.ts';
import { countedLines } from '../../export/lines.ts';
import { type Doubts, nullMark } from './doubts.ts';
import { asUtf8, encodingOf } from './encodings.ts';
import type { Mapping, Table } from './mapping.ts';
import { demandColumns, wrongTable } from './problems.ts';
import { type CsvFile, type RowBatch, rowOf, type TableFile, type TablePass, type TableRow } from './reading.ts';

export async function* csvRows(pass: TablePass, { path, tables }: TableFile): AsyncGenerator<RowBatch> {
  const { tree, mapping, met, doubts } = pass;
  const [table] = tables;
  if (table === undefined) return;
  met.add(table);
  const form = await formOf(pass, table, path);
  const reader = new RecordReader(form);
  let columns = table.columns;
  if (columns !== undefined) demandColumns(mapping, table, columns, path);
  const take = (lines: Parameters<RecordReader['read']>[0]): TableRow[] => {
    const rows: TableRow[] = [];
    for (const { line, text } of reader.read(lines)) {
      if (line === 1 && form.hasSeparatorLine) continue;
      const at = `${path}#${line}`;
      const cells = text === undefined ? undefined : cellsOf(text, form);
      if (columns === undefined) columns = headerOf(cells, at, table, mapping);
      else {
        const shown = text === undefined ? cells : withoutMarks(cells, text, columns, { table, at, doubts, form });
        rows.push({ table, at, row: rowOf(columns, shown) });
      }
    }
    return rows;
  };
  const text = asUtf8(await tree.stream(path), path, form.encoding);
  for await (const { lines, bytes } of countedLines(text, maxLineBytes)) yield { rows: take(lines), bytes };
  yield { rows: take(undefined), bytes: 0 };
}

/** Looked up once for each file, since files are read several times. */
async function formOf({ tree, csvFiles }: TablePass, table: Table, path: string): Promise<CsvFile> {
  const known = csvFiles.get(path);
  if (known !== undefined) return known;
  const encoding = table.encoding ?? (await encodingOf(await tree.stream(path)));
  const [first = ''] = await firstLines(asUtf8(await tree.stream(path), path, encoding));
  const separator = /^"?sep=(.)"?$/iu.exec(first)?.[1];
  const found = separator === undefined ? likelyForm(first, table) : { ...usualCsv, delimiter: separator };
  const form: CsvFile = {
    delimiter: table.delimiter ?? found.delimiter,
    quote: table.quote ?? found.quote,
    encoding,
    hasSeparatorLine: separator !== undefined,
  };
  csvFiles.set(path, form);
  return form;
}

async function firstLines(text: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  for await (const lines of readStreamLines(text))
    if (lines.length > 0) return lines.map((line) => line.text?.replace(/\r$/u, '') ?? '');
  return [];
}

const delimiters = [',', ';', '\t', '|'];

/** The form in which the header has most of the columns that the mapping needs, or else most columns. */
function likelyForm(header: string, { needed, delimiter, quote }: Table): CsvForm {
  const names = new Set([...needed.keys()].map((name) => name.split('.')[0] ?? name));
  let best = usualCsv;
  let most = -1;
  for (const candidate of delimiter === undefined ? delimiters : [delimiter]) {
    const isSingle = header.split(candidate).every((cell) => /^'.*'$/u.test(cell));
    const form = { delimiter: candidate, quote: quote ?? (isSingle ? "'" : '"') };
    const columns = (cellsOf(header, form) ?? []).map((cell) => cell.trim());
    const count = names.size === 0 ? columns.length : columns.filter((column) => names.has(column)).length;
    if (count <= most) continue;
    most = count;
    best = form;
  }
  return best;
}

/** What was found by looking and is not usual, as sentences. */
export function* csvNotes(
  files: TablePass['csvFiles'],
  tableOf: (path: string) => Table | undefined,
): Generator<string> {
  for (const [path, { delimiter, quote, encoding }] of files) {
    const table = tableOf(path);
    const found: string[] = [];
    if (table?.delimiter === undefined && delimiter !== usualCsv.delimiter)
      found.push(`the delimiter ${JSON.stringify(delimiter)}`);
    if (table?.quote === undefined && quote !== usualCsv.quote) found.push(`the quote ${quote}`);
    if (table?.encoding === undefined && encoding !== 'utf-8') found.push(`the encoding ${encoding}`);
    if (found.length > 0) yield `Found by looking at ${path}: ${found.join(', ')}.`;
  }
}

/**
 * The cells of a record without those that consist of NULL or \\N, about which the mapping is asked. Quotes say that people wrote the
 * text, unless all cells of the record are in quotes.
 */
function withoutMarks(
  cells: readonly string[] | undefined,
  text: string,
  columns: readonly string[],
  {
    table,
    at,
    doubts,
    form,
  }: { readonly table: Table; readonly at: string; readonly doubts: Doubts; readonly form: CsvForm },
): readonly (string | null)[] | undefined {
  if (table.nulls !== undefined || cells === undefined || !mayHaveMark.test(text)) return cells;
  const isQuoted = cellOffsets(text, form).map((offset) => text[offset] === form.quote);
  const areAllQuoted = isQuoted.every((isQuotedCell) => isQuotedCell);
  return cells.map((cell, place) => {
    const column = columns[place] ?? '';
    const isMark = nullMark.test(cell) && table.read.has(column) && (areAllQuoted || isQuoted[place] !== true);
    if (!isMark) return cell;
    doubts.noteMark(table, column, cell, at);
    return null;
  });
}

const mayHaveMark = /null|\\N/iu;

function faultOfHeader(repeated: string | undefined): string {
  if (repeated === undefined) return 'is not valid CSV';
  return repeated === '' ? 'has several columns without a name' : `has the column ${repeated} twice`;
}

function headerOf(cells: readonly string[] | undefined, at: string, table: Table, mapping: Mapping): readonly string[] {
  const columns = (cells ?? []).map((cell) => cell.trim());
  const repeated = columns.find((column, place) => columns.indexOf(column) < place);
  if (columns.some((column) => column.includes('\r')))
    throw wrongTable(mapping, table, 'files', `The lines of ${at} end with CR alone. Convert them to LF.`);
  if (repeated !== undefined || columns.length === 0)
    throw wrongTable(mapping, table, 'files', `The header of ${at} ${faultOfHeader(repeated)}.`);
  demandColumns(mapping, table, columns, at);
  return columns;
}
