// Runs one step to its end, one call at a time: write the begin, send, classify the answer, record the result.
//
// Most steps succeed with one call and need no memory. A state is kept only for a step that got no answer, that is in doubt
// (its request may have taken effect), or that other steps replace. While a step is in doubt its begin stays in the journal,
// so that the next run reads before it sends.
import { backOffMs } from '../../model/calls/back-off.ts';
import type { ShownValues, StoredValue } from '../../model/change.ts';
import { Refusal } from '../../model/errors.ts';
import type { StepOutcome } from '../../model/event.ts';
import type { Answer } from '../../model/ports.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import { continuedBegin, type PendingMatch } from '../doubt/begun-calls.ts';
import { searchFor } from '../doubt/kinds.ts';
import { classifySearchPage } from '../doubt/search.ts';
import type { RunTally } from '../report/tally.ts';
import {
  classifyEditRead,
  classifyRequest,
  classifyResolve,
  classifyUnanswered,
  type FailureKind,
  type FailureReason,
  isCallForbidden,
  isSurelyUndone,
  type Situation,
  type Verdict,
} from '../verdict/classify.ts';
import type { ApplyPorts, StepOptions } from './options.ts';
import {
  afterFailure,
  entryOfParts,
  failureOfParts,
  isPartial,
  joinedParts,
  namedUsers,
  partsAfterLookup,
  partsForEach,
  partsInstead,
  withLeftOut,
} from './parts.ts';
import { StepJournal } from './step-journal.ts';
import { StepSender } from './step-sender.ts';
import { type CallState, type FailedParts, isHopeless, type Parts, retried } from './step-state.ts';
import { type StepReader, StepStates } from './step-states.ts';

/** How a step continues after a call. */
export type StepMove =
  | {
      readonly type: 'ended';
      readonly outcome: Exclude<StepOutcome, 'skipped'>;
      readonly reason?: FailureReason;
      readonly kind?: FailureKind;
      readonly note?: string;
      /** The step failed for some ids only, so steps that depend on it go on. */
      readonly isPartial?: true;
    }
  /** The step needs another call and returns to its lane after `afterMs`. */
  | { readonly type: 'again'; readonly afterMs: number }
  /** The lease is too short for another request. Nothing was sent. */
  | { readonly type: 'leaseShort' };

/**
 * A slot older than this is not used, because after a slow write to state all waiting calls would leave at once. The step
 * queues for another slot.
 */
const staleSlotMs = 100;

const atOnce: StepMove = { type: 'again', afterMs: 0 };

export class StepRunner {
  readonly #steps: StepReader;
  readonly #ports: ApplyPorts;
  readonly #options: StepOptions;
  readonly #tally: RunTally;
  readonly #sender: StepSender;
  readonly #journal: StepJournal;
  readonly #states: StepStates;

  /** `matched` are the steps that an earlier run may have sent. They are read before they are sent. */
  constructor(
    steps: StepReader,
    ports: ApplyPorts,
    options: StepOptions,
    tally: RunTally,
    matched: Pick<PendingMatch, 'begun' | 'continuations'>,
    leaseNeededMs: number,
  ) {
    this.#steps = steps;
    this.#ports = ports;
    this.#options = options;
    this.#tally = tally;
    this.#sender = new StepSender(ports, tally, leaseNeededMs);
    this.#journal = new StepJournal(ports, tally.timeline);
    this.#states = new StepStates(steps, ports, options.settling?.afterMs ?? 0, matched);
  }

