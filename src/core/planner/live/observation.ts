// Reduces a live object to the attributes that are declared or were declared at the last apply, and to such entries of maps and
// sets, unless the list is exclusive (`members_mode: exclusive`). All others are left alone.

import { equalJson, isList, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import { rememberOne } from '../../kinds/definition/attribute-table.ts';
import type { AttributeDefinition, KindDefinition } from '../../kinds/definition/kind.ts';
import { hasEntries, isExclusive } from '../../kinds/definition/values.ts';
import type { LiveObject, Observation, ObservedFacts } from '../../model/live.ts';
import type { StateRecord } from '../../model/record.ts';
import type { Resource } from '../../model/resource.ts';
import { valueAt } from '../undo/merge.ts';
import { isShown } from './unknown-values.ts';

/** Returns the part of a live object that a plan needs, or undefined if it adds nothing to state and manifests. */
export function keepOf(
  kind: KindDefinition,
  record: StateRecord | undefined,
  resource: Resource | undefined,
  live: LiveObject,
): Observation | undefined {
  const { exists, facts } = live;
  if (!exists) return record === undefined ? undefined : { exists, facts: {}, attributes: {}, unmanaged: {} };
  const remembered = record?.attributes ?? {};
  const declared = resource?.attributes ?? {};
  const { attribute } = kind.disabledState;
  const attributes: Record<string, JsonValue> = {};
  const unmanaged: Record<string, number> = {};
  let isBeginning = false;
  for (const [name, definition] of Object.entries(kind.attributes)) {
    const liveValue = live.attributes[name];
    const sides = [remembered[name], declaredOf(definition, declared[name])] as const;
    if (definition.change === 'start' && !equalJson(...sides)) isBeginning = true;
    if (liveValue === undefined || definition.shown.as === 'not') continue;
    if (definition.shown.as === 'in_part') {
      // A value that is declared for the first time is sent, whatever the platform has.
      const knownValue = record === undefined ? sides[1] : remembered[name];
      if (knownValue !== undefined)
        attributes[name] = definition.asKnown?.(knownValue, liveValue, record?.seen?.[name]) ?? null;
      continue;
    }
    // The disabled state decides which calls are possible, so it is needed even if it is not declared.
    const isKept = isKeptUnasked(definition, liveValue);
    if (name !== attribute && !isKept && sides.every((side) => side === undefined)) continue;
    const isWhole = definition.shape === undefined || isExclusive(declared, name);
    const namedPart = seenOf(definition, liveValue, sides, isWhole);
    const completedPart = leavesOut(definition) ? withOmitted(namedPart, remembered[name]) : namedPart;
    attributes[name] = asSent(definition.shape, completedPart, record?.shown?.[name], remembered[name]);
    const others = sizeOf(liveValue) - sizeOf(namedPart);
    if (others > 0) unmanaged[name] = others;
  }
  const isNews =
    record === undefined ||
    record.unknown?.some((path) => isShown(kind, path, attributes)) === true ||
    Object.entries(attributes).some(
      ([name, value]) => !equalJson(present(kind, name, value), present(kind, name, remembered[name])),
    );
  // Facts are needed only if the object is disabled or deleted, or if a token may be issued.
  const isEnding =
    resource === undefined ? record?.retired !== true : declared[attribute] === true && remembered[attribute] !== true;
  const isCrowded = Object.keys(unmanaged).some((name) => grows(remembered[name], declared[name]));
  const { created_at, invited: _all, last_message: _last, receipts: _receipts, ...others } = facts;
  const invited = invitedAgain(kind, record, facts);
  const isNewTime = created_at !== undefined && isLater(created_at, record?.seen?.created_at);
  const proofs = record === undefined ? proofsIn(kind, attributes, live.attributes, facts) : {};
  const needed = {
    ...(isEnding || isBeginning ? others : {}),
    ...(invited.length === 0 ? {} : { invited }),
    ...(isNewTime ? { created_at } : {}),
  };
  const hasFacts = Object.keys(needed).length > 0;
  return isNews || isCrowded || hasFacts
    ? { exists, attributes, unmanaged, facts: needed, ...(hasEntries(proofs) ? { seen: proofs } : {}) }
    : undefined;
}

/** Whether the object was created after the one in state. Two answers may round one time in two ways. */
function isLater(at: string, createdAt: JsonValue | undefined): boolean {
  return typeof createdAt === 'string' && Date.parse(at) - Date.parse(createdAt) > 1_000;
}

/**
 * Returns the members of state who should have joined and are only invited. Whoever was only invited from the start, because
 * their `auto_accept` is off, has not accepted yet and is left out.
 */
function invitedAgain(
  kind: KindDefinition,
  record: StateRecord | undefined,
  { invited = [] }: ObservedFacts,
): string[] {
  if (record === undefined) return [];
  const { memberships = '' } = kind;
  const knownInvited = record.seen?.[memberships] ?? null;
  return invited.filter((id) => isToJoin(kind, record.attributes, id) && !entriesOf(knownInvited).includes(id));
}

/** Whether the user is a member who should have joined. */
function isToJoin(kind: KindDefinition, attributes: JsonObject, id: string): boolean {
  const line = valueAt(attributes, [kind.memberships ?? '', id]);
  return isObject(line) && line[statusOfJoining(kind)] === undefined;
}

/**
 * Returns what state keeps of an answer, because a later one with something else proves that others changed it: when the object was
 * created, where an image is, the digest of a token, and who is only invited. `attributes` are those of state.
 */
export function proofsIn(
  kind: KindDefinition,
  attributes: JsonObject,
  observed: JsonObject,
  { invited = [], created_at }: ObservedFacts,
): JsonObject {
  const proofs = Object.entries(kind.attributes).flatMap(([name, { shown, asKnown }]): [string, JsonValue][] => {
    const proof = shown.as === 'in_part' && asKnown !== undefined ? observed[name] : undefined;
    return typeof proof === 'string' && proof !== '' && attributes[name] !== undefined ? [[name, proof]] : [];
  });
  const waiting = invited.filter((id) => isToJoin(kind, attributes, id)).map((id): [string, string] => [id, 'invited']);
  return {
    ...(created_at === undefined ? {} : { created_at }),
    ...Object.fromEntries(proofs),
    ...(waiting.length === 0 ? {} : { [kind.memberships ?? '']: Object.fromEntries(waiting) }),
  };
}

/** Returns the field of a membership that says whether the user was only invited. */
export function statusOfJoining({ attributes, memberships = '' }: KindDefinition): string {
  const parts = Object.entries(attributes[memberships]?.parts ?? {});
  const joinedPart = parts.find(([, { shown }]) => shown.as === 'in_part' && shown.proves === 'joined');
  return joinedPart?.[0].slice('*.'.length) ?? '';
}

/** Counts the declared values of a live object that the platform still has in another form than they were sent (semantics §5.7). */
export function storedOtherwise(
  kind: KindDefinition,
  record: StateRecord | undefined,
  resource: Resource | undefined,
  live: LiveObject,
): number {
  const { attributes: remembered = {}, shown = {} } = record ?? {};
  return Object.entries(shown).reduce((sum, [name, stored]) => {
    const [definition, liveValue, declared] = [
      kind.attributes[name],
      live.attributes[name],
      resource?.attributes[name],
    ];
    if (definition === undefined || liveValue === undefined || declared === undefined) return sum;
    const namedPart = seenOf(definition, liveValue, [remembered[name], declared], definition.shape === undefined);
    const sent = asSent(definition.shape, namedPart, stored, remembered[name]);
    if (!isObject(sent) || !isObject(namedPart) || !isObject(declared)) return sent === namedPart ? sum : sum + 1;
    const changed = Object.keys(sent).filter(
      (key) => Object.hasOwn(declared, key) && sent[key] !== ownValue(namedPart, key),
    );
    return sum + changed.length;
  }, 0);
}

function isKeptUnasked({ removed, initial = false }: AttributeDefinition, liveValue: JsonValue): boolean {
  return removed.how === 'keep' && liveValue === true && initial !== true;
}

/** Whether an entry that an answer lacks says nothing, because no call removes one. */
export function leavesOut({ shape, removed, shown }: AttributeDefinition): boolean {
  return shape === 'map' && removed.how === 'release' && shown.as === 'compared' && shown.lacked !== 'gone';
}

/** Returns the live value with what the answer left out, at any depth, as state has it. */
function withOmitted(liveValue: JsonValue, remembered: JsonValue | undefined): JsonValue {
  if (!isObject(liveValue) || !isObject(remembered)) return liveValue;
  const names = [...new Set([...Object.keys(liveValue), ...Object.keys(remembered)])];
  return Object.fromEntries(
    names.map((name): [string, JsonValue] => {
      const [live, rememberedValue] = [ownValue(liveValue, name), ownValue(remembered, name)];
      return [name, live === undefined ? (rememberedValue ?? null) : withOmitted(live, rememberedValue)];
    }),
  );
}

/** Returns the live value, with only those entries of maps and sets that one side names. Initial membership statuses are not shown. */
export function seenOf(
  definition: AttributeDefinition,
  liveValue: JsonValue,
  sides: readonly (JsonValue | undefined)[],
  isWhole: boolean,
): JsonValue {
  const { asKnown = (knownValue: JsonValue) => knownValue } = definition;
  if (isList(liveValue))
    return liveValue.filter((id) => isWhole || sides.some((side) => isList(side) && side.includes(id)));
  if (!isObject(liveValue)) return liveValue;
  return Object.fromEntries(
    Object.entries(liveValue).flatMap(([key, value]): [string, JsonValue][] => {
      const valuesOfSides = sides.flatMap((side) =>
        isObject(side) && Object.hasOwn(side, key) ? [side[key] ?? null] : [],
      );
      if (valuesOfSides.length === 0 && !isWhole) return [];
      const [first] = valuesOfSides;
      const isKnown = first !== undefined && first !== null;
      const counts = isKnown && (isObject(value) || definition.asKnown !== undefined);
      return [[key, counts ? asKnown(first, value) : value]];
    }),
  );
}

/**
 * Returns a live value as it was sent, if the platform showed this live value after it was sent. `liveValue` has only entries that
 * state or the declaration name. So the difference is neither drift nor sent again (semantics §5.7).
 */
function asSent(
  shape: AttributeDefinition['shape'],
  liveValue: JsonValue,
  liveAfterSend: JsonValue | undefined,
  sent: JsonValue | undefined,
): JsonValue {
  if (liveAfterSend === undefined || sent === undefined) return liveValue;
  if (shape !== 'map') return equalJson(liveValue, liveAfterSend) ? sent : liveValue;
  if (!isObject(liveValue) || !isObject(liveAfterSend) || !isObject(sent)) return liveValue;
  const entries = Object.entries(liveAfterSend).flatMap(([key, value]): [string, JsonValue][] => {
    const was = ownValue(sent, key);
    const isSame = value === null ? !Object.hasOwn(liveValue, key) : equalJson(ownValue(liveValue, key), value);
    return was !== undefined && isSame ? [[key, was]] : [];
  });
  return entries.length === 0 ? liveValue : { ...liveValue, ...Object.fromEntries(entries) };
}

/** Returns the attributes of state, corrected by the observation. Attributes that no answer shows keep the value of state. */
export function correctedBy(
  { attributes: definitions, disabledState: { attribute } }: KindDefinition,
  remembered: JsonObject,
  declared: JsonObject,
  observation: Observation,
): JsonObject {
  const isManaged = (name: string) => remembered[name] !== undefined || declared[name] !== undefined;
  const liveEntries = Object.entries(observation.attributes).filter(([name]) => name !== attribute || isManaged(name));
  const allEntries = Object.entries({ ...remembered, ...Object.fromEntries(liveEntries) });
  return Object.fromEntries(allEntries.filter(([name, value]) => !isAnother(definitions[name], value)));
}

/** Whether an answer proves that the platform has another value than the known one, which the answer does not show. */
function isAnother(definition: AttributeDefinition | undefined, value: JsonValue | undefined): boolean {
  return value === null && definition?.shown.as === 'in_part';
}

/**
 * Returns the declared attributes with their live values, and the attributes that state keeps although they are not
 * declared. What no answer shows keeps the declared value.
 */
export function asFound(kind: KindDefinition, declared: JsonObject, liveAttributes: JsonObject): JsonObject {
  return {
    ...keptUnasked(kind, liveAttributes),
    ...Object.fromEntries(
      Object.entries(declared).flatMap(([name, value]): [string, JsonValue][] => {
        const [definition, live] = [kind.attributes[name], liveAttributes[name]];
        if (definition === undefined || isAnother(definition, live)) return [];
        return [[name, live !== undefined && leavesOut(definition) ? withOmitted(live, value) : (live ?? value)]];
      }),
    ),
  };
}

/** Returns the attributes that state keeps although they are not declared, because other objects depend on them. */
export function keptUnasked(kind: KindDefinition, liveAttributes: JsonObject): JsonObject {
  const keptEntries = Object.entries(liveAttributes).filter(([name, value]) => {
    const definition = kind.attributes[name];
    return definition !== undefined && isKeptUnasked(definition, value);
  });
  return Object.fromEntries(keptEntries);
}

/** Treats an empty map or set as absent, and an undeclared disabled state as `false`. */
export function present(kind: KindDefinition, name: string, value: JsonValue | undefined): JsonValue | undefined {
  if (name === kind.disabledState.attribute) return value === true;
  return sizeOf(value ?? null) === 0 ? undefined : value;
}

/** Returns a declared value as state would keep it, or undefined if state keeps none. */
export function declaredOf(definition: AttributeDefinition, value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined || definition.change === 'mode' ? undefined : rememberOne(definition, value);
}

/** Returns the number of entries of a map or set, 0 for null, and 1 for any other value. */
function sizeOf(value: JsonValue): number {
  if (isList(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : value === null ? 0 : 1;
}

/** Whether a set or map has an entry that it did not have before. */
export function grows(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  const idsBefore = new Set(entriesOf(before));
  return entriesOf(after).some((id) => !idsBefore.has(id));
}

/** Returns the ids of a set or the keys of a map. */
export function entriesOf(value: JsonValue | undefined): readonly string[] {
  if (isList(value)) return value.filter((id): id is string => typeof id === 'string');
  return isObject(value) ? Object.keys(value) : [];
}
