// The results of converting an export of another system.
import type { Count, JsonObject } from '../../lib/json.ts';
import type { RequestCount } from './change.ts';
import type { PlanDuration } from './plan.ts';

export interface ConvertProgress {
  /** Bytes of the unpacked files. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Objects and messages. */
  readonly items: number;
}

/** How the lines of all history files differ from the previous ones. A changed line keeps its time, sender and type. */
export interface ChangedLines {
  added: Count;
  /** The same time, sender and type with another content. */
  changed: Count;
  /** Those of the changed lines that look the same to people: only data, custom type, meta arrays or dedup_id differ. */
  data_alone: Count;
  missing: Count;
}

export interface ConvertResult {
  /** Relative to the folder. */
  readonly files: readonly string[];
  readonly users: Count;
  readonly channels: Count;
  readonly messages: Count;
  readonly outcomes: { readonly carried: Count; readonly changed: Count; readonly left_out: Count };
  readonly reasons: readonly CountedReason[];
  readonly losses: Losses;
  /** Absent unless decisions.yaml says messages.threads: send. */
  readonly threads?: ThreadFigures;
  /** Messages whose place among others of their millisecond only the file of the export says. */
  readonly unordered: Count;
  /** How the messages differ from the conversion before. Absent for the first one, and if no line of the series is written. */
  readonly difference?: Readonly<ChangedLines>;
  readonly attachments: FileFigures;
  /** Reasons for which something was left out although decisions.yaml does not ask for it. */
  readonly undecided: readonly CountedReason[];
  /** Rows of --identities. */
  readonly identities?: {
    /** People with a row. */
    readonly matched: Count;
    /** People without one. */
    readonly missing: Count;
    /** Rows that match nobody. */
    readonly unused: Count;
  };
  readonly older?: OlderExport;
  readonly assumed_later?: AssumedLater;
  readonly cost?: EstateCost;
  readonly no_longer_there: Omit<NoLongerThere, 'historyFiles'>;
}

/** This export was taken before one that was converted earlier. Where both cover a time, the one taken later counts. */
interface OlderExport {
  /** The newest message or edit of this export, as ISO time. Null: it has no messages. */
  readonly newest: string | null;
  /** Messages that the one taken later changed or no longer has. */
  readonly superseded: Count;
}

/**
 * An export that was converted earlier has newer messages or edits, or later edits of some messages, but nothing shows which
 * of the two was taken later. The one that was converted last counts, but no message goes back to an earlier edit.
 */
export interface AssumedLater {
  /** The newest message or edit of this export, as ISO time. Null: it has no messages. */
  readonly newest: string | null;
  /** Messages that this export adds, changes or removes at times that the other one covers. */
  readonly messages: Count;
  /** Users and channels that this export adds, changes or removes. */
  readonly users: Count;
  readonly channels: Count;
  /** Messages that stay as they are, since this export has an earlier edit of them. */
  readonly later_edits: Count;
}

/** What sending everything that was converted to an empty application takes, as its plan says. */
export interface EstateCost {
  readonly rate_plan: string;
  /** Most frequent first. */
  readonly requests: readonly RequestCount[];
  readonly duration: PlanDuration;
}

/** A row of a table and its results. */
export interface SampledRow {
  /** The place in the data. */
  readonly at: string;
  readonly table: string;
  /** Absent: the row cannot be read. */
  readonly row: JsonObject | undefined;
  readonly becomes: readonly {
    readonly outcome: string;
    /** As in ledger.schema.json. */
    readonly reasons: readonly string[];
    /** The address of the object, or of the history file with the messages. */
    readonly to?: string;
    /** The attributes of the object, or the lines of the history file. */
    readonly made: readonly JsonObject[];
  }[];
}

/** Objects and messages of earlier conversions that this export does not contain. */
export interface NoLongerThere {
  /** Messages outside of the times that the export covers, which stay. */
  readonly kept: Count;
  /** Messages that are gone from the source, because the export covers their times. The policy of the manifests decides about them. */
  readonly gone: Count;
  /** Users and channels that the export does not list. They stay as they were declared. */
  readonly users: Count;
  readonly channels: Count;
  /** By channel_url. Channels without such messages are absent. */
  readonly historyFiles: readonly { readonly channel: string; readonly kept: number; readonly gone: number }[];
}

/** The declared users by group. Each user is in one group. */
export interface UserKinds {
  readonly people: number;
  readonly guests: number;
  readonly bots: number;
  /** They left the source. */
  readonly deactivated: number;
  /** Senders and members that the export does not list. */
  readonly unlisted: number;
  /** Declared by an earlier conversion, and not in this export. */
  readonly kept?: number;
}

