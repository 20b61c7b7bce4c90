// Reads one history file line by line, checks it and digests its lines. Only one block of lines is in memory.

import { RunningDigest } from '../../../lib/digest.ts';
import { maxLineBytes, readStreamLines } from '../../../lib/line-reader.ts';
import { ForeignFormError } from '../../../lib/tools/foreign-form.ts';
import {
  type HistoryFileWithMarks,
  type LineBlock,
  type ThreadReply,
  writerMark,
} from '../../history/lines/history-file.ts';
import { type HistoryFileLine, hasFixedFields, identityOfLine, lineMarkOf } from '../../history/lines/line.ts';
import { MarkedLines } from '../../history/lines/marked-lines.ts';
import { unpacked } from '../files/gzip.ts';
import { reasonOf } from '../files/read-failure.ts';
import { nearest, valueOffset } from '../files/tree.ts';
import { type Problems, SourceText } from '../problems/problems.ts';
import { readJsonTree } from '../rows/json-tree.ts';
import { type LineProblem, LineReader, type LineRules } from './history-line.ts';

export interface HistoryFileFile {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  /** The bytes of the file, from its start. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Whether lines with a parent are sent as replies. */
  readonly threads: boolean;
}

/** The maximum number of problems of one history file that are shown. */
const maxShown = 10;

export interface ReadHistoryFile {
  /** Undefined if the history file has errors. */
  readonly historyFile: HistoryFileWithMarks | undefined;
  /** Whether any problem was reported, warnings included. */
  readonly hasRemarks: boolean;
}

export async function readHistoryFile(
  { file, chunks, threads }: HistoryFileFile,
  linesOfBlock: number,
  rules: LineRules,
  problems: Problems,
): Promise<ReadHistoryFile> {
  const reported = new HistoryFileProblems(file, problems);
  const reader = new LineReader(rules, threads);
  const blocks = new LineBlockCollector(linesOfBlock);
  const source = await unpacked(chunks);
  try {
    let offset = 0;
    for await (const lines of readStreamLines(source.chunks)) {
      for (const { text, bytes, end, line: number } of lines) {
        if (bytes > maxLineBytes) throw new Error(`line ${number} is longer than ${maxLineBytes} bytes`);
        const start = offset;
        offset = end;
        if (text === undefined) {
          reported.add(
            'manifest.not-utf8',
            'The line contains bytes that are not UTF-8. Save the history file as UTF-8.',
            number,
          );
          continue;
        }
        const { line, repeat, reply, problems: found } = reader.read(text);
        for (const { code, detail, severity, ...part } of found)
          reported.add(code, detail, number, text, severity, part);
        if (line !== undefined) blocks.add(line, lineMarkOf(text, line), start, end - start, { repeat, reply });
      }
    }
  } catch (error) {
    const how = error instanceof ForeignFormError ? 'cannot be read' : 'cannot be read to its end';
    reported.add('manifest.unreadable', `${file} ${how}: ${reasonOf(error)}.`, 1);
  }
  reported.end();
  const { hasRemarks, errors } = reported;
  if (errors > 0) return { historyFile: undefined, hasRemarks };
  const { senders, lastLines } = reader.senders;
  const historyFile = { file, gzip: source.gzip, ...(threads ? { threads } : {}), senders, lastLines };
  return { historyFile: { ...historyFile, ...blocks.end(senders) }, hasRemarks };
}

class LineBlockCollector {
  readonly #size: number;
  readonly #digest = new RunningDigest();
  readonly #done: LineBlock[] = [];
  readonly #marked = new MarkedLines();
  #messages = 0;
  #marks: string[] = [];
  #identities: string[] = [];
  #fixed: number[] = [];
  #arrays: number[] = [];
  #silent: number[] = [];
  /** Senders in the order of their first lines, until all are known and can be sorted. */
  readonly #numbers = new Map<string, number>();
  /** The numbers of the block's senders, in the order of their first lines in it. */
  #by: number[] = [];
  #writers: string[] = [];
  #repeats: Record<string, number> | undefined;
  #replies: Record<string, ThreadReply> | undefined;
  #offset = 0;
  #bytes = 0;
  #first = 0;
  #last = 0;

  constructor(size: number) {
    this.#size = size;
  }

