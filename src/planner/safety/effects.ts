// What does a plan do to people, counted by effect, whatever the cause? (semantics §4.1)

import { compareText, isObject } from '../../lib/json.ts';
import type { Collect, Collector, Series } from '../../lib/series.ts';
import { kindOf } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import type { OrderedObject } from '../order/order.ts';

/** What state manages of each effect: the population that a share is taken of. */
export interface Population {
  /** Objects in state that are not retired, by kind. */
  readonly objects: ReadonlyMap<string, number>;
  /** Members of all group channels in state. */
  readonly memberships: number;
}

/** Told of every record and of every object of the plan, one by one. */
export class EffectTally {
  readonly #collect: Collect;
  readonly #objects = new Map<string, number>();
  #memberships = 0;
  readonly #counts = new Map<string, number>();
  readonly #things = new Map<string, Collector<string>>();
  readonly #removed = new Map<string, { count: number; things: Map<string, Collector<string>> }>();
  readonly #ended = new Map<Collector<string>, Series<string>>();

  constructor(collect: Collect) {
    this.#collect = collect;
  }

  addRecord({ address, retired, attributes }: StateRecord): void {
    if (retired === true) return;
    const kind = kindOf(address);
    this.#objects.set(kind, (this.#objects.get(kind) ?? 0) + 1);
    if (isObject(attributes.members)) this.#memberships += Object.keys(attributes.members).length;
  }

  /** What is done to an object that is created, in this run or one before, does not count. */
  addObject({ plan, steps }: OrderedObject): void {
    if (plan.completesCreation) return;
    const { kind } = plan.kind;
    for (const step of steps) {
      const count = effectSize(step);
      if (count === 0) continue;
      const effect = `${kind}.${step.action}`;
      this.#counts.set(effect, (this.#counts.get(effect) ?? 0) + count);
      const things = this.#collectorFor(effect, this.#things);
      const ids = leavers(step);
      if (ids === undefined) things.push(plan.address);
      else for (const id of ids) things.push(`${plan.address}\n${id}`);
    }
    if (plan.removal === undefined || plan.record?.retired === true) return;
    const removed = this.#removed.get(kind) ?? { count: 0, things: new Map<string, Collector<string>>() };
    this.#removed.set(kind, removed);
    removed.count += 1;
    this.#collectorFor(`${kind}.${plan.removal}`, removed.things).push(plan.address);
  }

  get population(): Population {
    return { objects: this.#objects, memberships: this.#memberships };
  }

  /** `user.deactivate` → how many. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#counts].sort(([left], [right]) => compareText(left, right)));
  }

  /** Everything that an effect befalls, each once: an object, or a member who leaves one. */
  thingsOf(effect: string): Series<string> {
    return this.#end(this.#things.get(effect));
  }

  /** Kinds of which every object in state is declared no more, however few they are: one entry for each way of removal. */
  wholeKinds(): WholeKind[] {
    const sorted = [...this.#removed].sort(([left], [right]) => compareText(left, right));
    return sorted.flatMap(([kind, { count, things }]) =>
      count < (this.#objects.get(kind) ?? 0)
        ? []
        : Array.from(things, ([effect, own]) => ({ kind, effect, count, things: this.#end(own) })),
    );
  }

  #collectorFor(effect: string, collectors: Map<string, Collector<string>>): Collector<string> {
    const known = collectors.get(effect);
    if (known !== undefined) return known;
    const made = this.#collect<string>();
    collectors.set(effect, made);
    return made;
  }

  #end(collector: Collector<string> | undefined): Series<string> {
    if (collector === undefined) return [];
    const series = this.#ended.get(collector) ?? collector.end();
    this.#ended.set(collector, series);
    return series;
  }
}

export interface WholeKind {
  readonly kind: string;
  readonly effect: string;
  /** All objects of the kind. */
  readonly count: number;
  readonly things: Iterable<string>;
}

const counted: ReadonlySet<string> = new Set([
  'deactivate',
  'reactivate',
  'freeze',
  'unfreeze',
  'delete',
  'leave',
  // Never over a budget, since it takes nothing from anybody, but asked about when it is a whole kind.
  'forget',
]);

function effectSize(step: Step): number {
  return counted.has(step.action) ? (leavers(step)?.length ?? 1) : 0;
}

function leavers({ action, request }: Step): readonly string[] | undefined {
  const ids = request?.body?.user_ids;
  return action === 'leave' && Array.isArray(ids) ? (ids as readonly string[]) : undefined;
}
