// Describes drift, the changes by others, and what an apply does about it (semantics §1.1, §2.2, §2.3, §2.6).
//
// Drift is a value that was managed at the last apply and differs from state. An undeclared value is never drift, nor is a
// status that only says how a membership starts.

import { namesOf } from '../../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { isExclusive } from '../../kinds/definition/values.ts';
import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../lib/json.ts';
import type { Address } from '../../model/address.ts';
import type { AttributeChange, Drift } from '../../model/change.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { present } from './observation.ts';
import { declaredAttributes, differing, ignoredOf, isFixed, type ObservedState, shown } from './observed-state.ts';

/** Returns the drift of a missing object, or of a child that went missing with `parents`. */
export function missing(record: StateRecord, resource: Resource | undefined, parents?: readonly Address[]): Drift {
  const gone = `it is gone from the platform${parents === undefined ? '' : ` with ${parents.join(', ')}`}`;
  const note =
    resource === undefined
      ? `${gone}${parents === undefined ? ' and removed from the manifest' : ''}: an apply forgets it`
      : parents === undefined
        ? `${gone}: an apply creates it again; history that no archive holds does not come back`
        : `${gone}: an apply sends it again`;
  return { ...baseOf(record, resource), type: 'missing', attributes: [], note };
}

/** Returns the changed attributes of an object and the members who left it as up to two entries. */
export function driftOf(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
  observation: ObservedState,
): Drift[] {
  const changed = changedDrift(kind, record, resource, observation);
  const departed = departedDrift(kind, record, resource, observation);
  return [...(changed === undefined ? [] : [changed]), ...(departed === undefined ? [] : [departed])];
}

function changedDrift(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
  { found, departed, leftAlone }: ObservedState,
): Drift | undefined {
  const { attribute } = kind.disabledState;
  const ignored = ignoredOf(kind, record, resource);
  // A member who left also lost other roles, which are reported with the departure.
  const remembered = Object.fromEntries(
    Object.entries(record.attributes).map(([name, value]): [string, JsonValue] => [
      name,
      isList(value) ? value.filter((id) => !lostWith(leftAlone, found[name], id)) : value,
    ]),
  );
  const names = differing(kind, remembered, found).filter((name) => {
    if (record.attributes[name] === undefined || ignored.includes(name)) return false;
    // For a retired object only the disabled state counts. After an interrupted temporary reopen that state is unknown.
    return record.retired === true ? name === attribute : !(name === attribute && record.bracket === true);
  });
  const attributes = names.flatMap((name) =>
    differences(kind, name, remembered[name], found[name], {
      departed: departed[name] ?? [],
      isWhole: isExclusive(resource?.attributes ?? {}, name),
    }),
  );
  if (attributes.length === 0) return undefined;
  const changedNames = [...new Set(attributes.map(({ path }) => path[0] ?? ''))];
  return {
    ...baseOf(record, resource),
    type: 'changed',
    attributes,
    note: noteOf(kind, record, resource, found, changedNames),
  };
}

/** Returns one change for each entry of a map. `now` contains unmanaged entries only for exclusive lists. */
function differences(
  kind: KindDefinition,
  name: string,
  before: JsonValue | undefined,
  now: JsonValue | undefined,
  { departed, isWhole }: { readonly departed: readonly string[]; readonly isWhole: boolean },
): AttributeChange[] {
  if (kind.attributes[name]?.shape !== 'map') {
    const left = present(kind, name, before);
    const right = present(kind, name, now);
    const none = isList(before) || isList(now) ? [] : undefined;
    return [changeOf([name], left ?? none, right ?? none)];
  }
  const left = isObject(before) ? before : {};
  const right = isObject(now) ? now : {};
  return (
    [...new Set([...Object.keys(left), ...Object.keys(right)])]
      .sort()
      // An entry declared for the first time cannot have drifted.
      .filter((key) => isWhole || ownValue(left, key) !== undefined)
      .filter((key) => !departed.includes(key) && !equalJson(ownValue(left, key), ownValue(right, key)))
      .map((key) => changeOf([name, key], ownValue(left, key), ownValue(right, key)))
  );
}

