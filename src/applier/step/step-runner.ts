// How does one step come to its end? One call at a time: begin, send, judge the answer, write what it means to state.
//
// A step without trouble is one call: begin where it must, send, done. Only a step in trouble is remembered between its
// calls: tried in vain, in doubt (a request of ours may have had its effect), or replaced by the steps that take a live
// object over. While a step is in doubt its begin stays in the journal, so that the next run reads before it sends.
import { Refusal } from '../../model/errors.ts';
import type { StepOutcome } from '../../model/event.ts';
import type { Answer } from '../../model/ports.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import type { Split, Step } from '../../model/step.ts';
import type { ApplyOptions, ApplyPorts } from '../options.ts';
import { type PendingMatch, requestDigest } from '../recover/pending.ts';
import type { Tally } from '../report/tally.ts';
import type { StepReader } from '../schedule/step-reader.ts';
import { backoffMs, maxTries, maxTryingMs } from './backoff.ts';
import {
  classifyRequest,
  classifyResolve,
  type FailureKind,
  isSurelyUndone,
  type Reason,
  type Verdict,
} from './classify.ts';
import { RetryStates } from './retry-state.ts';
import { classifyLook, settleMs } from './settle.ts';

/** What becomes of a step after a call. */
export type Move =
  | {
      readonly type: 'ended';
      readonly outcome: Exclude<StepOutcome, 'skipped'>;
      readonly reason?: Reason;
      readonly kind?: FailureKind;
      readonly note?: string;
    }
  /** It has another call to make, and may go back to its lane after that time. */
  | { readonly type: 'again'; readonly afterMs: number }
  /** The lease no longer outlasts a request: nothing was sent, and nothing may be. */
  | { readonly type: 'leaseShort' };

const atOnce: Move = { type: 'again', afterMs: 0 };

export class StepRunner {
  readonly #steps: StepReader;
  readonly #ports: ApplyPorts;
  readonly #options: ApplyOptions;
  readonly #tally: Tally;
  readonly #leaseNeededMs: number;
  readonly #troubles = new RetryStates();
  readonly #goesOn: PendingMatch['goesOn'];

  /** `begun`: the steps that an earlier run began or may have sent, with the ids of their begins; they are read before they are sent. */
  constructor(
    steps: StepReader,
    ports: ApplyPorts,
    options: ApplyOptions,
    tally: Tally,
    { begun, goesOn }: Pick<PendingMatch, 'begun' | 'goesOn'>,
    leaseNeededMs: number,
  ) {
    this.#steps = steps;
    this.#ports = ports;
    this.#options = options;
    this.#tally = tally;
    this.#leaseNeededMs = leaseNeededMs;
    this.#goesOn = goesOn;
    for (const [index, ids] of begun) {
      const begins = ids.filter((id) => id !== steps.at(index).id);
      const before = ports.state.pending.filter(({ step }) => ids.includes(step));
      const settledAt = ports.clock.now() + settleMs(before, options.settling?.afterMs ?? 0, ports.clock);
      const isAsked = steps.at(index).request !== undefined;
      const doubt = isAsked ? ({ ours: true, next: 'resolve', settledAt } as const) : {};
      this.#troubles.set(index, { ...doubt, begins });
    }
  }

