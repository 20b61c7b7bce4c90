// Which ready step of one route goes next, and when?
//
// A lane holds the ready steps of one route, in the order of graph.ts. The head asks the pacer for its slots.
// When it is refused, its buckets are full, and a step with other buckets may go instead: a call that counts against
// another user. To find that one without asking for every step again and again, steps that share all their buckets are
// a group, and a group that was refused is closed until the instant that the pacer named:
//
// - a step that comes up while its group is closed is put aside into the group, unasked. Each step is put aside once
//   and then waits there, so a long queue of one busy user is walked through once, not at every slot;
// - when the instant comes, the group opens and sends its first step back to the ready ones; when that one goes, the
//   next follows;
// - a few refusals in a row, without a single step that could go, mean that a bucket is full that they all share, the
//   route's own: then the lane rests until the first of these groups opens.
import { Heap } from '../../lib/heap.ts';

/** What a lane asks about a step. */
export interface LaneQuestions {
  /** True when the left step goes before the right one. */
  readonly before: (left: number, right: number) => boolean;
  /** Takes the slots of the step's request: 0, or the milliseconds after which to ask again. */
  readonly take: (index: number) => number;
  /** The buckets that the step's request counts against: equal texts, equal buckets. */
  readonly bucketsOf: (index: number) => string;
}

interface Group {
  readonly buckets: string;
  readonly aside: Heap<number>;
  /** Closed until then; 0 while open. */
  closedUntil: number;
}

/** Refusals in a row, of different groups, after which a shared bucket must be the reason. */
const refusalsToRest = 4;
/** Steps put aside in one go, and the pause after that many, so that a huge queue does not hold up the other lanes. */
const asideInOneGo = 512;
const pauseMs = 2;

export class Lane {
  readonly #questions: LaneQuestions;
  readonly #ready: Heap<number>;
  /** Groups that are closed, or that still have steps aside. */
  readonly #groups = new Map<string, Group>();
  readonly #closed = new Heap<Group>((left, right) => left.closedUntil < right.closedUntil);
  #restUntil = 0;

  constructor(questions: LaneQuestions) {
    this.#questions = questions;
    this.#ready = new Heap(questions.before);
  }

  add(index: number): void {
    this.#ready.push(index);
  }

  /** The step that goes now, its slots taken; undefined when none can. */
  next(now: number): number | undefined {
    this.#open(now);
    if (this.#restUntil > now) return undefined;
    let refusals = 0;
    for (let aside = 0; aside < asideInOneGo; ) {
      const index = this.#ready.pop();
      if (index === undefined) return undefined;
      const buckets = this.#questions.bucketsOf(index);
      const group = this.#groups.get(buckets);
      if (group !== undefined && group.closedUntil > 0) {
        group.aside.push(index);
        aside++;
        continue;
      }
      const waitMs = this.#questions.take(index);
      if (waitMs <= 0) {
        if (group !== undefined) this.#follow(group);
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

  /** The next instant at which `next` may give a step that it does not give now; undefined: only a new step helps. */
  nextInstant(now: number): number | undefined {
    if (this.#restUntil > now) return this.#restUntil;
    return this.#closed.peek()?.closedUntil;
  }

  #group(buckets: string): Group {
    const group = { buckets, aside: new Heap(this.#questions.before), closedUntil: 0 };
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

  /** The first step aside of an open group joins the ready ones; an empty open group is forgotten. */
  #follow(group: Group): void {
    const index = group.aside.pop();
    if (index === undefined) this.#groups.delete(group.buckets);
    else this.#ready.push(index);
  }
}
