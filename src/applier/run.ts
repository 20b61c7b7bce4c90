// Which steps run now, and when does the run end?
//
// A step becomes ready when the last step that it waits for is over, enters the lane of its next call, and leaves it
// with its slots taken. Lanes are served in turn, one step at a time, while one of them has a step that may go; then the
// run sleeps until the next instant that matters (a lane may go on, a step comes back from a back-off, the time is up)
// or until a call has ended. Nothing is kept of a step but a few numbers, unless it is under way or in trouble.

import { InternalError } from '../lib/errors.ts';
import { Heap } from '../lib/heap.ts';
import type { Series } from '../lib/series.ts';
import type { Address } from '../model/address.ts';
import { Refusal } from '../model/errors.ts';
import type { ApplyEvent, StepFailure, StepOutcome } from '../model/event.ts';
import type { PendingBegin } from '../model/ports.ts';
import { routeName } from '../model/request.ts';
import type { Step } from '../model/step.ts';
import type { ApplyOptions, ApplyPorts } from './options.ts';
import { matchPending } from './recover/pending.ts';
import { ReopenedObjects } from './recover/reopened.ts';
import type { Tally } from './report/tally.ts';
import { buildGraph, type StepGraph } from './schedule/graph.ts';
import { Lane } from './schedule/lane.ts';
import { StepReader } from './schedule/step-reader.ts';
import { Wake } from './schedule/wake.ts';
import { type Move, StepRunner } from './step/step-runner.ts';
import { type Stop, StopRules } from './stop-rules.ts';

const defaultRequestTimeoutMs = 30_000;
const leaseMarginMs = 1_000;
const defaultMaxInFlight = 512;
/** The lane of steps that only write to state: no limit holds them. */
const stateLane = '';

/** How far a step has come. */
const started = 1;
const over = 2;

interface Sleeper {
  readonly index: number;
  readonly until: number;
}

export class Run {
  readonly #steps: StepReader;
  readonly #ports: ApplyPorts;
  readonly #options: ApplyOptions;
  readonly #tally: Tally;
  readonly #graph: StepGraph;
  readonly #runner: StepRunner;
  readonly #rules: StopRules;
  readonly #wake: Wake;
  readonly #lanes = new Map<string, Lane>();
  readonly #sleepers = new Heap<Sleeper>((left, right) => left.until < right.until);
  readonly #progress: Uint8Array;
  readonly #leaseNeededMs: number;
  readonly #maxInFlight: number;
  readonly #deadline: number | undefined;
  /** Begun requests of earlier runs that no step of this plan answers for. */
  readonly leftPending: readonly PendingBegin[];
  /** What this run has opened or an earlier one left open: one that has met too many failures still closes it. */
  readonly #brackets = new ReopenedObjects();
  #isClosing = false;
  #running = 0;
  #turn = 0;
  #stop: Stop | undefined;
  #thrown: Refusal | InternalError | undefined;

