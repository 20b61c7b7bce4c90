// Finds statements of SQL and their ends in the text of a dump.
import { nameSource, tableSource } from './names.ts';
import { incomplete } from './row-parser.ts';

const listSource = `(?<columns>\\s*${nameSource}(?:\\s*,\\s*${nameSource})*\\s*)`;
export const insertHead = new RegExp(
  `(?:INSERT|REPLACE)(?:\\s+(?:LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|OR\\s+\\w+))*\\s+INTO\\s+(?<table>${tableSource})\\s*(?:\\(${listSource}\\)\\s*)?(?:OVERRIDING\\s+\\w+\\s+VALUE\\s+)?VALUES?\\s*(?=\\()`,
  'iuy',
);
export const copyHead = new RegExp(
  `COPY\\s+(?<table>${tableSource})\\s*(?:\\(${listSource}\\)\\s*)?(?<oids>WITH\\s+OIDS\\s+)?FROM\\s+stdin(?<options>(?:[^;'\\n]|'[^'\\n]*')*);\\s*?\\n`,
  'iuy',
);
export const createHead = new RegExp(
  `CREATE\\s+(?:(?:TEMPORARY|UNLOGGED|FOREIGN)\\s+)?TABLE\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?(?<table>${tableSource})\\s*\\(`,
  'iuy',
);
export const rowsBegin = /(?:INSERT|REPLACE)\s|COPY\s/iuy;
export const delimiterLine = /DELIMITER[ \t]+(\S+)[^\n]*\n/iuy;
/** The statements of dumps. */
export const knownStatement =
  /(?:ALTER|BEGIN|COMMENT|COMMIT|COPY|CREATE|DELETE|DROP|GRANT|INSERT|LOCK|PRAGMA|REPLACE|REVOKE|ROLLBACK|SELECT|SET|START|UNLOCK|UPDATE|USE)\b/iuy;

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

export interface ScanOptions {
  readonly hasHashComments: boolean;
  /** Whether $tag$ begins a string, as in functions of PostgreSQL. */
  readonly hasDollarQuotes: boolean;
  readonly hasBackslashes: boolean;
  /** Whether no more text follows. */
  readonly isLast: boolean;
}

/** The end of the comment at `at`, or undefined if there is none. */
export function commentEnd(text: string, at: number, { hasHashComments, isLast }: ScanOptions): number | undefined {
  if (text.startsWith('--', at) || (hasHashComments && text[at] === '#')) {
    const end = text.indexOf('\n', at);
    return end === -1 ? (isLast ? text.length : incomplete) : end;
  }
  if (!text.startsWith('/*', at)) return undefined;
  const end = text.indexOf('*/', at + 2);
  return end === -1 ? incomplete : end + 2;
}

const routine = /CREATE\s+(?:OR\s+REPLACE\s+)?(?:FUNCTION|PROCEDURE)\b/iuy;
const endOfRoutine = '\nEND;';
/** What ends a statement, or begins something in which a semicolon does not. */
const stop = /['"`;#]|--|\/\*|\$\w*\$/gu;

/** The end of the statement at `at`, behind its semicolon. */
export function statementEnd(text: string, at: number, options: ScanOptions): number {
  const isRoutine = matchAt(routine, text, at) !== null;
  for (let next = at; next < text.length; ) {
    const found = matchAt(stop, text, next);
    if (found === null) return incomplete;
    const [mark] = found;
    if (mark === ';') {
      // Functions in standard SQL contain statements without quotes.
      if (!isRoutine || !/\bBEGIN ATOMIC\b/u.test(text.slice(at, found.index))) return found.index + 1;
      const end = text.indexOf(endOfRoutine, found.index);
      return end === -1 ? incomplete : end + endOfRoutine.length;
    }
    next = quotedEnd(text, found.index, mark, options);
    if (next === incomplete) return incomplete;
  }
  return incomplete;
}

/** The offset behind the string, the name or the comment that begins at `from` with `mark`. */
function quotedEnd(text: string, from: number, mark: string, options: ScanOptions): number {
  if (mark === '--' || mark === '#' || mark === '/*') return commentEnd(text, from, options) ?? from + 1;
  if (mark.startsWith('$')) {
    if (!options.hasDollarQuotes) return from + mark.length;
    const end = text.indexOf(mark, from + mark.length);
    return end === -1 ? incomplete : end + mark.length;
  }
  const hasBackslashes = options.hasBackslashes && mark !== '`';
  for (let next = from + 1; next < text.length; next += 1) {
    if (hasBackslashes && text[next] === '\\') next += 1;
    else if (text[next] === mark) return next + 1;
  }
  return incomplete;
}
