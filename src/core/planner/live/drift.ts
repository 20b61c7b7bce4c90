// Describes drift, the changes by others, and what an apply does about it (semantics §1.1, §2.2, §2.3, §2.6).
//
// Drift is a value that was managed at the last apply and differs from state. An undeclared value is never drift, nor is a
// status that only says how a membership starts.

import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { namesOf } from '../../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { isExclusive } from '../../kinds/definition/values.ts';
import type { Address } from '../../model/address.ts';
import type { AttributeChange } from '../../model/change.ts';
import type { ChangedOutcome, DepartedOutcome, DriftNote } from '../../model/reasons.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { DraftedDrift } from '../draft/draft.ts';
import { asMap, valueAt } from '../undo/merge.ts';
import { present, statusOfJoining } from './observation.ts';
import { declaredAttributes, differing, firstIds, ignoredOf, isFixed, type ObservedState } from './observed-state.ts';
import { withoutPaths } from './unknown-values.ts';

/** Returns the drift of a missing object, or of a child that went missing with `parents`. */
export function missing(
  record: StateRecord,
  resource: Resource | undefined,
  parents?: readonly Address[],
): DraftedDrift {
  const note: DriftNote =
    resource === undefined
      ? { code: 'gone_forgotten', ...(parents === undefined ? {} : { parents }) }
      : parents === undefined
        ? { code: 'gone_created_again' }
        : { code: 'gone_sent_again', parents };
  return { ...baseOf(record, resource), type: 'missing', attributes: [], note_codes: [note] };
}

/** Returns that an object was made anew, its changed attributes, and the members who left it as up to three entries. */
export function driftOf(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
  observation: ObservedState,
): DraftedDrift[] {
  const { madeAnew: at } = observation;
  const anew: DraftedDrift[] =
    at === undefined
      ? []
      : [{ ...baseOf(record, resource), type: 'made_anew', attributes: [], note_codes: [{ code: 'made_anew', at }] }];
  const changed = changedDrift(kind, record, resource, observation);
  const departed = departedDrift(kind, record, resource, observation);
  return [...anew, ...(changed === undefined ? [] : [changed]), ...(departed === undefined ? [] : [departed])];
}

function changedDrift(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
  { found: live, departed, leftAlone, invited }: ObservedState,
): DraftedDrift | undefined {
  const { attribute } = kind.disabledState;
  const ignored = ignoredOf(kind, record, resource);
  // A value that state does not know may be as an interrupted run left it.
  const unknown = record.unknown ?? [];
  const liveAttributes = withoutPaths(live, unknown);
  // A member who left also lost other roles, which are reported with the departure.
  const remembered = Object.fromEntries(
    Object.entries(withoutPaths(record.attributes, unknown)).map(([name, value]): [string, JsonValue] => [
      name,
      isList(value) ? value.filter((id) => !lostWith(leftAlone, liveAttributes[name], id)) : value,
    ]),
  );
  const names = differing(kind, remembered, liveAttributes).filter((name) => {
    if (remembered[name] === undefined || ignored.includes(name)) return false;
    // For a retired object only the disabled state counts. After an interrupted temporary reopen that state is unknown.
    return record.retired === true ? name === attribute : !(name === attribute && record.bracket === true);
  });
  const attributes = names.flatMap((name) =>
    differences(kind, name, remembered[name], liveAttributes[name], {
      departed: departed[name] ?? [],
      isWhole: isExclusive(resource?.attributes ?? {}, name),
    }),
  );
  const { memberships = '' } = kind;
  const isIgnored = record.retired === true || ignored.includes(memberships);
  const invitations = isIgnored ? [] : invited.map((id) => invitationOf(kind, record, id));
  if (attributes.length + invitations.length === 0) return undefined;
  const changedNames = [...new Set(attributes.map(({ path }) => path[0] ?? ''))];
  return {
    ...baseOf(record, resource),
    type: 'changed',
    attributes: [...attributes, ...invitations],
    note_codes: [
      ...(attributes.length === 0 ? [] : notesOf(kind, record, resource, liveAttributes, changedNames)),
      ...(invitations.length === 0 ? [] : [{ code: 'only_invited', ...firstIds(invited) } as const]),
    ],
  };
}

