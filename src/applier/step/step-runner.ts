// Brings one step to its end, one call at a time: write the begin, send, classify the answer, record the result.
//
// A step that succeeds at once is one call, and nothing is remembered of it. A retry state is kept only for a step that
// failed without an answer, that is in doubt (a request of ours may have had its effect), or that is replaced by other
// steps. While a step is in doubt its begin stays in the journal, so that the next run reads before it sends.
import { Refusal } from '../../model/errors.ts';
import type { StepOutcome } from '../../model/event.ts';
import type { Answer } from '../../model/ports.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import type { ApplyOptions, ApplyPorts } from '../options.ts';
import type { PendingMatch } from '../recover/pending.ts';
import type { Tally } from '../report/tally.ts';
import type { StepReader } from '../schedule/step-reader.ts';
import { backoffMs, noteAttempt } from './attempts.ts';
import {
  classifyRequest,
  classifyResolve,
  type FailureKind,
  type FailureReason,
  isSurelyUndone,
  type Verdict,
} from './classify.ts';
import { RetryStates } from './retry-state.ts';
import { classifySearchPage, restBeforeSearchMs } from './settle.ts';
import { inParts } from './split.ts';
import { StepJournal } from './step-journal.ts';

/** What the run does with a step after a call. */
export type StepMove =
  | {
      readonly type: 'ended';
      readonly outcome: Exclude<StepOutcome, 'skipped'>;
      readonly reason?: FailureReason;
      readonly kind?: FailureKind;
      readonly note?: string;
    }
  /** The step has another call to make, and returns to its lane after that many milliseconds. */
  | { readonly type: 'again'; readonly afterMs: number }
  /** The lease is too short for another request: nothing was sent. */
  | { readonly type: 'leaseShort' };

/**
 * A slot that is older than this is not used: state was slow, and all calls that waited for it would leave at once. Such
 * a step queues for another slot.
 */
const staleSlotMs = 100;

const atOnce: StepMove = { type: 'again', afterMs: 0 };

export class StepRunner {
  readonly #steps: StepReader;
  readonly #ports: ApplyPorts;
  readonly #options: ApplyOptions;
  readonly #tally: Tally;
  readonly #leaseNeededMs: number;
  readonly #journal: StepJournal;
  readonly #states = new RetryStates();
  readonly #continuations: PendingMatch['continuations'];

  /** `begun`: steps that an earlier run began or may have sent, with the journal ids of their begins. They are read before they are sent. */
  constructor(
    steps: StepReader,
    ports: ApplyPorts,
    options: ApplyOptions,
    tally: Tally,
    { begun, continuations }: Pick<PendingMatch, 'begun' | 'continuations'>,
    leaseNeededMs: number,
  ) {
    this.#steps = steps;
    this.#ports = ports;
    this.#options = options;
    this.#tally = tally;
    this.#leaseNeededMs = leaseNeededMs;
    this.#journal = new StepJournal(ports, tally.timeline);
    this.#continuations = continuations;
    for (const [index, ids] of begun) {
      const begins = ids.filter((id) => id !== steps.at(index).id);
      const pending = ports.state.pending.filter(({ step }) => ids.includes(step));
      const settledAt = ports.clock.now() + restBeforeSearchMs(pending, options.settling?.afterMs ?? 0, ports.clock);
      const hasRequest = steps.at(index).request !== undefined;
      const doubt = hasRequest ? ({ mayHaveEffect: true, next: 'resolve', settledAt } as const) : {};
      this.#states.set(index, { ...doubt, begins });
    }
  }

