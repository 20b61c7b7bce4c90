// Reads the rows of a dump that arrives in pieces. Keeps one piece and one row, or one statement that creates a table, in memory.

import { copyCell } from '../../../../../lib/tables/copy-cells.ts';
import { type Decode, fromUtf8, fromWindows1252 } from './bytes.ts';
import { type DumpFormat, dialects } from './dialects.ts';
import {
  type Column,
  type ColumnContent,
  columnsOf,
  connectedDatabase,
  namesIn,
  searchPath,
  usedDatabase,
} from './names.ts';
import { type Cell, incomplete, LiteralError, RowParser, skipSpace } from './row-parser.ts';
import {
  commentEnd,
  copyHead,
  createHead,
  delimiterLine,
  insertHead,
  knownStatement,
  matchAt,
  rowsBegin,
  type ScanOptions,
  statementEnd,
} from './statements.ts';

/** The rows of one statement. */
export interface DumpTable {
  /** With its schema and database, if the dump has them. */
  readonly names: readonly string[];
  /** Undefined if the dump does not say. */
  readonly columns: readonly string[] | undefined;
  /** Without generated columns, which some databases do not write. */
  readonly stored: readonly string[];
  /** The columns whose type is boolean, if the dump creates the table. */
  readonly flags: ReadonlySet<string>;
  /** The line of the statement. */
  readonly line: number;
}

export interface DumpRow<Target> {
  readonly target: Target;
  readonly line: number;
  /** The number of the row among those that begin on the line, from 1. */
  readonly place: number;
  /** Undefined for a cell that is not in the encoding of the dump. */
  readonly cells: readonly Cell[];
}

/** What is wrong with the text after `line`. */
export class DumpError extends Error {
  readonly line: number;
  /** What to do. Undefined if the text is cut. */
  readonly advice: string | undefined;

  constructor(line: number, message: string, advice?: string) {
    super(message);
    this.name = 'DumpError';
    this.line = line;
    this.advice = advice;
  }
}

export interface DumpOptions<Target> {
  readonly format: DumpFormat;
  /** Called for each statement with rows. Returns undefined if nobody needs them. */
  enter(table: DumpTable): Target | undefined;
  /** Called for each statement that creates a table, which may have no rows. */
  created(names: readonly string[], columns: readonly string[], line: number): void;
  /** Called with each statement that has no rows. `full` adds the current schema and database to a name. */
  statement?(text: string, full: (names: readonly string[]) => readonly string[]): void;
  /** Called with the number of rows that nobody needs. */
  skipped(table: DumpTable, count: number): void;
}

/** A longer row or statement is refused. */
const mostCharacters = 64 << 20;

type Mode = 'statement' | 'values' | 'copy' | 'block' | 'after rows';

export class DumpReader<Target> {
  readonly #options: DumpOptions<Target>;
  readonly #tables = new Map<string, readonly Column[]>();
  /** Those of names without one. */
  #database: string | undefined;
  #schema: string | undefined;
  #decode: Decode = fromUtf8;
  #hasBackslashes: boolean;
  #parser: RowParser;
  /** The text that is not yet read, and the place in it. */
  #text = '';
  #at = 0;
  /** The length of text without which the next attempt would be in vain. */
  #wanted = 0;
  #line = 1;
  /** The offset up to which lines are counted. */
  #counted = 0;
  #newline = -1;
  #isLast = false;
  #endsInLine = false;
  #mode: Mode = 'statement';
  #table:
    | (DumpTable & { readonly target: Target | undefined; readonly contents?: readonly ColumnContent[] })
    | undefined;
  #lastLine = 0;
  #place = 0;
  #skipped = 0;
  /** Whether the dump has the end that its beginning promises. */
  #isWhole = true;
  /** Whether any statement is one of SQL. */
  isUnderstood = false;

  constructor(options: DumpOptions<Target>) {
    this.#options = options;
    this.#hasBackslashes = dialects[options.format].hasBackslashes;
    this.#parser = this.#newParser();
  }

