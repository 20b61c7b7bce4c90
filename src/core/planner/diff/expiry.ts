// Removes expired bans and mutes from a comparison (semantics §1.9).
//
// An expired entry counts as absent on every side: it is not drift and needs no call, and a later end is imposed as if there
// had been none. State keeps the entry until it is written again.

import { isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { namesOf } from '../../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { mapOf } from '../../kinds/definition/values.ts';
import type { Observation } from '../../model/live.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { PlannedProblem } from '../draft/draft.ts';

export interface ExpirySides {
  readonly resource: Resource | undefined;
  readonly record: StateRecord | undefined;
  readonly observation: Observation | undefined;
}

interface SidesLeft extends ExpirySides {
  /** One note for each declared entry that has ended. */
  readonly notes: readonly PlannedProblem[];
}

/** Whether the time decides about entries of the object. */
export function dependsOnTime(kind: KindDefinition, { resource, record, observation }: ExpirySides): boolean {
  return endingNames(kind).some((name) =>
    [resource, record, observation].some((side) => side?.attributes[name] !== undefined),
  );
}

/** Returns the maps whose entries end by themselves. */
export function endingNames({ attributes }: KindDefinition): string[] {
  return namesOf(attributes, ({ endsAt, shape }) => endsAt !== undefined && shape === 'map');
}

/** `nowMs` is in Unix milliseconds. */
export function withoutEnded(kind: KindDefinition, sides: ExpirySides, nowMs: number): SidesLeft {
  let { resource, record, observation } = sides;
  const notes: PlannedProblem[] = [];
  for (const name of endingNames(kind)) {
    if ([resource, record, observation].every((side) => side?.attributes[name] === undefined)) continue;
    const isOver = (entry: JsonValue) => (kind.attributes[name]?.endsAt?.(entry) ?? nowMs + 1) <= nowMs;
    const before = { ...entriesOf(record, name), ...entriesOf(resource, name) };
    for (const [id, entry] of Object.entries(entriesOf(resource, name))) {
      if (isOver(entry)) notes.push(noteOf(name, id, entry));
    }
    const declared = resource && leftOf(resource, name, (_id, entry) => !isOver(entry));
    const unexpiredRecord = record && leftOf(record, name, (_id, entry) => !isOver(entry));
    // If only expired entries were declared and remembered, there is nothing to manage or to record.
    const isNothing =
      (declared !== resource || unexpiredRecord !== record) &&
      [declared, unexpiredRecord].every((side) => isEmpty(side?.attributes[name]));
    resource = isNothing ? declared && withoutEmpty(declared, name) : declared;
    record = isNothing ? unexpiredRecord && withoutEmpty(unexpiredRecord, name) : unexpiredRecord;
    if (observation?.exists !== true) continue;
    const ours = { ...entriesOf(record, name), ...entriesOf(resource, name) };
    // Entries that others impose after the end of the declared ones are unmanaged.
    const isShown = (id: string, entry: JsonValue) =>
      !isOver(entry) && (Object.hasOwn(ours, id) || !Object.hasOwn(before, id));
    const unexpiredObservation = leftOf(observation, name, isShown);
    observation = isNothing ? withoutEmpty(unexpiredObservation, name) : unexpiredObservation;
  }
  return { resource, record, observation, notes };
}

interface ExpirySide {
  readonly attributes: JsonObject;
}

function leftOf<T extends ExpirySide>(side: T, name: string, isLeft: (id: string, entry: JsonValue) => boolean): T {
  const entries = Object.entries(mapOf(side.attributes, name));
  const remaining = entries.filter(([id, entry]) => isLeft(id, entry));
  if (remaining.length === entries.length) return side;
  return { ...side, attributes: { ...side.attributes, [name]: Object.fromEntries(remaining) } };
}

function withoutEmpty<T extends ExpirySide>(side: T, name: string): T {
  const { [name]: entries, ...attributes } = side.attributes;
  return entries !== undefined && isEmpty(entries) ? { ...side, attributes } : side;
}

function isEmpty(entries: JsonValue | undefined): boolean {
  return entries === undefined || (isObject(entries) && Object.keys(entries).length === 0);
}

function entriesOf(side: ExpirySide | undefined, name: string): JsonObject {
  return side === undefined ? {} : mapOf(side.attributes, name);
}

function noteOf(name: string, id: string, entry: JsonValue): PlannedProblem {
  const until = isObject(entry) ? String(entry.until) : '';
  return {
    severity: 'note',
    problem: { code: 'plan.ended', attribute: name, key: id, until },
    path: [name, id],
  };
}
