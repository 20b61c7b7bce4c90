// How is a live object taken over that a create met? Its record as it is, then the calls that make it as declared.
import { isList, isObject, type JsonObject, type JsonValue } from '../model/json.ts';
import type { Step } from '../model/step.ts';
import type { AttributeDefinition, KindDefinition } from '../resources/define.ts';
import { planUpdate } from './object-plan.ts';
import { order } from './order.ts';

/**
 * The steps in place of a create (semantics §4.5, `existing: adopt`). Only what is declared becomes managed; what
 * cannot be read of it counts as declared. Undefined when the platform has no call that makes it as declared.
 */
export function adoptionOf(kind: KindDefinition, create: Step, live: JsonObject): readonly Step[] | undefined {
  if (create.entry.type !== 'put') return undefined;
  const { record } = create.entry;
  const observed = kind.observe(live);
  const attributes = Object.fromEntries(
    Object.entries(record.attributes).map(([name, declared]) => [
      name,
      asFound(kind.attributes[name]?.shape, declared, observed[name]),
    ]),
  );
  const found = { ...record, attributes, creating: true as const };
  const plan = planUpdate(
    kind,
    {
      address: record.address,
      attributes: record.attributes,
      lifecycle: record.lifecycle ?? {},
      source: { file: '', line: 1, column: 1 },
    },
    found,
  );
  if (plan.problems.some(({ severity }) => severity === 'error')) return undefined;
  const updates = order([plan], { leaveChannels: false })
    .flatMap(({ steps }) => steps)
    .filter(({ request }) => request !== undefined);
  const adopt: Step = {
    id: `${create.id}:adopt`,
    address: create.address,
    action: 'adopt',
    phase: create.phase,
    entry: { type: 'put', record: found },
    needs: [],
    begin: false,
    doneOn: [],
  };
  const last: Step = {
    ...adopt,
    id: `${create.id}:adopted`,
    entry: { type: 'put', record },
  };
  return [adopt, ...updates.map((step) => ({ ...step, id: `${create.id}:${step.id}` })), last];
}

/** The part of the live value that is declared: members, operators and metadata of others stay theirs. */
function asFound(shape: AttributeDefinition['shape'], declared: JsonValue, observed: JsonValue | undefined): JsonValue {
  if (shape === 'set' && isList(declared)) {
    return declared.filter((id) => isList(observed) && observed.includes(id));
  }
  if (shape === 'map' && isObject(declared)) {
    const live = isObject(observed) ? observed : {};
    return Object.fromEntries(
      Object.entries(declared).flatMap(([key, value]): [string, JsonValue][] => {
        const found = live[key];
        // Of a membership only that it is there can be read, not how it began.
        return found === undefined ? [] : [[key, isObject(found) ? value : found]];
      }),
    );
  }
  return observed ?? declared;
}
