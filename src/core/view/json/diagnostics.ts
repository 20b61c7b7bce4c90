// Diagnostics as JSON.
import type { Diagnostic, Severity } from '../../model/diagnostic.ts';
import { type DiagnosticsDocument, resultFormatVersion } from '../../model/documents.ts';
import type { ApplyEvent } from '../../model/event.ts';
import { compareDiagnostics, countProblems } from '../../model/sorted-diagnostics.ts';
import { safeJson } from '../text/text.ts';

/** All diagnostics, in display order. */
export function diagnosticsDocument(diagnostics: readonly Diagnostic[]): DiagnosticsDocument {
  const amount = (severity: Severity) => countProblems(diagnostics, severity);
  const hidden = countProblems(diagnostics) - diagnostics.length;
  return {
    format_version: resultFormatVersion,
    summary: { errors: amount('error'), warnings: amount('warning'), notes: amount('note') },
    diagnostics: [...diagnostics].sort(compareDiagnostics),
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
