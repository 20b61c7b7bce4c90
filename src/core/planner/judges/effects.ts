// Counts the effects of a plan on people, regardless of their cause (semantics §4.1).

import { compareText, isObject } from '../../../lib/json.ts';
import type { Collect, Collector, Series } from '../../../lib/series.ts';
import { targetOf } from '../../history/sending/message-search.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { type Action, hasBudget } from '../../model/action.ts';
import type { StateRecord } from '../../model/record.ts';
import { endsObject } from '../../model/resource.ts';
import type { Step } from '../../model/step.ts';
import type { OrderedDraft } from '../order/steps.ts';

/** The populations in state, by kind, of which a budget is a share. */
export interface Population {
  /** Objects in state that are not retired. */
  readonly objects: ReadonlyMap<string, number>;
  /** The memberships in these objects. */
  readonly memberships: ReadonlyMap<string, number>;
  /** The messages in these objects. */
  readonly contents: ReadonlyMap<string, number>;
}

/** Takes every record of state and every object of the plan. */
export class EffectTally {
  readonly #collect: Collect;
  readonly #objects = new Map<string, number>();
  readonly #memberships = new Map<string, number>();
  readonly #contents = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  readonly #things = new Map<string, Collector<string>>();
  readonly #removed = new Map<string, { count: number; things: Map<string, Collector<string>> }>();
  readonly #takenAway = new Map<string, { count: number; effects: Map<string, number> }>();
  readonly #ended = new Map<Collector<string>, Series<string>>();

  constructor(collect: Collect) {
    this.#collect = collect;
  }

  addRecord({ name: kind, memberships = '', contents }: KindDefinition, { retired, attributes }: StateRecord): void {
    if (retired === true) return;
    if (contents !== undefined) this.#contents.set(kind, (this.#contents.get(kind) ?? 0) + contents(attributes));
    this.#objects.set(kind, (this.#objects.get(kind) ?? 0) + 1);
    const members = attributes[memberships];
    if (!isObject(members)) return;
    this.#memberships.set(kind, (this.#memberships.get(kind) ?? 0) + Object.keys(members).length);
  }

  /** Must not be called for objects whose creation this run completes. */
  addObject({ draft, steps, bracket }: OrderedDraft): void {
    const { name: kind } = draft.kind;
    const isManaged = !draft.completesCreation && draft.record?.retired !== true;
    for (const step of steps) {
      if (draft.completesCreation && step.action !== 'erase') continue;
      // Forgetting has no budget, but forgetting a whole kind needs an acknowledgement.
      if (!isCounted(step.action)) continue;
      const effect = `${kind}.${step.action}`;
      const things = thingsOf(step);
      this.#counts.set(effect, (this.#counts.get(effect) ?? 0) + things.length);
      const collector = this.#collectorFor(effect, this.#things);
      for (const thing of things) collector.push(thing);
      if (isManaged && !bracket && takesAway(step.action, draft.removal)) this.#countTaken(kind, effect);
    }
    if (!isManaged || draft.removal === undefined || draft.removal === 'retire') return;
    const removed = this.#removed.get(kind) ?? { count: 0, things: new Map<string, Collector<string>>() };
    this.#removed.set(kind, removed);
    removed.count += 1;
    this.#collectorFor(`${kind}.${draft.removal}`, removed.things).push(draft.address);
  }

  get population(): Population {
    return { objects: this.#objects, memberships: this.#memberships, contents: this.#contents };
  }

  /** The number of each effect, such as `user.deactivate`, sorted by effect. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#counts].sort(([left], [right]) => compareText(left, right)));
  }

  /** Returns the objects and memberships that an effect concerns, without duplicates. */
  thingsOf(effect: string): Series<string> {
    return this.#end(this.#things.get(effect));
  }

  /** Returns kinds whose objects in state are all removed from the manifest, with one entry for each way of removal. */
  wholeKinds(): WholeKind[] {
    const sorted = [...this.#removed].sort(([left], [right]) => compareText(left, right));
    return sorted.flatMap(([kind, { count, things }]) =>
      count < (this.#objects.get(kind) ?? 0)
        ? []
        : Array.from(things, ([effect, thingsLost]) => ({ kind, effect, count, things: this.#end(thingsLost) })),
    );
  }

  /** Returns the objects that the plan deactivates, deletes or retires, by kind. Work on disabled objects does not count. */
  takenAway(): TakenAway[] {
    const sorted = [...this.#takenAway].sort(([left], [right]) => compareText(left, right));
    return sorted.map(([kind, { count, effects }]) => ({
      kind,
      count,
      effects,
      managed: this.#objects.get(kind) ?? 0,
    }));
  }

  #countTaken(kind: string, effect: string): void {
    const taken = this.#takenAway.get(kind) ?? { count: 0, effects: new Map<string, number>() };
    this.#takenAway.set(kind, taken);
    taken.count += 1;
    taken.effects.set(effect, (taken.effects.get(effect) ?? 0) + 1);
  }

  #collectorFor(effect: string, collectors: Map<string, Collector<string>>): Collector<string> {
    const existingCollector = collectors.get(effect);
    if (existingCollector !== undefined) return existingCollector;
    const newCollector = this.#collect<string>();
    collectors.set(effect, newCollector);
    return newCollector;
  }

  #end(collector: Collector<string> | undefined): Series<string> {
    if (collector === undefined) return [];
    const series = this.#ended.get(collector) ?? collector.end();
    this.#ended.set(collector, series);
    return series;
  }
}

function isCounted(action: Action): boolean {
  return hasBudget(action) || action === 'forget' || action === 'retire';
}

/** Whether the action removes the object. A freeze counts only as a removal, because otherwise the channel is still declared. */
function takesAway(action: Action, removal: string | undefined): boolean {
  return action === 'deactivate' || (removal !== undefined && (action === 'freeze' || endsObject(action)));
}

export interface TakenAway {
  readonly kind: string;
  /** The number of objects removed. */
  readonly count: number;
  /** All objects of the kind in state that are not retired. */
  readonly managed: number;
  /** The number of objects by effect, such as `user.deactivate`. */
  readonly effects: ReadonlyMap<string, number>;
}

export interface WholeKind {
  readonly kind: string;
  readonly effect: string;
  /** All objects of the kind. */
  readonly count: number;
  readonly things: Iterable<string>;
}

/** Returns what the step concerns: the object, or the memberships or the message that it loses. */
function thingsOf(step: Step): string[] {
  const { action, address, search } = step;
  if (action === 'leave') return membershipsEndedBy(step);
  if (action === 'lockout') return addressesOf(step);
  if (action !== 'erase') return [address];
  const target = targetOf(search);
  return [target === undefined ? address : `${address}\n${target.identity}${target.mark}`];
}

/** Returns the entries that the step adds to a list of allowed callers, or removes from it. */
function addressesOf({ address, entry }: Step): string[] {
  const edits = entry.type === 'patch' ? entry.edits : [];
  return edits.flatMap((edit) =>
    edit.op === 'add' || edit.op === 'remove' ? edit.values.map((value) => `${address}\n${value}`) : [],
  );
}

/** Returns the memberships that the step removes from the record. */
function membershipsEndedBy({ address, entry }: Step): string[] {
  const edits = entry.type === 'patch' ? entry.edits : [];
  return edits.flatMap(({ op, path }) => (op === 'unset' ? [`${address}\n${path[1] ?? ''}`] : []));
}
