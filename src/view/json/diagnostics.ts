// Diagnostics as JSON.
import { compareDiagnostics, type Diagnostic, type Severity } from '../../model/diagnostic.ts';
import { safeJson } from '../text.ts';

const diagnosticsFormatVersion = '1.0';

/** One JSON document with all diagnostics, in the order in which people see them. */
export function* diagnosticsAsJson(diagnostics: readonly Diagnostic[]): Generator<string> {
  const amount = (severity: Severity) => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
  const document = {
    format_version: diagnosticsFormatVersion,
    summary: { errors: amount('error'), warnings: amount('warning'), notes: amount('note') },
    diagnostics: [...diagnostics].sort(compareDiagnostics),
  };
  yield `${safeJson(document, 2)}\n`;
}
