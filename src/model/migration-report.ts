// The report of `chatform verify`: whether every declared message arrived, once and in its place.
import type { ExitCode } from './exit-code.ts';

export const migrationReportVersion = '1.0';

/** The fault of one message; a report holds the first few of a channel. */
export interface MessageFinding {
  readonly what: 'missing' | 'deleted' | 'doubled' | 'moved' | 'altered' | 'out_of_order';
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly sender?: string;
  /** Of an altered message: the fields of its line that differ. */
  readonly fields?: readonly string[];
}

/** Why a field was not compared: the platform does not show it, or shows a value where the archive has none. */
export const uncomparedReasons = ['not_shown', 'not_declared'] as const;

/** A field whose declared and actual values could not be compared, though one of them is known. */
export interface Uncompared {
  /** A field of an archive's lines, or `mark_as_read`. */
  readonly field: string;
  readonly why: (typeof uncomparedReasons)[number];
  /** How many of the compared messages it concerns. */
  readonly messages: number;
}

export interface ChannelFigures {
  readonly channel_url: string;
  /** As shown: relative to the working folder, with `/`. */
  readonly file: string;
  /**
   * `matched`: the compared messages are there, once each and in order. `unreadable`: the platform refuses to show them,
   * so that nothing is known.
   */
  readonly outcome: 'matched' | 'mismatched' | 'unreadable';
  /** Messages in the archive. */
  readonly declared: number;
  /** Messages that the platform counts in the channel, including those of others; absent when it does not say. */
  readonly there?: number;
  /** Messages of the archive that were looked for one by one. */
  readonly compared: number;
  readonly missing: number;
  /** Arrived, and deleted on the platform since then. */
  readonly deleted: number;
  readonly doubled: number;
  /** There at another time. */
  readonly moved: number;
  /** There with another value of a field that is compared. */
  readonly altered: number;
  /** There in another order among messages of the same time. */
  readonly out_of_order: number;
  /** Messages of others, between the first and the last of the archive. Known when all messages were compared. */
  readonly others: number;
  /** Timestamps of the archive's first and last message, in Unix milliseconds. */
  readonly first?: number;
  readonly last?: number;
  readonly findings: readonly MessageFinding[];
  /** The number of altered messages by the field that differs. */
  readonly altered_fields: Readonly<Record<string, number>>;
  /** Sorted by reason and field. */
  readonly not_compared: readonly Uncompared[];
  /** One sentence, where the outcome needs it. */
  readonly note?: string;
}

export interface MigrationReport {
  readonly format_version: typeof migrationReportVersion;
  readonly application: string;
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
    /** Those of all channels. */
    readonly altered_fields: Readonly<Record<string, number>>;
    readonly not_compared: readonly Uncompared[];
  };
  /** Sorted by channel_url. */
  readonly channels: readonly ChannelFigures[];
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

/** One entry for each reason and field, in that order: the sums of those given. */
export function sortedUncompared(entries: readonly Uncompared[]): Uncompared[] {
  const sums = new Map<string, Uncompared>();
  for (const { field, why, messages } of entries) {
    const key = `${uncomparedReasons.indexOf(why)} ${field}`;
    sums.set(key, { field, why, messages: messages + (sums.get(key)?.messages ?? 0) });
  }
  return [...sums].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, entry]) => entry);
}

/** Adds up counts by name; sorted by name. */
export function sumsOf(counts: Iterable<Readonly<Record<string, number>>>): Record<string, number> {
  const sums = new Map<string, number>();
  for (const one of counts) {
    for (const [name, count] of Object.entries(one)) sums.set(name, (sums.get(name) ?? 0) + count);
  }
  return Object.fromEntries([...sums].sort(([left], [right]) => (left < right ? -1 : 1)));
}
