// Compares what a step sent with what the platform's answer shows of it, as a refresh would compare them (semantics §5.7).

import { equalJson, isObject, type JsonObject, type JsonValue, ownValue } from '../../../lib/json.ts';
import type { AttributeDefinition, KindDefinition } from '../../kinds/definition/kind.ts';
import type { PartRead } from '../../kinds/definition/live-reads.ts';
import { hasEntries, mapOf } from '../../kinds/definition/values.ts';
import { keyOf } from '../../model/address.ts';
import { entryWithout, idListOf } from '../../model/calls/id-lists.ts';
import type { ShownValues, StoredValue } from '../../model/change.ts';
import { applyEntry, type RecordEdit, type StateEntry } from '../../model/record.ts';
import type { ApiRequest } from '../../model/request.ts';
import type { Step } from '../../model/step.ts';
import { leavesOut, present, proofsIn, seenOf } from './observation.ts';

/** One value that a step records in state. */
interface SentValue {
  readonly definition: AttributeDefinition;
  readonly path: readonly string[];
  readonly value: JsonValue;
}

export function shownValues(kind: KindDefinition, step: Step, request: ApiRequest, answer: JsonObject): ShownValues {
  const { address } = step;
  const absent = absentMembers(kind, step, answer);
  const entry = withoutMembers(step, absent);
  const sent = sentValues(kind, entry);
  const part = partAt(kind, step, request.route);
  const observed = sent.length === 0 ? {} : observedIn(kind, part, answer);
  // The answer to a call for one entry of a list may show another thing, so its absence says nothing.
  const isComplete = part === undefined || part.isOneAnswer === true;
  const differing: StoredValue[] = [];
  let isAsSent = sent.length > 0;
  for (const { definition, path, value } of sent) {
    const liveValue = shownValue(kind, definition, path, value, observed);
    if (liveValue === undefined || (liveValue === null && !isComplete)) {
      isAsSent = false;
      continue;
    }
    if (liveValue !== null && equalJson(present(kind, path[0] ?? '', liveValue), present(kind, path[0] ?? '', value)))
      continue;
    isAsSent = false;
    differing.push({ address, path, sent: value, ...(liveValue === null ? {} : { stored: liveValue }) });
  }
  return { entry: withSeen(kind, withShown(entry, differing), answer), differing: [...absent, ...differing], isAsSent };
}

/**
 * The added members whom the answer does not show, such as users who do not exist without `strict`. The list of a supergroup is cut
 * off, so its members are known to be there only if their number is right.
 */
function absentMembers(kind: KindDefinition, { address, entry }: Step, answer: JsonObject): StoredValue[] {
  const name = kind.memberships ?? '';
  const added = addedEntries(entry, name);
  const liveMembers = kind.observe(answer)[name];
  const count = kind.live?.facts(answer).members;
  if (added.length === 0 || !isObject(liveMembers) || count === undefined) return [];
  const isWhole = Object.keys(liveMembers).length === count;
  if (!isWhole && count >= added.length) return [];
  return added
    .filter(([id]) => !Object.hasOwn(liveMembers, id))
    .map(([id, line]) => ({ address, path: [name, id], sent: line }));
}

/** The entries of a map that an entry of state adds as a whole. */
function addedEntries(entry: StateEntry, name: string): [key: string, value: JsonValue][] {
  if (entry.type === 'delete') return [];
  if (entry.type === 'put') return Object.entries(mapOf(entry.record.attributes, name));
  return entry.edits.flatMap(({ path: [of, key], ...edit }) =>
    of === name && key !== undefined && edit.op === 'set' ? [[key, edit.value]] : [],
  );
}

function withoutMembers({ entry, request }: Step, absent: readonly StoredValue[]): StateEntry {
  const list = idListOf(request);
  if (list === undefined || absent.length === 0) return entry;
  return entryWithout(entry, list, new Set(absent.map(({ path }) => path[1] ?? '')));
}

/** Returns the read of the part that a step changes, else that of the object. Undefined if no answer shows what it sends. */
export function readOfStored(kind: KindDefinition, { address, entry }: Step): ApiRequest | undefined {
  const names = new Set(sentValues(kind, entry).map(({ path: [name] }) => name));
  const parts = (kind.live?.parts ?? []).filter(({ attribute }) => names.has(attribute));
  const [part] = parts;
  if (names.size === 0 || (part !== undefined && (names.size > 1 || part.isOneAnswer !== true))) return undefined;
  return part === undefined ? kind.view(keyOf(address)) : part.request(keyOf(address));
}

