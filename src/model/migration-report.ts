// The report of `chatform verify`: whether every declared message arrived, once and in its place.
import type { ExitCode } from './exit-code.ts';

export const migrationReportVersion = '1.0';

/** The fault of one message; a report holds the first few of a channel. */
export interface MessageFinding {
  readonly what: 'missing' | 'deleted' | 'doubled' | 'moved' | 'altered' | 'out_of_order';
  /** Unix milliseconds. */
  readonly timestamp: number;
  readonly sender?: string;
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
  /** There with other data or another custom_type. */
  readonly altered: number;
  /** There in another order among messages of the same time. */
  readonly out_of_order: number;
  /** Messages of others, between the first and the last of the archive. Known when all messages were compared. */
  readonly others: number;
  /** Timestamps of the archive's first and last message, in Unix milliseconds. */
  readonly first?: number;
  readonly last?: number;
  readonly findings: readonly MessageFinding[];
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
