// Counts the managed values that a refresh compared, and says why it did not compare the others (semantics §11.7).
//
// A verdict such as "no drift" speaks of the counted values alone.

import { compareText, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { isReadEach } from '../../kinds/definition/attribute-table.ts';
import type { AttributeDefinition, KindDefinition } from '../../kinds/definition/kind.ts';
import type { LiveObject } from '../../model/live.ts';
import type { ComparedValues, NotCompared, Proof } from '../../model/people/comparison.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { entriesOf, leavesOut } from './observation.ts';
import { declaredAttributes, ignoredOf } from './observed-state.ts';

type ReasonCount = Omit<NotCompared, 'values' | 'objects'> & WhyNotCompared & { values: number; objects: number };

/** Why values were not compared as a whole. */
interface WhyNotCompared extends Pick<NotCompared, 'why' | 'proves'> {
  /** What the answer about another object may prove. */
  readonly noted?: Proof;
}

export interface ReadPair {
  readonly record?: StateRecord | undefined;
  readonly resource?: Resource | undefined;
  /** False for an attribute that a refresh does not read, because it costs too many requests. */
  wants(attribute: string): boolean;
}

export class ComparisonTally {
  #compared = 0;
  readonly #counts = new Map<string, ReasonCount>();

  /** `live` is absent for an object that no refresh reads, such as a history file. */
  add(kind: KindDefinition, pair: ReadPair, live: LiveObject | undefined): void {
    // An object that is neither in state nor on the platform has nothing to compare.
    if (live?.exists === false && pair.record === undefined) return;
    for (const [name, value] of Object.entries(managedBy(kind, pair))) {
      const definition = kind.attributes[name];
      if (definition !== undefined) this.#addValue(kind, name, definition, value, pair, live);
    }
  }

  /**
   * `statuses` of members were read, which answers about the users show. `proven` are the values of which answers about other objects
   * proved something, by what they prove.
   */
  end(statuses = 0, proven: Readonly<Partial<Record<Proof, number>>> = {}): ComparedValues {
    for (const [key, { noted, ...count }] of this.#counts) {
      const provenCount = noted === undefined ? 0 : Math.min(count.values, proven[noted] ?? 0);
      if (noted === undefined || provenCount === 0) continue;
      this.#counts.set(`${key} ${noted}`, {
        ...count,
        why: 'in_part',
        proves: noted,
        values: provenCount,
        objects: provenCount,
      });
      const left = count.values - provenCount;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, { ...count, values: left, objects: left });
    }
    for (const [key, count] of statuses === 0 ? [] : this.#counts) {
      if (count.why !== 'each_user') continue;
      this.#compared += statuses;
      if (count.values <= statuses) this.#counts.delete(key);
      else count.values -= statuses;
    }
    const counts = Array.from(this.#counts.values(), ({ noted: _noted, ...count }) => count).sort(
      (left, right) => compareText(left.kind, right.kind) || compareText(left.attribute, right.attribute),
    );
    return { compared: this.#compared, not_compared: counts };
  }

  #addValue(
    kind: KindDefinition,
    name: string,
    definition: AttributeDefinition,
    value: JsonValue,
    pair: ReadPair,
    live: LiveObject | undefined,
  ): void {
    const values = sizeOf(definition, value);
    // Of a missing object, every value differs.
    if (live?.exists === false) {
      this.#compared += values;
      return;
    }
    const reason = reasonOf(kind, name, definition, pair, live);
    if (reason !== undefined) {
      this.#count(kind, name, reason, values);
      return;
    }
    const omitted = omittedIn(definition, value, live?.attributes[name]);
    this.#compared += values - omitted;
    this.#count(kind, name, { why: 'omitted' }, omitted);
    for (const [part, { shown }] of Object.entries(definition.parts ?? {})) {
      if (shown.as !== 'compared') this.#count(kind, `${name}.${part}`, showing(shown), partsIn(part, value));
    }
  }

  #count({ name: kind }: KindDefinition, attribute: string, reason: WhyNotCompared | undefined, values: number): void {
    if (values === 0 || reason === undefined) return;
    const key = `${kind}.${attribute} ${reason.why}`;
    const count = this.#counts.get(key) ?? { kind, attribute, ...reason, values: 0, objects: 0 };
    this.#counts.set(key, count);
    count.values += values;
    count.objects += 1;
  }
}

/** Returns the values that drift is looked for in: those of state, and of an object that is not in state, the declared ones. */
function managedBy(kind: KindDefinition, { record, resource }: ReadPair): JsonObject {
  if (record === undefined) return declaredAttributes(kind, resource);
  const ignored = ignoredOf(kind, record, resource);
  const isManaged = (name: string) =>
    record.retired === true ? name === kind.disabledState.attribute : !ignored.includes(name);
  return Object.fromEntries(Object.entries(record.attributes).filter(([name]) => isManaged(name)));
}

function reasonOf(
  kind: KindDefinition,
  name: string,
  definition: AttributeDefinition,
  { wants }: ReadPair,
  live: LiveObject | undefined,
): WhyNotCompared | undefined {
  const reason = showing(definition.shown);
  if (definition.shown.as === 'not' || live === undefined) return reason;
  const isHidden = live.isHidden === true && name !== kind.disabledState.attribute;
  if (isHidden || live.isUnread === true || live.refused?.includes(name) === true) return { why: 'refused' };
  if (isReadEach(definition) && !wants(name)) return { why: 'read_each' };
  if (live.attributes[name] === undefined) return { why: 'omitted' };
  return reason;
}

/** Returns why a value cannot be compared as a whole, or undefined if it can. What chatform itself follows needs no comparison. */
function showing(visibility: AttributeDefinition['shown']): WhyNotCompared | undefined {
  if (visibility.as === 'in_part') return { why: 'in_part', proves: visibility.proves };
  if (visibility.as === 'compared' || visibility.why === 'rule') return undefined;
  return { why: visibility.why, ...(visibility.noted === undefined ? {} : { noted: visibility.noted }) };
}

/** Returns the number of entries whose value the answer leaves out, or a part of it. */
function omittedIn(definition: AttributeDefinition, value: JsonValue, live: JsonValue | undefined): number {
  if (!leavesOut(definition) || !isObject(value) || !isObject(live)) return 0;
  return Object.entries(value).filter(([entry, managed]) => lacks(managed, ownValue(live, entry))).length;
}

function lacks(managed: JsonValue, live: JsonValue | undefined): boolean {
  if (live === undefined) return true;
  if (!isObject(managed) || !isObject(live)) return false;
  return Object.entries(managed).some(([name, inner]) => lacks(inner, ownValue(live, name)));
}

function partsIn(part: string, value: JsonValue): number {
  const everyEntry = /^\*\.(?<name>.+)$/u.exec(part)?.groups?.name;
  if (everyEntry === undefined || !isObject(value)) return 1;
  return Object.values(value).filter((entry) => isObject(entry) && Object.hasOwn(entry, everyEntry)).length;
}

/** Counts an empty map or list as one value. */
function sizeOf({ shape }: AttributeDefinition, value: JsonValue): number {
  return shape === undefined || !(isList(value) || isObject(value)) ? 1 : Math.max(1, entriesOf(value).length);
}
