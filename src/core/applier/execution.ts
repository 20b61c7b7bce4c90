// Runs the steps of a plan: starts ready steps, follows their outcomes, and decides when the run ends.
//
// A step becomes ready when the last step that it waits for has ended (schedule/ready-steps.ts). The run starts ready steps
// one at a time until none may start. Then it sleeps until the next instant that matters (a lane may continue, a back-off
// ends, --max-duration is reached) or until a call ends. It keeps only a few numbers per step, unless the step is in
// flight or being retried.

import { InternalError } from '../../lib/errors.ts';
import type { Series } from '../../lib/series.ts';
import type { Address } from '../model/address.ts';
import { Refusal } from '../model/errors.ts';
import type { ApplyEvent, StepFailure, StepOutcome } from '../model/event.ts';
import { type PendingBegin, requestTimeoutMs } from '../model/ports.ts';
import { routeName } from '../model/request.ts';
import type { Step } from '../model/step.ts';
import { matchPending } from './doubt/begun-calls.ts';
import type { ApplierOptions } from './options.ts';
import { ReopenedObjects } from './reopened-objects.ts';
import type { RunTally } from './report/tally.ts';
import type { StepGraph } from './schedule/graph.ts';
import { ReadySteps } from './schedule/ready-steps.ts';
import { StageGates } from './schedule/stage-gates.ts';
import { Wake } from './schedule/wake.ts';
import type { ApplyPorts } from './step/options.ts';
import { type StepMove, StepRunner } from './step/step-runner.ts';
import { StepReader } from './step/step-states.ts';
import { type StopReason, StopRules } from './stop-rules.ts';
import { noteOfNotMember } from './verdict/classify.ts';

/** A call leaves only if the lease outlasts its time-out by a second. */
const leaseNeededMs = requestTimeoutMs + 1_000;
const defaultMaxInFlight = 512;
const shortWaitMs = 1_000;
/** How often a run that waits for a gate looks whether it still has the lock. */
const lockCheckMs = 1_000;
/** Values of `#progress`. 0 means that a step has not started. */
const started = 1;
const over = 2;

export class PlanExecution {
  readonly #steps: StepReader;
  readonly #ports: ApplyPorts;
  readonly #options: ApplierOptions;
  readonly #tally: RunTally;
  readonly #graph: StepGraph;
  readonly #runner: StepRunner;
  readonly #rules: StopRules;
  readonly #wake: Wake;
  readonly #ready: ReadySteps;
  readonly #gates: StageGates | undefined;
  readonly #progress: Uint8Array;
  readonly #maxInFlight: number;
  readonly #deadline: number | undefined;
  /** Begins of earlier runs that match no step of this plan. */
  readonly leftPending: readonly PendingBegin[];
  /** Objects that this run reopened or an earlier one left open. A run that stops because of failures still disables them. */
  readonly #reopened = new ReopenedObjects();
  #isClosing = false;
  #running = 0;
  #stop: StopReason | undefined;
  #thrown: Refusal | InternalError | undefined;

