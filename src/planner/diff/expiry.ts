// Leaves out of a comparison what has ended by itself: bans and mutes whose time is over (semantics §1.9).
//
// Such an entry counts as absent, whether it is declared, remembered or shown: it is no drift and takes no call, and a
// later end that is declared for it is imposed as if there had been none. State keeps it until the entry is written anew.
import { isObject, type JsonObject, type JsonValue } from '../../lib/json.ts';
import type { Observation } from '../../model/live.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { namesOf } from '../../resources/definition/attribute-table.ts';
import type { KindDefinition, Problem } from '../../resources/definition/kind.ts';
import { mapOf } from '../../resources/definition/values.ts';

export interface Sides {
  readonly resource: Resource | undefined;
  readonly record: StateRecord | undefined;
  readonly observation: Observation | undefined;
}

interface SidesLeft extends Sides {
  /** One for each declared entry that has ended. */
  readonly notes: readonly Problem[];
}

/** `nowMs`: Unix milliseconds. */
export function withoutEnded(kind: KindDefinition, sides: Sides, nowMs: number): SidesLeft {
  let { resource, record, observation } = sides;
  const notes: Problem[] = [];
  for (const name of namesOf(kind.attributes, ({ endsAt }) => endsAt !== undefined)) {
    if ([resource, record, observation].every((side) => side?.attributes[name] === undefined)) continue;
    const isOver = (entry: JsonValue) => (kind.attributes[name]?.endsAt?.(entry) ?? nowMs + 1) <= nowMs;
    const before = { ...entriesOf(record, name), ...entriesOf(resource, name) };
    for (const [id, entry] of Object.entries(entriesOf(resource, name))) {
      if (isOver(entry)) notes.push(noteOf(name, id, entry));
    }
    resource = resource && leftOf(resource, name, (_id, entry) => !isOver(entry));
    const kept = record && leftOf(record, name, (_id, entry) => !isOver(entry));
    // Somebody may have removed the last line and its key with it, which is nothing to do either.
    const isKeyGone = kept !== record && resource?.attributes[name] === undefined;
    record = isKeyGone ? kept && withoutEmpty(kept, name) : kept;
    if (observation?.exists !== true) continue;
    const ours = { ...entriesOf(record, name), ...entriesOf(resource, name) };
    // What others impose after the end of ours is theirs.
    const isShown = (id: string, entry: JsonValue) =>
      !isOver(entry) && (Object.hasOwn(ours, id) || !Object.hasOwn(before, id));
    observation = leftOf(observation, name, isShown);
  }
  return { resource, record, observation, notes };
}

interface Side {
  readonly attributes: JsonObject;
}

function leftOf<T extends Side>(side: T, name: string, isLeft: (id: string, entry: JsonValue) => boolean): T {
  const entries = Object.entries(mapOf(side.attributes, name));
  const left = entries.filter(([id, entry]) => isLeft(id, entry));
  if (left.length === entries.length) return side;
  return { ...side, attributes: { ...side.attributes, [name]: Object.fromEntries(left) } };
}

function withoutEmpty<T extends Side>(side: T, name: string): T {
  const { [name]: entries, ...attributes } = side.attributes;
  return isObject(entries) && Object.keys(entries).length === 0 ? { ...side, attributes } : side;
}

function entriesOf(side: Side | undefined, name: string): JsonObject {
  return side === undefined ? {} : mapOf(side.attributes, name);
}

function noteOf(name: string, id: string, entry: JsonValue): Problem {
  const until = isObject(entry) ? String(entry.until) : '';
  return {
    severity: 'note',
    code: 'plan.ended',
    summary: 'A declared entry has ended',
    detail: `${name}.${id} ended at ${until}, so chatform ignores it. Remove the line, or set a later end.`,
    path: [name, id],
  };
}