  /** Milliseconds until the step may make its next call: messages in doubt are not searched for before they have settled. */
  restMs(index: number): number {
    const { next, settledAt } = this.#states.of(index);
    if (next !== 'resolve' || this.#step(index).settle === undefined) return 0;
    return Math.max(0, (settledAt ?? 0) - this.#ports.clock.now());
  }

  /** Nothing is remembered of the step: its next call is the planned one. */
  isPlain(index: number): boolean {
    return !this.#states.has(index);
  }

  /** The step's next call; undefined if it has none. */
  nextRequest(index: number): ApiRequest | undefined {
    const step = this.#step(index);
    const { next, page, left } = this.#states.of(index);
    if (next === 'resolve') return page ?? step.settle?.read ?? step.resolve?.request;
    return left ?? step.request;
  }

  /** The steps whose last request in this run may have had its effect. */
  inDoubt(): number[] {
    return this.#states.inDoubt();
  }

  /** Takes back the begins of calls that never left. Call it when the run has ended. */
  undoUnsent(): Promise<void> {
    return this.#journal.undoUnsent((index) => this.#states.of(index).mayHaveEffect);
  }

  /** Milliseconds by which `beginAhead` should precede `advance`; 0 when state is quick. */
  get aheadMs(): number {
    return this.#journal.aheadMs;
  }

  /** Writes the begin of a step's first call before that has its slots. `advance` is told when the write failed. */
  beginAhead(index: number): void {
    const request = this.isPlain(index) ? this.nextRequest(index) : undefined;
    if (request !== undefined) this.#journal.beginAhead(index, ...this.#begin(index, this.#step(index), request));
  }

  /** Makes the step's next call; the caller has taken its slots. Rejects when the state refuses to write. */
  async advance(index: number): Promise<StepMove> {
    const takenAt = this.#ports.clock.now();
    const step = this.#step(index);
    const { next, attempts, mayHaveEffect, keyIsTaken } = this.#states.of(index);
    const reading = next === 'resolve';
    const request = this.nextRequest(index);
    if (request === undefined) return reading ? noReadTells() : this.#done(index, step);
    if (reading && step.settle !== undefined) return this.#search(index, step, request, takenAt);
    if (!reading) await this.#journal.begin(index, ...this.#begin(index, step, request));
    if (!reading && this.#ports.state.leaseLeft() < this.#leaseNeededMs) {
      if (!mayHaveEffect) await this.#journal.undone(index, step.id);
      return { type: 'leaseShort' };
    }
    const sentAt = this.#ports.clock.now();
    if (sentAt - takenAt > staleSlotMs) return this.#requeue(request, takenAt);
    this.#journal.leaves(index);
    const answer = await this.#send(step, request, takenAt, !reading && attempts > 0);
    const situation = { mayHaveEffect, keyIsTaken, existing: this.#options.existing ?? 'refuse' };
    const verdict = reading ? classifyResolve(step, answer, situation) : classifyRequest(step, answer, situation);
    if (!reading && isSurelyUndone(step, verdict, mayHaveEffect)) await this.#journal.undone(index, step.id);
    if (step.settle !== undefined && answer.type === 'unknown') {
      const settledAt = Math.max(sentAt, answer.leftAt ?? 0) + (this.#options.settling?.afterMs ?? 0);
      this.#states.at(index).settledAt = settledAt;
    }
    if (answer.type === 'limited') this.#limited(request, verdict);
    return this.#follow(index, step, verdict);
  }

  /** Reads one page of the channel to find out which messages of a batch in doubt have arrived. */
  async #search(index: number, step: Step, request: ApiRequest, takenAt: number): Promise<StepMove> {
    const { settling } = this.#options;
    const state = this.#states.at(index);
    let search = state.search;
    try {
      search ??= await settling?.search(step);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#ports.pacer.learn(request, { type: 'unsent', message: error.message }, takenAt);
      const message = `chatform can no longer tell what was sent: ${error.message} ${error.advice}`;
      return { type: 'ended', outcome: 'unknown', reason: { status: 0, code: 0, message } };
    }
    if (settling === undefined || search === undefined) return noReadTells();
    state.search = search;
    const answer = await this.#send(step, request, takenAt, false);
    const verdict = classifySearchPage(step, answer, search, settling);
    if (answer.type === 'limited') this.#limited(request, verdict);
    return this.#follow(index, step, verdict);
  }

  /**
   * What the next run is told of a call, whatever is declared by then. A call in parts is begun as a whole, since its entry
   * covers all parts.
   */
  #begin(index: number, step: Step, request: ApiRequest): readonly [id: string, whole: Step, request: ApiRequest] {
    const whole = this.#states.of(index).inParts ? this.#steps.at(index) : step;
    // For a batch of messages the next run searches for the whole batch, so the whole batch is begun.
    return [step.id, whole, step.settle === undefined ? request : (step.request ?? request)];
  }

  /** Gives an old slot back and sends the step to its lane; its begin stays. */
  #requeue(request: ApiRequest, takenAt: number): StepMove {
    this.#ports.pacer.learn(request, { type: 'unsent', message: 'the slot was too old' }, takenAt);
    return atOnce;
  }

  /**
   * Makes one attempt. The pacer is told when the slots were taken and when the call left. A placeholder that cannot be
   * filled counts as a refused answer.
   */
  async #send(step: Step, request: ApiRequest, takenAt: number, again: boolean): Promise<Answer> {
    const { platform, pacer, clock } = this.#ports;
    const sentAt = clock.now();
    try {
      const answer = await platform.send(request, step.sink === undefined ? {} : { sink: step.sink });
      const leftAt = Math.max(sentAt, answer.leftAt ?? sentAt);
      const now = clock.now();
      this.#tally.answered({ step, request, answer, again, tookMs: now - leftAt }, now);
      pacer.learn(request, { ...answer, leftAt }, takenAt);
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      pacer.learn(request, { type: 'unsent', message: error.message }, takenAt);
      return { type: 'refused', status: 0, code: 0, message: `${error.message} ${error.advice}` };
    }
  }

