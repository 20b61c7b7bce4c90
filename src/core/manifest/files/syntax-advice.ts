// Finds where a syntax error was made and what to do, because the YAML library reports only where it noticed the error.
import { type Document, isScalar, type Scalar, visit, type YAMLError } from 'yaml';

export interface SyntaxProblem {
  readonly detail: string;
  readonly offset: number;
}

/** A line that git writes into an unfinished merge. */
const conflictStart = /^<{7}(?: .*)?$/gmu;
const conflictEnd = /^>{7}(?: .*)?$/mu;

/** Returns the offsets of the conflicts of an unfinished merge. */
export function conflictsIn(text: string): number[] {
  return conflictEnd.test(text) ? Array.from(text.matchAll(conflictStart), ({ index }) => index) : [];
}

/** Messages that replace those of the library that do not say what to do. */
const details: Partial<Record<YAMLError['code'], string>> = {
  BLOCK_AS_IMPLICIT_KEY: 'A key and a value cannot begin here. Put a text that contains a colon in quotes.',
  NON_STRING_KEY:
    'A key must be a text, not a list, a map or an alias. Put a key that begins with [, { or * in quotes.',
  TAB_AS_INDENT: 'The indentation contains a tab. Indent with spaces.',
  TAG_RESOLVE_FAILED: 'Tags are not supported. Remove the word that begins with "!", or put the text in quotes.',
};

/** Returns the errors of a document, at most one per line, because the first often causes the others. Offsets are those of `text`. */
export function syntaxProblemsOf(document: Document.Parsed, text: string): SyntaxProblem[] {
  const problems = [...document.errors, ...document.warnings].map((error) => problemOf(error, document, text));
  const quoteAt = Math.min(...problems.filter(({ cause }) => cause === 'quote').map(({ offset }) => offset));
  const isMisplaced = problems.some(({ cause }) => cause === 'indent');
  const byLine = new Map<number, SyntaxProblem>();
  for (const problem of problems) {
    const { detail, offset, cause, code } = problem;
    // After an open quote everything looks like text. A misplaced line makes the line above look like a part of it.
    if (cause !== 'quote' && offset > quoteAt) continue;
    if (isMisplaced && code === 'MULTILINE_IMPLICIT_KEY') continue;
    const line = lineStart(text, offset);
    if (!byLine.has(line)) byLine.set(line, { detail, offset });
  }
  return [...byLine.values()];
}

interface FoundProblem extends SyntaxProblem {
  readonly code: YAMLError['code'];
  /** Absent if the error is as the library reports it. */
  readonly cause?: 'quote' | 'indent';
}

function problemOf({ code, message, pos }: YAMLError, document: Document.Parsed, text: string): FoundProblem {
  const [offset] = pos;
  const quote = code === 'MISSING_CHAR' ? /^Missing closing (["'])/u.exec(message)?.[1] : undefined;
  const opened = quote === undefined ? undefined : quoteOpenedBefore(document, text, offset, quote);
  if (quote !== undefined && opened !== undefined) {
    return {
      code,
      cause: 'quote',
      detail: `The quote that opens here is not closed. Write ${quote} at the end of the text.`,
      offset: opened,
    };
  }
  const isAboutIndent = code === 'BAD_INDENT' || code === 'BLOCK_AS_IMPLICIT_KEY';
  const misplaced = isAboutIndent ? misplacedLine(text, offset) : undefined;
  if (misplaced !== undefined) return { code, cause: 'indent', ...misplaced };
  return { code, detail: details[code] ?? `${message.replace(/[.:]$/u, '')}.`, offset: visible(text, offset) };
}

/** Returns where the quoted text begins whose closing quote is missing before the offset or the end of the document. */
function quoteOpenedBefore(document: Document.Parsed, text: string, offset: number, quote: string): number | undefined {
  let openedAt: number | undefined;
  visit(document, {
    Scalar(_key, node: Scalar) {
      const [start, end] = node.range ?? [0, 0];
      if (isScalar(node) && text[start] === quote && start < offset && end <= offset) openedAt = start;
    },
  });
  return openedAt;
}

/**
 * Returns the first line from there whose indentation does not match its neighbours, with the possible columns. Returns
 * undefined if the indentation is not the cause.
 */
function misplacedLine(text: string, offset: number): SyntaxProblem | undefined {
  let at = lineStart(text, offset);
  const open = indentsBefore(text, at);
  for (let lines = 0; lines < 3 && at < text.length; at = nextLine(text, at)) {
    const indent = indentOf(text, at);
    if (indent === undefined) continue;
    lines += 1;
    while ((open.at(-1) ?? -1) > indent && open.includes(indent)) open.pop();
    const deepest = open.at(-1);
    const line = text.slice(at, nextLine(text, at)).trimEnd();
    const isBelowValue = deepest !== undefined && indent > deepest && isComplete(text, at);
    if ((deepest !== undefined && indent < deepest) || isBelowValue) {
      const columns = [...open].reverse().map(String);
      const some = columns.length < 2 ? columns.join('') : `${columns.slice(0, -1).join(', ')} or ${columns.at(-1)}`;
      const detail = `This line is indented by ${indent}, but the keys above it by ${some}. Indent it like the other keys of the same map.`;
      return { detail, offset: at + indent };
    }
    if (!/^ *-(?: |$)/u.test(line) && deepest !== indent) open.push(indent);
  }
  return undefined;
}

/** Whether the line before is a key with a complete value, so that nothing may be nested under it. */
function isComplete(text: string, at: number): boolean {
  const before = text
    .slice(0, at)
    .split('\n')
    .findLast((line) => /^ *[^ #\r]/u.test(line));
  return before !== undefined && /^ *[^:#]+: +[^ #|>&\r]/u.test(before);
}

/** Returns the indentations of the maps open above the line, from the outermost. */
function indentsBefore(text: string, at: number): number[] {
  const open: number[] = [];
  for (let end = at; end > 0; ) {
    const start = lineStart(text, end - 1);
    const indent = indentOf(text, start);
    if (indent !== undefined && indent < (open[0] ?? Number.POSITIVE_INFINITY)) open.unshift(indent);
    if (indent === 0) break;
    end = start;
  }
  return open;
}

/** Returns the number of leading spaces, or undefined for an empty line or a comment. */
function indentOf(text: string, at: number): number | undefined {
  const line = /^( *)(?=[^ \r\n#])/u.exec(text.slice(at, nextLine(text, at)));
  return line?.[1]?.length;
}

function lineStart(text: string, offset: number): number {
  // With a negative position, lastIndexOf would look at the first character.
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

/** Returns the offset of the next visible character in the line, or of the last in the file. */
function visible(text: string, offset: number): number {
  const spaces = /^ */u.exec(text.slice(offset, nextLine(text, offset)))?.[0].length ?? 0;
  const visibleOffset = offset + spaces;
  return visibleOffset < text.length ? visibleOffset : text.trimEnd().length;
}