  add(
    line: HistoryFileLine,
    mark: string,
    offset: number,
    bytes: number,
    { repeat, reply }: { readonly repeat: number; readonly reply: ThreadReply | undefined },
  ): void {
    const { timestamp, user_id: id } = line;
    if (this.#marks.length === 0) {
      this.#offset = offset;
      this.#first = timestamp;
    }
    if (repeat > 0) {
      this.#repeats ??= {};
      this.#repeats[String(this.#marks.length)] = repeat;
    }
    if (reply !== undefined) {
      this.#replies ??= {};
      this.#replies[String(this.#marks.length)] = reply;
    }
    this.#marks.push(mark);
    if (hasFixedFields(line)) this.#fixed.push(this.#identities.length);
    if (line.sorted_metaarray !== undefined) this.#arrays.push(this.#identities.length);
    if (line.is_silent === true) this.#silent.push(this.#identities.length);
    const identity = identityOfLine(line);
    this.#identities.push(identity);
    this.#marked.add(line, identity, mark);
    this.#writers.push(writerMark(typeof id === 'string' ? this.#placeOf(this.#numberOf(id)) : undefined));
    this.#bytes = offset + bytes - this.#offset;
    this.#last = timestamp;
    this.#messages++;
    if (this.#marks.length === this.#size) this.#close();
  }

  /** `senders` are all senders, sorted. */
  end(senders: readonly string[]): Pick<HistoryFileWithMarks, 'messages' | 'digest' | 'blocks' | 'marks'> {
    if (this.#marks.length > 0) this.#close();
    const places = new Map(senders.map((id, place) => [this.#numbers.get(id), place]));
    const blocks = this.#done.map((block) => ({ ...block, by: block.by.map((number) => places.get(number) ?? 0) }));
    const marks = this.#marked.end();
    const isMarked = Object.keys(marks).length > 0;
    return { messages: this.#messages, digest: this.#digest.soFar(), blocks, ...(isMarked ? { marks } : {}) };
  }

  #numberOf(id: string): number {
    const earlierNumber = this.#numbers.get(id);
    if (earlierNumber !== undefined) return earlierNumber;
    this.#numbers.set(id, this.#numbers.size);
    return this.#numbers.size - 1;
  }

  /** Returns the index of a sender in the block. */
  #placeOf(number: number): number {
    const index = this.#by.indexOf(number);
    return index === -1 ? this.#by.push(number) - 1 : index;
  }

  #close(): void {
    const marks = this.#marks.join('');
    this.#digest.add(marks);
    this.#done.push({
      offset: this.#offset,
      bytes: this.#bytes,
      first: this.#first,
      last: this.#last,
      marks,
      identities: this.#identities.join(''),
      ...(this.#fixed.length === 0 ? {} : { fixed: this.#fixed }),
      ...(this.#arrays.length === 0 ? {} : { arrays: this.#arrays }),
      ...(this.#silent.length === 0 ? {} : { silent: this.#silent }),
      by: this.#by,
      writers: this.#writers.join(''),
      ...(this.#repeats === undefined ? {} : { repeats: this.#repeats }),
      ...(this.#replies === undefined ? {} : { replies: this.#replies }),
    });
    this.#marks = [];
    this.#identities = [];
    this.#fixed = [];
    this.#arrays = [];
    this.#silent = [];
    this.#by = [];
    this.#writers = [];
    this.#repeats = undefined;
    this.#replies = undefined;
  }
}

/** Reports the first problems of a history file and counts the others. */
class HistoryFileProblems {
  readonly #file: string;
  readonly #problems: Problems;
  #shown = 0;
  #hidden = 0;
  #firstHidden: number | undefined;
  errors = 0;

  constructor(file: string, problems: Problems) {
    this.#file = file;
    this.#problems = problems;
  }

  add(
    code: Parameters<Problems['add']>[0],
    detail: string,
    number: number,
    text = '',
    severity: Parameters<Problems['add']>[3] = 'error',
    part: Pick<LineProblem, 'path' | 'at'> = {},
  ): void {
    if (severity === 'error') this.errors++;
    if (this.#shown >= maxShown) {
      this.#firstHidden ??= number;
      this.#hidden++;
      return;
    }
    this.#shown++;
    const source = new LineText(this.#file, text, number);
    this.#problems.add(code, detail, { source, offset: offsetOf(text, part) }, severity);
  }

  get hasRemarks(): boolean {
    return this.#shown > 0;
  }

  end(): void {
    if (this.#hidden === 0) return;
    const detail = `${this.#file} has ${this.#shown + this.#hidden} problems; only the first ${this.#shown} are shown. Fix these, then run again to see the others.`;
    const number = this.#firstHidden ?? 1;
    const source = new LineText(this.#file, '', number);
    this.#problems.add('manifest.history-more', detail, { source, offset: 0 }, this.errors > 0 ? 'error' : 'warning');
  }
}

function offsetOf(text: string, { path, at = 'value' }: Pick<LineProblem, 'path' | 'at'>): number {
  if (path === undefined || path.length === 0) return 0;
  const value = readJsonTree(text, () => undefined);
  if (value === undefined) return 0;
  const entry = nearest({ offset: 0, value }, path);
  return at === 'key' ? entry.offset : valueOffset(entry);
}

/** One line of a file that is never in memory as a whole. */
class LineText extends SourceText {
  readonly #line: number;

  constructor(file: string, text: string, line: number) {
    super(file, text);
    this.#line = line;
  }

  override position(offset: number) {
    return { file: this.file, line: this.#line, column: offset + 1 };
  }
}
