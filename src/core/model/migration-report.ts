// The report of `chatform verify`: whether each declared message arrived once, at its time and in order.
import type { Count, FormatVersion, UtcTime } from '../../lib/json.ts';
import type { Actor } from './ci-systems.ts';
import type { ExitCode } from './exit-code.ts';

export const migrationReportVersion = '1.0';

/** One faulty message. A report lists only the first few of a channel. */
export interface MessageFinding {
  readonly what: 'missing' | 'deleted' | 'doubled' | 'moved' | 'altered' | 'out_of_order';
  /** Unix milliseconds. */
  readonly timestamp: Count;
  readonly sender?: string;
  /** Of an altered message: the fields that differ. */
  readonly fields?: readonly string[];
}

/**
 * Why a field was not compared: the platform does not show it, the history file has no value for it, or it differs and `policy.messages.edited` keeps
 * data as it was sent.
 */
export const uncomparedReasons = ['not_shown', 'not_declared', 'kept'] as const;

/** A field that could not be compared although one side has a value. */
export interface Uncompared {
  /** A field of a history file's lines, or `mark_as_read`. */
  readonly field: string;
  readonly why: (typeof uncomparedReasons)[number];
  /** The number of compared messages with the field. */
  readonly messages: Count;
}

export interface ChannelFigures {
  readonly channel_url: string;
  /** The declared name of the channel. Absent if it has none. */
  readonly name?: string;
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  /**
   * `matched`: each compared message arrived once and in order. `unreadable`: the platform refuses to list the messages.
   */
  readonly outcome: 'matched' | 'mismatched' | 'unreadable';
  /** Messages in the history file. */
  readonly declared: Count;
  /** Messages that the platform counts, including those that are not from the history file. Absent if it gives no count. */
  readonly there?: Count;
  /** Messages of the history file that were compared one by one. */
  readonly compared: Count;
  readonly missing: Count;
  /** Messages that arrived, but were deleted on the platform later. */
  readonly deleted: Count;
  readonly doubled: Count;
  /** Messages that arrived with another time. */
  readonly moved: Count;
  /** Messages that arrived with another value in a compared field. */
  readonly altered: Count;
  /** Messages in another order among those of the same time. No call changes that order, so it does not prevent a match. */
  readonly out_of_order: Count;
  /** Messages between the first and the last of the history file that are not in it. Known only if all messages were compared. */
  readonly others: Count;
  /** Unix milliseconds. */
  readonly first?: Count;
  readonly last?: Count;
  /** The first ones only. The counts include all. */
  readonly findings: readonly MessageFinding[];
  /** How many altered messages differ in each field. */
  readonly altered_fields: Readonly<Record<string, Count>>;
  /**
   * Fields that could not be compared, with the number of messages. not_shown: declared, and the platform does not show it. not_declared:
   * the platform shows a value, and the history file has none.
   */
  readonly not_compared: readonly Uncompared[];
  /** One sentence that explains the outcome. */
  readonly note?: string;
}

/** What the declared members of a group channel see of its history file. */
export interface MemberView {
  readonly channel_url: string;
  /** Declared members who are in the channel. */
  readonly members: Count;
  /** The members among them who do not see the oldest message. */
  readonly hidden_from: Count;
  /** How many messages the member with the latest offset does not see, at least. */
  readonly messages?: Count;
  /** The first ten of these members. */
  readonly first?: readonly string[];
  /** Declared members who are not in the channel, or whose view the platform refuses. */
  readonly not_members: Count;
}

/** The result of `verify --as-member`. */
export interface MemberViews {
  readonly users: Count;
  /** Summed over all channels, as are the next two. */
  readonly memberships: Count;
  /** Memberships whose ts_message_offset is at or after the oldest message of the history file. */
  readonly hidden_from: Count;
  /** Declared memberships that could not be read: not in the channel, or not shown. */
  readonly not_members: Count;
  /** The channels that a declared member is not in, or does not see whole. Sorted by channel_url. */
  readonly channels: readonly MemberView[];
}

export interface MigrationReport {
  readonly format_version: FormatVersion;
  /** Host and path, or emulator: and its path. */
  readonly application: string;
  readonly by: Actor;
  readonly exit_code: ExitCode;
  readonly started_at: UtcTime;
  readonly finished_at: UtcTime;
  /** Read requests that were sent. */
  readonly requests: Count;
  readonly totals: Readonly<Record<(typeof totalled)[number], Count>> & {
    readonly channels: Count;
    readonly matched: Count;
    readonly mismatched: Count;
    readonly unreadable: Count;
    /** How many altered messages differ in each field. */
    readonly altered_fields: Readonly<Record<string, Count>>;
    /**
     * Fields that could not be compared, with the number of messages. not_shown: declared, and the platform does not show it.
     * not_declared: the platform shows a value, and the history file has none.
     */
    readonly not_compared: readonly Uncompared[];
  };
  /** Sorted by channel_url. */
  readonly channels: readonly ChannelFigures[];
  /** With --as-member: what the declared members of group channels see. */
  readonly as_member?: MemberViews;
}

export const totalled = [
  'declared',
  'compared',
  'missing',
  'deleted',
  'doubled',
  'moved',
  'altered',
  'out_of_order',
  'others',
] as const;

/** Merges entries of the same reason and field, and sorts them by reason and field. */
export function sortedUncompared(entries: readonly Uncompared[]): Uncompared[] {
  const sums = new Map<string, Uncompared>();
  for (const { field, why, messages } of entries) {
    const key = `${uncomparedReasons.indexOf(why)} ${field}`;
    sums.set(key, { field, why, messages: messages + (sums.get(key)?.messages ?? 0) });
  }
  return [...sums].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, entry]) => entry);
}

/** Adds up counts by name. The result is sorted by name. */
export function sumsOf(counts: Iterable<Readonly<Record<string, number>>>): Record<string, number> {
  const sums = new Map<string, number>();
  for (const part of counts) {
    for (const [name, count] of Object.entries(part)) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries([...sums].sort(([left], [right]) => (left < right ? -1 : 1)));
}