  /** Returns the milliseconds until the step may make its next call. A search waits for the settle time. */
  restMs(index: number): number {
    const { call } = this.#states.of(index);
    return call.type === 'searching' ? Math.max(0, call.settledAt - this.#ports.clock.now()) : 0;
  }

  /** Whether the step's next call is the planned one. */
  isPlain(index: number): boolean {
    return this.#states.isInitial(index);
  }

  /** Returns the step's next call, or undefined if it has none. */
  nextRequest(index: number): ApiRequest | undefined {
    const step = this.#states.step(index);
    const { call } = this.#states.of(index);
    switch (call.type) {
      case 'ready':
        return call.rest ?? step.request;
      case 'unknown':
        return step.resolve?.request ?? this.#options.answers?.readOf(step);
      case 'lookup':
        return call.reads[0];
      case 'searching':
        return call.page ?? step.search?.read;
    }
  }

  /** Returns the steps whose last request in this run may have taken effect. */
  inDoubt(): number[] {
    return this.#states.inDoubt();
  }

  /** Ends the begins of calls that never left. Must be called when the run has ended. */
  undoUnsent(): Promise<void> {
    return this.#journal.undoUnsent((index) => this.#states.of(index).mayHaveEffect);
  }

  /** The milliseconds by which `beginAhead` should precede `advance`, or 0 if state is quick. */
  get aheadMs(): number {
    return this.#journal.aheadMs;
  }

  /** Writes the begin of a step's first call before its slots are taken. `advance` reports a failed write. */
  beginAhead(index: number): void {
    const request = this.isPlain(index) ? this.nextRequest(index) : undefined;
    if (request !== undefined)
      this.#journal.beginAhead(index, ...this.#begin(index, this.#states.step(index), request));
  }

  /** Makes the step's next call, for which the caller has taken the slots. Rejects if state refuses to write. */
  async advance(index: number): Promise<StepMove> {
    const takenAt = this.#ports.clock.now();
    const step = this.#states.step(index);
    const request = this.nextRequest(index);
    const { call } = this.#states.of(index);
    if (request === undefined) return call.type === 'ready' ? this.#done(index, step) : noReadTells();
    switch (call.type) {
      case 'ready':
        return this.#carryOut(index, step, request, takenAt);
      case 'unknown': {
        const answer = await this.#sender.send(step, request, takenAt, false);
        const verdict =
          step.resolve === undefined
            ? classifyEditRead(answer, (body) => this.#options.answers?.compare(step, request, body).isAsSent === true)
            : classifyResolve(step, answer, this.#situation(index, call));
        return this.#follow(index, step, request, verdict, answer);
      }
      case 'lookup': {
        const answer = await this.#sender.send(step, request, takenAt, false);
        return this.#lookedUp(index, step, request, call, answer);
      }
      case 'searching':
        return this.#search(index, step, request, call, takenAt);
    }
  }

  async #carryOut(index: number, step: Step, request: ApiRequest, takenAt: number): Promise<StepMove> {
    const { attempts, mayHaveEffect, call } = this.#states.of(index);
    await this.#journal.begin(index, ...this.#begin(index, step, request));
    if (!this.#sender.hasLease()) {
      if (!mayHaveEffect) await this.#journal.undone(index, step.id);
      return { type: 'leaseShort' };
    }
    const sentAt = this.#ports.clock.now();
    if (sentAt - takenAt > staleSlotMs) return this.#requeue(request, takenAt);
    this.#journal.leaves(index);
    const answer = await this.#sender.send(step, request, takenAt, attempts > 0);
    if ((answer.type === 'ok' && step.search?.isAwaited === true) || isCallForbidden(step, answer))
      return this.#await(index, step, request, answer);
    const hasRead =
      answer.type === 'unknown' && answer.isUnclear === true && this.#options.answers?.readOf(step) !== undefined;
    const isInState = (): boolean => this.#ports.state.get(step.address) !== undefined;
    const verdict = classifyRequest(step, answer, { ...this.#situation(index, call), hasRead, isInState });
    if (isSurelyUndone(step, verdict, mayHaveEffect)) await this.#journal.undone(index, step.id);
    const settledAt = Math.max(sentAt, answer.leftAt ?? 0) + (this.#options.settling?.afterMs ?? 0);
    return this.#follow(index, step, request, verdict, answer, settledAt);
  }

  /** The platform works on the call later, so the answer and further reads go to the search for it. */
  async #await(index: number, step: Step, request: ApiRequest, answer: Answer): Promise<StepMove> {
    const { settling } = this.#options;
    const search = settling === undefined ? undefined : await searchFor(step, false, settling);
    if (search === undefined) return noReadTells();
    const { mayHaveEffect } = this.#states.of(index);
    const isFresh = answer.type === 'refused';
    const verdict = classifySearchPage(step, answer, search, { maySendUnseen: false, isFresh });
    if (isFresh && isSurelyUndone(step, verdict, mayHaveEffect)) await this.#journal.undone(index, step.id);
    const settledAt = this.#ports.clock.now();
    if (!isFresh) this.#states.change(index, { call: { type: 'searching', settledAt, search }, mayHaveEffect: true });
    return this.#follow(index, step, request, verdict, answer);
  }

  #situation(index: number, call: CallState): Situation {
    const { mayHaveEffect, parts } = this.#states.of(index);
    const keyIsTaken = call.type === 'unknown' && call.keyIsTaken;
    const part = parts === undefined ? {} : { part: parts.isForEach ? ('one' as const) : ('existing' as const) };
    return { mayHaveEffect, keyIsTaken, existing: this.#options.existing ?? 'refuse', ...part };
  }

  /** Reads one page of the search for a call in doubt. */
  async #search(
    index: number,
    step: Step,
    request: ApiRequest,
    call: Extract<CallState, { type: 'searching' }>,
    takenAt: number,
  ): Promise<StepMove> {
    const { settling } = this.#options;
    let search = call.search;
    try {
      if (settling !== undefined) search ??= await searchFor(step, call.isFresh === true, settling);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#ports.pacer.learn(request, { type: 'unsent', message: error.message }, takenAt);
      const message = `chatform can no longer tell what was sent: ${error.message} ${error.advice}`;
      return { type: 'ended', outcome: 'unknown', reason: { status: 0, code: 0, message } };
    }
    if (settling === undefined || search === undefined) return noReadTells();
    this.#states.change(index, { call: { ...call, search } });
    const answer = await this.#sender.send(step, request, takenAt, false);
    const isFresh = call.isFresh === true;
    const maySendUnseen = settling.trustDedup || (isFresh && step.search?.fresh?.isOptional === true);
    const verdict = classifySearchPage(step, answer, search, { maySendUnseen, isFresh });
    return this.#follow(index, step, request, verdict, answer);
  }

  /**
   * Returns the content of a call's begin, from which the next run resolves it whatever is declared by then. A call in parts
   * is begun as a whole, because its entry covers all parts, unless it makes one object.
   */
  #begin(index: number, step: Step, request: ApiRequest): readonly [id: string, whole: Step, request: ApiRequest] {
    const whole = step.begin ? step : this.#states.whole(index);
    // The next run searches for the whole list of the call, so the whole call is begun.
    return [step.id, whole, step.search === undefined ? request : (step.request ?? request)];
  }

  /** Gives an old slot back and returns the step to its lane. Its begin stays. */
  #requeue(request: ApiRequest, takenAt: number): StepMove {
    this.#ports.pacer.learn(request, { type: 'unsent', message: 'the slot was too old' }, takenAt);
    return atOnce;
  }

  /** `settledAt` is when a search for the request may start, if its outcome is unknown. */
  async #follow(
    index: number,
    step: Step,
    request: ApiRequest,
    verdict: Verdict,
    answer: Answer,
    settledAt = 0,
  ): Promise<StepMove> {
    const { call, begins, mayHaveEffect } = this.#states.of(index);
    switch (verdict.type) {
      case 'done': {
        const { note, live, registered } = verdict;
        if (registered !== undefined) this.#tally.registeredRequest({ address: step.address, ...registered });
        if (live === undefined) {
          const { entry, differing } = this.#shown(step, request, answer);
          return this.#done(index, { ...step, entry }, note, differing);
        }
        const entry = this.#options.enter?.(step, live) ?? step.entry;
        if (typeof entry !== 'string') return this.#done(index, { ...step, entry }, note);
        return this.#failed(index, { status: 0, code: 0, message: entry }, 'differs');
      }
      case 'failed':
        return this.#failed(index, verdict.reason, verdict.kind);
      case 'unknown':
        return { type: 'ended', outcome: 'unknown', reason: verdict.reason };
      case 'wait':
        this.#limited(request, verdict.retryAfterS);
        return { type: 'again', afterMs: verdict.retryAfterS * 1000 };
      case 'retry':
        return this.#retry(index, step, verdict, settledAt);
      case 'call': {
        const rest = call.type === 'searching' && call.rest !== undefined ? { rest: call.rest } : {};
        this.#states.change(index, {
          call: verdict.next === 'request' ? { type: 'ready', ...rest } : { type: 'unknown', keyIsTaken: true },
        });
        return atOnce;
      }
      case 'page':
        if (call.type === 'searching') this.#states.change(index, { call: { ...call, page: verdict.request } });
        return { type: 'again', afterMs: verdict.afterMs ?? 0 };
      case 'send':
        if (verdict.isClear === true) this.#states.clearFresh(step.address);
        this.#states.change(index, { call: { type: 'ready', rest: verdict.request } });
        return atOnce;
      case 'lookup': {
        const reads = this.#options.answers?.usersRead(namedUsers(step)) ?? [];
        if (reads.length === 0) return this.#takeParts(index, partsForEach(step, noFailures), verdict.reason);
        this.#states.change(index, { call: { type: 'lookup', reads, found: new Set(), refusal: verdict.reason } });
        return atOnce;
      }
      case 'split': {
        const { parts } = this.#states.of(index);
        const { reason } = verdict;
        if (parts?.isForEach === true) return this.#takeParts(index, partsInstead(step, parts, reason), reason);
        return this.#takeParts(index, partsForEach(step, parts ?? noFailures), reason);
      }
      case 'adopt': {
        const steps = this.#options.adopt?.(step, verdict.live) ?? [];
        if (steps.length === 0) return this.#failed(index, verdict.reason, 'differs');
        const unresolved = mayHaveEffect ? [...begins, step.id] : begins;
        const { parts: failed } = this.#states.of(index);
        this.#states.reset(index, { adoption: { steps, ...(failed && { failed }) }, begins: unresolved });
        return atOnce;
      }
    }
  }

  /** Compares the values that a call sent with those in its answer. */
  #shown(step: Step, request: ApiRequest, answer: Answer): Pick<ShownValues, 'entry' | 'differing'> {
    const { answers } = this.#options;
    if (answers === undefined || answer.type !== 'ok') return { entry: step.entry, differing: [] };
    return answers.compare(step, request, answer.body);
  }

  /** Ends the call after its entry has become durable. */
  async #done(index: number, step: Step, note?: string, differing: readonly StoredValue[] = []): Promise<StepMove> {
    const { parts } = this.#states.of(index);
    if (parts !== undefined) {
      const { steps, arrived } = parts;
      return this.#goOn(index, {
        ...parts,
        steps: steps.slice(1),
        arrived: [...arrived, step.entry],
        differing: [...parts.differing, ...differing],
      });
    }
    await this.#beginContinuation(index);
    await this.#journal.done(step.id, step.entry);
    this.#tellStored(step, differing);
    return this.#next(index, note);
  }

  /** Goes on with the next step of an adoption, or ends the step. `failed` are the parts of its last call. */
  async #next(index: number, note: string | undefined, failed?: FailedParts): Promise<StepMove> {
    const { adoption } = this.#states.of(index);
    const whole = this.#states.whole(index);
    await this.#forget(index);
    const parts = joinedParts(adoption?.failed, failed);
    const isForSome = failed === undefined || isPartial(whole, failed);
    const steps = adoption?.steps.slice(1) ?? [];
    if (steps.length > 0 && isForSome) {
      this.#states.reset(index, { adoption: { steps, ...(parts && { failed: parts }) } });
      return atOnce;
    }
    if (parts !== undefined) {
      const partial = isForSome ? { isPartial: true as const } : {};
      return { type: 'ended', outcome: 'failed', reason: failureOfParts(parts), ...partial };
    }
    const outcome = adoption === undefined ? note : 'adopted';
    return { type: 'ended', outcome: 'succeeded', ...(outcome === undefined ? {} : { note: outcome }) };
  }

  #tellStored({ id }: Step, differing: readonly StoredValue[]): void {
    for (const value of differing) {
      this.#tally.storedOtherwise(value);
      this.#ports.emit({ type: 'value.stored', step: id, ...value });
    }
  }

  /** Takes one page of the list of users who exist. After the last one, the call is made without the others. */
  async #lookedUp(
    index: number,
    step: Step,
    request: ApiRequest,
    call: Extract<CallState, { type: 'lookup' }>,
    answer: Answer,
  ): Promise<StepMove> {
    const ids = answer.type === 'ok' ? this.#options.answers?.usersIn(answer.body) : undefined;
    if (answer.type === 'ok' && ids !== undefined) {
      const found = new Set([...call.found, ...ids]);
      const reads = call.reads.slice(1);
      this.#states.change(index, { call: { ...call, reads, found } });
      if (reads.length > 0) return atOnce;
      // A list cannot be asked for ids with a comma.
      const parts = partsAfterLookup(step, (id) => found.has(id) || id.includes(','), call.refusal);
      return this.#takeParts(index, parts ?? partsForEach(step, noFailures), call.refusal);
    }
    if (answer.type !== 'ok' && answer.type !== 'refused') {
      return this.#follow(index, step, request, classifyUnanswered(answer), answer);
    }
    return this.#takeParts(index, partsForEach(step, noFailures), call.refusal);
  }

  /** Without parts the platform's refusal of the whole call is final. */
  async #takeParts(index: number, parts: Parts | undefined, refusal: FailureReason): Promise<StepMove> {
    return parts === undefined ? this.#failed(index, refusal, undefined) : this.#goOn(index, parts);
  }

  async #goOn(index: number, parts: Parts): Promise<StepMove> {
    if (parts.steps.length === 0) return this.#endParts(index, parts);
    const { attempts, firstAttemptAt, begins, adoption } = this.#states.of(index);
    const whole = adoption === undefined ? {} : { adoption };
    this.#states.reset(index, { attempts, firstAttemptAt, begins, parts, ...whole });
    return atOnce;
  }

  /** Ends a call in parts. Its entry has the ids whose calls succeeded. */
  async #endParts(index: number, all: Parts): Promise<StepMove> {
    const whole = this.#states.whole(index);
    const parts = withLeftOut(whole, all);
    const entry = entryOfParts(whole, parts);
    // Without any id the entry may still end the creation of the object, whose other parts are complete.
    const endsMore = isPartial(whole, parts) && entry.type === 'patch' && entry.marks !== undefined;
    if (parts.arrived.length > 0 || endsMore) await this.#journal.done(whole.id, entry);
    this.#tellStored(whole, parts.differing);
    const note = parts.isForEach ? 'one call for each id' : undefined;
    return this.#next(index, note, parts.failures.length === 0 ? undefined : parts);
  }

  async #failed(index: number, reason: FailureReason, kind: FailureKind | undefined): Promise<StepMove> {
    const { parts } = this.#states.of(index);
    if (parts !== undefined && kind === undefined && reason.status > 0)
      return this.#goOn(index, afterFailure(parts, reason));
    // A refusal by the platform also ends the begins of earlier runs. An object that differs may still be ours.
    if (reason.status > 0 && this.#steps.at(index).search === undefined) await this.#forget(index);
    return { type: 'ended', outcome: 'failed', reason, ...(kind === undefined ? {} : { kind }) };
  }

  #retry(index: number, step: Step, verdict: Extract<Verdict, { type: 'retry' }>, settledAt: number): StepMove {
    const { clock, emit } = this.#ports;
    const state = retried(this.#states.of(index), step, verdict, clock.now(), settledAt);
    this.#states.change(index, state);
    const why = verdict.reason.message;
    if (isHopeless(state, clock.now())) {
      const gaveUp = `gave up after ${state.attempts} attempts: ${why}`;
      const search = state.call.type === 'searching' ? state.call.search : undefined;
      const message = search?.unread(gaveUp) ?? gaveUp;
      const outcome = state.mayHaveEffect ? 'unknown' : 'failed';
      return { type: 'ended', outcome, reason: { ...verdict.reason, message } };
    }
    emit({ type: 'step.retried', step: step.id, address: step.address, attempt: state.attempts + 1, why });
    const askedMs = (verdict.retryAfterS ?? 0) * 1000;
    return { type: 'again', afterMs: Math.max(askedMs, backOffMs(state.attempts, this.#options.random)) };
  }

  #limited(request: ApiRequest, retryAfterS: number): void {
    this.#tally.limited(request);
    const refused_for_s = Math.round(this.#tally.refused.ms(this.#ports.clock.now()) / 1000);
    this.#ports.emit({ type: 'rate.limited', route: routeName(request), retry_after_s: retryAfterS, refused_for_s });
  }

  /** Writes a begin for the step that the doubt extends to, so that the next run searches for it if this one dies first. */
  async #beginContinuation(index: number): Promise<void> {
    const next = this.#states.continuationOf(index);
    const begun = next === undefined ? undefined : continuedBegin(next.step, next.until);
    if (next?.step.request !== undefined && begun !== undefined)
      await this.#journal.write(next.step.id, begun, next.step.request);
  }

  /** Drops the step's state and ends the begins that earlier runs wrote under other positions. */
  async #forget(index: number): Promise<void> {
    const continuationId = this.#states.continuationOf(index)?.step.id;
    for (const id of this.#states.of(index).begins) if (id !== continuationId) await this.#ports.state.undone(id);
    this.#states.delete(index);
  }
}

const noFailures: Pick<Parts, 'failures'> = { failures: [] };

function noReadTells(): StepMove {
  const message = 'an earlier run began this call, its outcome is unknown, and no read can determine it';
  return { type: 'ended', outcome: 'unknown', reason: { status: 0, code: 0, message } };
}
