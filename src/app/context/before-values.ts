// The values that objects had before a run, from which `chatform undo` plans (semantics §14).
//
// They are records beside the audit trail, so every store keeps, encrypts and copies them like the state itself. They are
// durable before the first step of the run. A run that was killed while it wrote them has therefore changed nothing.
import type { JsonObject } from '../../lib/json.ts';
import type { Collect, Series } from '../../lib/series.ts';
import { inSlices, type Sliced, sliceLength } from '../../lib/slices.ts';
import { NameTable } from '../../lib/typed-arrays.ts';
import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan.ts';
import type { UndoPolicy } from '../../model/policy.ts';
import type { Clock, StateSnapshot, StateWriter } from '../../model/ports.ts';
import type { StateRecord } from '../../model/record.ts';
import { beforeRecords, beforeValuesAddress } from '../../model/run-metadata.ts';
import { findKind } from '../../resources/index.ts';
import { temporarySpool } from './this-process.ts';

/** One object before a run that changed it. */
export interface ValuesBefore {
  /** Absent if the object was not in state, or if nothing of it can be restored. */
  readonly record?: Omit<StateRecord, 'address'>;
  /** Whether the object was on the platform before the run took it into state. `record` has the values that the run found. */
  readonly existed?: true;
  /** How the run was going to remove the object. */
  readonly ends?: End;
}

type End = 'delete' | 'forget';

/** A part of the before-values of a run, as stored. */
interface BeforePart {
  /** See `Begun.keeps`. */ readonly run: number;
  readonly at: string;
  /** The number of numbered parts. Absent in parts about objects that the run met on the platform. */
  readonly of?: number;
  /** The size of `objects` as JSON, in bytes. */
  readonly bytes: number;
  readonly objects: Readonly<Record<Address, ValuesBefore>>;
}

type ObjectsOfPart = Pick<BeforePart, 'bytes' | 'objects'>;

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
 * Keeps the values that the steps of a plan are about to change, and drops the oldest beyond the policy. Nothing is written
 * before `write` is called, which resolves when both are durable. `found` keeps an object as the run found it on the platform.
 */
