// Support: a manifest that declares given resources.

import { keyOf } from '../../../src/core/model/address.ts';
import type { Resource } from '../../../src/core/model/resource.ts';
import { findKind } from '../../../src/core/resources/index.ts';
import { isList, type JsonObject } from '../../../src/lib/json.ts';

/** JSON is YAML. A manifest may not use `constructor` as a key. The addresses that may call the API are acknowledged. */
export function manifestOf(resources: readonly Resource[], policy: JsonObject): string {
  const sections: Record<string, JsonObject> = {};
  for (const { address, attributes } of resources) {
    const kind = findKind(address);
    const { members_mode: _members, operators_mode: _operators, ...block } = attributes;
    if (kind === undefined) continue;
    if (kind.onlyKey === undefined) sections[kind.section] = { ...sections[kind.section], [keyOf(address)]: block };
    else sections[kind.section] = block;
  }
  const { ip_whitelist: addresses } = sections.settings ?? {};
  const acknowledge = isList(addresses) ? [{ effect: 'settings.lockout', count: addresses.length }] : [];
  return JSON.stringify({ version: 1, policy: { ...policy, acknowledge }, ...sections }).replaceAll(
    '"constructor"',
    '"carol"',
  );
}
