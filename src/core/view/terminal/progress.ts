// The progress of a run: a live block on a terminal, or a plain line now and then.
import type { Ora } from 'ora';
import { plural, printDuration, printNumber } from '../../../lib/words.ts';
import {
  type ApplyEvent,
  isAnswered,
  type LaneProgress,
  type Progress,
  type StepEnded,
  type StepFailure,
} from '../../model/event.ts';
import { clip } from '../text/clipping.ts';
import { displayWidth, padEnd, padStart } from '../text/layout.ts';
import { safe } from '../text/text.ts';

export interface ProgressOptions {
  readonly mode: 'live' | 'plain' | 'silent';
  /** Stderr. */
  readonly stream: NodeJS.WritableStream;
  readonly color: boolean;
  /** Whether to use words instead of symbols, for screen readers. */
  readonly plain?: boolean;
  readonly width: number;
  /** The time in milliseconds, on the run's clock. */
  now(): number;
  /** Called only when progress is shown. */
  progress(): Progress;
}

export interface ProgressView {
  take(event: ApplyEvent): void;
  /** Removes the live block. May be called more than once. */
  end(): void;
}

const plainEveryMs = 60_000;
const liveEveryMs = 100;
/** In shorter runs, finished routes are not reported. */
const shortRunS = 10;
/** For a terminal that does not report its height. */
const fewRows = 10;

export async function createProgressView(options: ProgressOptions): Promise<ProgressView> {
  if (options.mode === 'silent') return { take: () => {}, end: () => {} };
  const spinner = options.mode === 'live' ? await createSpinner(options) : undefined;
  return runningView(options, spinner);
}

/** Does not read standard input, so that an interrupt arrives as a signal. */
async function createSpinner({ stream, color }: ProgressOptions): Promise<Ora> {
  const { default: ora } = await import('ora');
  return ora({ stream, isEnabled: true, discardStdin: false, color: color ? 'cyan' : false, indent: 0 });
}

function runningView(options: ProgressOptions, spinner: Ora | undefined): ProgressView {
  const { stream, width, plain = false, now, progress } = options;
  /** Without a block, the routes with calls left. A run re-plans parts of a history file, so a route may finish more than once. */
  const routesLeft = new Map<string, { readonly total: number; remaining: number; answered: number }>();
  let shownAt = now();
  let startedAt = 0;
  /** Progress shows only the last failure, because the summary lists all of them. */
  let lastFailure: string | undefined;
  let pausedUntil = Number.NEGATIVE_INFINITY;
  let stopping = false;
  const print = (line: string) => void stream.write(`${line}\n`);
  const end = () => void spinner?.stop();
  const start = (steps: number, lowerBoundS: number): void => {
    startedAt = now();
    spinner?.start(`0/${printNumber(steps)}`);
    if (spinner !== undefined) return;
    for (const { route, total, remaining } of progress().lanes)
      routesLeft.set(route, { total, remaining, answered: 0 });
    const bound = lowerBoundS < 1 ? '' : `, at least ${printDuration(lowerBoundS)}`;
    print(`Applying ${plural(steps, 'step')}${bound}.`);
  };
  /** Prints a line when the last step of a route has ended. Steps without an answer, such as skipped ones, are not counted. */
  const endCall = (event: StepEnded): void => {
    const { route = '' } = event;
    const calls = routesLeft.get(route);
    if (calls === undefined) return;
    const { total, remaining } = calls;
    calls.remaining = remaining - 1;
    if (isAnswered(event)) calls.answered += 1;
    const afterS = (now() - startedAt) / 1000;
    if (remaining !== 1 || afterS < shortRunS || calls.answered === 0) return;
    const some = calls.answered < total ? `${printNumber(calls.answered)} of` : 'all';
    const amount = total === 1 ? '1 call' : `${some} ${printNumber(total)} calls`;
    print(`${safe(route)}: ${amount} finished in ${printDuration(Math.round(afterS * 10) / 10)}.`);
  };
  const show = (): void => {
    const time = now();
    if (time - shownAt < (spinner === undefined ? plainEveryMs : liveEveryMs)) return;
    shownAt = time;
    const found = progress();
    const pausedS = Math.max(0, pausedUntil - time) / 1000;
    if (spinner === undefined) {
      const busiest = stopping ? undefined : busiestInWords(found.lanes);
      const parts = [progressLine(found, stopping, pausedS, plain), busiest, lastFailure];
      print(parts.filter((part) => part !== undefined).join(plain ? ', ' : ' · '));
      return;
    }
    const { columns = width, rows = fewRows } = stream as Partial<NodeJS.WriteStream>;
    const head = [withBar(progressLine(found, stopping, pausedS), shareOf(found), { columns })];
    if (lastFailure !== undefined) head.push(lastFailure);
    spinner.text = progressBlock(head, found.lanes, { columns, rows });
  };
  const take = (event: ApplyEvent): void => {
    switch (event.type) {
      case 'run.started':
        start(event.steps, event.lower_bound_s);
        break;
      case 'step.ended':
        if (event.failure !== undefined) lastFailure = failureInWords(event.failure);
        endCall(event);
        break;
      case 'rate.limited':
        pausedUntil = now() + event.retry_after_s * 1000;
        break;
      case 'gate.started':
        print(`Stage ${event.stage} (${safe(event.select)}) has ended. Asking its gate.`);
        break;
      case 'gate.ended':
        if (event.outcome === 'passed') print(`The gate after stage ${event.stage} passed.`);
        break;
      case 'run.stopping':
        stopping = true;
        print(`Stopping: ${safe(event.why)}. Waiting for running calls to finish.`);
        break;
      case 'run.ended':
        end();
        return;
    }
    show();
  };
  return { take, end };
}