  async #follow(index: number, step: Step, verdict: Verdict): Promise<StepMove> {
    switch (verdict.type) {
      case 'done': {
        const { note, live } = verdict;
        const entry = live === undefined ? step.entry : (this.#options.enter?.(step, live) ?? step.entry);
        if (typeof entry !== 'string') return this.#done(index, { ...step, entry }, note);
        return this.#failed(index, { status: 0, code: 0, message: entry }, 'differs');
      }
      case 'failed':
        return this.#failed(index, verdict.reason, verdict.kind);
      case 'unknown':
        return { type: 'ended', outcome: 'unknown', reason: verdict.reason };
      case 'wait':
        return { type: 'again', afterMs: verdict.retryAfterS * 1000 };
      case 'retry':
        return this.#retry(index, step, verdict);
      case 'call': {
        const state = this.#states.at(index);
        state.next = verdict.next;
        state.keyIsTaken = verdict.next === 'resolve';
        return atOnce;
      }
      case 'page':
        this.#states.at(index).page = verdict.request;
        return atOnce;
      case 'send': {
        const { search: _search, page: _page, ...state } = this.#states.of(index);
        this.#states.set(index, { ...state, next: 'request', left: verdict.request });
        return atOnce;
      }
      case 'split': {
        const { attempts, firstAttemptAt, begins } = this.#states.of(index);
        const replacements = inParts(step, verdict.split);
        this.#states.set(index, { attempts, firstAttemptAt, begins, replacements, inParts: true });
        return atOnce;
      }
      case 'adopt': {
        const replacements = this.#options.adopt?.(step, verdict.live) ?? [];
        if (replacements.length === 0) return this.#failed(index, verdict.reason, 'differs');
        const { mayHaveEffect, begins } = this.#states.of(index);
        this.#states.set(index, { replacements, begins: mayHaveEffect ? [...begins, step.id] : begins });
        return atOnce;
      }
    }
  }

  /** The step is done only when its entry is durable. */
  async #done(index: number, step: Step, note?: string): Promise<StepMove> {
    const { replacements, inParts } = this.#states.of(index);
    if (inParts && replacements.length > 1) {
      this.#states.at(index).replacements = replacements.slice(1);
      return atOnce;
    }
    await this.#beginContinuation(index);
    await this.#journal.done(step.id, step.entry);
    await this.#forget(index);
    if (replacements.length > 1) {
      this.#states.set(index, { replacements: replacements.slice(1) });
      return atOnce;
    }
    const told = inParts ? 'one call for each id' : replacements.length > 0 ? 'adopted' : note;
    return { type: 'ended', outcome: 'succeeded', ...(told === undefined ? {} : { note: told }) };
  }

  async #failed(index: number, reason: FailureReason, kind: FailureKind | undefined): Promise<StepMove> {
    // A refusal by the platform ends the begins of earlier runs, too. An object that differs may still be ours.
    if (reason.status > 0 && this.#steps.at(index).settle === undefined) await this.#forget(index);
    return { type: 'ended', outcome: 'failed', reason, ...(kind === undefined ? {} : { kind }) };
  }

  #retry(index: number, step: Step, verdict: Extract<Verdict, { type: 'retry' }>): StepMove {
    const { clock, emit } = this.#ports;
    const state = this.#states.at(index);
    if (noteAttempt(state, verdict, clock.now())) {
      const message = `gave up after ${state.attempts} attempts: ${verdict.reason.message}`;
      const outcome = state.mayHaveEffect ? 'unknown' : 'failed';
      return { type: 'ended', outcome, reason: { ...verdict.reason, message } };
    }
    const why = verdict.reason.message;
    emit({ type: 'step.retried', step: step.id, address: step.address, attempt: state.attempts + 1, why });
    return { type: 'again', afterMs: backoffMs(state.attempts, this.#options.random) };
  }

  #limited(request: ApiRequest, verdict: Verdict): void {
    this.#tally.limited(request);
    const retryAfterS = verdict.type === 'wait' ? verdict.retryAfterS : 0;
    this.#ports.emit({ type: 'rate.limited', route: routeName(request), retry_after_s: retryAfterS });
  }

  /** Begins the step that the doubt reaches into next, so that the next run searches for it if this one dies first. */
  async #beginContinuation(index: number): Promise<void> {
    const next = this.#continuations.get(index);
    if (next === undefined) return;
    const step = this.#step(next.index);
    const { request, settle } = step;
    if (request === undefined || settle === undefined) return;
    const doubtful = { ...step, settle: { ...settle, until: next.until, unsure: true as const } };
    await this.#journal.write(step.id, doubtful, request);
  }

  /** Ends the step's retry state, and the begins that earlier runs wrote under other numbers. */
  async #forget(index: number): Promise<void> {
    const next = this.#continuations.get(index);
    const continuationId = next === undefined ? undefined : this.#step(next.index).id;
    for (const id of this.#states.of(index).begins) if (id !== continuationId) await this.#ports.state.undone(id);
    this.#states.delete(index);
  }

  #step(index: number): Step {
    return this.#states.of(index).replacements[0] ?? this.#steps.at(index);
  }
}

function noReadTells(): StepMove {
  const message = 'an earlier run began this call, its outcome is unknown, and no read can tell it';
  return { type: 'ended', outcome: 'unknown', reason: { status: 0, code: 0, message } };
}