  get #scan(): ScanOptions {
    const { hasHashComments } = dialects[this.#options.format];
    const hasDollarQuotes = this.#options.format === 'pg_dump';
    return { hasHashComments, hasDollarQuotes, hasBackslashes: this.#hasBackslashes, isLast: this.#isLast };
  }

  #newParser(): RowParser {
    return new RowParser({ ...dialects[this.#options.format], hasBackslashes: this.#hasBackslashes }, this.#decode);
  }

  /** Returns the rows that end in the piece, whose characters are bytes. Throws a `DumpError`. */
  push(piece: string): readonly DumpRow<Target>[] {
    this.#text += piece;
    if (piece !== '') this.#endsInLine = !piece.endsWith('\n');
    return this.#text.length < this.#wanted ? [] : this.#read();
  }

  /** Returns the last rows. Throws a `DumpError` if the dump is cut. */
  end(): readonly DumpRow<Target>[] {
    this.#isLast = true;
    const rows = this.#read();
    const isOpen = this.#mode === 'values' || this.#mode === 'copy' || this.#mode === 'block';
    const isCut = isOpen || !this.#isWhole || this.#at < this.#text.length;
    if (isCut && this.isUnderstood) throw new DumpError(this.#lastLineOfText(), 'the end is missing');
    return rows;
  }

  #lastLineOfText(): number {
    const line = this.#lineAt(this.#text.length);
    return this.#endsInLine ? line : line - 1;
  }

  #read(): DumpRow<Target>[] {
    const rows: DumpRow<Target>[] = [];
    this.#newline = -1;
    let isGoing = true;
    while (isGoing) isGoing = this.#step(rows);
    this.#flushSkipped();
    this.#lineAt(this.#at);
    this.#text = this.#text.slice(this.#at);
    this.#counted = 0;
    this.#at = 0;
    // Reading an incomplete row again with every piece would take a time that grows with the square of its length.
    this.#wanted = this.#mode === 'copy' ? 0 : 2 * this.#text.length;
    if (this.#text.length > mostCharacters)
      throw new DumpError(
        this.#line,
        `a row or statement is longer than ${mostCharacters >> 20} MB`,
        'Check that the file is a dump in text, or export the table as CSV.',
      );
    return rows;
  }

  /** Reads a statement, a row or a comment. Returns whether there may be more in the text. */
  #step(rows: DumpRow<Target>[]): boolean {
    switch (this.#mode) {
      case 'copy':
        return this.#copiedLine(rows);
      case 'values':
        return this.#values(rows);
      case 'block':
        return this.#block();
      default:
        return this.#statement();
    }
  }

  /** Counts lines up to an offset, which never decreases. */
  #lineAt(offset: number): number {
    if (this.#newline < this.#counted) this.#newline = indexOrEnd(this.#text, '\n', this.#counted);
    while (this.#newline < offset) {
      this.#line += 1;
      this.#newline = indexOrEnd(this.#text, '\n', this.#newline + 1);
    }
    this.#counted = offset;
    return this.#line;
  }

  #statement(): boolean {
    const text = this.#text;
    const at = skipSpace(text, this.#at);
    this.#at = at;
    if (at >= text.length) return false;
    const comment = commentEnd(text, at, this.#scan);
    if (comment !== undefined) {
      if (comment === incomplete) return false;
      this.#note(text.slice(at, comment));
      this.#at = comment;
      return true;
    }
    if (text.startsWith('\\', at)) return this.#skipLine();
    delimiterLine.lastIndex = at;
    const delimiter = delimiterLine.exec(text);
    if (delimiter !== null) {
      this.#at = delimiterLine.lastIndex;
      if (delimiter[1] !== ';') this.#mode = 'block';
      return true;
    }
    const hasRows = this.#mode === 'statement' && matchAt(rowsBegin, text, at) !== null;
    if (hasRows && this.#rowsAt(at)) return true;
    const end = statementEnd(text, at, this.#scan);
    if (end === incomplete) return false;
    const statement = text.slice(at, end);
    if (hasRows && /^(?:INSERT|REPLACE)/iu.test(statement)) throw this.#unreadable(at);
    // The line end of COPY … FROM stdin; is not there yet.
    if (hasRows && /\bFROM\s+stdin\b[^;]*;$/iu.test(statement) && !this.#isLast) return false;
    this.#note(statement);
    if (matchAt(knownStatement, text, at) !== null) this.isUnderstood = true;
    const created = matchAt(createHead, text, at)?.groups?.table;
    this.#options.statement?.(statement, (names) => this.#full(names));
    if (created !== undefined) this.#create(this.#full(namesIn(created)), columnsOf(statement), at);
    if (dialects[this.#options.format].lastRows?.test(statement) === true) this.#mode = 'after rows';
    this.#at = end;
    return true;
  }

  #create(names: readonly string[], columns: readonly Column[], at: number): void {
    this.#tables.set(keyOf(names), columns);
    this.#options.created(
      names,
      columns.map(({ name }) => name),
      this.#lineAt(at),
    );
  }

  #full(names: readonly string[]): readonly string[] {
    const hasSchemas = this.#options.format === 'pg_dump';
    const inSchema = hasSchemas && names.length === 1 && this.#schema !== undefined ? [this.#schema, ...names] : names;
    const isWhole = inSchema.length > (hasSchemas ? 2 : 1);
    return isWhole || this.#database === undefined ? inSchema : [this.#database, ...inSchema];
  }

  #unreadable(at: number): DumpError {
    return new DumpError(
      this.#lineAt(at),
      'the values of an INSERT are not literals',
      'Make the dump with mysqldump, mydumper, pg_dump or sqlite3 .dump, or export the table as CSV.',
    );
  }

  /** Enters the statement with rows at `at`. Returns false if more of it is needed, or if it has another form. */
  #rowsAt(at: number): boolean {
    const copied = matchAt(copyHead, this.#text, at);
    const head = copied ?? matchAt(insertHead, this.#text, at);
    if (head?.groups === undefined) return false;
    this.isUnderstood = true;
    const { table = '', columns: listed, oids, options } = head.groups;
    if (options !== undefined && !/^(?:\s*(?:WITH\s*)?\(\s*FORMAT\s+'?text'?\s*\))?\s*$/iu.test(options))
      throw new DumpError(
        this.#lineAt(at),
        `its rows have another form than those of pg_dump: COPY … ${options.trim()}`,
        'Make the dump with pg_dump, or export the table as CSV.',
      );
    const names = this.#full(namesIn(table));
    const created = this.#tables.get(keyOf(names)) ?? [];
    const listedColumns = listed === undefined ? created.map(({ name }) => name) : namesIn(listed);
    const columns = oids === undefined || listedColumns.length === 0 ? listedColumns : ['oid', ...listedColumns];
    const read = {
      names,
      columns: columns.length === 0 ? undefined : columns,
      stored: columns.filter((name) => !created.some((column) => column.name === name && column.isGenerated)),
      flags: new Set(created.flatMap(({ name, isBoolean }) => (isBoolean ? [name] : []))),
      line: this.#lineAt(at),
    };
    const contents = columns.map((name) => created.find((column) => column.name === name)?.content ?? 'text');
    const isTyped = this.#options.format === 'mysqldump' && contents.some((content) => content !== 'text');
    const target = this.#options.enter(read);
    this.#table = { ...read, target, ...(isTyped ? { contents } : {}) };
    this.#mode = copied === null ? 'values' : 'copy';
    this.#at = at + head[0].length;
    return true;
  }

  #values(rows: DumpRow<Target>[]): boolean {
    const text = this.#text;
    const table = this.#table;
    if (table === undefined) return false;
    let at = skipSpace(text, this.#at);
    this.#at = at;
    if (at >= text.length) return false;
    const mark = text[at];
    if (mark === ',') at = skipSpace(text, at + 1);
    else if (mark !== '(') {
      // The end of the statement, such as ON CONFLICT DO NOTHING.
      const end = statementEnd(text, at, this.#scan);
      if (end === incomplete) return false;
      this.#at = end;
      this.#leave();
      return true;
    }
    if (at >= text.length) return false;
    if (text[at] !== '(') throw this.#unreadable(at);
    const cells: Cell[] | undefined = table.target === undefined ? undefined : [];
    let end: number;
    try {
      end = this.#parser.row(text, at, cells, table.contents);
    } catch (error) {
      if (error instanceof LiteralError) throw this.#unreadable(at);
      throw error;
    }
    if (end === incomplete) return false;
    this.#take(rows, at, cells);
    this.#at = end;
    return true;
  }

  #take(rows: DumpRow<Target>[], at: number, cells: readonly Cell[] | undefined): void {
    const target = this.#table?.target;
    if (cells === undefined || target === undefined) {
      this.#skipped += 1;
      return;
    }
    const line = this.#lineAt(at);
    this.#place = line === this.#lastLine ? this.#place + 1 : 1;
    this.#lastLine = line;
    rows.push({ target, line, place: this.#place, cells });
  }

  #copiedLine(rows: DumpRow<Target>[]): boolean {
    const end = indexOrEnd(this.#text, '\n', this.#at);
    if (end >= this.#text.length && !this.#isLast) return false;
    if (this.#at >= this.#text.length) return false;
    const line = this.#text.slice(this.#at, this.#text[end - 1] === '\r' ? end - 1 : end);
    if (line === '\\.') this.#leave();
    else if (end < this.#text.length || this.#isLast) {
      const isRead = this.#table?.target !== undefined;
      this.#take(rows, this.#at, isRead ? this.#copiedCells(line) : undefined);
    }
    this.#at = Math.min(this.#text.length, end + 1);
    return true;
  }

  #copiedCells(line: string): readonly Cell[] {
    const cells = line.split('\t');
    return cells.map((cell) => {
      const bytes = copyCell(cell);
      return bytes === null ? null : this.#decode(bytes);
    });
  }

  #leave(): void {
    this.#flushSkipped();
    this.#mode = 'statement';
    this.#table = undefined;
  }

  #flushSkipped(): void {
    if (this.#table !== undefined && this.#skipped > 0) this.#options.skipped(this.#table, this.#skipped);
    this.#skipped = 0;
  }

  /** Skips procedures and triggers of MySQL, up to the line that sets the usual delimiter again. */
  #block(): boolean {
    const found = /^DELIMITER[ \t]+;[^\n]*$/imu.exec(this.#text.slice(this.#at));
    if (found === null) {
      const last = this.#text.lastIndexOf('\n');
      if (last > this.#at) this.#at = last;
      return false;
    }
    this.#at += found.index + found[0].length;
    this.#mode = 'statement';
    return true;
  }

  #skipLine(): boolean {
    const end = this.#text.indexOf('\n', this.#at);
    if (end === -1 && !this.#isLast) return false;
    const line = this.#text.slice(this.#at, end === -1 ? this.#text.length : end);
    const database = connectedDatabase(line);
    if (database !== undefined) {
      this.#database = database;
      this.#schema = undefined;
    }
    this.#at = end === -1 ? this.#text.length : end + 1;
    return true;
  }

  /** Takes what a comment or a statement says about the whole dump. */
  #note(text: string): void {
    const { begin, end } = dialects[this.#options.format];
    if (end.test(text)) this.#isWhole = true;
    else if (begin.test(text)) this.#isWhole = false;
    if (begin.test(text) || end.test(text)) this.isUnderstood = true;
    if (text.length > 200) return;
    if (/^ROLLBACK\b/iu.test(text) && this.#options.format === 'sqlite_dump')
      throw new DumpError(this.#lineAt(this.#at), 'it ends with ROLLBACK, since the database is damaged');
    const used = usedDatabase(text);
    if (used !== undefined) this.#database = used;
    const path = searchPath(text);
    if (path !== undefined) this.#schema = path.find((name) => name !== '' && name !== 'pg_catalog');
    const strings = /^SET standard_conforming_strings = (on|off)/iu.exec(text)?.[1];
    if (strings !== undefined) this.#hasBackslashes = strings.toLowerCase() === 'off';
    const encoding = /\bSET\s+(?:NAMES|client_encoding)\s*(?:=|TO)?\s*'?(\w+)/iu.exec(text)?.[1];
    if (encoding !== undefined) this.#decode = this.#decoder(encoding.toLowerCase());
    if (strings !== undefined || encoding !== undefined) this.#parser = this.#newParser();
  }

  #decoder(name: string): Decode {
    if (/^(?:latin1|win1252|cp1252)$/u.test(name)) return fromWindows1252;
    if (/^(?:utf|unicode|ascii|us_ascii|binary|sql_ascii|default)/u.test(name)) return fromUtf8;
    throw new DumpError(this.#lineAt(this.#at), `its encoding is ${name}`, 'Make the dump in UTF-8.');
  }
}

function indexOrEnd(text: string, part: string, from: number): number {
  const found = text.indexOf(part, from);
  return found === -1 ? text.length : found;
}

/** Dumps write the schema of a table everywhere or nowhere. */
function keyOf(names: readonly string[]): string {
  return names.join('.');
}
