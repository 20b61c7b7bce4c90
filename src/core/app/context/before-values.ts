// The values that objects had before a run, from which `chatform undo` plans (semantics §14).
//
// They are records beside the audit trail, so every store keeps, encrypts and copies them like the state itself. They are
// durable before the first step of the run. A run that was killed while it wrote them has therefore changed nothing.
// The values of an object end with the entry of the call that deletes it: until then an undo needs them.
import type { JsonObject } from '../../../lib/json.ts';
import type { Collect, Series } from '../../../lib/series.ts';
import { inSlices, type Sliced, sliceLength } from '../../../lib/slices.ts';
import { NameTable } from '../../../lib/typed-arrays.ts';
import type { Address } from '../../model/address.ts';
import type { Plan } from '../../model/plan.ts';
import type { UndoPolicy } from '../../model/policy.ts';
import type { Clock, StateSnapshot, StateWriter } from '../../model/ports.ts';
import type { StateRecord } from '../../model/record.ts';
import { endsObject } from '../../model/resource.ts';
import { beforeRecords, beforeValuesAddress, isBeforeValues } from '../../model/run-metadata.ts';
import { findKind } from '../../resources/index.ts';
import { temporarySpool } from './this-process.ts';

/** One object before a run that changed it. */
export interface ValuesBefore {
  /** Absent if the object was not in state, or if `ended`. */
  readonly record?: Omit<StateRecord, 'address'>;
  /** Whether the object was on the platform before the run took it into state. `record` has the values that the run found. */
  readonly existed?: true;
  /** How the run was going to remove the object. */
  readonly ends?: End;
  /** How this run or a later one removed the object, and with it its values. */
  readonly ended?: End;
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
    const { parts = [] } = before;
    // A run may last for hours, and does not need them again.
    before.parts = undefined;
    const partsOfRuns = partsByRun(state);
    let bytes = 0;
    for (const part of parts) bytes += part.bytes;
    // A run with this number that was killed before it was in the trail changed nothing.
    const remains = partsOfRuns.get(run)?.addresses ?? [];
    partsOfRuns.delete(run);
    const dropped = outdated(partsOfRuns, { at, bytes, runs: isKept ? policy.runs - 1 : policy.runs }, policy);
    const writes = [...remains, ...dropped].map((address) =>
      state.done(`${address}#delete`, { type: 'delete', address }),
    );
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

/** Removes the values of objects that are forgotten, because state must not keep them elsewhere. */
export function withoutValues(state: StateWriter, forgotten: Iterable<Address>): Promise<void>[] {
  const parts = partsByObject(state);
  return [...forgotten].flatMap((address) => valuesEnding(state, address, 'forget', parts.get(address)));
}

/**
 * Drops the objects of a run that it left out of state, because it has not changed them. Later another command may take them into
 * state. An object whose creation has an unknown outcome stays.
 */
export function withoutUntouched(state: StateWriter, run: number | undefined): Promise<void>[] {
  const { parts = [], addresses = [] } = (run === undefined ? undefined : partsByRun(state).get(run)) ?? {};
  const inDoubt = new Set(state.pending.map(({ address }) => address));
  return parts.flatMap(({ objects }, place) => {
    const address = addresses[place];
    const edits = (Object.entries(objects) as [Address, ValuesBefore][]).flatMap(
      ([object, { record, ends, ended }]) => {
        const isKept = record !== undefined || ends !== undefined || ended !== undefined;
        return isKept || inDoubt.has(object) || state.get(object) !== undefined
          ? []
          : [{ op: 'unset' as const, path: ['objects', object] }];
      },
    );
    if (address === undefined || edits.length === 0) return [];
    return [state.done(`${address}#untouched`, { type: 'patch', address, edits })];
  });
}

/** Returns the state with which a run works. The entry of a call that deletes an object also ends the values of the object. */
export function endingValues<State extends StateWriter>(state: State): State {
  let parts: ReturnType<typeof partsByObject> | undefined;
  const done: StateWriter['done'] = async (step, entry) => {
    const isDeletion =
      entry.type === 'delete' && state.pending.some((one) => one.step === step && endsObject(one.planned?.action));
    if (isDeletion) parts ??= partsByObject(state);
    else if (entry.type === 'put' && isBeforeValues(entry.record.address)) parts = undefined;
    const values = isDeletion ? valuesEnding(state, entry.address, 'delete', parts?.get(entry.address)) : [];
    await Promise.all([...values, state.done(step, entry)]);
  };
  return new Proxy(state, {
    get: (of, name) => {
      if (name === 'done') return done;
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}

function valuesEnding(
  state: StateWriter,
  object: Address,
  ended: End,
  parts: readonly Address[] = [],
): Promise<void>[] {
  return parts.flatMap((address) => {
    const { objects } = (state.get(address)?.attributes ?? { objects: {} }) as unknown as Pick<BeforePart, 'objects'>;
    const { record, ends } = objects[object] ?? {};
    if (record === undefined) return [];
    const value = { ...(ends === undefined ? {} : { ends }), ended };
    const edits = [{ op: 'set', path: ['objects', object], value }] as const;
    return [state.done(`${address}#${object}`, { type: 'patch', address, edits })];
  });
}

/** The addresses of the parts with values of an object, by object. */
function partsByObject(state: Pick<StateSnapshot, 'records'>): Map<Address, Address[]> {
  const byObject = new Map<Address, Address[]>();
  for (const { parts, addresses } of partsByRun(state).values())
    for (const [place, { objects }] of parts.entries())
      for (const object of Object.keys(objects) as Address[])
        byObject.set(object, [...(byObject.get(object) ?? []), ...addresses.slice(place, place + 1)]);
  return byObject;
}

/** The values before the steps in parts. Without parts, they are larger than `most` bytes. */
function* valuesIn(
  state: StateSnapshot,
  steps: Plan['steps'],
  most: number,
): Sliced<{ parts: Series<ObjectsOfPart> | undefined }> {
  const { collect } = temporarySpool();
  const ends = new Map<Address, End>();
  const recordedAddresses = new NameTable();
  const values = collect<readonly [Address, ValuesBefore]>();
  let total = 0;
  let count = 0;
  for (const { address, action, entry } of steps) {
    count += 1;
    if (count % sliceLength === 0) yield;
    if (entry.type === 'delete' && ends.get(address) !== 'delete')
      ends.set(address, endsObject(action) ? 'delete' : 'forget');
    if (total > most || recordedAddresses.find(address) !== undefined) continue;
    recordedAddresses.add(address);
    const adopted = action === 'adopt' && entry.type === 'put' ? entry.record : undefined;
    const before = valuesOf(state.get(address), adopted);
    values.push([address, before]);
    total += address.length + JSON.stringify(before).length;
  }
  return { parts: total > most ? undefined : partsOf(values.end(), ends, collect) };
}

function valuesOf(record: StateRecord | undefined, adopted: StateRecord | undefined): ValuesBefore {
  const before = record ?? adopted;
  // Undo leaves messages as they are, so their fingerprints are not needed.
  if (before === undefined || findKind(before.address)?.isChild === true) return {};
  const { address: _key, ...values } = before;
  return { record: values, ...(record === undefined ? { existed: true as const } : {}) };
}

function partsOf(
  values: Series<readonly [Address, ValuesBefore]>,
  ends: ReadonlyMap<Address, End>,
  collect: Collect,
): Series<ObjectsOfPart> {
  const parts = collect<ObjectsOfPart>();
  let part: { bytes: number; objects: Record<string, ValuesBefore> } = { bytes: 0, objects: {} };
  for (const [address, valuesBefore] of values) {
    if (part.bytes >= partBytes) {
      parts.push(part);
      part = { bytes: 0, objects: {} };
    }
    const end = ends.get(address);
    const before = end === undefined ? valuesBefore : { ...valuesBefore, ends: end };
    part.objects[address] = before;
    part.bytes += address.length + JSON.stringify(before).length;
  }
  if (part.bytes > 0) parts.push(part);
  return parts.end();
}

/** The records of the oldest runs, to be dropped so that the others and the new run are within the policy. */
function outdated(
  partsOfRuns: ReturnType<typeof partsByRun>,
  { at, bytes, runs }: { readonly at: string; readonly bytes: number; readonly runs: number },
  { days, megabytes }: UndoPolicy,
): Address[] {
  let size = bytes;
  let count = 0;
  return [...partsOfRuns.values()].reverse().flatMap(({ parts, addresses }) => {
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
