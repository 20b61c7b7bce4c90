// The steps that are ready: those in lanes, which wait for slots, and those that rest until an instant.
import { Heap } from '../../lib/heap.ts';
import type { LimitsOf } from '../../model/limits.ts';
import type { Clock, Pacer } from '../../model/ports.ts';
import { type ApiRequest, routeName } from '../../model/request.ts';
import type { StepGraph } from './graph.ts';
import { Lane } from './lane.ts';

/** The lane of steps that only write to state; no limit applies to them. */
const stateLane = '';

/** Tells about the next call of a step, which is not the planned one when the step is retried. */
interface NextCalls {
  /** The next call is the planned one. */
  isPlain(index: number): boolean;
  /** Milliseconds until the step may make its next call. */
  restMs(index: number): number;
  /** Undefined if the step has no call. */
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
  /** The lanes in the order in which they are served. */
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

  /** Puts the step into the lane of its next call, now or when its rest is over. */
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

  /** Puts steps whose rest is over into their lanes. */
  wake(now: number): void {
    while ((this.#sleepers.peek()?.until ?? Number.POSITIVE_INFINITY) <= now) {
      const sleeper = this.#sleepers.pop();
      if (sleeper !== undefined) this.add(sleeper.index);
    }
  }

  /** The next step that may start now, its slots taken. Serves the lanes in turn, so that none takes all the places in flight. */
  take(now: number): number | undefined {
    for (let idle = 0; idle < this.#served.length; idle += 1) {
      const index = this.#served[this.#turn % this.#served.length]?.next(now);
      this.#turn += 1;
      if (index !== undefined) return index;
    }
    return undefined;
  }

  /** The steps that start within that time if their lanes keep their pace. Each is named once. */
  upcoming(now: number, withinMs: number): number[] {
    return this.#served.flatMap((lane) => lane.upcoming(now, withinMs));
  }

  /** When the next step may start, or infinity. */
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

  /** Undefined if the step only writes to state. */
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
