// What is one row of a source file, and how does a format read it?
import type { JsonValue } from '../../lib/json.ts';
import { maxLineBytes } from '../../lib/line-reader.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { Problems } from '../checks/problems.ts';
import { reasonOf } from '../discover.ts';
import type { OpenFile } from '../files.ts';
import { maxExcerpt, type Source } from '../yaml/source-text.ts';
import type { Tree } from '../yaml/tree.ts';

/** Where a row stands, and its text. */
export interface RawRow {
  /** In bytes from the start of the file. */
  readonly start: number;
  readonly bytes: number;
  /** Its first line, from 1. */
  readonly line: number;
  readonly text: string;
}

/** NDJSON, CSV. */
export interface RowFormat {
  /** Every row in the order of the file, some at a time. What can be no row at all is told. */
  rows(file: OpenFile, name: string, problems: Problems): Iterable<readonly RawRow[]>;
  /** Undefined when something is wrong with the row as such: its tree says what. */
  value(row: RawRow): JsonValue | undefined;
  /** The same of a row that has been found right. */
  valueAgain(text: string): JsonValue | undefined;
  /** The keys that a row seems to have from which no value can be read; none where nobody can tell. */
  keysIn(text: string, keyName: string): readonly string[];
  /** With the place of each part in the row's text; undefined, and a problem, when the row cannot be read. */
  tree(row: RawRow, source: Source, problems: Problems): Tree | undefined;
}

/** One row as a text that problems point into. */
export class RowText implements Source {
  readonly file: string;
  readonly #text: string;
  readonly #line: number;

  constructor(file: string, { text, line }: Pick<RawRow, 'text' | 'line'>) {
    this.file = file;
    this.#text = text;
    this.#line = line;
  }

  position(offset: number): SourcePosition {
    const before = this.#text.slice(0, offset).split('\n');
    return { file: this.file, line: this.#line + before.length - 1, column: (before.at(-1)?.length ?? 0) + 1 };
  }

  excerpt(offset: number): string | undefined {
    const start = this.#text.lastIndexOf('\n', offset - 1) + 1;
    const end = this.#text.indexOf('\n', start);
    const line = this.#text.slice(start, end === -1 ? undefined : end).replace(/\r$/u, '');
    return line.length > maxExcerpt ? undefined : line;
  }
}

export function reportUnreadable(name: string, error: unknown, problems: Problems): void {
  const spot = { source: new RowText(name, { text: '', line: 1 }), offset: 0 };
  problems.add('manifest.unreadable', `${name} cannot be read: ${reasonOf(error)}.`, spot);
}

/** Of a line that is too long, or no UTF-8. */
export function reportUnusable(
  name: string,
  { line, bytes }: Pick<RawRow, 'line' | 'bytes'>,
  problems: Problems,
): void {
  const spot = { source: new RowText(name, { text: '', line }), offset: 0 };
  if (bytes > maxLineBytes) {
    const detail = `The line has ${bytes.toLocaleString('en')} bytes, and at most ${maxLineBytes.toLocaleString('en')} are read. Look for a missing line end: one object stands in one line.`;
    problems.add('manifest.row-too-long', detail, spot);
  } else {
    const detail = 'The line holds bytes that are not UTF-8. Save the file in that encoding.';
    problems.add('manifest.not-utf8', detail, spot);
  }
}
