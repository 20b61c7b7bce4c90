// Writes what state has to know of a step: its begin before a call leaves, and its entry when it is done.
//
// A begin is written ahead of the call's slot when state is slow, so that no slot is held while the begin becomes durable.
import type { Clock, StateWriter } from '../../model/ports.ts';
import type { StateEntry } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import { requestDigest } from '../recover/pending.ts';
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
/** The longest write of such a time counts until the end of the next one. */
const memoryMs = 2_000;
/** An older begin is written again before its call leaves: the next run counts the settle time (semantics §5.5) from it. */
const oldestBeginMs = 7_500;

export class StepJournal {
  readonly #state: StateWriter;
  readonly #clock: Clock;
  readonly #timeline: Timeline;
  readonly #unsent = new Map<number, Unsent>();
  /** The longest write of this time and of the one before. */
  #longest = { since: 0, ms: 0, beforeMs: 0 };

  constructor({ state, clock }: { readonly state: StateWriter; readonly clock: Clock }, timeline: Timeline) {
    this.#state = state;
    this.#clock = clock;
    this.#timeline = timeline;
  }

  /** Milliseconds by which a begin has to be written before its slot; 0 when state is quick. */
  get aheadMs(): number {
    const ms = Math.max(this.#longest.ms, this.#longest.beforeMs);
    return ms < shortestAheadMs ? 0 : Math.min(ms, longestAheadMs);
  }

  /**
   * Resolves when the begin of the step's next call is durable. It is written once, however often it is asked for before the
   * call leaves. `whole` is what the next run is told of: the step with the request that it searches for.
   */
  begin(index: number, step: string, whole: Step, request: ApiRequest): Promise<void> {
    const now = this.#clock.now();
    const known = this.#unsent.get(index);
    if (known !== undefined && now - known.writtenAt <= oldestBeginMs) return known.durable;
    const durable = this.write(step, whole, request);
    // A failure is told to whoever sends the call. That may be nobody yet.
    durable.catch(() => undefined);
    this.#unsent.set(index, { step, writtenAt: now, durable });
    return durable;
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

  /** Notes how long a write to state takes. */
  async #timed(write: Promise<void>): Promise<void> {
    const from = this.#clock.now();
    await write;
    const now = this.#clock.now();
    if (now - this.#longest.since > memoryMs) this.#longest = { since: now, ms: 0, beforeMs: this.#longest.ms };
    this.#longest.ms = Math.max(this.#longest.ms, now - from);
    this.#timeline.stateWaited(now - from, now);
  }
}
