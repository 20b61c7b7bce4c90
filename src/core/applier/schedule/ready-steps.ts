// Keeps the ready steps: those in lanes, which wait for slots, and those that wait for an instant.
import { Heap } from '../../../lib/heap.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Clock, Pacer } from '../../model/ports.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import type { StepGraph } from './graph.ts';
import { Lane } from './lane.ts';

/** The lane of steps that only write to state and have no limit. */
const stateLane = '';

/** Information about the next call of a step, which differs from the planned one if the step is retried. */
interface NextCalls {
  /** Whether the next call is the planned one. */
  isPlain(index: number): boolean;
  /** Returns the milliseconds until the step may make its next call. */
  restMs(index: number): number;
  /** Returns undefined if the step has no call. */
  nextRequest(index: number): ApiRequest | undefined;
}

interface Sleeper {
  readonly index: number;
  readonly until: number;
}

export class ReadySteps {
  readonly #graph: StepGraph;
  readonly #calls: NextCalls;
  readonly #ports: { readonly clock: Clock; readonly pacer: Pacer };
  readonly #limits: LimitsOf | undefined;
  readonly #lanes = new Map<string, Lane>();
  /** The lanes in serving order. */
  #served: Lane[] = [];
  #turn = 0;
  readonly #sleepers = new Heap<Sleeper>((left, right) => left.until < right.until);

  constructor(
    graph: StepGraph,
    calls: NextCalls,
    ports: { readonly clock: Clock; readonly pacer: Pacer },
    limits: LimitsOf | undefined,
  ) {
    this.#graph = graph;
    this.#calls = calls;
    this.#ports = ports;
    this.#limits = limits;
  }

  /** Puts the step into the lane of its next call, now or after its wait. */
  add(index: number): void {
    const restMs = this.#calls.isPlain(index) ? 0 : this.#calls.restMs(index);
    if (restMs > 0) {
      this.addAfter(index, restMs);
      return;
    }
    const name = this.#calls.isPlain(index) ? (this.plannedRoute(index) ?? stateLane) : this.#nextRoute(index);
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = this.#lane(name !== stateLane);
      this.#lanes.set(name, lane);
      this.#served.push(lane);
    }
    lane.add(index);
  }

  addAfter(index: number, ms: number): void {
    this.#sleepers.push({ index, until: this.#ports.clock.now() + ms });
  }

  /** Puts steps whose wait has ended into their lanes. */
  wake(now: number): void {
    while ((this.#sleepers.peek()?.until ?? Number.POSITIVE_INFINITY) <= now) {
      const sleeper = this.#sleepers.pop();
      if (sleeper !== undefined) this.add(sleeper.index);
    }
  }

  /** Returns the next step that may start, after taking its slots. Serves lanes in turn, so that none takes all the places in flight. */
  take(now: number): number | undefined {
    for (let idle = 0; idle < this.#served.length; idle += 1) {
      const index = this.#served[this.#turn % this.#served.length]?.next(now);
      this.#turn += 1;
      if (index !== undefined) return index;
    }
    return undefined;
  }

  /** Returns the steps that start within that time if their lanes keep their pace. Each is returned once. */
  upcoming(now: number, withinMs: number): number[] {
    return this.#served.flatMap((lane) => lane.upcoming(now, withinMs));
  }

  /** Returns when the next step may start, or infinity. */
  nextInstant(now: number): number {
    let next = this.#sleepers.peek()?.until ?? Number.POSITIVE_INFINITY;
    for (const lane of this.#served) next = Math.min(next, lane.nextInstant(now) ?? next);
    return next;
  }

  clear(): void {
    this.#lanes.clear();
    this.#served = [];
    this.#sleepers.clear();
  }

  /** Returns undefined if the step only writes to state. */
  plannedRoute(index: number): string | undefined {
    const route = this.#graph.routes[this.#graph.routeOf[index] ?? 0] ?? stateLane;
    return route === stateLane ? undefined : route;
  }

  #nextRoute(index: number): string {
    const request = this.#calls.nextRequest(index);
    return request === undefined ? stateLane : routeName(request);
  }

  #lane(isPaced: boolean): Lane {
    const { place } = this.#graph;
    const placeOf = (index: number) => place[index] as number;
    const requestOf = (index: number) => (isPaced ? this.#calls.nextRequest(index) : undefined);
    return new Lane({
      before: (left, right) => placeOf(left) < placeOf(right) || (placeOf(left) === placeOf(right) && left < right),
      take: (index) => {
        const request = requestOf(index);
        return request === undefined ? 0 : this.#ports.pacer.take(request);
      },
      bucketsOf: (index) => {
        const request = requestOf(index);
        const buckets = request === undefined ? undefined : this.#limits?.(request);
        return buckets === undefined ? '' : buckets.map((bucket) => bucket.name).join('\n');
      },
    });
  }
}
