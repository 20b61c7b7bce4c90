// What a conversion of another system's export made, and what was lost.

export interface ConvertResult {
  /** Relative to the folder. */
  readonly files: readonly string[];
  readonly users: number;
  readonly channels: number;
  readonly messages: number;
  readonly outcomes: { readonly carried: number; readonly changed: number; readonly left_out: number };
  readonly reasons: readonly CountedReason[];
  readonly losses: Losses;
  /** Reasons by which something was left out without a decision. */
  readonly undecided: readonly CountedReason[];
}

/** What the report of a conversion says: figures, and each reason with what it means. */
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
  /** Those of the reasons by which something was left out without a decision. */
  readonly undecided: readonly ExplainedReason[];
}

interface ExplainedReason extends CountedReason {
  readonly summary: string;
  readonly advice: string;
  /** Places in the export. */
  readonly examples: readonly string[];
}

/** `code`: as in the ledger (convert/README.md). */
interface CountedReason {
  readonly code: string;
  readonly count: number;
}

/** What cannot travel as what it was, counted over all messages that did. */
export interface Losses {
  readonly threads: number;
  readonly reactions: number;
  readonly edits: number;
  readonly files: number;
  /** The sizes of these files, as far as the export says them. */
  readonly fileBytes: number;
}
