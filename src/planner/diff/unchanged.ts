// A quick check for objects that equal their last apply, as most do. If the check is not certain, it returns false, and the
// object is compared attribute by attribute.

import { rememberOne } from '../../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { equalJson } from '../../lib/json.ts';
import { keyOf } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Lifecycle, Resource } from '../../model/resource.ts';

/** Whether an object certainly equals its record, so that it needs no step. */
export function isUnchanged(kind: KindDefinition, resource: Resource, record: StateRecord): boolean {
  const { attributes, lifecycle } = resource;
  const remembered = record.attributes;
  if (record.retired === true || record.creating === true || record.bracket === true) return false;
  if (record.leaving === true || record.unknown !== undefined) return false;
  // A disabled object may have to be reopened for changes of others.
  if (remembered[kind.disabledState.attribute] === true) return false;
  if (!areSame(lifecycle, record.lifecycle)) return false;
  let count = 0;
  for (const name in attributes) {
    const value = attributes[name];
    const definition = kind.attributes[name];
    if (value === undefined || definition === undefined) return false;
    if (definition.change === 'mode') continue;
    if (!equalJson(remembered[name], rememberOne(definition, value))) return false;
    count += 1;
  }
  for (const _name in remembered) count -= 1;
  if (count !== 0) return false;
  const { address } = resource;
  const change = {
    type: 'update',
    address,
    key: keyOf(address),
    before: remembered,
    after: attributes,
    attributes: [],
  } as const;
  return kind.checks(change).length === 0;
}

function areSame(declared: Lifecycle, remembered: Lifecycle | undefined): boolean {
  for (const _name in declared) return equalJson({ ...declared }, { ...remembered });
  return remembered === undefined;
}
