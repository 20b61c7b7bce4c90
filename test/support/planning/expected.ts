// Support: the expected state after an estate has been applied.

import { type Address, kindOf } from '../../../src/core/model/address.ts';
import type { StateRecord } from '../../../src/core/model/record.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { equalJson, type JsonObject, type JsonValue } from '../../../src/lib/json.ts';
import { kindNamed, rememberedOf, withoutEmpty } from './planning.ts';

type State = ReadonlyMap<Address, StateRecord>;

/** All differences between state and declaration: attributes, marks, and objects that should be retired. */
export function stateFaults(desired: readonly Resource[], state: State): string[] {
  const faults: string[] = [];
  const expectEqual = (what: string, actual: unknown, expected: unknown) => {
    if (actual === undefined || !equalJson(actual as JsonValue, expected as JsonValue))
      faults.push(`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
  };
  const declared = new Map(desired.map((resource) => [resource.address, resource]));
  for (const [address, record] of state) {
    const { address: _address, attributes, lifecycle, ...marks } = record;
    const resource = declared.get(address);
    if (resource === undefined) {
      // Possibly deleted users.
      const { unknown: _people, ...others } = marks;
      expectEqual(`the marks of ${address}`, others, { retired: true });
      expectEqual(`the end of ${address}`, attributes[kindNamed(kindOf(address)).disabledState.attribute], true);
      continue;
    }
    expectEqual(`the marks of ${address}`, marks, {});
    expectEqual(`the lifecycle of ${address}`, lifecycle ?? {}, resource.lifecycle);
    const wanted = { ...keptOf(record), ...rememberedOf(resource) };
    expectEqual(address, withoutEmpty(attributes), withoutStated(record, wanted));
  }
  for (const address of declared.keys()) if (!state.has(address)) faults.push(`${address} is not in state`);
  return faults;
}

/** Leaves out values that a creation without the line gives: an edit that declares them later is no change. */
function withoutStated({ address, attributes }: StateRecord, wanted: JsonObject): JsonObject {
  const definitions = kindNamed(kindOf(address)).attributes;
  return Object.fromEntries(
    Object.entries(wanted).filter(([name, value]) => {
      const { change, initial = false } = definitions[name] ?? {};
      const isFixed = change === 'create_only' || change === 'noted';
      return !isFixed || attributes[name] !== undefined || !equalJson(value, initial);
    }),
  );
}

/** Attributes that stay in state after their line is removed. */
function keptOf({ address, attributes }: StateRecord): JsonObject {
  const definitions = kindNamed(kindOf(address)).attributes;
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => definitions[name]?.removed.how === 'keep'));
}