  /** `startedMs` is the clock time at which the apply began, before it ordered the steps. */
  constructor(
    steps: Series<Step>,
    graph: StepGraph,
    ports: ApplyPorts,
    options: ApplierOptions,
    tally: RunTally,
    startedMs: number,
  ) {
    this.#deadline = options.maxDurationMs === undefined ? undefined : startedMs + options.maxDurationMs;
    this.#steps = new StepReader(steps);
    this.#ports = ports;
    this.#options = options;
    this.#tally = tally;
    this.#graph = graph;
    this.#progress = new Uint8Array(steps.length);
    this.#rules = new StopRules(options.keepGoing ?? false);
    this.#wake = new Wake(ports.clock);
    this.#maxInFlight = options.maxInFlight ?? defaultMaxInFlight;
    for (const address of this.#graph.closers.keys())
      if (ports.state.get(address)?.bracket === true) this.#noteOpened(address);
    const { begun, continuations, unmatched } = matchPending(steps, ports.state.pending);
    this.leftPending = unmatched;
    const doubtful = {
      begun: new Map([...this.#graph.unsure.map((index) => [index, []] as const), ...begun]),
      continuations,
    };
    this.#runner = new StepRunner(this.#steps, ports, options, tally, doubtful, leaseNeededMs);
    this.#ready = new ReadySteps(this.#graph, this.#runner, ports, options.limits);
    this.#gates = options.stages === undefined ? undefined : new StageGates(options.stages);
  }

  /** Why the run stopped before all steps had ended, if it did. */
  get stop(): StopReason | undefined {
    return this.#stop;
  }

  /** The refusal by the state, or the bug, that ended the run. */
  get thrown(): Refusal | InternalError | undefined {
    return this.#thrown;
  }

  /** Objects that were reopened and not disabled again. */
  get leftOpen(): readonly Address[] {
    return this.#reopened.leftOpen;
  }

  /** Never rejects. Always waits for the calls in flight. */
  async runToEnd(): Promise<void> {
    const interrupt = () => this.#stopFor({ outcome: 'interrupted', why: 'interrupted' });
    const { signal } = this.#options;
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted === true) interrupt();
    for (let index = 0; index < this.#graph.size; index++) {
      if (this.#graph.waits[index] === 0) this.#enqueue(index);
    }
    while (!this.#isFinished()) {
      try {
        this.#closeReopened();
        this.#askGate();
        const now = this.#ports.clock.now();
        this.#startAll(now);
        this.#stopIfAllWaitTooLong(now);
        this.#beginUpcoming(now);
        if (!this.#isFinished()) await this.#wake.wait(this.#nextInstant(now));
      } catch (error) {
        this.#throw(error, 'the applier');
      }
    }
    signal?.removeEventListener('abort', interrupt);
    if (this.#stopCameTooLate()) this.#stop = undefined;
    this.#endDoubts();
    // If state refuses the write, the next run checks these calls.
    await this.#runner.undoUnsent().catch(() => undefined);
  }

  /** Whether the run was interrupted only after all steps had ended. */
  #stopCameTooLate(): boolean {
    const isFromOutside = this.#stop?.outcome === 'interrupted' || this.#stop?.outcome === 'out_of_time';
    return isFromOutside && this.#tally.ended === this.#graph.size;
  }

  #isFinished(): boolean {
    if (this.#running > 0) return false;
    return this.#tally.ended === this.#graph.size || (this.#stop !== undefined && !this.#hasToClose());
  }

  #hasToClose(): boolean {
    return this.#stop?.closes === true && this.#reopened.closers.size > 0;
  }

  /** Drops all waiting steps of a stopped run, except those that disable reopened objects again. */
  #closeReopened(): void {
    if (this.#isClosing || this.#running > 0 || !this.#hasToClose()) return;
    this.#isClosing = true;
    this.#ready.clear();
    for (const index of this.#reopened.closers) this.#enqueue(index);
  }

  /** Asks whether the next stage may begin, once all steps before it have ended. Counts as a running step meanwhile. */
  #askGate(): void {
    const gates = this.#gates;
    if (gates === undefined || this.#running > 0 || this.#stop !== undefined || !gates.isAtGate) return;
    this.#running++;
    void gates
      .passes()
      .then((closed) => {
        if (closed !== undefined) this.#stopFor({ outcome: 'incomplete', ...closed });
        else for (const index of gates.begin()) this.#enqueue(index);
      })
      .catch((error: unknown) => this.#throw(error, 'a gate'))
      .finally(() => {
        this.#running--;
        this.#wake.signal();
      });
  }

  #startAll(now: number): void {
    this.#ready.wake(now);
    while (this.#mayStart(now) && this.#running < this.#maxInFlight) {
      const index = this.#ready.take(now);
      if (index === undefined) return;
      this.#start(index);
    }
  }

  /** Writes begins before slots are taken, so that no slot is held while a begin becomes durable. */
  #beginUpcoming(now: number): void {
    const { aheadMs } = this.#runner;
    if (aheadMs === 0 || !this.#isOpen() || this.#running >= this.#maxInFlight) return;
    for (const index of this.#ready.upcoming(now, aheadMs)) this.#runner.beginAhead(index);
  }

  /** Must be checked before every step, because the previous step may have used up the time or the lease. */
  #mayStart(now: number): boolean {
    if (this.#deadline !== undefined && now >= this.#deadline) {
      this.#stopFor({ outcome: 'out_of_time', why: 'the time limit is reached' });
    }
    const leaseLeftMs = this.#ports.state.leaseLeft();
    // A gate sends nothing, so it may go on while the lease can still be renewed.
    if (this.#gates?.isAsking === true) this.#stopIfLockLost(leaseLeftMs);
    else if (leaseLeftMs < leaseNeededMs) this.#stopForLease();
    return this.#isOpen();
  }

  /** Ends a run that could only wait until --max-duration, unless that is about to be reached. */
  #stopIfAllWaitTooLong(now: number): void {
    if (this.#deadline === undefined || this.#running > 0 || !this.#isOpen() || this.#isFinished()) return;
    const next = this.#ready.nextInstant(now);
    if (next < this.#deadline || next === Number.POSITIVE_INFINITY || this.#deadline - now < shortWaitMs) return;
    const waitS = Math.ceil((next - now) / 1000);
    this.#stopFor({ outcome: 'out_of_time', why: `the time limit would pass during a wait of ${waitS} s` });
  }

  #isOpen(): boolean {
    return this.#stop === undefined || (this.#isClosing && this.#hasToClose());
  }

  #nextInstant(now: number): number | undefined {
    if (!this.#isOpen()) return undefined;
    if (this.#running >= this.#maxInFlight) return this.#deadline;
    const next = this.#gates?.isAsking === true ? now + lockCheckMs : this.#ready.nextInstant(now);
    if (this.#deadline !== undefined && next >= this.#deadline) return this.#deadline;
    if (next < Number.POSITIVE_INFINITY) return next;
    if (this.#running === 0) throw new InternalError('steps are left, and there is nothing to wait for');
    return undefined;
  }

  #enqueue(index: number): void {
    if (this.#isClosing && !this.#reopened.closers.has(index)) return;
    if (this.#gates?.holds(index) !== true) this.#ready.add(index);
  }

  #start(index: number): void {
    this.#running++;
    if (this.#progress[index] !== started) {
      this.#progress[index] = started;
      this.#ports.emit({ type: 'step.started', ...this.#named(index) });
    }
    void this.#runner
      .advance(index)
      .then((move) => this.#follow(index, move))
      .catch((error: unknown) => this.#throwAt(index, error))
      .finally(() => {
        this.#running--;
        this.#wake.signal();
      });
  }

  #follow(index: number, move: StepMove): void {
    switch (move.type) {
      case 'again':
        this.#stopIfPointless();
        if (move.afterMs <= 0) this.#enqueue(index);
        else this.#ready.addAfter(index, move.afterMs);
        return;
      case 'leaseShort':
        this.#enqueue(index);
        this.#stopForLease();
        return;
      case 'ended':
        this.#end(index, move.outcome, move);
    }
  }

  /** Ends a step. Its dependents become ready, or are skipped together with all steps that need them. */
  #end(
    index: number,
    outcome: Exclude<StepOutcome, 'skipped'>,
    detail: Omit<Extract<StepMove, { type: 'ended' }>, 'type' | 'outcome'>,
  ): void {
    const step = this.#stepAt(index);
    const { address, action, request } = step;
    const call = request === undefined ? {} : { call: routeName(request) };
    const doubt = outcome === 'unknown' ? { outcome } : {};
    const failure = detail.reason === undefined ? undefined : { address, action, ...call, ...doubt, ...detail.reason };
    if (step.member !== undefined && detail.note === noteOfNotMember)
      this.#tally.foundNotMember({ address, user_id: step.member });
    this.#over(index, outcome, failure, detail.note);
    if (step.phase === 'open' && outcome === 'succeeded') this.#noteOpened(address);
    const skipped: number[] = [index];
    for (let from = skipped.pop(); from !== undefined; from = skipped.pop()) {
      const isSuccess = from === index && (outcome === 'succeeded' || detail.isPartial === true);
      this.#graph.dependents(from, (dependent, mustSucceed) => {
        if (this.#progress[dependent] === over) return;
        if (mustSucceed && !isSuccess) {
          this.#over(dependent, 'skipped');
          skipped.push(dependent);
          return;
        }
        const waitsLeft = (this.#graph.waits[dependent] as number) - 1;
        this.#graph.waits[dependent] = waitsLeft;
        if (waitsLeft === 0) this.#enqueue(dependent);
      });
    }
    if (detail.kind === 'authentication') {
      this.#stopFor({ outcome: 'authentication', why: `the platform refuses the API token: ${failure?.message}` });
    }
    // One id that does not exist fails many steps, and says nothing about the others.
    if (step.request === undefined || detail.isPartial === true) return;
    const stop = this.#rules.ended(step, outcome, failure, detail.kind === 'existing');
    if (stop !== undefined) this.#stopFor(stop);
  }

  /** Notes a reopened object, unless it stays enabled by declaration and so has no step that disables it. */
  #noteOpened(address: Address): void {
    const closer = this.#graph.closers.get(address);
    if (closer !== undefined) this.#reopened.opened(address, closer);
  }

  #over(index: number, outcome: StepOutcome, failure?: StepFailure, note?: string): void {
    this.#progress[index] = over;
    this.#reopened.ended(index, outcome === 'succeeded');
    this.#gates?.ended(index, outcome === 'succeeded');
    this.#tally.stepEnded(outcome, failure);
    this.#ports.emit({
      type: 'step.ended',
      ...this.#named(index),
      outcome,
      ...(failure === undefined ? {} : { failure }),
      ...(note === undefined ? {} : { note }),
    });
    this.#steps.forget(index);
  }

  /** Ends the steps in doubt of a stopped run, which reads nothing more. The next run resolves them. */
  #endDoubts(): void {
    const message = 'the run stopped before it could check whether the call took effect; the next run checks it';
    for (const index of this.#runner.inDoubt()) {
      if (this.#progress[index] !== over) this.#end(index, 'unknown', { reason: { status: 0, code: 0, message } });
    }
  }

  #throwAt(index: number, error: unknown): void {
    const thrown = this.#throw(error, `the step ${this.#stepAt(index).id}`);
    if (this.#progress[index] === over) return;
    const message = `its outcome could not be written to state: ${thrown.message}`;
    this.#end(index, 'unknown', { reason: { status: 0, code: 0, message } });
  }

  #throw(error: unknown, where: string): Refusal | InternalError {
    const isKnown = error instanceof Refusal || error instanceof InternalError;
    const thrown = isKnown ? error : new InternalError(`${where} threw`, { cause: error });
    this.#thrown ??= thrown;
    this.#stopFor({ outcome: 'incomplete', why: thrown.message });
    return thrown;
  }

  /** The platform refuses everything, so nothing could be disabled again either. */
  #stopIfPointless(): void {
    const why = this.#tally.pointless;
    if (why !== undefined) this.#stopFor({ outcome: 'incomplete', why });
  }

  #stopForLease(): void {
    this.#stopFor({ outcome: 'interrupted', why: 'the lock on the state is about to expire; nothing more is sent' });
  }

  #stopIfLockLost(leaseLeftMs: number): void {
    if (leaseLeftMs > 0) return;
    const why = 'the lock on the state was lost during a gate; nothing more is sent';
    this.#stopFor({ outcome: 'interrupted', why });
  }

  #stopFor(stop: StopReason): void {
    // Without time, token or lock, or after an interruption, nothing more is sent. The report lists the objects left open.
    if (stop.closes !== true) this.#reopened.giveUp();
    if (this.#stop !== undefined) return;
    this.#stop = stop;
    this.#gates?.abort();
    // The reason is used in the middle of sentences, but a text of the platform may end with a full stop.
    this.#ports.emit({ type: 'run.stopping', why: stop.why.replace(/\.$/u, '') });
    this.#wake.signal();
  }

  /** Returns the fields that every event of a step has. */
  #named(
    index: number,
  ): Pick<Extract<ApplyEvent, { type: 'step.started' }>, 'step' | 'address' | 'action' | 'route' | 'stage'> {
    const { id, address, action } = this.#stepAt(index);
    const route = this.#ready.plannedRoute(index);
    const stage = this.#gates === undefined ? {} : { stage: this.#gates.stageOf(index) + 1 };
    return { step: id, address, action, ...(route === undefined ? {} : { route }), ...stage };
  }

  #stepAt(index: number): Step {
    return this.#steps.at(index);
  }
}
