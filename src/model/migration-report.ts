// The report of `chatform verify`: whether each declared message arrived once, at its time and in order.
import type { Actor } from './ci-systems.ts';
import type { ExitCode } from './exit-code.ts';

export const migrationReportVersion = '1.0';

/** One faulty message. A report lists only the first few of a channel. */
export interface MessageFinding {
  readonly what: 'missing' | 'deleted' | 'doubled' | 'moved' | 'altered' | 'out_of_order';
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly sender?: string;
  /** The fields that differ, for an altered message. */
  readonly fields?: readonly string[];
}

/** Why a field was not compared: the platform does not show it, or the archive has no value for it. */
export const uncomparedReasons = ['not_shown', 'not_declared'] as const;

/** A field that could not be compared although one side has a value. */
export interface Uncompared {
  /** A field of an archive's lines, or `mark_as_read`. */
  readonly field: string;
  readonly why: (typeof uncomparedReasons)[number];
  /** The number of compared messages with the field. */
  readonly messages: number;
}

export interface ChannelFigures {
  readonly channel_url: string;
  /** The declared name of the channel; absent if it has none. */
  readonly name?: string;
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  /**
   * `matched`: each compared message arrived once and in order. `unreadable`: the platform refuses to list the messages.
   */
  readonly outcome: 'matched' | 'mismatched' | 'unreadable';
  /** Messages in the archive. */
  readonly declared: number;
  /** Messages in the channel as counted by the platform, including those not from the archive; absent if it gives no count. */
  readonly there?: number;
  /** Messages of the archive that were compared one by one. */
  readonly compared: number;
  readonly missing: number;
  /** Messages that arrived, but were deleted on the platform later. */
  readonly deleted: number;
  readonly doubled: number;
  /** Messages that arrived with another time. */
  readonly moved: number;
  /** Messages that arrived with another value in a compared field. */
  readonly altered: number;
  /** Messages in another order among those of the same time. No call changes that order, so it does not prevent a match. */
  readonly out_of_order: number;
  /** Messages between the first and the last of the archive that are not in it. Known only if all messages were compared. */
  readonly others: number;
  /** Timestamps of the archive's first and last message, in Unix milliseconds. */
  readonly first?: number;
  readonly last?: number;
  readonly findings: readonly MessageFinding[];
  /** The number of altered messages, by field. */
  readonly altered_fields: Readonly<Record<string, number>>;
  /** Sorted by reason and field. */
  readonly not_compared: readonly Uncompared[];
  /** One sentence that explains the outcome. */
  readonly note?: string;
}

/** What the declared members of a group channel see of its archive. */
export interface MemberView {
  readonly channel_url: string;
  /** Declared members who are in the channel. */
  readonly members: number;
  /** The members among them who do not see the oldest message. */
  readonly hidden_from: number;
  /** The number of messages that the member with the latest offset does not see. May be more within one call of the migration. */
  readonly messages?: number;
  /** The ids of the first of them. */
  readonly first?: readonly string[];
  /** Declared members who are not in the channel, or whose view the platform refuses. */
  readonly not_members: number;
}

/** The result of `verify --as-member`. */
export interface MemberViews {
  readonly users: number;
  /** Summed over all channels, as are the next two. */
  readonly memberships: number;
  readonly hidden_from: number;
  readonly not_members: number;
  /** The channels that a member is not in, or does not see whole. Sorted by channel_url. */
  readonly channels: readonly MemberView[];
}

export interface MigrationReport {
  readonly format_version: typeof migrationReportVersion;
  readonly application: string;
  /** Who verified. */
  readonly by: Actor;
  readonly exit_code: ExitCode;
  readonly started_at: string;
  readonly finished_at: string;
  /** Reads that the verification sent. */
  readonly requests: number;
  readonly totals: Readonly<Record<(typeof totalled)[number], number>> & {
    readonly channels: number;
    readonly matched: number;
    readonly mismatched: number;
    readonly unreadable: number;
    /** Summed over all channels. */
    readonly altered_fields: Readonly<Record<string, number>>;
    readonly not_compared: readonly Uncompared[];
  };
  /** Sorted by channel_url. */
  readonly channels: readonly ChannelFigures[];
  /** Absent unless it was asked for. */
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