interface ReportedChannel {
  readonly url: string;
  readonly name: string;
  readonly messages: number;
}

export interface ConversionReport {
  /** `Slack`. */
  readonly title: string;
  readonly users: number;
  readonly channels: number;
  readonly messages: number;
  readonly historyFiles: number;
  /** Lines of the ledger: objects and messages. */
  readonly lines: number;
  readonly outcomes: ConvertResult['outcomes'];
  readonly losses: Losses;
  /** See `ConvertResult`. */
  readonly threads?: ThreadFigures;
  /** See `ConvertResult`. */
  readonly unordered: number;
  readonly attachments: FileFigures;
  /** ISO times of the first and the last message. Undefined if there are none. */
  readonly covered: CoveredTimes | undefined;
  /** Undefined without `--identities`. */
  readonly identities:
    | {
        readonly matched: number;
        readonly unused: number;
        readonly missing: readonly { readonly id: string; readonly userId: string }[];
      }
    | undefined;
  readonly kinds: UserKinds;
  /** Those with the most messages first. */
  readonly declared: readonly ReportedChannel[];
  readonly older: OlderExport | undefined;
  readonly assumedLater: AssumedLater | undefined;
  readonly noLongerThere: NoLongerThere;
  readonly reasons: readonly ExplainedReason[];
  /** The subset of reasons for which something was left out although decisions.yaml does not ask for it. */
  readonly undecided: readonly ExplainedReason[];
  /** Fields of the source that no object and no message has, because the source declares them as needless. */
  readonly fields?: readonly LeftOutField[];
  /** Sentences about how files were read. */
  readonly notes: readonly string[];
  /** What sending everything costs, or a sentence that says why that is not known. Absent: it was not asked for. */
  readonly cost?: EstateCost | string | undefined;
}

interface LeftOutField {
  /** Kind of row and name: `message.client_msg_id`. */
  readonly field: string;
  readonly rows: number;
  readonly why: 'derived' | 'technical' | 'personal' | 'unsupported';
}

interface CoveredTimes {
  readonly first: string;
  readonly last: string;
  /** As given by `--covers`. Null means unlimited. */
  readonly declared?: { readonly from: string | null; readonly to: string | null };
}

interface ExplainedReason extends CountedReason {
  readonly summary: string;
  readonly advice: string;
  /** Places in the export. */
  readonly examples: readonly string[];
}

/** `code` is a reason code of the ledger. */
interface CountedReason {
  readonly code: string;
  readonly count: Count;
}

/** Counts, over all converted messages, of parts that the platform does not support. */
export interface Losses {
  readonly threads: Count;
  readonly reactions: Count;
  readonly edits: Count;
  readonly files: Count;
  /** Total size in bytes of the files whose size the export gives. */
  readonly fileBytes: Count;
}

/** Messages that answer others, with messages.threads: send. */
export interface ThreadFigures {
  /** Sent as replies. */
  readonly replies: Count;
  /** Those of them that answer a reply. They are attached to the first message of its thread. */
  readonly deeper: Count;
  /** Messages of the channel: what they answer is not on an earlier line of its history file. */
  readonly missing: Count;
  /** Messages of the channel, because they are admin messages or answer one. */
  readonly notices: Count;
  /** Messages of the channel, because their senders are muted or no members. */
  readonly strangers: Count;
}

/** Counts of the files of converted messages, by how they are available. */
export interface FileFigures {
  readonly files: Count;
  /** The map of URLs has a copy. */
  readonly copied: Count;
  /** Their bytes are only in the export. */
  readonly exported: Count;
  /** Their URL asks for a login at the source. */
  readonly login: Count;
  /** Their URL was signed, or had a token, which was removed. */
  readonly signed: Count;
  /** Their URL may open for everybody. */
  readonly open: Count;
  /** The export has neither bytes nor a URL. */
  readonly missing: Count;
  /** When the last signature ends, as ISO time. */
  readonly lastEnd?: string;
  /** Files with a URL by its host, most files first. */
  readonly hosts: readonly FileHost[];
}

/** The files of messages at one host. */
export interface FileHost {
  readonly host: string;
  readonly files: Count;
  /** The sum of the sizes that the export states. */
  readonly bytes: Count;
  /** The map of URLs has a copy. */
  readonly copied: Count;
  /** Files without a copy whose URL asks for a login. */
  readonly login: Count;
  /** Files without a copy whose URL had a signature or a token. */
  readonly signed: Count;
  /** When the last signature ends, as ISO time. */
  readonly last_end?: string;
}
