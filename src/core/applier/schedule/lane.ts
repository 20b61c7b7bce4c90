// Queues the ready steps of one route and decides which starts next and when.
//
// Steps are sorted by graph.ts. The first one asks the pacer for its slots. If its buckets are full, a step with other
// buckets may start instead, such as a call that counts for another user. Steps that share all buckets form a group, so that
// the lane finds such a step without asking for every step repeatedly. A group whose buckets are full is closed until the
// instant that the pacer gives:
//
// - A step of a closed group is set aside in its group without asking the pacer. That happens once per step, so the lane
//   scans a busy user's long queue once instead of at every slot.
// - When the group opens, its first step becomes ready again. When that step starts, the next one follows.
// - When a few groups in a row are refused, the bucket that they share is full, which is that of the route. Then the lane
//   rests until the first of these groups opens.
//
// A step announced as upcoming goes before all others of its group, because its begin is already written.
import { Heap } from '../../../lib/heap.ts';

/** Information about steps that a lane needs. */
export interface LaneOptions {
  readonly before: (left: number, right: number) => boolean;
  /** Takes the slots of the step's request and returns 0, or returns the milliseconds after which to ask again. */
  readonly take: (index: number) => number;
  /** Returns equal texts for steps whose requests count against the same buckets. */
  readonly bucketsOf: (index: number) => string;
}

interface LaneGroup {
  readonly buckets: string;
  /** Sorted with upcoming steps first. */
  readonly aside: Heap<number>;
  /** 0 while the group is open. */
  closedUntil: number;
}

/** The number of refused groups in a row that means that a shared bucket is full. */
const refusalsToRest = 4;
/** The lane pauses after setting this many steps aside, so that a huge queue does not delay other lanes. */
const asideInOneGo = 512;
const pauseMs = 2;
/** Steps of a group that is closed for longer are not upcoming, because their begins would be too old when their slots come. */
const longestClosedMs = 500;
/** The number of recent starts from which the lane's pace is derived. */
const startsKept = 512;

export class Lane {
  readonly #options: LaneOptions;
  readonly #ready: Heap<number>;
  /** Groups that are closed or have steps aside. */
  readonly #groups = new Map<string, LaneGroup>();
  readonly #closed = new Heap<LaneGroup>((left, right) => left.closedUntil < right.closedUntil);
  /** By step that was set aside and is ready again, its group. */
  readonly #groupOf = new Map<number, LaneGroup>();
  #restUntil = 0;
  readonly #upcoming = new Set<number>();
  /** When the last steps started. */
  readonly #starts: number[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#ready = new Heap(options.before);
  }

  add(index: number): void {
    // Queue behind the upcoming steps with the same buckets.
    const group = this.#upcoming.size === 0 ? undefined : this.#groups.get(this.#options.bucketsOf(index));
    (group?.aside ?? this.#ready).push(index);
  }

  /** Returns the step to start now, after taking its slots, or undefined. */
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

  /** Returns the next instant at which `next` may return a step, or undefined if that needs a new step. */
  nextInstant(now: number): number | undefined {
    if (this.#restUntil > now) return this.#restUntil;
    return this.#closed.peek()?.closedUntil;
  }

  /**
   * Returns the next steps that start within that time if the lane keeps its pace, without those returned before. They start
   * before others with the same buckets.
   */
  upcoming(now: number, withinMs: number): number[] {
    // Expect one start more than in the previous period, so that even an idle lane has an upcoming step.
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
    // Mark them while they are in no queue, because marking changes their order.
    for (const index of found) this.#upcoming.add(index);
    for (const { queue, index } of passed) queue.push(index);
    return found;
  }

  /** Returns at most `most` closed groups that open until then, the next one first. */
  #openingBy(until: number, most: number): LaneGroup[] {
    const groups: LaneGroup[] = [];
    while (groups.length < most && (this.#closed.peek()?.closedUntil ?? Number.POSITIVE_INFINITY) <= until) {
      groups.push(this.#closed.pop() as LaneGroup);
    }
    for (const group of groups) this.#closed.push(group);
    return groups;
  }

  #started(index: number, now: number): void {
    this.#upcoming.delete(index);
    this.#starts.push(now);
    if (this.#starts.length > 2 * startsKept) this.#starts.splice(0, startsKept);
  }

  #group(buckets: string): LaneGroup {
    const aside = new Heap<number>((left, right) => {
      const isUpcoming = this.#upcoming.has(left);
      return isUpcoming === this.#upcoming.has(right) ? this.#options.before(left, right) : isUpcoming;
    });
    const group = { buckets, aside, closedUntil: 0 };
    this.#groups.set(buckets, group);
    return group;
  }

  #close(group: LaneGroup, index: number, until: number): void {
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

  /** Makes the first step of an open group ready, or drops the group if it is empty. */
  #follow(group: LaneGroup): void {
    const index = group.aside.pop();
    if (index === undefined) this.#groups.delete(group.buckets);
    else {
      this.#ready.push(index);
      this.#groupOf.set(index, group);
    }
  }

  /** Answers may change which buckets a step counts against. Then the rest of its old group follows it at once. */
  #leave(index: number, group: LaneGroup | undefined): void {
    const former = this.#groupOf.get(index);
    this.#groupOf.delete(index);
    if (former !== undefined && former !== group) this.#follow(former);
  }
}