function failureInWords({ action, address, message, code }: StepFailure): string {
  return `last failure: ${action} ${safe(address)}: ${safe(message)}${code === 0 ? '' : ` (${code})`}`;
}

/** Seconds. Shorter refusals are part of every run at the limits. */
const longRefusalS = 30;

/** `1,200/10,000 (12 %) · 2 failed · 58/s · about 2 min 31 s left` */
export function progressLine(
  progress: Omit<Progress, 'lanes' | 'elapsedS'>,
  stopping: boolean,
  pausedS: number,
  inWords = false,
): string {
  const { total, done, failed, unknown, skipped, running, ratePerS, leftS, refusedS } = progress;
  const over = done + failed + unknown + skipped;
  const share = Math.floor(100 * shareOf(progress));
  const parts = [
    inWords
      ? `${printNumber(over)} of ${printNumber(total)} steps, ${share} percent`
      : `${printNumber(over)}/${printNumber(total)} (${share} %)`,
    failed === 0 ? '' : `${printNumber(failed)} failed`,
    unknown === 0 ? '' : `${printNumber(unknown)} unknown`,
    skipped === 0 ? '' : `${printNumber(skipped)} skipped`,
    stopping ? `stopping, ${printNumber(running)} running` : `${printNumber(ratePerS)}/s`,
    refusedS >= longRefusalS ? `every call refused for ${printDuration(Math.floor(refusedS))}` : '',
    pausedS > 0 ? `rate-limited for ${printDuration(Math.ceil(pausedS))}` : '',
    stopping || over === total ? '' : `about ${printDuration(Math.ceil(leftS))} left`,
  ];
  return parts.filter((part) => part !== '').join(inWords ? ', ' : ' · ');
}

/** From 0 to 1. */
function shareOf({ total, done, failed, unknown, skipped }: Omit<Progress, 'lanes' | 'elapsedS'>): number {
  return total === 0 ? 1 : (done + failed + unknown + skipped) / total;
}

const maxBarColumns = 30;
/** The minimum width of a bar. A shorter one says less than its percentage. */
const minBarColumns = 8;

/** The line behind a bar, if the terminal has room for both. */
export function withBar(line: string, share: number, { columns }: Pick<TerminalSize, 'columns'>): string {
  const width = Math.min(maxBarColumns, columns - margin - displayWidth(line) - 2);
  if (width < minBarColumns) return line;
  const filled = Math.floor(width * Math.min(1, share));
  return `${'█'.repeat(filled)}${'░'.repeat(width - filled)}  ${line}`;
}

/** The size of the terminal, read again for every block because it may have been resized. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** The spinner, its blank, and the last column, which stays free so that no terminal wraps the line. */
const margin = 3;

/**
 * At most one line fewer than the terminal has rows, for the line above. Lanes that do not fit are counted, and finished ones
 * are omitted. `head` has the lines of the whole run, of which the first is always shown.
 */
export function progressBlock(
  head: readonly string[],
  lanes: readonly LaneProgress[],
  { columns, rows: height }: TerminalSize,
): string {
  const busy = lanes.filter(({ remaining }) => remaining > 0);
  const heads = head.slice(0, Math.max(1, height - 1));
  const most = Math.max(0, height - 1 - heads.length);
  const shown = busy.length <= most ? busy : busy.slice(0, Math.max(0, most - 1));
  // The lanes run in parallel: the run takes as long as the first one.
  const rows = shown.map((lane, at) => [
    `${at === 0 && busy.length > 1 ? '›' : ' '} ${safe(lane.route)}`,
    `${printNumber(lane.total - lane.remaining)} of ${printNumber(lane.total)}`,
    ...rateOf(lane),
  ]);
  const isCut = shown.length < busy.length;
  const hasHeadings = shown.length > 0 && shown.length + (isCut ? 1 : 0) < most;
  const cells = hasHeadings ? [headings.map((name, at) => (at === 0 ? `  ${name}` : name)), ...rows] : rows;
  // No heading without a value below it.
  const widths = headings.map((_, column) =>
    rows.every((row) => (row[column] ?? '') === '')
      ? 0
      : Math.max(...cells.map((row) => displayWidth(row[column] ?? ''))),
  );
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? padEnd : padStart)(cell, widths[column] ?? 0))
      .filter((_, column) => (widths[column] ?? 0) > 0)
      .join('  '),
  );
  if (isCut && most > 0) lines.push(`  and ${busy.length - shown.length} more routes`);
  return [...heads, ...lines].map((line) => clip(line.trimEnd(), columns - margin)).join('\n');
}

/** The lane that the run waits for: `POST /users 4.9 of 5/s`. Undefined if no calls are left. */
function busiestInWords(lanes: readonly LaneProgress[]): string | undefined {
  const busiest = lanes.find(({ remaining }) => remaining > 0);
  if (busiest === undefined) return undefined;
  const { route, ratePerS, allowedPerS } = busiest;
  const rate = printNumber(Math.round(ratePerS * 10) / 10);
  return `${safe(route)} ${rate}${allowedPerS === undefined ? '' : ` of ${printNumber(allowedPerS)}`}/s`;
}

const headings = ['Route', 'Calls', 'Per second', 'Limit', 'At least'] as const;
/** Seconds. The rest of a lane that takes less says nothing about how long to wait. */
const longLaneS = 10;

/** The rate, its limit, and how long the rest takes at the limit. */
function rateOf({ remaining, ratePerS, allowedPerS }: LaneProgress): string[] {
  const rate = printNumber(Math.round(ratePerS * 10) / 10);
  if (allowedPerS === undefined) return [rate, '', ''];
  const leftS = Math.ceil(remaining / allowedPerS);
  return [rate, printNumber(allowedPerS), leftS < longLaneS ? '' : printDuration(leftS)];
}
