// Counts and sorts diagnostics.
import type { Diagnostic, Severity } from './diagnostic.ts';

/** Returns the number of problems of a severity, including those that are not listed. */
export function countProblems(diagnostics: readonly Diagnostic[], severity?: Severity): number {
  return diagnostics.reduce(
    (sum, { severity: itsSeverity, count = 1 }) =>
      sum + (severity === undefined || itsSeverity === severity ? count : 0),
    0,
  );
}

const severityRank: Readonly<Record<Severity, number>> = { error: 0, warning: 1, note: 2 };

/** Sorts errors first, then by position. */
export function compareDiagnostics(left: Diagnostic, right: Diagnostic): number {
  return (
    severityRank[left.severity] - severityRank[right.severity] ||
    compare(left.source?.file ?? '', right.source?.file ?? '') ||
    (left.source?.line ?? 0) - (right.source?.line ?? 0) ||
    (left.source?.column ?? 0) - (right.source?.column ?? 0) ||
    compare(left.code, right.code) ||
    compare(left.detail, right.detail)
  );
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
