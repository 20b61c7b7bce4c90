// Where does each record of a CSV file begin and end, and what are its cells? Line ends within quotes belong to a cell.
import { parse } from 'csv-parse/sync';
import { type Line, maxLineBytes } from '../../lib/line-reader.ts';
import type { RawRow } from './row.ts';

type TextLine = Line & { readonly text: string };

/** What can be no record: a line that is too long, or no text. */
type Unusable = Omit<Line, 'text'> & { readonly text: undefined };

/** Puts lines together, as long as a quote is open. One that stays open costs its own line alone. */
export class RecordReader {
  #open: TextLine[] = [];
  #openBytes = 0;

  /** The records that are complete with these lines; without lines, at the end of the file, what is left. */
  *read(lines: readonly Line[] | undefined): Generator<RawRow | Unusable> {
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
      // The first of the open lines is the wrong one; the others are looked at anew.
      const [wrong, ...others] = this.#open;
      this.#close();
      for (const other of others.reverse()) waiting.push(other);
      if (wrong !== undefined) yield recordOf([wrong]);
    }
  }

  /** A record, or that it is not complete, or that the lines so far cannot be one. */
  #take(line: Line): RawRow | Unusable | 'open' | 'wrong' {
    const { text } = line;
    if (text === undefined)
      return this.#open.length === 0 ? { ...line, text } : this.#put({ ...line, text: '' }, 'wrong');
    const isOdd = hasOddQuotes(text);
    if (this.#open.length === 0 && !isOdd) return recordOf([{ ...line, text }]);
    this.#put({ ...line, text }, 'open');
    const isComplete = isOdd && this.#open.length > 1;
    if (!isComplete) return this.#openBytes > maxLineBytes ? 'wrong' : 'open';
    const record = recordOf(this.#open);
    if (cellsOf(record.text) === undefined) return 'wrong';
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

function hasOddQuotes(text: string): boolean {
  let isOdd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) isOdd = !isOdd;
  return isOdd;
}

function withoutReturn(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

function recordOf(lines: readonly TextLine[]): RawRow {
  const [first] = lines;
  const last = lines.at(-1) ?? first;
  const text = withoutReturn(lines.length === 1 ? (first?.text ?? '') : lines.map((line) => line.text).join('\n'));
  const start = first?.start ?? 0;
  return { start, bytes: (last?.start ?? 0) + (last?.bytes ?? 0) - start, line: first?.line ?? 1, text };
}

/** The cells of one record; undefined when its quotes are not those of CSV. */
export function cellsOf(text: string): readonly string[] | undefined {
  const record = withoutReturn(text);
  if (!record.includes('"')) return record.split(',');
  try {
    // There is one record, so that no sign may end it.
    const [cells, ...others] = parse(record, { record_delimiter: '\0', relax_column_count: true });
    return others.length === 0 ? cells : undefined;
  } catch {
    return undefined;
  }
}

/** Where each cell begins in the text of a record that can be taken apart. */
export function cellOffsets(text: string): readonly number[] {
  const offsets = [0];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === ',' && !isQuoted) offsets.push(at + 1);
  }
  return offsets;
}
