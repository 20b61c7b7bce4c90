// Counts the values of managed objects that nobody declares and that decide what people can do, such as a channel frozen by hand.
//
// They are not drift, and no call changes them (semantics §1.1). Members join by themselves and are left out, and so are exclusive
// lists, because an apply removes what others added to them.

import { compareText, equalJson, type JsonValue } from '../../../lib/json.ts';
import { isAccess } from '../../kinds/definition/edit-effects.ts';
import type { AttributeDefinition, KindDefinition } from '../../kinds/definition/kind.ts';
import { isExclusive } from '../../kinds/definition/values.ts';
import { keyOf } from '../../model/address.ts';
import type { LiveObject } from '../../model/live.ts';
import type { PlanProblem } from '../../model/statements/problems.ts';
import type { ReadPair } from './comparison-tally.ts';
import { entriesOf } from './observation.ts';
import { maxIds } from './observed-state.ts';

interface Undeclared {
  readonly title: string;
  readonly attribute: string;
  readonly isList: boolean;
  readonly ids: string[];
  more: number;
}

export class UndeclaredTally {
  readonly #byAttribute = new Map<string, Undeclared>();

  add(kind: KindDefinition, { record, resource }: Pick<ReadPair, 'record' | 'resource'>, live: LiveObject): void {
    if (record === undefined || record.retired === true || !live.exists) return;
    for (const [name, definition] of Object.entries(kind.attributes)) {
      const liveValue = live.attributes[name];
      if (liveValue === undefined || name === kind.memberships || !isAccess(definition)) continue;
      if (resource !== undefined && isExclusive(resource.attributes, name)) continue;
      const sides = [record.attributes[name], resource?.attributes[name]];
      if (!isUndeclared(definition, liveValue, sides)) continue;
      const key = `${kind.name}.${name}`;
      const isList = definition.shape !== undefined;
      const undeclared = this.#byAttribute.get(key) ?? { title: kind.title, attribute: name, isList, ids: [], more: 0 };
      this.#byAttribute.set(key, undeclared);
      if (undeclared.ids.length < maxIds) undeclared.ids.push(keyOf(live.address));
      else undeclared.more += 1;
    }
  }

  /** One note for each attribute of a kind. */
  notes(): PlanProblem[] {
    const sorted = [...this.#byAttribute].sort(([left], [right]) => compareText(left, right));
    return sorted.map(([, undeclared]) => ({ code: 'plan.undeclared', ...undeclared }));
  }
}

function isUndeclared(
  definition: AttributeDefinition,
  liveValue: JsonValue,
  sides: readonly (JsonValue | undefined)[],
): boolean {
  const { removed, shape } = definition;
  // Where the application decides, the value of a new object is not known.
  const initial = definition.initialFrom === undefined ? definition.initial : undefined;
  if (shape !== undefined) {
    const declared = new Set(sides.flatMap(entriesOf));
    return removed.how === 'each' && entriesOf(liveValue).some((entry) => !declared.has(entry));
  }
  const neutral = removed.how === 'reset' ? removed.to : initial;
  return sides.every((side) => side === undefined) && neutral !== undefined && !equalJson(liveValue, neutral);
}
