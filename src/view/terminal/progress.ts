// The progress of a run: a live block on a terminal, or a plain line now and then.
import type { Ora } from 'ora';
import type { ApplyEvent, StepFailure } from '../../model/event.ts';
import { safe } from '../text.ts';
import { plural, printDuration, printNumber } from '../words.ts';
import { painter } from './paint.ts';
import { type LaneProgress, progressBlock, type Room } from './progress-block.ts';

/** The progress of a run. `busiest` is the route that limits it, in words: `POST /users 4.9 of 5/s`. */
export interface RunProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly unknown: number;
  readonly skipped: number;
  readonly running: number;
  readonly perSecond: number;
  readonly secondsLeft: number;
  readonly busiest?: string;
  /** For the live block, the busiest first. */
  readonly lanes?: readonly LaneProgress[];
}

export interface ProgressOptions {
  readonly mode: 'live' | 'plain' | 'silent';
  /** Stderr. */
  readonly stream: NodeJS.WritableStream;
  readonly color: boolean;
  /** For screen readers: words in place of signs. */
  readonly plain?: boolean;
  readonly width: number;
  /** The time in milliseconds, on the run's clock. */
  now(): number;
  /** Called only when progress is shown. */
  progress(): RunProgress;
}

export interface ProgressView {
  take(event: ApplyEvent): void;
  /** Removes the live block. May be called more than once. */
  end(): void;
}

const plainEveryMs = 30_000;
const liveEveryMs = 100;
/** For a terminal that does not report its height. */
const fewRows = 10;
/** The summary and the report show more. */
const maxFailuresShown = 20;

export async function createProgressView(options: ProgressOptions): Promise<ProgressView> {
  if (options.mode === 'silent') return { take: () => {}, end: () => {} };
  const spinner = options.mode === 'live' ? await createSpinner(options) : undefined;
  return new Progress(options, spinner);
}

/** Leaves standard input alone, so that an interrupt arrives as a signal. */
async function createSpinner({ stream, color }: ProgressOptions): Promise<Ora> {
  const { default: ora } = await import('ora');
  return ora({ stream, isEnabled: true, discardStdin: false, color: color ? 'cyan' : false, indent: 0 });
}

class Progress implements ProgressView {
  readonly #options: ProgressOptions;
  readonly #spinner: Ora | undefined;
  #shownAt: number;
  #failures = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #stopping = false;

  constructor(options: ProgressOptions, spinner: Ora | undefined) {
    this.#options = options;
    this.#spinner = spinner;
    this.#shownAt = options.now();
  }

  take(event: ApplyEvent): void {
    switch (event.type) {
      case 'run.started':
        this.#start(event.steps, event.lower_bound_s);
        break;
      case 'step.ended':
        if (event.failure !== undefined) this.#fail(event.failure, event.outcome === 'unknown');
        break;
      case 'rate.limited':
        this.#pausedUntil = this.#options.now() + event.retry_after_s * 1000;
        break;
      case 'run.stopping':
        this.#stopping = true;
        this.#print(`Stopping: ${safe(event.why)}. Waiting for running calls to finish.`);
        break;
      case 'run.ended':
        this.end();
        return;
    }
    this.#show();
  }

  end(): void {
    this.#spinner?.stop();
  }

  #start(steps: number, lowerBoundS: number): void {
    this.#spinner?.start(`0/${printNumber(steps)}`);
    const bound = lowerBoundS < 1 ? '' : `, at least ${printDuration(lowerBoundS)}`;
    if (this.#spinner === undefined) this.#print(`Applying ${plural(steps, 'step')}${bound}.`);
  }

  #fail(failure: StepFailure, isUnknown: boolean): void {
    this.#failures += 1;
    if (this.#failures > maxFailuresShown) return;
    const paint = painter(this.#options.color);
    const what = `${isUnknown ? 'unknown' : 'failed '} ${failure.action} ${safe(failure.address)}`;
    const why = `${safe(failure.message)}${failure.code === 0 ? '' : ` (${failure.code})`}`;
    this.#print(`${paint(isUnknown ? 'yellow' : 'red', what)}: ${why}`);
    if (this.#failures === maxFailuresShown)
      this.#print('Further failures are counted here, and listed in the report.');
  }

  #show(): void {
    const now = this.#options.now();
    const everyMs = this.#spinner === undefined ? plainEveryMs : liveEveryMs;
    if (now - this.#shownAt < everyMs) return;
    this.#shownAt = now;
    const progress = this.#options.progress();
    const pausedS = Math.max(0, this.#pausedUntil - now) / 1000;
    if (this.#spinner === undefined) {
      this.#print(progressLine(progress, this.#stopping, pausedS, this.#options.plain));
      return;
    }
    const { busiest: _lane, lanes = [], ...whole } = progress;
    this.#spinner.text = progressBlock(progressLine(whole, this.#stopping, pausedS), lanes, this.#room());
  }

  #room(): Room {
    const { columns, rows } = this.#options.stream as Partial<NodeJS.WriteStream>;
    return { columns: columns ?? this.#options.width, rows: rows ?? fewRows };
  }

  #print(line: string): void {
    this.#options.stream.write(`${line}\n`);
  }
}

/** `1,200/10,000 (12 %) · 58/s · POST /users 58 of 60/s · 2 failed · about 2 min 31 s left` */
export function progressLine(progress: RunProgress, stopping: boolean, pausedS: number, inWords = false): string {
  const { total, done, failed, unknown, skipped, running, perSecond, secondsLeft, busiest } = progress;
  const over = done + failed + unknown + skipped;
  const share = total === 0 ? 100 : Math.floor((100 * over) / total);
  const parts = [
    inWords
      ? `${printNumber(over)} of ${printNumber(total)} steps, ${share} percent`
      : `${printNumber(over)}/${printNumber(total)} (${share} %)`,
    failed === 0 ? '' : `${printNumber(failed)} failed`,
    unknown === 0 ? '' : `${printNumber(unknown)} unknown`,
    skipped === 0 ? '' : `${printNumber(skipped)} skipped`,
    stopping ? `stopping, ${printNumber(running)} running` : `${printNumber(perSecond)}/s`,
    pausedS > 0 ? `rate-limited for ${printDuration(Math.ceil(pausedS))}` : '',
    stopping || over === total ? '' : `about ${printDuration(Math.ceil(secondsLeft))} left`,
    busiest === undefined || stopping ? '' : safe(busiest),
  ];
  return parts.filter((part) => part !== '').join(inWords ? ', ' : ' · ');
}

export interface AttemptFacts {
  readonly route: string;
  readonly attempt: number;
  readonly type: string;
  readonly status?: number;
  readonly code?: number;
  readonly reason?: string;
  readonly requestId?: string;
  readonly durationMs: number;
}

/** One attempt of a call, for --verbose: `  POST /users: 503 after 12 ms, attempt 2, request id 7f3a` */
export function attemptForPeople(attempt: AttemptFacts): string {
  const { route, type, status, code, reason, requestId, durationMs } = attempt;
  const parts = [
    `${safe(route)}: ${status ?? type} after ${Math.round(durationMs)} ms`,
    code === undefined ? '' : `code ${code}`,
    reason === undefined ? '' : safe(reason),
    attempt.attempt === 1 ? '' : `attempt ${attempt.attempt}`,
    requestId === undefined ? '' : `request id ${safe(requestId)}`,
  ];
  return `  ${parts.filter((part) => part !== '').join(', ')}\n`;
}
