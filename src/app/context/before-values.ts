// The values that objects had before a run, from which `chatform undo` plans (semantics §14).
//
// They are records beside the audit trail, so every store keeps, encrypts and copies them like the state itself. They are
// written before the first step of the run. A run that was killed while it wrote them has therefore changed nothing.
import { lastWhere } from '../../lib/binary-search.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan.ts';
import type { UndoPolicy } from '../../model/policy.ts';
import type { StateSnapshot, StateWriter } from '../../model/ports.ts';
import type { StateRecord } from '../../model/record.ts';
import { beforeValues, beforeValuesAddress } from '../../model/run-metadata.ts';
import { findKind } from '../../resources/index.ts';

/** One object before a run that changed it. */
export interface ValuesBefore {
  /** Absent if the object was not in state, or if nothing of it can be restored. */
  readonly record?: Omit<StateRecord, 'address'>;
  /** Whether the object was on the platform before the run took it into state. `record` has the values that the run found. */
  readonly existed?: true;
  /** How the run was going to remove the object. */
  readonly ends?: 'delete' | 'forget';
}

/** A part of the before-values of a run, as stored. */
interface Part {
  /** See `Begun.keeps`. */ readonly run: number;
  readonly at: string;
  /** The number of numbered parts. Absent in parts about objects that the run met on the platform. */
  readonly of?: number;
  /** The size of `objects` as JSON, in bytes. */
  readonly bytes: number;
  readonly objects: Readonly<Record<Address, ValuesBefore>>;
}

export interface KeptRun {
  readonly run: number;
  readonly at: string;
  readonly bytes: number;
  readonly objects: ReadonlyMap<Address, ValuesBefore>;
}

const partBytes = 64 << 10;
const dayMs = 86_400_000;

/** The before-values of the last runs, the oldest first. Runs with missing parts are left out. */
export function keptRuns(state: Pick<StateSnapshot, 'records'>): KeptRun[] {
  return Array.from(partsByRun(state).values(), ({ parts }) => parts).flatMap((parts) => {
    const [first] = parts;
    if (first?.of === undefined || parts.filter(({ of }) => of !== undefined).length !== first.of) return [];
    const { run, at } = first;
    const objects = new Map(parts.flatMap((part) => Object.entries(part.objects) as [Address, ValuesBefore][]));
    return [{ run, at, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), objects }];
  });
}

/**
 * Keeps the values that the steps of a plan are about to change, and drops the oldest beyond the policy. Resolves when both are durable.
 * Returns a function that keeps an object as the run found it on the platform, and whether the run is too large to keep.
 */
export async function keepBefore(
  state: StateWriter,
  { steps }: Pick<Plan, 'steps'>,
  { run, at }: { readonly run: number; readonly at: string },
  policy: UndoPolicy,
): Promise<{ readonly isTooLarge: boolean; found(record: StateRecord): void }> {
  const most = policy.runs === 0 ? 0 : policy.megabytes * 1_000_000;
  const ends = endsIn(steps);
  const parts = partsOf(state, steps, ends, most);
  const bytes = (parts ?? []).reduce((sum, part) => sum + part.bytes, 0);
  const deleted = new Map([...ends].filter(([, end]) => end === 'delete'));
  const dropped = dropOld(state, { at, bytes, runs: parts === undefined ? policy.runs : policy.runs - 1 }, policy);
  // In this order, so that the values of a dropped run are not written again.
  const writes = [...withoutValues(state, deleted), ...dropped.map((address) => deleteRecord(state, address))];
  for (const [index, part] of (parts ?? []).entries()) {
    const address = beforeValuesAddress(run, String(index).padStart(5, '0'));
    writes.push(putPart(state, address, { run, at, of: parts?.length ?? 0, ...part }));
  }
  await Promise.all(writes);
  let met = 0;
  return {
    isTooLarge: parts === undefined && policy.runs > 0,
    found: ({ address, ...record }) => {
      if (parts === undefined) return;
      met += 1;
      const objects = { [address]: { record, existed: true as const } };
      const place = beforeValuesAddress(run, `met-${String(met).padStart(8, '0')}`);
      // The entry by which the object enters state is written after this one, so both are durable or the object is not in state.
      putPart(state, place, { run, at, bytes: JSON.stringify(objects).length, objects }).catch(() => undefined);
    },
  };
}

