// Determines the values from which an update starts if the live object was read (semantics §1.1, §2).
//
// There are three sets of attributes: those of state, the live ones (`found`), and those that the differ starts from (`was`).
// `found` and `was` differ in attributes that are left alone: create-only, one-way and ignored ones, and members who left.
// State is updated to `was`, so that these attributes stay drift.

import { equalJson, isList, isObject, type JsonObject, type JsonValue } from '../../../lib/json.ts';
import { type AttributeDefinition, addressesOf, type KindDefinition } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Observation, Observations } from '../../model/live.ts';
import type { Policy } from '../../model/policy.ts';
import type { ChangeNote, FirstIds } from '../../model/reasons.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import type { PlannedProblem } from '../draft/draft.ts';
import { correctedBy, declaredOf, entriesOf, grows, present } from './observation.ts';
import { isShown } from './unknown-values.ts';

export interface ObservedState {
  readonly found: JsonObject;
  readonly was: JsonObject;
  /** Members who left, by attribute. */
  readonly departed: Readonly<Record<string, readonly string[]>>;
  /** Departed members who are not invited again. */
  readonly leftAlone: ReadonlySet<string>;
  /** When others created the object anew, in ISO 8601. */
  readonly madeAnew?: string;
  /** Members in state who are only invited. */
  readonly invited: readonly string[];
  readonly isClosed: boolean;
  /** The unknown values of state that the refresh does not show either. */
  readonly unknown: NonNullable<StateRecord['unknown']>;
  readonly notes: readonly ChangeNote[];
  readonly problems: readonly PlannedProblem[];
}

/** The result of a refresh. */
export interface LiveContext {
  readonly observations: Observations;
  /** Whether an object in state no longer exists. */
  isGone(address: Address): boolean;
}

export function observe(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
  observation: Observation,
  policy: Pick<Policy, 'departed'>,
  live: Pick<LiveContext, 'isGone'> | undefined,
): ObservedState {
  const remembered = record.attributes;
  const declared = declaredAttributes(kind, resource);
  const end = kind.disabledState.attribute;
  const liveAttributes = correctedBy(kind, remembered, declared, observation);
  const departed = departures(kind, remembered, liveAttributes);
  const isReinviting = record.retired === true || policy.departed === 'reinvite';
  const leftAlone = isReinviting ? new Set<string>() : staying(kind, declared, departed, live);
  const was: Record<string, JsonValue> = { ...liveAttributes };
  const keep = (name: string): void => {
    const value = remembered[name];
    if (value === undefined) delete was[name];
    else was[name] = value;
  };
  for (const [name, definition] of Object.entries(kind.attributes)) {
    const isOtherwise = remembered[name] !== undefined && !equalJson(liveAttributes[name], declared[name]);
    if (isOtherwise && isFixed(definition, liveAttributes[name])) {
      keep(name);
    } else if (definition.shape !== undefined && leftAlone.size > 0) {
      const valueLeftAlone = withLeftAlone(was[name], remembered[name], declared[name], leftAlone);
      if (valueLeftAlone !== undefined) was[name] = valueLeftAlone;
    }
  }
  for (const name of ignoredOf(kind, record, resource)) keep(name);
  // After an interrupted temporary reopen the disabled state is unknown.
  if (record.bracket === true) keep(end);
  return {
    found: liveAttributes,
    was,
    departed,
    leftAlone,
    ...(observation.facts.created_at === undefined ? {} : { madeAnew: observation.facts.created_at }),
    invited: observation.facts.invited ?? [],
    isClosed: observation.attributes[end] === true,
    unknown: (record.unknown ?? []).filter((path) => !isShown(kind, path, observation.attributes)),
    notes: newcomers(kind, remembered, declared, liveAttributes),
    problems: crowds(kind, declared, liveAttributes, observation, leftAlone),
  };
}

