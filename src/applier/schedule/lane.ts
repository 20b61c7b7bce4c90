// Queues the ready steps of one route, and says which of them starts next and when.
//
// The steps are in the order of graph.ts. The first one asks the pacer for its slots. If its buckets are full, a step with
// other buckets may start instead, such as a call that counts for another user. Steps that share all their buckets form a
// group, so that the lane finds such a step without asking for every step again and again. A group whose buckets are
// full is closed until the instant that the pacer names:
//
// - A step of a closed group is put aside into its group, without asking. That happens once to each step, so that the lane
//   walks through a busy user's long queue once, not at every slot.
// - When the group opens, its first step returns to the ready ones. When that step starts, the next one follows.
// - When a few groups in a row are refused, the bucket that they all share is full, which is the route's own. Then the
//   lane rests until the first of these groups opens.
//
// A step that was named as upcoming goes before all others of its group, since its begin is written.
import { Heap } from '../../lib/heap.ts';

/** Answers a lane's questions about a step. */
export interface LaneOptions {
  /** True if the left step starts before the right one. */
  readonly before: (left: number, right: number) => boolean;
  /** Takes the slots of the step's request: 0, or the milliseconds after which to ask again. */
  readonly take: (index: number) => number;
  /** A text that is equal for steps whose requests count against the same buckets. */
  readonly bucketsOf: (index: number) => string;
}

interface Group {
  readonly buckets: string;
  /** Upcoming steps first. */
  readonly aside: Heap<number>;
  /** 0 while the group is open. */
  closedUntil: number;
}

/** When this many groups in a row are refused, a shared bucket is full. */
const refusalsToRest = 4;
/** The lane pauses after it has put this many steps aside, so that a huge queue does not hold up the other lanes. */
const asideInOneGo = 512;
const pauseMs = 2;
/** The next step of a group that is closed for longer is not upcoming: its begin would be old when its slot comes. */
const longestClosedMs = 500;
/** So many of the last starts tell the lane's pace. */
const startsKept = 512;

export class Lane {
  readonly #options: LaneOptions;
  readonly #ready: Heap<number>;
  /** Groups that are closed, or that still have steps aside. */
  readonly #groups = new Map<string, Group>();
  readonly #closed = new Heap<Group>((left, right) => left.closedUntil < right.closedUntil);
  /** The groups of the ready steps that were aside. */
  readonly #groupOf = new Map<number, Group>();
  #restUntil = 0;
  readonly #upcoming = new Set<number>();
  /** When the last steps started. */
  readonly #starts: number[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#ready = new Heap(options.before);
  }

  add(index: number): void {
    // Behind the upcoming steps that have the same buckets.
    const group = this.#upcoming.size === 0 ? undefined : this.#groups.get(this.#options.bucketsOf(index));
    (group?.aside ?? this.#ready).push(index);
  }

  /** The step that starts now, with its slots taken; undefined if none can. */
  next(now: number): number | undefined {
    this.#open(now);
    if (this.#restUntil > now) return undefined;
    let refusals = 0;
    for (let aside = 0; aside < asideInOneGo; ) {
      const index = this.#ready.pop();
      if (index === undefined) return undefined;
      const buckets = this.#options.bucketsOf(index);
      const group = this.#groups.get(buckets);
      this.#leave(index, group);
      if (group !== undefined && group.closedUntil > 0) {
        group.aside.push(index);
        aside++;
        continue;
      }
      const waitMs = this.#options.take(index);
      if (waitMs <= 0) {
        if (group !== undefined) this.#follow(group);
        this.#started(index, now);
        return index;
      }
      this.#close(group ?? this.#group(buckets), index, now + waitMs);
      refusals++;
      if (refusals >= refusalsToRest) {
        this.#restUntil = this.#closed.peek()?.closedUntil ?? now;
        return undefined;
      }
    }
    this.#restUntil = now + pauseMs;
    return undefined;
  }

  /** The next instant at which `next` may return a step; undefined if only a new step helps. */
  nextInstant(now: number): number | undefined {
    if (this.#restUntil > now) return this.#restUntil;
    return this.#closed.peek()?.closedUntil;
  }

  /**
   * The next steps, as many as start within that time if the lane keeps its pace, without those that were named before.
   * They start before others that have the same buckets.
   */
  upcoming(now: number, withinMs: number): number[] {
    // One more than in the time before, so that there is one while the lane stands still.
    const expected = this.#starts.length - this.#starts.findLastIndex((at) => at < now - withinMs);
    const wanted = expected - this.#upcoming.size;
    if (wanted <= 0) return [];
    const queues = [this.#ready, ...this.#openingBy(now + longestClosedMs, expected).map(({ aside }) => aside)];
    const found: number[] = [];
    const passed: { readonly queue: Heap<number>; readonly index: number }[] = [];
    for (let turn = 0, empty = 0; found.length < wanted && empty < queues.length && turn < asideInOneGo; turn++) {
      const queue = queues[turn % queues.length];
      const index = queue?.pop();
      if (queue === undefined || index === undefined) {
        empty++;
        continue;
      }
      empty = 0;
      const group = queue === this.#ready ? this.#groups.get(this.#options.bucketsOf(index)) : undefined;
      if (group !== undefined && group.closedUntil > 0) {
        this.#leave(index, group);
        group.aside.push(index);
        continue;
      }
      passed.push({ queue, index });
      if (!this.#upcoming.has(index)) found.push(index);
    }
    // While they are in no queue, since their order changes.
    for (const index of found) this.#upcoming.add(index);
    for (const { queue, index } of passed) queue.push(index);
    return found;
  }

  /** The closed groups that open until then, the next one first, at most so many. */
  #openingBy(until: number, most: number): Group[] {
    const groups: Group[] = [];
    while (groups.length < most && (this.#closed.peek()?.closedUntil ?? Number.POSITIVE_INFINITY) <= until) {
      groups.push(this.#closed.pop() as Group);
    }
    for (const group of groups) this.#closed.push(group);
    return groups;
  }

  #started(index: number, now: number): void {
    this.#upcoming.delete(index);
    this.#starts.push(now);
    if (this.#starts.length > 2 * startsKept) this.#starts.splice(0, startsKept);
  }

  #group(buckets: string): Group {
    const aside = new Heap<number>((left, right) => {
      const isUpcoming = this.#upcoming.has(left);
      return isUpcoming === this.#upcoming.has(right) ? this.#options.before(left, right) : isUpcoming;
    });
    const group = { buckets, aside, closedUntil: 0 };
    this.#groups.set(buckets, group);
    return group;
  }

  #close(group: Group, index: number, until: number): void {
    group.aside.push(index);
    group.closedUntil = until;
    this.#closed.push(group);
  }

  #open(now: number): void {
    for (
      let group = this.#closed.peek();
      group !== undefined && group.closedUntil <= now;
      group = this.#closed.peek()
    ) {
      this.#closed.pop();
      group.closedUntil = 0;
      this.#follow(group);
    }
  }

  /** Moves the first step of an open group to the ready ones, or drops the group if it is empty. */
  #follow(group: Group): void {
    const index = group.aside.pop();
    if (index === undefined) this.#groups.delete(group.buckets);
    else {
      this.#ready.push(index);
      this.#groupOf.set(index, group);
    }
  }

  /** Answers may change which buckets a step counts against. Then the rest of its old group follows it at once. */
  #leave(index: number, group: Group | undefined): void {
    const former = this.#groupOf.get(index);
    this.#groupOf.delete(index);
    if (former !== undefined && former !== group) this.#follow(former);
  }
}