export async function keepBefore(
  state: StateWriter,
  { steps }: Pick<Plan, 'steps'>,
  { run, at, clock }: { readonly run: number; readonly at: string; readonly clock: Pick<Clock, 'sleep'> },
  policy: UndoPolicy,
): Promise<{ readonly isTooLarge: boolean; write(): Promise<unknown>; found(record: StateRecord): void }> {
  const most = policy.runs === 0 ? 0 : policy.megabytes * 1_000_000;
  const before = await inSlices(valuesIn(state, steps, most), () => clock.sleep(0));
  const isKept = before.parts !== undefined;
  const write = () => {
    const { parts = [], deleted } = before;
    // A run may last for hours, and needs neither again.
    before.parts = undefined;
    before.deleted = new Map();
    const kept = partsByRun(state);
    let bytes = 0;
    for (const part of parts) bytes += part.bytes;
    const dropped = outdated(kept, { at, bytes, runs: isKept ? policy.runs - 1 : policy.runs }, policy);
    // In this order, so that the values of a dropped run are not written again.
    const writes = [
      ...withoutValues(state, deleted, kept),
      ...dropped.map((address) => state.done(`${address}#delete`, { type: 'delete', address })),
    ];
    let number = 0;
    for (const part of parts) {
      const address = beforeValuesAddress(run, String(number).padStart(5, '0'));
      writes.push(putPart(state, address, { run, at, of: parts.length, ...part }));
      number += 1;
    }
    return Promise.all(writes);
  };
  let met = 0;
  return {
    isTooLarge: !isKept && policy.runs > 0,
    write,
    found: ({ address, ...record }) => {
      if (!isKept) return;
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
  ended: ReadonlyMap<Address, End>,
  kept = partsByRun(state),
): Promise<void>[] {
  if (ended.size === 0) return [];
  return [...kept.values()].flatMap(({ parts, addresses }) =>
    parts.flatMap((part, index) => {
      const address = addresses[index];
      const concerned = Object.keys(part.objects).filter((address) => ended.has(address as Address));
      if (address === undefined || concerned.length === 0) return [];
      const without = concerned.map((address) => [address, { ends: ended.get(address as Address) }]);
      return [putPart(state, address, { ...part, objects: { ...part.objects, ...Object.fromEntries(without) } })];
    }),
  );
}

/** The values before the steps in parts, and the objects that they delete. Without parts, the values are larger than `most` bytes. */
function* valuesIn(
  state: StateSnapshot,
  steps: Plan['steps'],
  most: number,
): Sliced<{ parts: Series<ObjectsOfPart> | undefined; deleted: ReadonlyMap<Address, End> }> {
  const { collect } = temporarySpool();
  const ends = new Map<Address, End>();
  const known = new NameTable();
  const values = collect<readonly [Address, ValuesBefore]>();
  let total = 0;
  let count = 0;
  for (const { address, action, entry } of steps) {
    count += 1;
    if (count % sliceLength === 0) yield;
    if (entry.type === 'delete' && ends.get(address) !== 'delete')
      ends.set(address, action === 'delete' ? 'delete' : 'forget');
    if (total > most || known.find(address) !== undefined) continue;
    known.add(address);
    const adopted = action === 'adopt' && entry.type === 'put' ? entry.record : undefined;
    const before = valuesOf(state.get(address), adopted);
    values.push([address, before]);
    total += address.length + JSON.stringify(before).length;
  }
  const deleted = new Map([...ends].filter(([, end]) => end === 'delete'));
  return { parts: total > most ? undefined : partsOf(values.end(), ends, collect), deleted };
}

function valuesOf(record: StateRecord | undefined, adopted: StateRecord | undefined): ValuesBefore {
  const before = record ?? adopted;
  // Undo leaves messages as they are, so their fingerprints are not needed.
  if (before === undefined || findKind(before.address)?.isChild === true) return {};
  const { address: _key, ...rest } = before;
  return { record: rest, ...(record === undefined ? { existed: true as const } : {}) };
}

function partsOf(
  values: Series<readonly [Address, ValuesBefore]>,
  ends: ReadonlyMap<Address, End>,
  collect: Collect,
): Series<ObjectsOfPart> {
  const parts = collect<ObjectsOfPart>();
  let part: { bytes: number; objects: Record<string, ValuesBefore> } = { bytes: 0, objects: {} };
  for (const [address, kept] of values) {
    if (part.bytes >= partBytes) {
      parts.push(part);
      part = { bytes: 0, objects: {} };
    }
    const before = endingAs(ends.get(address), kept);
    part.objects[address] = before;
    part.bytes += address.length + JSON.stringify(before).length;
  }
  if (part.bytes > 0) parts.push(part);
  return parts.end();
}

/** A deleted object cannot be restored, and nothing about a deleted person may be kept. */
function endingAs(ends: End | undefined, before: ValuesBefore): ValuesBefore {
  if (ends === undefined) return before;
  return ends === 'delete' ? { ends } : { ...before, ends };
}

/** The records of the oldest runs, to be dropped so that the others and the new run are within the policy. */
function outdated(
  kept: ReturnType<typeof partsByRun>,
  { at, bytes, runs }: { readonly at: string; readonly bytes: number; readonly runs: number },
  { days, megabytes }: UndoPolicy,
): Address[] {
  let size = bytes;
  let count = 0;
  return [...kept.values()].reverse().flatMap(({ parts, addresses }) => {
    const since = parts[0]?.at ?? at;
    size += parts.reduce((sum, part) => sum + part.bytes, 0);
    const isKept = count < runs && size <= megabytes * 1_000_000 && Date.parse(at) - Date.parse(since) <= days * dayMs;
    if (isKept) count += 1;
    return isKept ? [] : addresses;
  });
}

/** In the order of their numbers. */
function partsByRun(state: Pick<StateSnapshot, 'records'>) {
  const byRun = new Map<number, { readonly parts: BeforePart[]; readonly addresses: Address[] }>();
  for (const { address, attributes } of beforeRecords(state.records())) {
    const part = attributes as unknown as BeforePart;
    const run = byRun.get(part.run) ?? { parts: [], addresses: [] };
    byRun.set(part.run, run);
    run.parts.push(part);
    run.addresses.push(address);
  }
  return byRun;
}

function putPart(state: StateWriter, address: Address, part: BeforePart): Promise<void> {
  // A part is JSON by construction; the compiler cannot see it, as an interface has no index signature.
  return state.done(`${address}#put`, { type: 'put', record: { address, attributes: part as unknown as JsonObject } });
}