/** The change of a member who left and was invited again. No read shows by whom. */
function invitationOf(kind: KindDefinition, { attributes }: StateRecord, id: string): AttributeChange {
  const { memberships = '' } = kind;
  const before = valueAt(attributes, [memberships, id]);
  return changeOf([memberships, id], before, { ...asMap(before), [statusOfJoining(kind)]: 'invited' });
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

function notesOf(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
  liveAttributes: JsonObject,
  names: readonly string[],
): DriftNote[] {
  if (record.retired === true && resource === undefined) return [{ code: 'retired_disabled_again' }];
  if (resource === undefined) return [{ code: 'undeclared' }];
  const declared = declaredAttributes(kind, resource);
  const outcome = (name: string): ChangedOutcome => {
    const definition = kind.attributes[name];
    if (equalJson(present(kind, name, liveAttributes[name]), present(kind, name, declared[name])))
      return 'declared_alike';
    if (definition?.isChangedByPlatform === true) return 'left_to_platform';
    if (definition !== undefined && isFixed(definition, liveAttributes[name])) return 'not_changeable';
    return declared[name] === undefined && definition?.removed.how === 'release' ? 'released' : 'set_back';
  };
  const notes = changedOutcomes.flatMap((code) => {
    const attributes = names.filter((name) => outcome(name) === code);
    return attributes.length === 0 ? [] : [{ code, attributes }];
  });
  const setBack = names.filter((name) => outcome(name) === 'set_back');
  return [...notes, ...expectedDrift(kind, setBack)];
}

/** In the order of the notes. */
const changedOutcomes: readonly ChangedOutcome[] = [
  'set_back',
  'declared_alike',
  'released',
  'left_to_platform',
  'not_changeable',
];

/** Members change such values from their clients, so an apply would set them back again and again. */
function expectedDrift(kind: KindDefinition, names: readonly string[]): DriftNote[] {
  const byMembers = names.filter((name) => kind.attributes[name]?.isChangedByMembers === true);
  if (byMembers.length === 0) return [];
  const ignorable = namesOf(kind.attributes, ({ isChangedByMembers }) => isChangedByMembers === true);
  return [{ code: 'expected', attributes: byMembers, ignorable }];
}

function departedDrift(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
  { departed, leftAlone, found }: ObservedState,
): DraftedDrift | undefined {
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
  const idsOf = (isMeant: (line: { name: string; id: string }) => boolean) => lines.filter(isMeant).map(({ id }) => id);
  const outcomes: readonly (readonly [DepartedOutcome, readonly string[]])[] = [
    ['left_alone', idsOf(({ id }) => leftAlone.has(id))],
    ['invited_again', idsOf((line) => isDeclared(line) && !leftAlone.has(line.id))],
    ['left_undeclared', idsOf((line) => !isDeclared(line))],
  ];
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
    note_codes: outcomes.flatMap(([code, ids]) => (ids.length === 0 ? [] : [{ code, ...firstIds(ids) }])),
  };
}

/** Returns the changes of sets that members who left are no longer in. */
function rolesOf(record: StateRecord, leftAlone: ReadonlySet<string>, liveAttributes: JsonObject): AttributeChange[] {
  return Object.entries(record.attributes).flatMap(([name, value]) => {
    if (!isList(value)) return [];
    const lost = value.filter((id) => lostWith(leftAlone, liveAttributes[name], id));
    return lost.length === 0 ? [] : [changeOf([name], lost, [])];
  });
}

function lostWith(leftAlone: ReadonlySet<string>, now: JsonValue | undefined, id: JsonValue): boolean {
  return leftAlone.has(String(id)) && !(isList(now) && now.includes(id));
}

function baseOf({ address }: StateRecord, resource: Resource | undefined): Pick<DraftedDrift, 'address' | 'source'> {
  return { address, ...(resource === undefined ? {} : { source: resource.source }) };
}