function changeOf(
  path: readonly string[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): AttributeChange {
  return {
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    how: 'set',
  };
}

function noteOf(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
  found: JsonObject,
  names: readonly string[],
): string {
  if (record.retired === true && resource === undefined) return 'it was retired: an apply disables it again';
  if (resource === undefined) return 'it was removed from the manifest: the changes show what happens to it';
  const declared = declaredAttributes(kind, resource);
  const outcome = (name: string): 'released' | 'asDeclared' | 'left' | 'stays' | 'setBack' => {
    const definition = kind.attributes[name];
    if (equalJson(present(kind, name, found[name]), present(kind, name, declared[name]))) return 'asDeclared';
    if (definition?.isChangedByPlatform === true) return 'left';
    if (definition !== undefined && isFixed(definition, found[name])) return 'stays';
    return declared[name] === undefined && definition?.removed.how === 'release' ? 'released' : 'setBack';
  };
  const by = (wanted: ReturnType<typeof outcome>) => names.filter((name) => outcome(name) === wanted).join(', ');
  const sentences = [
    ['setBack', 'an apply makes it as declared'],
    ['asDeclared', 'the manifest now declares the same: an apply takes it into state'],
    ['released', 'it was removed from the manifest, and stays as it is'],
    ['left', 'it stays: the platform also changes it by itself, and an apply does not set it back'],
    ['stays', 'it stays: the platform has no call that changes it back'],
  ] as const;
  const said = sentences.flatMap(([wanted, sentence]) => (by(wanted) === '' ? [] : [`${by(wanted)}: ${sentence}`]));
  return [
    ...said,
    ...expectedDrift(
      kind,
      names.filter((name) => outcome(name) === 'setBack'),
    ),
  ].join('; ');
}

/** Members change such values from their clients, so an apply would set them back again and again. */
function expectedDrift(kind: KindDefinition, names: readonly string[]): string[] {
  const byMembers = names.filter((name) => kind.attributes[name]?.isChangedByMembers === true);
  if (byMembers.length === 0) return [];
  const all = namesOf(kind.attributes, ({ isChangedByMembers }) => isChangedByMembers === true);
  return [
    `any member can change ${byMembers.join(' and ')} from a client, so expect this: lifecycle: {ignore_changes: [${all.join(', ')}]} leaves it to them`,
  ];
}

function departedDrift(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
  { departed, leftAlone, found }: ObservedState,
): Drift | undefined {
  if (record.retired === true && resource === undefined) return undefined;
  const ignored = ignoredOf(kind, record, resource);
  const lines = Object.entries(departed)
    .filter(([name]) => !ignored.includes(name))
    .flatMap(([name, ids]) => ids.map((id) => ({ name, id })));
  if (lines.length === 0) return undefined;
  const declared = resource?.attributes ?? {};
  const isDeclared = ({ name, id }: { name: string; id: string }) => {
    const map = declared[name];
    return isObject(map) && Object.hasOwn(map, id);
  };
  const who = (wanted: (line: { name: string; id: string }) => boolean) => lines.filter(wanted).map(({ id }) => id);
  const sentences = [
    [who(({ id }) => leftAlone.has(id)), 'left, and not invited again (policy: {departed: leave_alone})'],
    [who((line) => isDeclared(line) && !leftAlone.has(line.id)), 'no longer there, and invited again by an apply'],
    [who((line) => !isDeclared(line)), 'left, and removed from the manifest'],
  ] as const;
  return {
    ...baseOf(record, resource),
    type: 'departed',
    attributes: [
      ...lines.map(({ name, id }) => {
        const map = record.attributes[name];
        return changeOf([name, id], isObject(map) ? map[id] : {}, undefined);
      }),
      ...rolesOf(record, leftAlone, found),
    ],
    note: sentences
      .filter(([ids]) => ids.length > 0)
      .map(([ids, sentence]) => `${shown(ids)}: ${sentence}`)
      .join('; '),
  };
}

/** Returns the changes of sets that members who left are no longer in. */
function rolesOf(record: StateRecord, leftAlone: ReadonlySet<string>, found: JsonObject): AttributeChange[] {
  return Object.entries(record.attributes).flatMap(([name, value]) => {
    if (!isList(value)) return [];
    const lost = value.filter((id) => lostWith(leftAlone, found[name], id));
    return lost.length === 0 ? [] : [changeOf([name], lost, [])];
  });
}

function lostWith(leftAlone: ReadonlySet<string>, now: JsonValue | undefined, id: JsonValue): boolean {
  return leftAlone.has(String(id)) && !(isList(now) && now.includes(id));
}

function baseOf({ address }: StateRecord, resource: Resource | undefined): Pick<Drift, 'address' | 'source'> {
  return { address, ...(resource === undefined ? {} : { source: resource.source }) };
}
