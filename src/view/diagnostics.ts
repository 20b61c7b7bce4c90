// How are problems shown to a person? Code, place, the line with a caret, and what to do.
import { compareDiagnostics, type Diagnostic } from '../model/diagnostic.ts';
import { printPosition } from '../model/source.ts';
import { displayWidth, wrap } from './layout.ts';
import type { ViewOptions } from './options.ts';
import { type Paint, painter, severityStyle } from './paint.ts';
import { safe } from './text.ts';
import { listOf, plural } from './words.ts';

const defaultLimit = 50;
const maxProseColumns = 100;
const tabColumns = 4;

export function* diagnosticsForPeople(diagnostics: readonly Diagnostic[], options: ViewOptions): Generator<string> {
  if (diagnostics.length === 0) return;
  const paint = painter(options.color);
  const limit = options.limit ?? defaultLimit;
  const sorted = [...diagnostics].sort(compareDiagnostics);
  for (const diagnostic of sorted.slice(0, limit)) {
    for (const line of lines(diagnostic, Math.min(options.width, maxProseColumns), paint)) yield `${line}\n`;
    yield '\n';
  }
  if (sorted.length > limit) yield `… and ${plural(sorted.length - limit, 'more')}, not shown\n`;
  yield `${tally(sorted)}\n`;
}

/** `3 errors and 1 warning`. */
export function tally(diagnostics: readonly Diagnostic[]): string {
  const parts = (['error', 'warning', 'note'] as const).flatMap((severity) => {
    const number = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return number === 0 ? [] : [plural(number, severity)];
  });
  return listOf(parts);
}

function* lines(diagnostic: Diagnostic, columns: number, paint: Paint): Generator<string> {
  const { severity, code, summary, detail, address, source, excerpt } = diagnostic;
  const style = severityStyle[severity];
  yield `${paint(['bold', style as never], `${severity}[${code}]`)}${paint('bold', `: ${safe(summary)}`)}`;
  if (source !== undefined) {
    yield `  ${paint('dim', '-->')} ${safe(printPosition(source))}${address === undefined ? '' : paint('dim', `  ${safe(address)}`)}`;
  } else if (address !== undefined) yield `  ${paint('dim', '-->')} ${safe(address)}`;
  if (source !== undefined && excerpt !== undefined) {
    const number = String(source.line);
    yield `  ${paint('dim', `${number} |`)} ${shown(excerpt)}`;
    const before = displayWidth(shown(excerpt.slice(0, source.column - 1)));
    yield `  ${paint('dim', `${' '.repeat(number.length)} |`)} ${' '.repeat(before)}${paint(style, '^')}`;
  }
  for (const line of wrap(safe(detail), columns - 4)) yield `    ${line}`;
}

/** A source line, its tabs as blanks, so that the caret below it stands right. */
function shown(excerpt: string): string {
  return safe(excerpt.replaceAll('\t', ' '.repeat(tabColumns)));
}
