// Splits a CSV file into records and records into cells. Line ends in quotes belong to a cell.
import { type FileLine, maxLineBytes } from '../line-reader.ts';

/** The text of a row and its position. */
export interface RawRow {
  /** The number of its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

type TextLine = FileLine & { readonly text: string };

/** A line that cannot be part of a record, because it is too long or not UTF-8. */
type Unusable = Pick<FileLine, 'line' | 'bytes'> & { readonly text: undefined };

export interface CsvForm {
  /** Between the cells. */
  readonly delimiter: string;
  /** Around cells. Empty if nothing is. */
  readonly quote: string;
}

export const usualCsv: CsvForm = { delimiter: ',', quote: '"' };

/** Joins lines while a quote is open. A quote that is never closed affects only its own line. */
export class RecordReader {
  readonly #form: CsvForm;
  #open: TextLine[] = [];
  #openBytes = 0;

  constructor(form: CsvForm = usualCsv) {
    this.#form = form;
  }

  /** Yields the records that these lines complete. Must be called without lines at the end of the file. */
  *read(lines: readonly FileLine[] | undefined): Generator<RawRow | Unusable> {
    const waiting = [...(lines ?? [])].reverse();
    for (;;) {
      const line = waiting.pop();
      const next = line === undefined ? undefined : this.#take(line);
      if (next === 'open') continue;
      if (next !== undefined && next !== 'wrong') {
        if (next.text !== '') yield next;
        continue;
      }
      if (next === undefined && (lines !== undefined || this.#open.length === 0)) return;
      // The first of the open lines is wrong. Read the others again without it.
      const [wrong, ...others] = this.#open;
      this.#close();
      for (const other of others.reverse()) waiting.push(other);
      if (wrong !== undefined) yield recordOf([wrong]);
    }
  }

  /** Returns a record, `open` if it is incomplete, or `wrong` if the lines cannot be a record. */
  #take(line: FileLine): RawRow | Unusable | 'open' | 'wrong' {
    const { text } = line;
    if (text === undefined)
      return this.#open.length === 0 ? { ...line, text } : this.#put({ ...line, text: '' }, 'wrong');
    const isOdd = hasOddQuotes(text, this.#form.quote);
    if (this.#open.length === 0 && !isOdd) return recordOf([{ ...line, text }]);
    this.#put({ ...line, text }, 'open');
    const isComplete = isOdd && this.#open.length > 1;
    if (!isComplete) return this.#openBytes > maxLineBytes ? 'wrong' : 'open';
    const record = recordOf(this.#open);
    if (cellsOf(record.text, this.#form) === undefined) return 'wrong';
    this.#close();
    return record;
  }

  #put<T>(line: TextLine, answer: T): T {
    this.#open.push(line);
    this.#openBytes += line.bytes + 1;
    return answer;
  }

  #close(): void {
    this.#open = [];
    this.#openBytes = 0;
  }
}

function hasOddQuotes(text: string, quote: string): boolean {
  let isOdd = false;
  if (quote === '') return isOdd;
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) isOdd = !isOdd;
  return isOdd;
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function recordOf(lines: readonly TextLine[]): RawRow {
  const [first] = lines;
  const text = withoutReturn(lines.length === 1 ? (first?.text ?? '') : lines.map((line) => line.text).join('\n'));
  return { line: first?.line ?? 1, text };
}

/** Returns the cells of one record, or undefined if its quotes are not valid CSV. */
export function cellsOf(text: string, { delimiter, quote }: CsvForm = usualCsv): readonly string[] | undefined {
  const record = withoutReturn(text);
  if (quote === '' || !record.includes(quote)) return record.split(delimiter);
  const cells: string[] = [];
  for (let at = 0; ; at += 1) {
    const end = record[at] === quote ? closingQuote(record, quote, at + 1) : indexOrEnd(record, delimiter, at);
    if (end === -1) return undefined;
    if (record[at] === quote) {
      cells.push(record.slice(at + 1, end).replaceAll(quote + quote, quote));
      at = end + 1;
    } else {
      const cell = record.slice(at, end);
      if (cell.includes(quote)) return undefined;
      cells.push(cell);
      at = end;
    }
    if (at === record.length) return cells;
    if (record[at] !== delimiter) return undefined;
  }
}

/** Returns the offset of the quote that is not doubled, or -1. */
function closingQuote(record: string, quote: string, from: number): number {
  let end = record.indexOf(quote, from);
  while (end !== -1 && record[end + 1] === quote) end = record.indexOf(quote, end + 2);
  return end;
}

function indexOrEnd(record: string, delimiter: string, from: number): number {
  const found = record.indexOf(delimiter, from);
  return found === -1 ? record.length : found;
}

/** Returns what is wrong with a row under a header of `columns` columns, or undefined. */
export function faultOfCells(cells: readonly string[] | undefined, columns: number): string | undefined {
  if (cells === undefined) {
    return 'The quotes of this row are not valid CSV. Put a cell that contains a quote, a comma or a line end in double quotes, and double each quote inside it.';
  }
  if (cells.length === columns) return undefined;
  return `The row has ${cells.length} cells, and the header names ${columns} columns. Look for a missing or extra comma: a cell that contains a comma must be in double quotes.`;
}

/** Returns the offset of each cell in a record that `cellsOf` accepts. */
export function cellOffsets(text: string, { delimiter, quote }: CsvForm = usualCsv): readonly number[] {
  const offsets = [0];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === quote) isQuoted = !isQuoted;
    else if (text[at] === delimiter && !isQuoted) offsets.push(at + 1);
  }
  return offsets;
}
