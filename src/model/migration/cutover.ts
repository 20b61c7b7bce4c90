// The end of a migration: the series of conversions, whether the cutover is ready, how long it takes, and its certificate.
// Times are in ISO 8601. Paths are relative to the folder of the manifests, with `/`.
import type { Actor } from '../ci-systems.ts';
import type { ConvertResult } from '../conversion.ts';
import type { MigrationReport } from '../migration-report.ts';
import type { DatabaseRead } from './read-tables.ts';

/** How the lines of all archives differ from the previous ones. A changed line keeps its time, sender and type. */
export interface ChangedLines {
  added: number;
  changed: number;
  missing: number;
}

/** A conversion: a line of conversion/series.ndjson. */
export interface SeriesRun {
  readonly format_version: string;
  readonly source: string;
  readonly started_at: string;
  readonly duration_s: number;
  /** The files of the export, including a mapping of tables. `sha256` is that of conversion/export.sha256 and of the rows of a database. */
  readonly export: { readonly paths: readonly string[]; readonly files: number; readonly sha256: string };
  readonly users: number;
  readonly channels: number;
  readonly messages: number;
  readonly lines: Readonly<ChangedLines>;
  readonly outcomes: ConvertResult['outcomes'];
  /** Lines left out without a decision. */
  readonly undecided: number;
  /** The time of the last message. Absent without messages. */
  readonly last?: string;
  /** SHA-256 of conversion/ledger.ndjson. */
  readonly ledger: string;
  /** The mapping, for tables. It is one of the paths of the export. */
  readonly mapping?: string;
  /** The file of `--identities`. */
  readonly identities?: string;
  /** The tables that were read from a database instead of files. */
  readonly database?: DatabaseRead;
}

/** An apply, from the audit trail. */
export interface AppliedRun {
  readonly by: Actor;
  readonly started_at: string;
  readonly finished_at: string;
  readonly outcome: string;
  readonly plan: string;
  readonly steps: number;
  readonly requests: number;
}

/** A point of the list that `cutover`, its certificate and `--check` go through, with its outcome. */
export interface CutoverCheck {
  /** A code of schema/diagnostics.md. */
  readonly code: string;
  /** What the point demands, as a sentence. */
  readonly point: string;
  /** `blocks`: the cutover must not begin, and nothing can be certified. `warning`: it may begin. */
  readonly outcome: 'passed' | 'warning' | 'blocks' | 'not_looked_at';
  /** What is wrong, or why it was not looked at. Absent for `passed`. */
  readonly message?: string;
  /** For `warning` and `blocks`. */
  readonly advice?: string;
}

/** The expected amount, and the highest one that the series and the limits suggest. */
export interface Bounded {
  readonly expected: number;
  readonly bound: number;
}

/** The last window: from the conversion to the end of the verification. `gap_s` is the longest time between conversions. */
export interface WindowEstimate {
  readonly gap_s: number;
  readonly lines: Bounded;
  readonly requests: Bounded;
  readonly convert_s: Bounded;
  readonly apply_s: Bounded;
  readonly verify_s: Bounded;
  readonly total_s: Bounded;
}

export interface CutoverState {
  readonly application: string;
  readonly runs: readonly SeriesRun[];
  readonly applies: readonly AppliedRun[];
  readonly checks: readonly CutoverCheck[];
  /** Absent before the second export. */
  readonly window?: WindowEstimate;
}

/** Lines of the export that are not on the platform. */
export interface LeftOut {
  readonly reason: string;
  readonly lines: number;
  /** `accepted`: a line under accepted in decisions.yaml. `choice`: another of its lines, or a rule of chatform. */
  readonly decision: 'accepted' | 'choice';
  /** Who last changed the line, and in which commit, as git knows. */
  readonly by?: string;
  readonly commit?: string;
}

export interface FileDigest {
  readonly path: string;
  readonly sha256: string;
}

/** The content of a certificate: what was moved, and digests of the files that prove it. */
export interface Certificate {
  readonly format_version: '1.0';
  /** The version of chatform that wrote it. */
  readonly chatform: string;
  readonly written_at: string;
  readonly by: Actor;
  readonly application: string;
  readonly totals: { readonly users: number; readonly channels: number; readonly messages: number };
  /** Messages by channel, as verified. */
  readonly channels: readonly {
    readonly channel_url: string;
    readonly name?: string;
    readonly messages: number;
    readonly first?: string;
    readonly last?: string;
  }[];
  /** All points. None blocks. */
  readonly checks: readonly CutoverCheck[];
  readonly left_out: readonly LeftOut[];
  readonly conversions: readonly SeriesRun[];
  readonly applies: readonly AppliedRun[];
  /** The digest of the audit trail. */
  readonly trail?: string;
  readonly verification: Pick<MigrationReport, 'started_at' | 'finished_at' | 'requests' | 'totals' | 'by'>;
  /** Those of the export are listed in one of them, conversion/export.sha256. */
  readonly files: readonly FileDigest[];
  /** SHA-256 of the canonical JSON of all other members. */
  readonly digest: string;
}

/** One apply of a rehearsal. */
export interface RehearsedPhase {
  readonly name: 'bulk' | 'difference' | 'window';
  readonly messages: number;
  readonly requests: number;
  readonly duration_s: number;
  readonly outcome: string;
}
