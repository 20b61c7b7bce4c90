// The result of converting the export of another system.

export interface ConvertResult {
  /** Relative to the folder. */
  readonly files: readonly string[];
  readonly users: number;
  readonly channels: number;
  readonly messages: number;
  readonly outcomes: { readonly carried: number; readonly changed: number; readonly left_out: number };
  readonly reasons: readonly CountedReason[];
  readonly losses: Losses;
  /** Reasons for which something was left out although decisions.yaml does not ask for it. */
  readonly undecided: readonly CountedReason[];
}

/** The content of a conversion report. */
export interface ConversionReport {
  /** `Slack`. */
  readonly title: string;
  readonly users: number;
  readonly channels: number;
  readonly messages: number;
  readonly archives: number;
  /** Lines of the ledger: objects and messages. */
  readonly lines: number;
  readonly outcomes: ConvertResult['outcomes'];
  readonly losses: Losses;
  readonly reasons: readonly ExplainedReason[];
  /** The subset of reasons for which something was left out although decisions.yaml does not ask for it. */
  readonly undecided: readonly ExplainedReason[];
}

interface ExplainedReason extends CountedReason {
  readonly summary: string;
  readonly advice: string;
  /** Places in the export. */
  readonly examples: readonly string[];
}

/** `code` is a reason code of the ledger (convert/README.md). */
interface CountedReason {
  readonly code: string;
  readonly count: number;
}

/** Counts, over all converted messages, of parts that the platform does not support. */
export interface Losses {
  readonly threads: number;
  readonly reactions: number;
  readonly edits: number;
  readonly files: number;
  /** Total size in bytes of the files whose size the export gives. */
  readonly fileBytes: number;
}
