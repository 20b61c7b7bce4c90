// The end of a migration: the series of conversions, whether the cutover is ready, how long it takes, and its certificate.
// Times are in ISO 8601. Paths are relative to the folder of the manifests, with `/`.
import type { Amount, Count, FormatVersion, Sha256, UtcTime } from '../../../lib/json.ts';
import type { RequestCount } from '../change.ts';
import type { Actor } from '../ci-systems.ts';
import type { ChangedLines, ConvertResult } from '../conversion.ts';
import type { MigrationReport } from '../migration-report.ts';
import type { PlanDuration } from '../plan.ts';
import type { DatabaseRead } from './read-tables.ts';

/** A conversion: a line of conversion/series.ndjson. */
export interface SeriesRun {
  readonly format_version: FormatVersion;
  readonly source: string;
  readonly started_at: UtcTime;
  readonly duration_s: Amount;
  /** The files of the export, including a mapping of tables. `sha256` is that of conversion/export.sha256 and of the rows of a database. */
  readonly export: {
    /** Relative to the folder of the manifests, with /. With the mapping of tables. */
    readonly paths: readonly string[];
    readonly files: Count /**
     * That of conversion/export.sha256, the list of all files
     * of the export with their digests, and of the rows of a
     * database.
     */;
    /** That of conversion/export.sha256, the list of all files of the export with their digests, and of the rows of a database. */
    readonly sha256: Sha256;
  };
  readonly users: Count;
  readonly channels: Count;
  readonly messages: Count;
  /** How the lines of all history files differ from those of the conversion before. */
  readonly lines: Readonly<ChangedLines>;
  readonly outcomes: ConvertResult['outcomes'];
  /** Lines left out without a decision. */
  readonly undecided: Count;
  /** The time of the last message. Absent without messages. */
  readonly last?: UtcTime;
  /** SHA-256 in hexadecimal. */
  readonly ledger: Sha256;
  /** The mapping of tables. It is one of the paths of the export. */
  readonly mapping?: string;
  /** The file of --identities. */
  readonly identities?: string;
  /** The tables that were read from a database instead of files. */
  readonly database?: DatabaseRead;
}

/** An apply, from the audit trail. */
export interface AppliedRun {
  /** Who: by the variables of the CI system, or else by user and host. */
  readonly by: Actor;
  readonly started_at: UtcTime;
  readonly finished_at: UtcTime;
  readonly outcome: string;
  /** The hash of the plan. */
  readonly plan: string;
  /** That succeeded. */
  readonly steps: Count;
  readonly requests: Count;
}

/** A point of the list that `cutover`, its certificate and `--check` go through, with its outcome. */
export interface CutoverCheck {
  /** A code of schema/diagnostics.md. */
  readonly code: string;
  /** What the point demands. */
  readonly point: string;
  /** A point that blocks keeps the cutover from beginning, and no certificate is written. */
  readonly outcome: 'passed' | 'warning' | 'blocks' | 'not_looked_at';
  /** What is wrong, or why it was not looked at. Absent if it passed. */
  readonly message?: string;
  /** For `warning` and `blocks`. */
  readonly advice?: string;
}

/** The expected amount, and the highest one that the series and the limits suggest. */
export interface Bounded {
  readonly expected: Amount;
  readonly bound: Amount;
}

/** The last window: from the conversion to the end of the verification. `gap_s` is the longest time between conversions. */
export interface WindowEstimate {
  /** The longest time between two conversions. */
  readonly gap_s: Amount;
  readonly lines: Bounded;
  readonly requests: Bounded;
  readonly convert_s: Bounded;
  readonly apply_s: Bounded;
  readonly verify_s: Bounded;
  readonly total_s: Bounded;
}

/** How much of a history file has arrived, according to state. */
export interface ChannelProgress {
  readonly channel_url: string;
  readonly name?: string;
  /** Lines of the history file. */
  readonly messages: Count;
  /** Its lines that were sent. */
  readonly sent: Count;
  /** Sent lines that were edited since, except those that policy.messages keeps as they were sent. */
  readonly edited: Count;
  /** Sent lines that the file does not have any more, except those that policy.messages keeps. */
  readonly removed: Count;
}

