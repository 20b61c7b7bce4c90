// Estimates the last window of a migration from the series of its conversions and applies, and from the rate limits.

import { pageSize } from '../../core/history/searching/batch-search.ts';
import { tightestPerS } from '../../core/model/calls/loads.ts';
import type { LimitsOf } from '../../core/model/limits.ts';
import type { AppliedRun, Bounded, SeriesRun, WindowEstimate } from '../../core/model/migration/cutover.ts';
import type { MigrationReport } from '../../core/model/migration-report.ts';
import type { Method } from '../../core/model/request.ts';

export interface WindowInput {
  readonly runs: readonly SeriesRun[];
  readonly applies: readonly AppliedRun[];
  /** The largest number of messages that one migration call sends. */
  readonly messagesPerCall: number;
  readonly verification: Pick<MigrationReport, 'started_at' | 'finished_at' | 'requests'> | undefined;
  readonly limits: LimitsOf;
}

interface Difference {
  readonly lines: number;
  /** Seconds since the previous conversion. */
  readonly gap: number;
  /** The calls of its applies. If it was not applied, an estimate: full calls of the new messages of a channel, two per changed line. */
  readonly requests: number;
  /** The duration of its applies. Zero if it was not applied separately. */
  readonly seconds: number;
}

/** A conversion of each later export, with the applies until the next one. The first apply is the bulk. */
export function differencesOf({
  runs,
  applies,
  messagesPerCall,
}: Pick<WindowInput, 'runs' | 'applies' | 'messagesPerCall'>): Difference[] {
  const later = applies.slice(applies.findIndex(({ outcome }) => outcome === 'done') + 1);
  const starts = runs.map(({ started_at }) => Date.parse(started_at));
  return runs.slice(1).map(({ lines, channels }, at) => {
    const [before = 0, from = 0, to = Number.POSITIVE_INFINITY] = starts.slice(at);
    const within = later.filter(({ started_at: time }) => Date.parse(time) >= from && Date.parse(time) < to);
    const corrected = lines.changed + lines.missing;
    const needed = Math.min(lines.added, channels + Math.ceil(lines.added / messagesPerCall)) + 2 * corrected;
    return {
      lines: lines.added + corrected,
      gap: Math.max(0, from - before) / 1000,
      requests: within.length === 0 ? needed : sum(within.map(({ requests }) => requests)),
      seconds: sum(within.map(secondsOf)),
    };
  });
}

/**
 * The bound is for the longest gap of the series at its highest rate of changed lines, with the most calls for a line,
 * each as slow as the slowest apply or the limit. Undefined before the second export.
 */
export function estimateWindow({
  runs,
  applies,
  messagesPerCall,
  verification,
  limits,
}: WindowInput): WindowEstimate | undefined {
  const differences = differencesOf({ runs, applies, messagesPerCall });
  const last = runs.at(-1);
  if (last === undefined || differences.length === 0) return undefined;
  const gap = most(differences.map((difference) => difference.gap));
  const rate = most(differences.map((difference) => (difference.gap === 0 ? 0 : difference.lines / difference.gap)));
  const counts = differences.map((difference) => difference.lines);
  const lines = { expected: median(counts), bound: Math.max(most(counts), ceiled(gap * rate)) };

  const calls = differences.map((difference) => difference.requests);
  const perLine = most(differences.map((difference) => difference.requests / Math.max(1, difference.lines)));
  const requests = { expected: median(calls), bound: Math.max(most(calls), ceiled(lines.bound * perLine)) };
  const message = '/group_channels/{channel_url}/messages';
  /** Seconds between two calls. */
  const between = (method: Method, route: string) => 1 / (tightestPerS(limits({ method, route })) ?? Infinity);
  const edit = `${message}/{message_id}`;
  const write = most([between('POST', '/migration/{channel_url}'), between('PUT', edit), between('DELETE', edit)]);
  const each = differences.flatMap((difference) =>
    difference.seconds > 0 ? [difference.seconds / Math.max(1, difference.requests)] : [],
  );

  const growth = 1 + lines.bound / Math.max(1, last.messages);
  const reads = verification?.requests ?? Math.ceil(last.messages / pageSize) + last.channels;
  const atLimit = reads * between('GET', message);
  const verified = verification === undefined ? atLimit : secondsOf(verification);
  const convert_s = bounded(last.duration_s, most(runs.map((run) => run.duration_s)) * growth);
  const apply_s = bounded(
    requests.expected * (each.length === 0 ? write : median(each)),
    requests.bound * Math.max(write, most(each)),
  );
  const verify_s = bounded(verified, Math.max(verified, atLimit) * growth);
  const parts = [convert_s, apply_s, verify_s];
  const total_s = bounded(sum(parts.map(({ expected }) => expected)), sum(parts.map(({ bound }) => bound)));
  return { gap_s: Math.round(gap), lines, requests, convert_s, apply_s, verify_s, total_s };
}

function secondsOf({ started_at, finished_at }: { readonly started_at: string; readonly finished_at: string }): number {
  return Math.max(0, Date.parse(finished_at) - Date.parse(started_at)) / 1000;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function most(values: readonly number[]): number {
  return Math.max(0, ...values);
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

/** Rounded up, but tolerant of rounding errors of a division. */
function ceiled(value: number): number {
  return Math.ceil(value - 1e-6);
}

/** Rounded to tenths of a second. */
function bounded(expected: number, bound: number): Bounded {
  return { expected: Math.round(expected * 10) / 10, bound: Math.ceil(Math.max(expected, bound) * 10) / 10 };
}
