// Writes what state has to know of a step: its begin before a call leaves, and its entry when it is done.
//
// A begin is written ahead of the call's slot when state is slow, so that no slot is held while the begin becomes durable.
// Only a write shows that nobody has broken our lock. So a begin counts while some later write is young: a process that was
// paused writes its begins again before it sends, and a state of which it has lost the lock refuses them.
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

/** A slot is hardly late by a shorter write, so that nothing is written ahead. */
const shortestAheadMs = 3;
/** A longer write is a stall: the next run would have to settle many begins. */
const longestAheadMs = 500;
/** A stretch of time; how long its writes took counts until the end of the next one. */
const memoryMs = 2_000;
/** An older begin is written again before its call leaves: the next run counts the settle time (semantics §5.5) from it. */
const oldestBeginMs = 7_500;
/** The lock counts as ours for so long after the start of a write that state took; longer if writes take that long. */
const confirmedMs = 500;
const confirmedWrites = 4;

/** How long writes took in a stretch of time. */
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
  /** Of this stretch of time and of the one before. */
  #times: readonly [Times, Times] = [newTimes(0), newTimes(0)];
  /** When the last of the writes began that state has taken. */
  #confirmedAt = Number.NEGATIVE_INFINITY;

  constructor({ state, clock }: { readonly state: StateWriter; readonly clock: Clock }, timeline: Timeline) {
    this.#state = state;
    this.#clock = clock;
    this.#timeline = timeline;
  }

  /** Milliseconds by which a begin has to be written before its slot; 0 when state is quick. */
  get aheadMs(): number {
    const ms = Math.max(...this.#times.map(({ longestMs }) => longestMs));
    return ms < shortestAheadMs ? 0 : Math.min(ms, longestAheadMs);
  }

  /**
   * Resolves when the call may leave: its begin is durable, and the lock was ours a moment ago. `whole` is what the next run
   * is told of: the step with the request that it searches for.
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

  /** Writes the begin of the step's next call, if it is not written yet. A failure is told by `begin`. */
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

  /** The step's call leaves now. */
  leaves(index: number): void {
    this.#unsent.delete(index);
  }

  /** The step's begun call does not leave, and no earlier call of it can have had its effect. */
  undone(index: number, step: string): Promise<void> {
    this.#unsent.delete(index);
    return this.#state.undone(step);
  }

  done(step: string, entry: StateEntry): Promise<void> {
    return this.#timed(this.#state.done(step, entry));
  }

  /** Takes back the begins of calls that never left, so that the next run does not wait for them. */
  async undoUnsent(mayHaveEffect: (index: number) => boolean): Promise<void> {
    const unsent = [...this.#unsent].filter(([index]) => !mayHaveEffect(index));
    // After the begin, not beside it: state keeps no order among writes that overlap.
    await Promise.all(unsent.map(([index, { step, durable }]) => durable.then(() => this.undone(index, step))));
  }

  /** A state that is slow by itself confirms less often. One write that took long says nothing: we may have been paused. */
  get #confirmedForMs(): number {
    const shortestMs = Math.min(...this.#times.map((times) => times.shortestMs));
    return Math.max(confirmedMs, confirmedWrites * shortestMs);
  }

  /** Notes how long a write to state takes. */
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
