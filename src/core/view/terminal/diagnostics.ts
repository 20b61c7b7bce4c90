// Diagnostics for people: the problem, its position, the line with a caret, and what to do.

import { listOf, plural, printNumber } from '../../../lib/words.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { type Refusal, refusedPlan } from '../../model/errors.ts';
import { compareDiagnostics, countProblems } from '../../model/sorted-diagnostics.ts';
import { printPosition } from '../../model/source.ts';
import { alsoAt, equalProblems } from '../summary/equal-problems.ts';
import { clip, prefixThatFits } from '../text/clipping.ts';
import { displayWidth, padStart, proseColumns, withEnds, wrap } from '../text/layout.ts';
import type { ViewOptions } from '../text/options.ts';
import { type Paint, painter, severityStyle } from '../text/paint.ts';
import { redactDiagnostics } from '../text/redact.ts';
import { safe, safeLines } from '../text/text.ts';
import { typedDetails } from '../text/typed-commands.ts';

const defaultLimit = 50;
const maxColumns = 100;

/** All diagnostics in the order in which people fix them, then their number. Empty if there are none. */
export function diagnosticsForPeople(diagnostics: readonly Diagnostic[], options: ViewOptions): Generator<string> {
  return withEnds(diagnosticLines([...diagnostics].sort(compareDiagnostics), options));
}

/** The diagnostics of an error, then their number. */
export function problemsForPeople(error: Refusal, options: ViewOptions): Generator<string> {
  return withEnds(diagnosticLines(problemsInOrder(error, options), options));
}

/** As they are shown. Refusals of a plan stay in the order of the judges (semantics §4), which every view of the plan has. */
export function problemsInOrder({ code, diagnostics }: Refusal, options: ViewOptions): readonly Diagnostic[] {
  const shown = redactDiagnostics(diagnostics, options);
  return code === refusedPlan ? shown : [...shown].sort(compareDiagnostics);
}

function* diagnosticLines(diagnostics: readonly Diagnostic[], options: ViewOptions): Generator<string> {
  if (diagnostics.length === 0) return;
  const paint = painter(options.color);
  const columns = Math.min(options.width, maxColumns);
  const prose = proseColumns(columns, options.whole);
  const limit = options.limit ?? defaultLimit;
  const groups = equalProblems(typedDetails(diagnostics, options));
  for (const group of groups.slice(0, limit)) {
    yield* options.plain === true ? inWords(group[0]) : oneDiagnostic(group[0], { columns, prose, paint });
    const others = alsoAt(group, columns - 30);
    if (others !== undefined) for (const line of wrap(others, prose - 4)) yield `    ${line}`;
    yield '';
  }
  if (groups.length > limit) yield* countedByCode(groups.slice(limit).flat());
  yield paint('bold', tally(diagnostics));
}

/** `… and 350 more`, then how many of each code, the most numerous first. */
function* countedByCode(rest: readonly Diagnostic[]): Generator<string> {
  const counts = new Map<string, { readonly summary: string; count: number }>();
  for (const { code, summary, count = 1 } of rest) {
    const known = counts.get(code) ?? { summary, count: 0 };
    known.count += count;
    counts.set(code, known);
  }
  const isWhole = rest.every(({ count }) => count === undefined);
  const where = isWhole ? 'see --format json' : '--format json lists the first hundred of each file and code';
  yield `… and ${printNumber(countProblems(rest))} more; ${where}`;
  const rows = [...counts].sort(([, left], [, right]) => right.count - left.count);
  const columns = Math.max(...rows.map(([, { count }]) => printNumber(count).length));
  for (const [code, { count, summary }] of rows) {
    yield `  ${padStart(printNumber(count), columns)}  ${safe(code)}: ${safe(summary)}`;
  }
}

/** `3 errors and 1 warning`: how many of each severity. */
export function tally(diagnostics: readonly Diagnostic[]): string {
  const parts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const number = countProblems(diagnostics, severity);
    return number === 0 ? [] : [plural(number, severity)];
  });
  return listOf(parts);
}

/** In words, without arrow, margin and caret. */
function* inWords({ severity, code, summary, detail, address, source, excerpt }: Diagnostic): Generator<string> {
  yield `${severity}, code ${safe(code)}: ${safe(summary)}.`;
  const object = address === undefined ? '' : ` Object ${safe(address)}.`;
  if (source !== undefined) {
    yield `File ${safe(source.file)}, line ${source.line}, column ${source.column}.${object}`;
    if (excerpt !== undefined) yield `The line says: ${printable(excerpt.trim())}`;
  } else if (object !== '') yield object.trim();
  yield* safeLines(detail);
}

interface DiagnosticRoom {
  readonly columns: number;
  /** Of the detail. */
  readonly prose: number;
  readonly paint: Paint;
}

function* oneDiagnostic(diagnostic: Diagnostic, { columns, prose, paint }: DiagnosticRoom): Generator<string> {
  const { severity, code, summary, detail, address, source, excerpt } = diagnostic;
  const style = severityStyle[severity];
  yield `${paint(['bold', style], `${severity}[${safe(code)}]`)}${paint('bold', `: ${safe(summary)}`)}`;
  const object = address === undefined ? '' : safe(address);
  if (source === undefined) {
    if (object !== '') yield `  ${paint('cyan', '-->')} ${object}`;
  } else {
    const margin = ' '.repeat(String(source.line).length);
    const place = [safe(printPosition(source)), paint('dim', object)].filter((part) => part !== '').join('  ');
    yield `${margin}${paint('cyan', '-->')} ${place}`;
    if (excerpt !== undefined) {
      const { text, caret } = excerptAndCaret(excerpt, source.column, columns - margin.length - 3);
      yield `${paint('cyan', `${source.line} |`)} ${text}`;
      yield `${paint('cyan', `${margin} |`)} ${paint(style, caret)}`;
    }
  }
  for (const paragraph of safeLines(detail)) {
    for (const line of wrap(paragraph, prose - 4)) yield `    ${line}`;
  }
}

/** A word, a text in quotes, or a list or map on one line. */
const token = /^(?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*'|\[[^[\]]*\]|\{[^{}]*\}|[\p{L}\p{N}_.-]+)/u;

/** The source line, cut so that the column is visible, and carets for the word there. */
export function excerptAndCaret(
  excerpt: string,
  column: number,
  columns: number,
): { readonly text: string; readonly caret: string } {
  const at = Math.min(Math.max(0, column - 1), excerpt.length);
  const word = token.exec(excerpt.slice(at))?.[0] ?? '';
  const lead = displayWidth(printable(excerpt.slice(0, at)));
  // The line is escaped as a whole, since a log command may extend across the column.
  const whole = printable(excerpt);
  const middle = Math.floor(columns / 2);
  const isLong = lead > middle && displayWidth(whole) > columns;
  const skipped = isLong ? prefixThatFits(whole, lead - middle + 1) : '';
  const text = clip(skipped === '' ? whole : `…${whole.slice(skipped.length)}`, columns);
  const caretAt = skipped === '' ? lead : lead - displayWidth(skipped) + 1;
  const carets = Math.min(Math.max(1, displayWidth(printable(word))), Math.max(1, displayWidth(text) - caretAt));
  return { text, caret: ' '.repeat(caretAt) + '^'.repeat(carets) };
}

/** Tabs become two spaces, so that the caret is in the right column. */
function printable(text: string): string {
  return safe(text.replaceAll('\t', '  '));
}
