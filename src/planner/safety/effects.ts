// Counts what a plan does to people, by effect and whatever the cause (semantics §4.1).

import { compareText, isObject } from '../../lib/json.ts';
import type { Collect, Collector, Series } from '../../lib/series.ts';
import { type Action, hasBudget } from '../../model/action.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Step } from '../../model/step.ts';
import type { KindDefinition } from '../../resources/definition/kind.ts';
import type { OrderedDraft } from '../order/steps.ts';

/** What state manages, by kind: the populations of which a budget is a share. */
export interface Population {
  /** Objects in state that are not retired. */
  readonly objects: ReadonlyMap<string, number>;
  /** The memberships in them. */
  readonly memberships: ReadonlyMap<string, number>;
  /** The messages in them. */
  readonly contents: ReadonlyMap<string, number>;
}

/** Takes every record of state and every object of the plan, one by one. */
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

  /** Leaves out objects whose creation is completed, by this run after an earlier one or by this run alone. */
  addObject({ draft, steps, bracket }: OrderedDraft): void {
    const { name: kind } = draft.kind;
    const isManaged = !draft.completesCreation && draft.record?.retired !== true;
    for (const step of steps) {
      if (draft.completesCreation && step.action !== 'erase') continue;
      // To forget takes nothing from anybody, and is never over a budget; but a whole kind must not be forgotten unasked.
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

  /** `user.deactivate` → how many, sorted. */
  get counts(): ReadonlyMap<string, number> {
    return new Map([...this.#counts].sort(([left], [right]) => compareText(left, right)));
  }

  /** The objects and memberships that an effect concerns, each once. */
  thingsOf(effect: string): Series<string> {
    return this.#end(this.#things.get(effect));
  }

  /** Kinds whose objects in state are all removed from the manifest, even if they are few: one entry for each way of removal. */
  wholeKinds(): WholeKind[] {
    const sorted = [...this.#removed].sort(([left], [right]) => compareText(left, right));
    return sorted.flatMap(([kind, { count, things }]) =>
      count < (this.#objects.get(kind) ?? 0)
        ? []
        : Array.from(things, ([effect, own]) => ({ kind, effect, count, things: this.#end(own) })),
    );
  }

  /** The objects that the plan deactivates, deletes or retires, by kind; work on disabled objects does not count. */
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

function isCounted(action: Action): boolean {
  return hasBudget(action) || action === 'forget' || action === 'retire';
}

/** A channel that a manifest freezes is still declared, so only a removal takes it away. */
function takesAway(action: Action, removal: string | undefined): boolean {
  return action === 'deactivate' || action === 'delete' || (action === 'freeze' && removal !== undefined);
}

export interface TakenAway {
  readonly kind: string;
  /** The objects that are taken away. */
  readonly count: number;
  /** All objects of the kind in state that are not retired. */
  readonly managed: number;
  /** `user.deactivate` → how many of them. */
  readonly effects: ReadonlyMap<string, number>;
}

export interface WholeKind {
  readonly kind: string;
  readonly effect: string;
  /** All objects of the kind. */
  readonly count: number;
  readonly things: Iterable<string>;
}

/** What the step concerns: the object, or the memberships or the message that it loses. */
function thingsOf(step: Step): string[] {
  const { action, address, settle } = step;
  if (action === 'leave') return membershipsEndedBy(step);
  return action === 'erase' ? [`${address}\n${settle?.target?.identity}${settle?.target?.mark}`] : [address];
}

/** The step takes each of them out of the record. */
function membershipsEndedBy({ address, entry }: Step): string[] {
  const edits = entry.type === 'patch' ? entry.edits : [];
  return edits.flatMap(({ op, path }) => (op === 'unset' ? [`${address}\n${path[1] ?? ''}`] : []));
}