/** What is left of a move, and the room that it takes. Its counts are the sums of its channels. */
export interface MoveReport {
  readonly messages: Count;
  readonly sent: Count;
  readonly edited: Count;
  readonly removed: Count;
  /** Those that are being filled first, then those that wait, those with sent lines to correct, and complete ones, each with the most messages left first. */
  readonly channels: readonly ChannelProgress[];
  /** Channels whose messages are sent with mark_as_read: true, which moves read receipts. */
  readonly marks_as_read: Count;
  /** The plan of what is left. Absent if the manifests cannot be planned. */
  readonly rest?: {
    readonly steps: Count;
    readonly requests: readonly RequestCount[];
    readonly duration: PlanDuration;
  };
  /** Why the manifests cannot be planned, as sentences. */
  readonly unplanned?: string;
  readonly disk: {
    /** The history files. */
    readonly history_bytes: Count;
    /** The other files of the conversion. */
    readonly conversion_bytes: Count;
    /** Both twice, since a later conversion writes its files before it replaces the earlier ones. */
    readonly next_conversion_bytes: Count;
  };
  /** The most memory that this command used, which has read and planned all of it. */
  readonly memory_bytes: Count;
}

export interface CutoverState {
  readonly application: string;
  /** The lines of conversion/series.ndjson. Conversions of one export, one after the other, are one. */
  readonly runs: readonly SeriesRun[];
  /** The applies since the first conversion, from the audit trail. */
  readonly applies: readonly AppliedRun[];
  /** Every point of the list. */
  readonly checks: readonly CutoverCheck[];
  /** What is left of the move. Absent without history files. */
  readonly move?: MoveReport;
  /** The last window, without the export at the source. Absent before the second export. */
  readonly window?: WindowEstimate;
}

/** Lines of the export that are not on the platform. */
export interface LeftOut {
  /** A reason of the ledger. */
  readonly reason: string;
  readonly lines: Count;
  /** accepted: a line under accepted in decisions.yaml. choice: another of its lines, or a rule of chatform. */
  readonly decision: 'accepted' | 'choice';
  /** The author of the line, as git knows. */
  readonly by?: string;
  /** The commit of the line. */
  readonly commit?: string;
}

export interface FileDigest {
  /** Relative to the folder of the manifests, with /. */
  readonly path: string;
  /** SHA-256 in hexadecimal. */
  readonly sha256: Sha256;
}

/** The content of a certificate: what was moved, and digests of the files that prove it. */
export interface Certificate {
  readonly format_version: FormatVersion;
  /** The version of chatform that wrote it. */
  readonly chatform: string;
  readonly written_at: UtcTime;
  /** Who: by the variables of the CI system, or else by user and host. */
  readonly by: Actor;
  /** Host and path, or emulator: and its path. */
  readonly application: string;
  readonly totals: {
    /** Of the last conversion. */
    readonly users: Count;
    /** Of the last conversion. */
    readonly channels: Count;
    /** Of all history files. */
    readonly messages: Count;
  };
  /** Messages by channel, as verified. */
  readonly channels: readonly {
    readonly channel_url: string;
    readonly name?: string;
    readonly messages: Count;
    readonly first?: UtcTime;
    readonly last?: UtcTime;
  }[];
  /** Every point of the list, when the certificate was written. */
  readonly checks: readonly CutoverCheck[];
  /** Lines of the last export that were not carried, by reason. */
  readonly left_out: readonly LeftOut[];
  /** The lines of conversion/series.ndjson. Conversions of one export, one after the other, are one. */
  readonly conversions: readonly SeriesRun[];
  /** The applies since the first conversion, from the audit trail. */
  readonly applies: readonly AppliedRun[];
  /** The digest of the audit trail, which covers all of its entries. */
  readonly trail?: Sha256;
  readonly verification: Pick<MigrationReport, 'started_at' | 'finished_at' | 'requests' | 'totals' | 'by'>;
  /** All files that were converted, decided and verified. Those of the export are listed in one of them, conversion/export.sha256. */
  readonly files: readonly FileDigest[];
  /** SHA-256 of the canonical JSON of all other members: keys sorted, without spaces. */
  readonly digest: Sha256;
}

/** One apply of a rehearsal. */
export interface RehearsedPhase {
  readonly name: 'bulk' | 'difference' | 'window';
  readonly messages: Count;
  readonly requests: Count;
  readonly duration_s: Amount;
  readonly outcome: string;
}
