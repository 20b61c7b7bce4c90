// The result of tests of manifests.
import type { SourcePosition } from './source.ts';

/** What was not as a test expects. Texts of one or more lines. */
export interface TestFailure {
  /** `expect.counts`. */
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
}

export interface TestResult {
  readonly name: string;
  readonly source: SourcePosition;
  readonly failures: readonly TestFailure[];
  /** Of the wall clock. */
  readonly durationMs: number;
}

export interface TestReport {
  readonly format_version: string;
  readonly tests: readonly TestResult[];
}