  /** Milliseconds until the step may make its next call: a call in doubt is not looked for before it has settled. */
  restMs(index: number): number {
    const { next, settledAt } = this.#troubles.of(index);
    if (next !== 'resolve' || this.#step(index).settle === undefined) return 0;
    return Math.max(0, (settledAt ?? 0) - this.#ports.clock.now());
  }

  /** It makes the call that was planned, or none yet: nothing of it is remembered. */
  isPlain(index: number): boolean {
    return !this.#troubles.has(index);
  }

  /** The call that the step makes next; undefined when there is none to make. */
  nextRequest(index: number): ApiRequest | undefined {
    const step = this.#step(index);
    const { next, page, left } = this.#troubles.of(index);
    if (next === 'resolve') return page ?? step.settle?.read ?? step.resolve?.request;
    return left ?? step.request;
  }

  /** The steps whose last request of this run may have had its effect, for a run that stops. */
  inDoubt(): number[] {
    return this.#troubles.inDoubt();
  }

  /** Makes the step's next call; its slots are taken already. Rejects when the state refuses to write. */
  async advance(index: number): Promise<Move> {
    const takenAt = this.#ports.clock.now();
    const step = this.#step(index);
    const { next, tries, ours, taken } = this.#troubles.of(index);
    const reading = next === 'resolve';
    const request = this.nextRequest(index);
    if (request === undefined) return reading ? cannotTell() : this.#done(index, step);
    if (reading && step.settle !== undefined) return this.#look(index, step, request, takenAt);
    if (!reading && !(await this.#begin(index, step, request))) return { type: 'leaseShort' };
    const sentAt = this.#ports.clock.now();
    const answer = await this.#send(step, request, takenAt, !reading && tries > 0);
    const situation = { ours, taken, existing: this.#options.existing ?? 'refuse' };
    const verdict = reading ? classifyResolve(step, answer, situation) : classifyRequest(step, answer, situation);
    if (!reading && isSurelyUndone(step, verdict, ours)) await this.#ports.state.undone(step.id);
    if (step.settle !== undefined && answer.type === 'unknown') {
      const settledAt = Math.max(sentAt, answer.leftAt ?? 0) + (this.#options.settling?.afterMs ?? 0);
      this.#troubles.at(index).settledAt = settledAt;
    }
    if (answer.type === 'limited') this.#limited(request, verdict);
    return this.#follow(index, step, verdict);
  }

  /** One page of the walk that tells what of the call is there. */
  async #look(index: number, step: Step, request: ApiRequest, takenAt: number): Promise<Move> {
    const { settling } = this.#options;
    const trouble = this.#troubles.at(index);
    let look = trouble.look;
    try {
      look ??= await settling?.look(step);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#ports.pacer.learn(request, { type: 'unsent', message: error.message }, takenAt);
      const message = `what was sent cannot be told any more: ${error.message} ${error.advice}`;
      return { type: 'ended', outcome: 'unknown', reason: { status: 0, code: 0, message } };
    }
    if (settling === undefined || look === undefined) return cannotTell();
    trouble.look = look;
    const answer = await this.#send(step, request, takenAt, false);
    const verdict = classifyLook(step, answer, look, settling);
    if (answer.type === 'limited') this.#limited(request, verdict);
    return this.#follow(index, step, verdict);
  }

  /**
   * Durable before the call leaves, so that the next run knows of it, whatever is declared by then. A call in parts is
   * begun as a whole: its entry is that of all of them. False when it is durable only now that the lease is too short to send.
   */
  async #begin(index: number, step: Step, request: ApiRequest): Promise<boolean> {
    const { state, clock } = this.#ports;
    const { ours, inParts } = this.#troubles.of(index);
    const { needs: _needs, after: _after, ...own } = inParts ? this.#steps.at(index) : step;
    const at = clock.date().toISOString();
    const planned = { ...own, needs: [] };
    // Of a call in parts that settles, all of it: the next run looks for the whole.
    const whole = step.settle === undefined ? request : (step.request ?? request);
    await state.begin({ step: step.id, address: step.address, request: requestDigest(whole), at, planned });
    if (state.leaseLeft() >= this.#leaseNeededMs) return true;
    if (!ours) await state.undone(step.id);
    return false;
  }

  /**
   * One attempt; its slots were taken at `takenAt`, and it leaves when its begin is durable: the pacer is told of both.
   * A hole that cannot be filled is an answer too: refused, by nobody but us.
   */
  async #send(step: Step, request: ApiRequest, takenAt: number, again: boolean): Promise<Answer> {
    const { platform, pacer, clock } = this.#ports;
    const sentAt = clock.now();
    try {
      const answer = await platform.send(request, step.sink === undefined ? {} : { sink: step.sink });
      const leftAt = Math.max(sentAt, answer.leftAt ?? sentAt);
      if (answer.type !== 'unsent') this.#tally.sent(request, again, clock.now() - leftAt);
      pacer.learn(request, { ...answer, leftAt }, takenAt);
      return answer;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      pacer.learn(request, { type: 'unsent', message: error.message }, takenAt);
      return { type: 'refused', status: 0, code: 0, message: `${error.message} ${error.advice}` };
    }
  }

  async #follow(index: number, step: Step, verdict: Verdict): Promise<Move> {
    switch (verdict.type) {
      case 'done':
        return this.#done(index, step, verdict.note);
      case 'failed':
        return this.#failed(index, verdict.reason, verdict.kind);
      case 'unknown':
        return { type: 'ended', outcome: 'unknown', reason: verdict.reason };
      case 'wait':
        return { type: 'again', afterMs: verdict.retryAfterS * 1000 };
      case 'retry':
        return this.#retry(index, step, verdict);
      case 'call': {
        const trouble = this.#troubles.at(index);
        trouble.next = verdict.next;
        trouble.taken = verdict.next === 'resolve';
        return atOnce;
      }
      case 'page':
        this.#troubles.at(index).page = verdict.request;
        return atOnce;
      case 'send': {
        const { look: _over, page: _last, ...trouble } = this.#troubles.of(index);
        this.#troubles.set(index, { ...trouble, next: 'request', left: verdict.request });
        return atOnce;
      }
      case 'split': {
        const { tries, firstTryAt, begins } = this.#troubles.of(index);
        const instead = inParts(step, verdict.split);
        this.#troubles.set(index, { tries, firstTryAt, begins, instead, inParts: true });
        return atOnce;
      }
      case 'adopt': {
        const instead = this.#options.adopt?.(step, verdict.live) ?? [];
        if (instead.length === 0) return this.#failed(index, verdict.reason, 'differs');
        const { ours, begins } = this.#troubles.of(index);
        this.#troubles.set(index, { instead, begins: ours ? [...begins, step.id] : begins });
        return atOnce;
      }
    }
  }

  /** The step counts as done only when its entry is durable. */
  async #done(index: number, step: Step, note?: string): Promise<Move> {
    const { instead, inParts } = this.#troubles.of(index);
    if (inParts && instead.length > 1) {
      this.#troubles.at(index).instead = instead.slice(1);
      return atOnce;
    }
    await this.#passOn(index);
    await this.#ports.state.done(step.id, step.entry);
    await this.#forget(index);
    if (instead.length > 1) {
      this.#troubles.set(index, { instead: instead.slice(1) });
      return atOnce;
    }
    const told = inParts ? 'one call for each id' : instead.length > 0 ? 'adopted' : note;
    return { type: 'ended', outcome: 'succeeded', ...(told === undefined ? {} : { note: told }) };
  }

  async #failed(index: number, reason: Reason, kind: FailureKind | undefined): Promise<Move> {
    // What the platform refused is over under every id; what was read to differ, or was never sent, may still be ours.
    if (reason.status > 0 && this.#steps.at(index).settle === undefined) await this.#forget(index);
    return { type: 'ended', outcome: 'failed', reason, ...(kind === undefined ? {} : { kind }) };
  }

  #retry(index: number, step: Step, verdict: Extract<Verdict, { type: 'retry' }>): Move {
    const { clock, emit } = this.#ports;
    const trouble = this.#troubles.at(index);
    const now = clock.now();
    if (trouble.tries === 0) trouble.firstTryAt = now;
    trouble.tries++;
    trouble.next = verdict.next;
    trouble.taken &&= verdict.next === 'resolve';
    trouble.ours ||= verdict.inDoubt;
    if (trouble.tries >= maxTries || now - trouble.firstTryAt > maxTryingMs) {
      const message = `given up after ${trouble.tries} attempts: ${verdict.reason.message}`;
      return { type: 'ended', outcome: trouble.ours ? 'unknown' : 'failed', reason: { ...verdict.reason, message } };
    }
    const why = verdict.reason.message;
    emit({ type: 'step.retried', step: step.id, address: step.address, attempt: trouble.tries + 1, why });
    return { type: 'again', afterMs: backoffMs(trouble.tries, this.#options.random) };
  }

  #limited(request: ApiRequest, verdict: Verdict): void {
    this.#tally.limited(request);
    const retryAfterS = verdict.type === 'wait' ? verdict.retryAfterS : 0;
    this.#ports.emit({ type: 'rate.limited', route: routeName(request), retry_after_s: retryAfterS });
  }

  /** The next run has to look for the rest of what was begun, too, when this one dies before it has. */
  async #passOn(index: number): Promise<void> {
    const next = this.#goesOn.get(index);
    if (next === undefined) return;
    const step = this.#step(next.index);
    const { request, settle } = step;
    if (request === undefined || settle === undefined) return;
    await this.#begin(next.index, { ...step, settle: { ...settle, until: next.until, unsure: true } }, request);
  }

  /** The step's trouble is over, and with it the begins that stand under other ids. */
  async #forget(index: number): Promise<void> {
    const next = this.#goesOn.get(index);
    const passedOn = next === undefined ? undefined : this.#step(next.index).id;
    for (const id of this.#troubles.of(index).begins) if (id !== passedOn) await this.#ports.state.undone(id);
    this.#troubles.end(index);
  }

  #step(index: number): Step {
    return this.#troubles.of(index).instead[0] ?? this.#steps.at(index);
  }
}

/** The step's call for one id at a time. */
function inParts(step: Step, { in: place, field, ids, doneOn }: Split): Step[] {
  const { split: _whole, request, ...rest } = step;
  if (request === undefined) return [];
  return ids.map((id) => ({
    ...rest,
    doneOn,
    request:
      place === 'body'
        ? { ...request, body: { ...request.body, [field]: [id] } }
        : { ...request, query: { ...request.query, [field]: id } },
  }));
}

function cannotTell(): Move {
  const message = 'an earlier run began this call, its end is not known, and there is no read that tells';
  return { type: 'ended', outcome: 'unknown', reason: { status: 0, code: 0, message } };
}
