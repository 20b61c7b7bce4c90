// Diagnostics as JSON.
import { compareDiagnostics, countProblems, type Diagnostic, type Severity } from '../../model/diagnostic.ts';
import type { ApplyEvent } from '../../model/event.ts';
import { safeJson } from '../text/text.ts';

const diagnosticsFormatVersion = '1.0';

/** One JSON document with all diagnostics, in display order. */
export function* diagnosticsAsJson(diagnostics: readonly Diagnostic[]): Generator<string> {
  const amount = (severity: Severity) => countProblems(diagnostics, severity);
  const document = {
    format_version: diagnosticsFormatVersion,
    summary: { errors: amount('error'), warnings: amount('warning'), notes: amount('note') },
    diagnostics: [...diagnostics].sort(compareDiagnostics),
  };
  yield `${safeJson(document, 2)}\n`;
}

const eventsFormatVersion = '1.1';

/** `at` is the wall clock in ISO 8601. The first line of a run says the version of the format. */
export function eventLine(event: ApplyEvent, at: string): string {
  const { type, ...rest } = event;
  const version = type === 'run.started' ? { format_version: eventsFormatVersion } : {};
  return `${safeJson({ type, at, ...version, ...rest })}\n`;
}
