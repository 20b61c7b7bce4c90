// Leaves out of a comparison what has ended by itself: bans and mutes whose time is over (semantics §1.9).
//
// Such an entry is no drift and takes no call, whether it is declared, remembered or both. So both sides of the comparison
// get what state remembers of it.
import { isObject, type JsonObject, type JsonValue, own } from '../../lib/json.ts';
import type { Observation } from '../../model/live.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { namesOf } from '../../resources/attribute-table.ts';
import type { KindDefinition, Problem } from '../../resources/define.ts';

const names = new WeakMap<KindDefinition, readonly string[]>();

/** The attributes of a kind whose entries may end. */
function endingOf(kind: KindDefinition): readonly string[] {
  const known = names.get(kind) ?? namesOf(kind.attributes, ({ endsAt }) => endsAt !== undefined);
  names.set(kind, known);
  return known;
}

export interface EndedSides {
  readonly resource: Resource | undefined;
  readonly observation: Observation | undefined;
  /** One note for each declared entry that has ended. */
  readonly notes: readonly Problem[];
}

/** `nowMs`: Unix milliseconds. */
export function withoutEnded(
  kind: KindDefinition,
  sides: Omit<EndedSides, 'notes'> & { readonly record: StateRecord | undefined },
  nowMs: number,
): EndedSides {
  const { record } = sides;
  let { resource, observation } = sides;
  const notes: Problem[] = [];
  for (const name of endingOf(kind)) {
    const isOver = (entry: JsonValue) => (kind.attributes[name]?.endsAt?.(entry) ?? nowMs + 1) <= nowMs;
    const remembered = entriesOver(record?.attributes[name], isOver);
    const declared = entriesOver(resource?.attributes[name], isOver);
    for (const id of Object.keys(declared)) notes.push(ended(name, id, declared[id]));
    if (Object.keys(remembered).length + Object.keys(declared).length === 0) continue;
    const corrected = (attributes: JsonObject): JsonObject => {
      const now = attributes[name];
      const left = isObject(now)
        ? Object.entries(now).filter(([id]) => !own(declared, id) && !own(remembered, id))
        : [];
      const entries = [...left, ...Object.entries(remembered)].sort(([one], [other]) => (one < other ? -1 : 1));
      return { ...attributes, [name]: Object.fromEntries(entries) };
    };
    if (resource !== undefined) resource = { ...resource, attributes: corrected(resource.attributes) };
    const isShown = observation?.exists === true && observation.attributes[name] !== undefined;
    if (observation !== undefined && isShown)
      observation = { ...observation, attributes: corrected(observation.attributes) };
  }
  return { resource, observation, notes };
}

function entriesOver(map: JsonValue | undefined, isOver: (entry: JsonValue) => boolean): JsonObject {
  return isObject(map) ? Object.fromEntries(Object.entries(map).filter(([, entry]) => isOver(entry))) : {};
}

function ended(name: string, id: string, entry: JsonValue | undefined): Problem {
  const until = isObject(entry) ? String(entry.until) : '';
  return {
    severity: 'note',
    code: 'plan.ended',
    summary: 'A declared entry has ended',
    detail: `${name}.${id} ended at ${until}, so that nothing is done for it. Remove the line, or give it a later end.`,
    path: [name, id],
  };
}