/** Returns the declared attributes in the form of state. */
export function declaredAttributes(kind: KindDefinition, resource: Resource | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(kind.attributes).flatMap(([name, definition]): [string, JsonValue][] => {
      const value = declaredOf(definition, resource?.attributes[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Returns the attributes of `ignore_changes` (semantics §1.6), which apply after the creation is complete. A retirement
 * disables the object regardless.
 */
export function ignoredOf(
  kind: KindDefinition,
  record: StateRecord,
  resource: Resource | undefined,
): readonly string[] {
  if (record.creating === true) return [];
  const names = (resource === undefined ? record.lifecycle : resource.lifecycle)?.ignore_changes ?? [];
  return record.retired === true ? names.filter((name) => name !== kind.disabledState.attribute) : names;
}

/** Whether a live value stays, because no call changes it or the platform would change it again. */
export function isFixed(definition: AttributeDefinition, value: JsonValue | undefined): boolean {
  const { change, isChangedByPlatform = false } = definition;
  return (
    isChangedByPlatform || change === 'create_only' || change === 'start' || (change === 'one_way' && value === true)
  );
}

/** Returns members in state who are no longer in the live list. */
function departures(
  kind: KindDefinition,
  remembered: JsonObject,
  liveAttributes: JsonObject,
): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(kind.attributes).flatMap(([name, { shape }]): [string, string[]][] => {
      const before = remembered[name];
      const now = liveAttributes[name];
      if (name !== kind.memberships || shape !== 'map' || !isObject(before) || !isObject(now)) return [];
      const gone = Object.keys(before).filter((id) => isObject(before[id]) && !Object.hasOwn(now, id));
      return gone.length === 0 ? [] : [[name, gone]];
    }),
  );
}

/** Returns the declared members among those who departed, without deleted users. */
function staying(
  kind: KindDefinition,
  declared: JsonObject,
  departed: Readonly<Record<string, readonly string[]>>,
  live: Pick<LiveContext, 'isGone'> | undefined,
): Set<string> {
  const names = Object.keys(departed);
  if (names.length === 0) return new Set();
  const departures = new Set(names.flatMap((name) => departed[name] ?? []));
  const ids = (kind.references?.(declared) ?? []).flatMap((reference) => {
    const [name = '', id = ''] = reference.path;
    const isDeleted = live !== undefined && addressesOf(reference).some((address) => live.isGone(address));
    return names.includes(name) && departures.has(id) && !isDeleted ? [id] : [];
  });
  return new Set(ids);
}

/** Returns the value with departed members put back, or undefined if there are none. */
function withLeftAlone(
  now: JsonValue | undefined,
  before: JsonValue | undefined,
  declared: JsonValue | undefined,
  leftAlone: ReadonlySet<string>,
): JsonValue | undefined {
  if (isObject(declared)) {
    const lines = Object.entries(declared).filter(([id]) => leftAlone.has(id) && entriesOf(before).includes(id));
    return lines.length === 0 ? undefined : { ...(isObject(now) ? now : {}), ...Object.fromEntries(lines) };
  }
  if (!isList(declared)) return undefined;
  const ids = entriesOf(declared).filter((id) => leftAlone.has(id) && entriesOf(before).includes(id));
  return ids.length === 0 ? undefined : [...new Set([...entriesOf(now), ...ids])].sort();
}

/** Returns notes on entries that existed before they were declared (semantics §2.1). */
function newcomers(
  kind: KindDefinition,
  remembered: JsonObject,
  declared: JsonObject,
  liveAttributes: JsonObject,
): ChangeNote[] {
  return Object.entries(kind.attributes).flatMap(([name, { shape }]) => {
    if (
      shape === undefined ||
      Object.values(liveAttributes[name] ?? {}).some((line) => !isObject(line) && shape === 'map')
    ) {
      return [];
    }
    const rememberedIds = new Set(entriesOf(remembered[name]));
    const liveIds = new Set(entriesOf(liveAttributes[name]));
    const ids = entriesOf(declared[name]).filter((id) => liveIds.has(id) && !rememberedIds.has(id));
    if (ids.length === 0) return [];
    return [{ code: 'entries_taken_over', attribute: name, ...firstIds(ids) }];
  });
}

/** Returns warnings about limits that the entries of others would exceed (semantics §1.5). */
export function crowds(
  kind: KindDefinition,
  declared: JsonObject,
  liveAttributes: JsonObject,
  { unmanaged }: Observation,
  leftAlone: ReadonlySet<string>,
): PlannedProblem[] {
  const capacity = kind.live?.capacity({ ...liveAttributes, ...declared }) ?? {};
  return Object.entries(unmanaged).flatMap(([name, others]) => {
    const room = capacity[name];
    const wanted = entriesOf(declared[name]).filter((id) => !leftAlone.has(id)).length;
    if (room === undefined || others + wanted <= room || !grows(liveAttributes[name], declared[name])) return [];
    return [
      {
        severity: 'warning' as const,
        problem: { code: 'plan.no-room', attribute: name, declared: wanted, unmanaged: others, room },
        path: [name],
      },
    ];
  });
}

/** Returns the attributes whose values differ. */
export function differing(kind: KindDefinition, left: JsonObject, right: JsonObject): string[] {
  return Object.keys(kind.attributes).filter(
    (name) => !equalJson(present(kind, name, left[name]), present(kind, name, right[name])),
  );
}

/** `liveAttributes` are the live values of declared attributes. Attributes that state keeps undeclared do not count. */
export function differingFromDeclared(
  kind: KindDefinition,
  declared: JsonObject,
  liveAttributes: JsonObject,
): string[] {
  return differing(kind, declared, liveAttributes).filter(
    (name) => declared[name] !== undefined || kind.attributes[name]?.removed.how !== 'keep',
  );
}

export const maxIds = 10;

export function firstIds(ids: readonly string[]): FirstIds {
  return { ids: ids.slice(0, maxIds), more: Math.max(0, ids.length - maxIds) };
}