  constructor(steps: Series<Step>, ports: ApplyPorts, options: ApplyOptions, tally: Tally) {
    // First: the order of a large plan takes its time, too.
    this.#deadline = options.maxDurationMs === undefined ? undefined : ports.clock.now() + options.maxDurationMs;
    this.#steps = new StepReader(steps);
    this.#ports = ports;
    this.#options = options;
    this.#tally = tally;
    this.#graph = buildGraph(steps, options.limits);
    this.#progress = new Uint8Array(steps.length);
    this.#rules = new StopRules(options.keepGoing ?? false);
    this.#wake = new Wake(ports.clock);
    this.#leaseNeededMs = (options.requestTimeoutMs ?? defaultRequestTimeoutMs) + leaseMarginMs;
    this.#maxInFlight = options.maxInFlight ?? defaultMaxInFlight;
    for (const address of this.#graph.closers.keys())
      if (ports.state.get(address)?.bracket === true) this.#opened(address);
    const { begun, goesOn, left } = matchPending(steps, ports.state.pending);
    this.leftPending = left;
    const doubtful = { begun: new Map([...this.#graph.unsure.map((index) => [index, []] as const), ...begun]), goesOn };
    this.#runner = new StepRunner(this.#steps, ports, options, tally, doubtful, this.#leaseNeededMs);
  }

  /** Why it started no more steps before all were over; undefined when it went to the end. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** What the state refused, or a bug: it ended the run. */
  get thrown(): Refusal | InternalError | undefined {
    return this.#thrown;
  }

  /** Opened for work on it, and not closed again. */
  get leftOpen(): readonly Address[] {
    return this.#brackets.leftOpen;
  }

  /** Never rejects: whatever happens, the calls under way are waited for. */
  async toItsEnd(): Promise<void> {
    const interrupt = () => this.#stopFor({ outcome: 'interrupted', why: 'interrupted' });
    const { signal } = this.#options;
    signal?.addEventListener('abort', interrupt);
    if (signal?.aborted === true) interrupt();
    for (let index = 0; index < this.#graph.size; index++) {
      if (this.#graph.waits[index] === 0) this.#enqueue(index);
    }
    while (!this.#isFinished()) {
      try {
        this.#closeAtLast();
        const now = this.#ports.clock.now();
        this.#startAll(now);
        if (!this.#isFinished()) await this.#wake.wait(this.#nextInstant(now));
      } catch (error) {
        this.#throw(error, 'the applier');
      }
    }
    signal?.removeEventListener('abort', interrupt);
    this.#wake.close();
    if (this.#isMoot()) this.#stop = undefined;
    this.#endDoubts();
  }

  /** An interruption that came when nothing was left to do has interrupted nothing. */
  #isMoot(): boolean {
    const isFromOutside = this.#stop?.outcome === 'interrupted' || this.#stop?.outcome === 'out_of_time';
    return isFromOutside && this.#tally.ended === this.#graph.size;
  }

  #isFinished(): boolean {
    if (this.#running > 0) return false;
    return this.#tally.ended === this.#graph.size || (this.#stop !== undefined && !this.#hasToClose());
  }

  #hasToClose(): boolean {
    return this.#stop?.closes === true && this.#brackets.closers.size > 0;
  }

  /** A run that stops forgets all that waits, but for the steps that close what it has opened. */
  #closeAtLast(): void {
    if (this.#isClosing || this.#running > 0 || !this.#hasToClose()) return;
    this.#isClosing = true;
    this.#lanes.clear();
    this.#sleepers.clear();
    for (const index of this.#brackets.closers) this.#enqueue(index);
  }

  /** Starts every step that may go now. */
  #startAll(now: number): void {
    while ((this.#sleepers.peek()?.until ?? Number.POSITIVE_INFINITY) <= now) {
      const sleeper = this.#sleepers.pop();
      if (sleeper !== undefined) this.#enqueue(sleeper.index);
    }
    if (!this.#mayStart(now)) return;
    const lanes = [...this.#lanes.values()];
    // One step of each lane in turn, until none has another: no lane can take all the places in flight.
    for (let idle = 0; idle < lanes.length && this.#running < this.#maxInFlight && this.#mayStart(now); this.#turn++) {
      const index = lanes[this.#turn % lanes.length]?.next(now);
      if (index === undefined) idle++;
      else {
        idle = 0;
        this.#start(index);
      }
    }
  }

  /** Looked at before every step, since the step before may have been the one too many. */
  #mayStart(now: number): boolean {
    if (this.#deadline !== undefined && now >= this.#deadline) {
      this.#stopFor({ outcome: 'out_of_time', why: 'the time given by --max-duration is up' });
    }
    if (this.#ports.state.leaseLeft() < this.#leaseNeededMs) this.#stopForLease();
    return this.#isOpen();
  }

  #isOpen(): boolean {
    return this.#stop === undefined || (this.#isClosing && this.#hasToClose());
  }

  #nextInstant(now: number): number | undefined {
    if (!this.#isOpen()) return undefined;
    if (this.#running >= this.#maxInFlight) return this.#deadline;
    let next = this.#deadline ?? Number.POSITIVE_INFINITY;
    next = Math.min(next, this.#sleepers.peek()?.until ?? next);
    for (const lane of this.#lanes.values()) next = Math.min(next, lane.nextInstant(now) ?? next);
    if (next < Number.POSITIVE_INFINITY) return next;
    if (this.#running === 0) throw new InternalError('steps are left, and nothing is there to wait for');
    return undefined;
  }

  #enqueue(index: number): void {
    if (this.#isClosing && !this.#brackets.closers.has(index)) return;
    const restMs = this.#runner.isPlain(index) ? 0 : this.#runner.restMs(index);
    if (restMs > 0) {
      this.#sleepers.push({ index, until: this.#ports.clock.now() + restMs });
      return;
    }
    const name = this.#runner.isPlain(index) ? this.#plannedRoute(index) : this.#nextRoute(index);
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = this.#lane(name !== stateLane);
      this.#lanes.set(name, lane);
    }
    lane.add(index);
  }

  #plannedRoute(index: number): string {
    return this.#graph.routes[this.#graph.routeOf[index] ?? 0] ?? stateLane;
  }

  #nextRoute(index: number): string {
    const request = this.#runner.nextRequest(index);
    return request === undefined ? stateLane : routeName(request);
  }

  #lane(isPaced: boolean): Lane {
    const { place } = this.#graph;
    const placeOf = (index: number) => place[index] as number;
    return new Lane({
      before: (left, right) => placeOf(left) < placeOf(right) || (placeOf(left) === placeOf(right) && left < right),
      take: (index) => {
        const request = isPaced ? this.#runner.nextRequest(index) : undefined;
        return request === undefined ? 0 : this.#ports.pacer.take(request);
      },
      bucketsOf: (index) => {
        const request = isPaced ? this.#runner.nextRequest(index) : undefined;
        const buckets = request === undefined ? undefined : this.#options.limits?.(request);
        return buckets === undefined ? '' : buckets.map((bucket) => bucket.name).join('\n');
      },
    });
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

  #follow(index: number, move: Move): void {
    switch (move.type) {
      case 'again':
        if (move.afterMs <= 0) this.#enqueue(index);
        else this.#sleepers.push({ index, until: this.#ports.clock.now() + move.afterMs });
        return;
      case 'leaseShort':
        this.#enqueue(index);
        this.#stopForLease();
        return;
      case 'ended':
        this.#end(index, move.outcome, move);
    }
  }

  /** A step is over, and with it what it held back: dependents become ready, or are skipped with all that need them. */
  #end(
    index: number,
    outcome: Exclude<StepOutcome, 'skipped'>,
    detail: Omit<Extract<Move, { type: 'ended' }>, 'type' | 'outcome'>,
  ): void {
    const step = this.#stepAt(index);
    const { address, action, request } = step;
    const call = request === undefined ? {} : { call: routeName(request) };
    const failure = detail.reason === undefined ? undefined : { address, action, ...call, ...detail.reason };
    this.#over(index, outcome, failure, detail.note);
    if (step.phase === 'open' && outcome === 'succeeded') this.#opened(address);
    const skipped: number[] = [index];
    for (let from = skipped.pop(); from !== undefined; from = skipped.pop()) {
      const isSuccess = from === index && outcome === 'succeeded';
      this.#graph.dependents(from, (dependent, mustSucceed) => {
        if (this.#progress[dependent] === over) return;
        if (mustSucceed && !isSuccess) {
          this.#over(dependent, 'skipped');
          skipped.push(dependent);
          return;
        }
        const left = (this.#graph.waits[dependent] as number) - 1;
        this.#graph.waits[dependent] = left;
        if (left === 0) this.#enqueue(dependent);
      });
    }
    if (detail.kind === 'authentication') {
      this.#stopFor({ outcome: 'authentication', why: `the platform refuses the API token: ${failure?.message}` });
    }
    if (step.request === undefined) return;
    const stop = this.#rules.ended(step, outcome, failure, detail.kind === 'existing');
    if (stop !== undefined) this.#stopFor(stop);
  }

  /** What is open in the end has no step that closes it again. */
  #opened(address: Address): void {
    const closer = this.#graph.closers.get(address);
    if (closer !== undefined) this.#brackets.opened(address, closer);
  }

  #over(index: number, outcome: StepOutcome, failure?: StepFailure, note?: string): void {
    this.#progress[index] = over;
    this.#brackets.ended(index, outcome === 'succeeded');
    this.#tally.stepEnded(outcome, failure);
    this.#ports.emit({
      type: 'step.ended',
      ...this.#named(index),
      outcome,
      ...(failure === undefined ? {} : { failure }),
      ...(note === undefined ? {} : { note }),
    });
  }

  /** A stopped run leaves the steps that it may not read any more: for the next one. */
  #endDoubts(): void {
    const message = 'the run stopped before it could be read whether the call had its effect; the next run reads it';
    for (const index of this.#runner.inDoubt()) {
      if (this.#progress[index] !== over) this.#end(index, 'unknown', { reason: { status: 0, code: 0, message } });
    }
  }

  #throwAt(index: number, error: unknown): void {
    const thrown = this.#throw(error, `the step ${this.#stepAt(index).id}`);
    if (this.#progress[index] === over) return;
    const message = `what became of it could not be written to state: ${thrown.message}`;
    this.#end(index, 'unknown', { reason: { status: 0, code: 0, message } });
  }

  #throw(error: unknown, where: string): Refusal | InternalError {
    const isKnown = error instanceof Refusal || error instanceof InternalError;
    const thrown = isKnown ? error : new InternalError(`${where} threw`, { cause: error });
    this.#thrown ??= thrown;
    this.#stopFor({ outcome: 'incomplete', why: thrown.message });
    return thrown;
  }

  #stopForLease(): void {
    this.#stopFor({ outcome: 'interrupted', why: 'the lock on the state is about to expire; nothing more is sent' });
  }

  #stopFor(stop: Stop): void {
    // For want of time, of a token or of the lock, or by somebody's wish: then nothing more is sent, and the report tells.
    if (stop.closes !== true) this.#brackets.giveUp();
    if (this.#stop !== undefined) return;
    this.#stop = stop;
    this.#ports.emit({ type: 'run.stopping', why: stop.why });
    this.#wake.signal();
  }

  /** What every event says of a step. */
  #named(index: number): Pick<Extract<ApplyEvent, { type: 'step.started' }>, 'step' | 'address' | 'action' | 'route'> {
    const { id, address, action } = this.#stepAt(index);
    const route = this.#plannedRoute(index);
    return { step: id, address, action, ...(route === stateLane ? {} : { route }) };
  }

  #stepAt(index: number): Step {
    return this.#steps.at(index);
  }
}
