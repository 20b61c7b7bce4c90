// Writes a step to state: its begin before a call leaves, and its entry when it is done.
//
// If state is slow, a begin is written before the call's slot is taken, so that no slot is held while the begin becomes
// durable. Only a write proves that the lock is still held, so a begin counts only while a recent write has succeeded. A
// process that was paused writes its begins again before it sends, and a state whose lock it has lost refuses them.
import type { Clock, StateWriter } from '../../model/ports.ts';
import type { StateEntry } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import { requestDigest } from '../doubt/begun-calls.ts';
import type { Timeline } from '../report/timeline.ts';

/** A begin whose call has not left. */
interface Unsent {
  readonly step: string;
  readonly writtenAt: number;
  readonly durable: Promise<void>;
}

/** Shorter writes hardly delay a slot, so begins are not written ahead. */
const shortestAheadMs = 3;
/** Longer writes are stalls. Writing ahead further would leave the next run many begins to resolve. */
const longestAheadMs = 500;
/** The length of a measuring period. Its write times count until the end of the next period. */
const memoryMs = 2_000;
/** Older begins are written again before their calls leave, because the next run counts the settle time from them (semantics §5.5). */
const oldestBeginMs = 7_500;
/** How long the lock counts as held after the start of a successful write. Slow writes extend it. */
const confirmedMs = 500;
const confirmedWrites = 4;

/** The durations of writes in a measuring period. */
interface Times {
  readonly since: number;
  shortestMs: number;
  longestMs: number;
}

export class StepJournal {
  readonly #state: StateWriter;
  readonly #clock: Clock;
  readonly #timeline: Timeline;
  readonly #unsent = new Map<number, Unsent>();
  /** For the current and the previous period. */
  #times: readonly [Times, Times] = [newTimes(0), newTimes(0)];
  /** The start of the last successful write. */
  #confirmedAt = Number.NEGATIVE_INFINITY;

  constructor({ state, clock }: { readonly state: StateWriter; readonly clock: Clock }, timeline: Timeline) {
    this.#state = state;
    this.#clock = clock;
    this.#timeline = timeline;
  }

  /** The milliseconds by which a begin must be written before its slot, or 0 if state is quick. */
  get aheadMs(): number {
    const ms = Math.max(...this.#times.map(({ longestMs }) => longestMs));
    return ms < shortestAheadMs ? 0 : Math.min(ms, longestAheadMs);
  }

  /**
   * Resolves when the call may leave: its begin is durable and the lock was held a moment ago. `whole` is the step for the
   * next run, with the request that it searches for.
   */
  async begin(index: number, step: string, whole: Step, request: ApiRequest): Promise<void> {
    const known = this.#unsent.get(index);
    if (known !== undefined) {
      await known.durable;
      const now = this.#clock.now();
      if (now - known.writtenAt <= oldestBeginMs && now - this.#confirmedAt <= this.#confirmedForMs) return;
      this.#unsent.delete(index);
    }
    this.beginAhead(index, step, whole, request);
    await this.#unsent.get(index)?.durable;
  }

  /** Writes the begin of the step's next call unless it is already written. `begin` reports a failure. */
  beginAhead(index: number, step: string, whole: Step, request: ApiRequest): void {
    if (this.#unsent.has(index)) return;
    const writtenAt = this.#clock.now();
    const durable = this.write(step, whole, request);
    durable.catch(() => undefined);
    this.#unsent.set(index, { step, writtenAt, durable });
  }

  /** Writes a begin at once, whether or not the step's call is about to leave. */
  write(step: string, { needs: _needs, after: _after, ...whole }: Step, request: ApiRequest): Promise<void> {
    const at = this.#clock.date().toISOString();
    const begin = { step, address: whole.address, request: requestDigest(request), at };
    return this.#timed(this.#state.begin({ ...begin, planned: { ...whole, needs: [] } }));
  }

  /** Notes that the step's call leaves now. */
  leaves(index: number): void {
    this.#unsent.delete(index);
  }

  /** Ends the begin of a call that does not leave. No earlier call of the step can have taken effect. */
  undone(index: number, step: string): Promise<void> {
    this.#unsent.delete(index);
    return this.#state.undone(step);
  }

  done(step: string, entry: StateEntry): Promise<void> {
    return this.#timed(this.#state.done(step, entry));
  }

  /** Ends the begins of calls that never left, so that the next run does not wait for them. */
  async undoUnsent(mayHaveEffect: (index: number) => boolean): Promise<void> {
    const unsent = [...this.#unsent].filter(([index]) => !mayHaveEffect(index));
    // Wait for the begin first, because state does not order overlapping writes.
    await Promise.all(unsent.map(([index, { step, durable }]) => durable.then(() => this.undone(index, step))));
  }

  // Slow writes prove the lock for longer, but only if all are slow: in a single slow write the process may have been paused.
  get #confirmedForMs(): number {
    const shortestMs = Math.min(...this.#times.map((times) => times.shortestMs));
    return Math.max(confirmedMs, confirmedWrites * shortestMs);
  }

  /** Measures the duration of a write to state. */
  async #timed(write: Promise<void>): Promise<void> {
    const from = this.#clock.now();
    await write;
    const now = this.#clock.now();
    const tookMs = now - from;
    this.#confirmedAt = Math.max(this.#confirmedAt, from);
    if (now - this.#times[0].since > memoryMs) this.#times = [newTimes(now), this.#times[0]];
    const [times] = this.#times;
    times.longestMs = Math.max(times.longestMs, tookMs);
    times.shortestMs = Math.min(times.shortestMs, tookMs);
    this.#timeline.stateWaited(tookMs, now);
  }
}

function newTimes(since: number): Times {
  return { since, shortestMs: Number.POSITIVE_INFINITY, longestMs: 0 };
}
