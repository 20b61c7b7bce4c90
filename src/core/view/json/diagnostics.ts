// Diagnostics as JSON.
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { type DiagnosticGroup, type DiagnosticsDocument, resultFormatVersion } from '../../model/documents.ts';
import type { ApplyEvent } from '../../model/event.ts';
import { compareDiagnostics, countProblems } from '../../model/sorted-diagnostics.ts';
import { printPosition } from '../../model/source.ts';
import { type EqualProblems, equalProblems } from '../summary/equal-problems.ts';
import { safeJson } from '../text/text.ts';

/** Positions of one group. More would help nobody, because one edit often repairs all. */
const mostPlaces = 20;

/** The groups of diagnostics in display order, and the first diagnostic of each. */
export function groupedDiagnostics(sorted: readonly Diagnostic[]): Pick<DiagnosticsDocument, 'groups' | 'diagnostics'> {
  const causes = equalProblems(sorted);
  return {
    groups: causes.map(groupOf),
    diagnostics: causes.map((cause) => (cause.length === 1 ? cause[0] : { ...cause[0], count: cause.length })),
  };
}

function groupOf(cause: EqualProblems): DiagnosticGroup {
  const [{ severity, code }] = cause;
  const positions = cause.flatMap(({ source }) => (source === undefined ? [] : printPosition(source)));
  return { severity, code, count: countProblems(cause), places: positions.slice(0, mostPlaces) };
}

/** All diagnostics by cause, in display order. */
export function diagnosticsDocument(diagnostics: readonly Diagnostic[]): DiagnosticsDocument {
  const amount = (severity: Severity) => countProblems(diagnostics, severity);
  const grouped = groupedDiagnostics([...diagnostics].sort(compareDiagnostics));
  const hidden = countProblems(diagnostics) - grouped.diagnostics.length;
  return {
    format_version: resultFormatVersion,
    summary: { errors: amount('error'), warnings: amount('warning'), notes: amount('note') },
    ...grouped,
    ...(hidden > 0 ? { omitted: { diagnostics: hidden } } : {}),
  };
}

/** One JSON document with all diagnostics. */
export function* diagnosticsAsJson(diagnostics: readonly Diagnostic[]): Generator<string> {
  yield `${safeJson(diagnosticsDocument(diagnostics), 2)}\n`;
}

const eventsFormatVersion = '1.0';

/** `at` is the wall clock in ISO 8601. The first line of a run says the version of the format. */
export function eventLine(event: ApplyEvent, at: string): string {
  const { type, ...rest } = event;
  const version = type === 'run.started' ? { format_version: eventsFormatVersion } : {};
  return `${safeJson({ type, at, ...version, ...rest })}\n`;
}
