// Rows of a file, and the interface of the formats that read them.
import type { JsonValue } from '../../../lib/json.ts';
import { type FileLine, maxLineBytes, readStreamLines } from '../../../lib/line-reader.ts';
import type { RawRow } from '../../../lib/tables/csv-records.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { FileAccess } from '../files/access.ts';
import { unpacked } from '../files/gzip.ts';
import { reasonOf } from '../files/read-failure.ts';
import type { Tree } from '../files/tree.ts';
import { maxExcerpt, type ProblemSource, type Problems } from '../problems/problems.ts';

/** Reads the rows of one file: NDJSON or CSV. */
export interface RowFormat {
  /** Yields batches of rows in file order. Reports lines that cannot be rows. */
  rows(lines: AsyncIterable<readonly FileLine[]>, name: string, problems: Problems): AsyncIterable<readonly RawRow[]>;
  /** Returns undefined if the row itself is wrong. `tree` reports why. */
  value(row: RawRow): JsonValue | undefined;
  /** Returns keys that an unreadable row probably has, or none. */
  keysIn(text: string, keyName: string): readonly string[];
  /** Returns the row with positions. Returns undefined and reports a problem if it cannot be read. */
  tree(row: RawRow, source: ProblemSource, problems: Problems): Tree | undefined;
}

/** One row as a text that problems point into. */
export class RowText implements ProblemSource {
  readonly file: string;
  readonly #text: string;
  readonly #line: number;

  constructor(file: string, { text, line }: RawRow) {
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

function reportUnreadable(name: string, error: unknown, problems: Problems): void {
  const spot = { source: new RowText(name, { text: '', line: 1 }), offset: 0 };
  problems.add('manifest.unreadable', `${name} cannot be read: ${reasonOf(error)}.`, spot);
}

/** Reports a line that is too long or not UTF-8. */
export function reportUnusable(
  name: string,
  { line, bytes }: Pick<FileLine, 'line' | 'bytes'>,
  problems: Problems,
): void {
  const spot = { source: new RowText(name, { text: '', line }), offset: 0 };
  if (bytes > maxLineBytes) {
    const detail = `The line has ${bytes.toLocaleString('en')} bytes, but at most ${maxLineBytes.toLocaleString('en')} are read. Each object is one line, so a line end may be missing.`;
    problems.add('manifest.row-too-long', detail, spot);
  } else {
    const detail = 'The line contains bytes that are not UTF-8. Save the file as UTF-8.';
    problems.add('manifest.not-utf8', detail, spot);
  }
}

/** Tables and JSON compress to between a tenth and a thirtieth. More growth than this is an attempt to fill the disk. */
const maxGrowth = 200;
/** Sizes up to this are always allowed. */
const alwaysAllowed = 16_000_000;

/** Yields lines in batches. A read or gzip error is reported and ends the lines. */
export async function* linesOf(
  { name, path }: { readonly name: string; readonly path: string },
  files: FileAccess,
  problems: Problems,
): AsyncGenerator<readonly FileLine[]> {
  try {
    const { bytes } = await files.stat(path);
    const { gzip, chunks } = await unpacked(files.readChunks(path));
    yield* readStreamLines(gzip ? limited(chunks, Math.max(alwaysAllowed, bytes * maxGrowth)) : chunks);
  } catch (error) {
    reportUnreadable(name, error, problems);
  }
}

async function* limited(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`it unpacks to more than ${maxGrowth} times its size`);
    yield chunk;
  }
}