/** Removes the values of objects that were deleted or forgotten, because state must not keep them elsewhere. */
export function withoutValues(
  state: StateWriter,
  ended: ReadonlyMap<Address, NonNullable<ValuesBefore['ends']>>,
): Promise<void>[] {
  if (ended.size === 0) return [];
  return [...partsByRun(state).values()].flatMap(({ parts, addresses }) =>
    parts.flatMap((part, index) => {
      const address = addresses[index];
      const concerned = Object.keys(part.objects).filter((one) => ended.has(one as Address));
      if (address === undefined || concerned.length === 0) return [];
      const without = concerned.map((one) => [one, { ends: ended.get(one as Address) }]);
      return [putPart(state, address, { ...part, objects: { ...part.objects, ...Object.fromEntries(without) } })];
    }),
  );
}

/** The objects that the steps delete or forget. */
function endsIn(steps: Plan['steps']): Map<Address, NonNullable<ValuesBefore['ends']>> {
  const ends = new Map<Address, NonNullable<ValuesBefore['ends']>>();
  for (const { action, entry } of steps)
    if (entry.type === 'delete') ends.set(entry.address, action === 'delete' ? 'delete' : 'forget');
  return ends;
}

/** Undefined if the before-values are larger than `most` bytes. */
function partsOf(
  state: StateSnapshot,
  steps: Plan['steps'],
  ends: ReadonlyMap<Address, NonNullable<ValuesBefore['ends']>>,
  most: number,
): Pick<Part, 'bytes' | 'objects'>[] | undefined {
  const seen = new Map<Address, ValuesBefore>();
  let total = 0;
  for (const { address, action, entry } of steps) {
    if (seen.has(address)) continue;
    const adopted = action === 'adopt' && entry.type === 'put' ? entry.record : undefined;
    const record = state.get(address) ?? adopted;
    const values: ValuesBefore = {
      // Undo leaves messages as they are, so their fingerprints are not needed.
      ...(record === undefined || findKind(address)?.isChild === true ? {} : { record: withoutAddress(record) }),
      ...(state.get(address) === undefined && adopted !== undefined ? { existed: true as const } : {}),
    };
    seen.set(address, values);
    total += address.length + JSON.stringify(values).length;
    if (total > most) return undefined;
  }
  const parts: { bytes: number; objects: Record<string, ValuesBefore> }[] = [];
  for (const [address, { record, ...values }] of seen) {
    const end = ends.get(address);
    // A deleted object cannot be restored, and nothing about a deleted person may be kept.
    const kept: ValuesBefore = {
      ...values,
      ...(record === undefined || end === 'delete' ? {} : { record }),
      ...(end === undefined ? {} : { ends: end }),
    };
    if ((parts.at(-1)?.bytes ?? partBytes) >= partBytes) parts.push({ bytes: 0, objects: {} });
    const part = parts.at(-1);
    if (part === undefined) continue;
    part.objects[address] = kept;
    part.bytes += address.length + JSON.stringify(kept).length;
  }
  return parts;
}

function withoutAddress({ address: _key, ...record }: StateRecord): Omit<StateRecord, 'address'> {
  return record;
}

/** The records of the oldest runs, to be dropped so that the others and the new run are within the policy. */
function dropOld(
  state: StateWriter,
  { at, bytes, runs }: { readonly at: string; readonly bytes: number; readonly runs: number },
  { days, megabytes }: UndoPolicy,
): Address[] {
  let size = bytes;
  let kept = 0;
  const all = [...partsByRun(state).values()].reverse();
  return all.flatMap(({ parts, addresses }) => {
    const since = parts[0]?.at ?? at;
    size += parts.reduce((sum, part) => sum + part.bytes, 0);
    const isKept = kept < runs && size <= megabytes * 1_000_000 && Date.parse(at) - Date.parse(since) <= days * dayMs;
    if (isKept) kept += 1;
    return isKept ? [] : addresses;
  });
}

/** In the order of their numbers. */
function partsByRun(state: Pick<StateSnapshot, 'records'>) {
  const byRun = new Map<number, { readonly parts: Part[]; readonly addresses: Address[] }>();
  const records = state.records();
  const isEarlier = (place: number) => (records.at(place)?.address ?? '') < beforeValues;
  for (let place = 1 + lastWhere(records.length, isEarlier); ; place += 1) {
    const record = records.at(place);
    if (record === undefined || !record.address.startsWith(beforeValues)) return byRun;
    const part = record.attributes as unknown as Part;
    const run = byRun.get(part.run) ?? { parts: [], addresses: [] };
    byRun.set(part.run, run);
    run.parts.push(part);
    run.addresses.push(record.address);
  }
}

function deleteRecord(state: StateWriter, address: Address): Promise<void> {
  return state.done(`${address}#delete`, { type: 'delete', address });
}

function putPart(state: StateWriter, address: Address, part: Part): Promise<void> {
  // A part is JSON by construction; the compiler cannot see it, as an interface has no index signature.
  return state.done(`${address}#put`, { type: 'put', record: { address, attributes: part as unknown as JsonObject } });
}