/** Returns the values whose stored form matters later: those that a refresh compares, without ids and disabled states. */
function sentValues(kind: KindDefinition, entry: StateEntry): SentValue[] {
  if (entry.type === 'delete' || kind.live === undefined) return [];
  const edits =
    entry.type === 'put'
      ? Object.entries(entry.record.attributes).map(([name, value]) => ({ path: [name], value }))
      : entry.edits.flatMap((edit) => (edit.op === 'set' ? [edit] : []));
  return edits
    .flatMap(({ path, value }): SentValue[] => {
      const [name = ''] = path;
      const definition = kind.attributes[name];
      if (definition === undefined || name === kind.memberships || !isCompared(definition)) return [];
      if (definition.shape !== 'map') return path.length === 1 ? [{ definition, path, value }] : [];
      if (path.length === 2) return [{ definition, path, value }];
      if (path.length > 2 || !isObject(value)) return [];
      return Object.entries(value).map(([key, inner]) => ({ definition, path: [name, key], value: inner }));
    })
    .filter(({ definition, value }) => definition.isEchoed?.(value) !== false);
}

function isCompared({ change, shape, shown }: AttributeDefinition): boolean {
  const isSent = change === 'mutable' || change === 'create_only' || change === 'one_way';
  return isSent && shape !== 'set' && shown.as === 'compared';
}

/** The part whose read has the route of the call, or the route above it. */
function partAt(kind: KindDefinition, { address }: Step, route: string): PartRead | undefined {
  const above = route.slice(0, route.lastIndexOf('/'));
  return kind.live?.parts.find(({ request }) => [route, above].includes(request(keyOf(address)).route));
}

function observedIn(kind: KindDefinition, part: PartRead | undefined, answer: JsonObject): JsonObject {
  if (part === undefined) return kind.observe(answer);
  return kind.observe({ [part.field]: part.isOneAnswer === true ? answer : [answer] });
}

/** Returns the shown value as a refresh would see it, null for an entry that the shown map lacks, or undefined if nothing is shown. */
function shownValue(
  kind: KindDefinition,
  definition: AttributeDefinition,
  [name = '', key]: readonly string[],
  value: JsonValue,
  observed: JsonObject,
): JsonValue | undefined {
  const liveValue = observed[name];
  if (liveValue === undefined || definition !== kind.attributes[name]) return undefined;
  if (key === undefined) return seenOf(definition, liveValue, [value], true);
  if (!isObject(liveValue)) return undefined;
  const entry = ownValue(liveValue, key);
  if (entry === undefined) return leavesOut(definition) ? undefined : null;
  const comparableValue = seenOf(definition, { [key]: entry }, [{ [key]: value }], false);
  return isObject(comparableValue) ? (ownValue(comparableValue, key) ?? null) : null;
}

function withShown(entry: StateEntry, differing: readonly StoredValue[]): StateEntry {
  if (differing.length === 0 || entry.type === 'delete') return entry;
  const edits = differing.map(({ path, stored = null }): RecordEdit => ({ op: 'set', path, value: stored }));
  if (entry.type === 'patch') return { ...entry, shown: edits };
  const storedValues: Record<string, JsonValue> = {};
  for (const {
    path: [name = '', key],
    stored = null,
  } of differing) {
    if (key === undefined) storedValues[name] = stored;
    else
      Object.assign(storedValues, {
        [name]: { ...(isObject(storedValues[name]) ? storedValues[name] : {}), [key]: stored },
      });
  }
  return { ...entry, record: { ...entry.record, shown: storedValues } };
}

/** Adds what later answers are compared with. */
function withSeen(kind: KindDefinition, entry: StateEntry, answer: JsonObject): StateEntry {
  if (entry.type === 'delete' || kind.live === undefined) return entry;
  const facts = kind.live.facts(answer);
  const observed = kind.observe(answer);
  if (entry.type === 'put') {
    const proofs = proofsIn(kind, entry.record.attributes, observed, facts);
    return hasEntries(proofs) ? { ...entry, record: { ...entry.record, seen: proofs } } : entry;
  }
  const { address, edits } = entry;
  const { attributes = {} } = applyEntry({ address, attributes: {} }, { type: 'patch', address, edits }) ?? {};
  const { created_at: _created, ...proofs } = proofsIn(kind, attributes, observed, facts);
  const proofEdits = Object.entries(proofs).flatMap(([name, proof]): RecordEdit[] =>
    isObject(proof)
      ? Object.entries(proof).map(([key, value]) => ({ op: 'set', path: [name, key], value }))
      : [{ op: 'set', path: [name], value: proof }],
  );
  return proofEdits.length === 0 ? entry : { ...entry, seen: proofEdits };
}
