// The audit trail of a state: an entry for each run and each repair, chained by digests. Entries are records, so every
// backend and every copy contains them.
import { digestOf } from '../../../lib/digest.ts';
import type { Count, JsonObject, JsonValue, PositiveCount } from '../../../lib/json.ts';
import { version } from '../../../version.ts';
import { countObjects } from '../../model/addressed-series.ts';
import type { Actor } from '../../model/ci-systems.ts';
import type { StateSnapshot, StateWriter } from '../../model/ports.ts';
import type { StateRecord } from '../../model/record.ts';
import { openRunAddress, trailAddress, trailEntryAddress, trailRecords } from '../../model/run-metadata.ts';
import type { Signature } from '../../model/signing/signature.ts';
import { actorOf } from './actor.ts';
import { withoutUntouched } from './before-values.ts';
import type { Ports } from './ports.ts';

/** The part of an entry that is written before the run. Times are wall-clock times in ISO 8601. */
export interface Begun {
  readonly command: string;
  readonly by: Actor;
  readonly started_at: string;
  /** The hash of the plan, if the command ran one. */
  readonly plan?: string;
  /** The number under which its before-values are kept. It differs from the number of the entry only if the lock was broken meanwhile. */
  readonly keeps?: PositiveCount;
  /** The number of the run that it undid. */
  readonly undoes?: PositiveCount;
  /** Who signed the plan. Absent unless it needed a signature. */
  readonly signature?: Signature;
}

export interface FinishedRun {
  /** cut_off: a later run found the entry without an end. */
  readonly outcome: string;
  readonly finished_at?: string;
  /** Planned and completed work. */
  readonly counts?: Readonly<Record<string, Count>>;
  /** Details beyond the counts, such as whose lock was broken. */
  readonly detail?: string;
  /** SHA-256 of the report as canonical JSON, without the advice that its file adds. */
  readonly report?: string;
}

export interface TrailEntry extends Begun, FinishedRun {
  /** From 1. */
  readonly number: PositiveCount;
  /** The version of chatform that acted. */
  readonly version: string;
  /** The digest of the entry before; 64 zeros for the first. */
  readonly previous: string;
}

/** The end of the chain, a record of its own. It reveals missing last entries. */
interface TrailEnd {
  readonly count: number;
  readonly digest: string;
  /** The newest version of chatform that wrote this state. */
  readonly version: string;
}

const noDigest = '0'.repeat(64);

/** Durable before the run begins, so that the trail contains runs that are killed. */
export async function beginTrail(state: StateWriter, begun: Begun): Promise<void> {
  const cut = state.get(openRunAddress)?.attributes as unknown as Begun | undefined;
  await Promise.all([
    ...(cut === undefined ? [] : [recordAct(state, cut, { outcome: 'cut_off' })]),
    put(state, { address: openRunAddress, attributes: asJson(begun) }),
  ]);
}

/** The entry of the run that has begun. */
export async function endTrail(state: StateWriter, begun: Begun, ended: FinishedRun): Promise<void> {
  await Promise.all([
    recordAct(state, begun, ended),
    state.done(`${openRunAddress}#end`, { type: 'delete', address: openRunAddress }),
  ]);
}

/** Adds the entry of work on the state. If the work does not end, the next run records it as cut off. */
export async function enter<T>(
  state: StateWriter,
  begun: Begun,
  work: () => Promise<T>,
  countsOf: (result: T) => NonNullable<FinishedRun['counts']>,
): Promise<T> {
  await beginTrail(state, begun);
  const result = await work();
  await endTrail(state, begun, { outcome: 'done', counts: countsOf(result) });
  return result;
}

/** The number of the entry that the next run leaves. A run that was cut off gets the number before it. */
export function nextNumber(state: Pick<StateSnapshot, 'get'>): number {
  return (endOf(state)?.count ?? 0) + (state.get(openRunAddress) === undefined ? 1 : 2);
}

/** The records of one more entry, sorted by address, for callers that write them together with other contents. */
export function entryRecords(
  state: Pick<StateSnapshot, 'get'>,
  begun: Begun,
  ended: FinishedRun,
): readonly StateRecord[] {
  const { count = 0, digest = noDigest, version: before = version } = endOf(state) ?? {};
  const entry: TrailEntry = { ...begun, ...ended, number: count + 1, version, previous: digest };
  const end: TrailEnd = {
    count: entry.number,
    digest: digestOf(asJson(entry)),
    version: isNewer(before, version) ? before : version,
  };
  return [
    { address: trailAddress, attributes: asJson(end) },
    { address: trailEntryAddress(entry.number), attributes: asJson(entry) },
  ];
}

/** Whether a version may have a newer format than another one. Patch versions share a format. */
export function isNewer(left: string, right: string): boolean {
  const [major = 0, minor = 0] = left.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = right.split('.').map(Number);
  return major > otherMajor || (major === otherMajor && minor > otherMinor);
}

/** The entries in order, including the one that the next run will add for a run that was cut off. */
export function readRuns(state: StateSnapshot): TrailEntry[] {
  const open = state.get(openRunAddress)?.attributes as unknown as Begun | undefined;
  if (open === undefined) return readTrail(state);
  const number = nextNumber(state) - 1;
  return [...readTrail(state), { ...open, outcome: 'cut_off', number, version, previous: '' }];
}

/** The entries in order. Missing entries are skipped. */
export function readTrail(state: StateSnapshot): TrailEntry[] {
  const entries = Array.from(trailRecords(state.records()), ({ attributes }) => attributes as unknown as TrailEntry);
  return entries.sort((left, right) => left.number - right.number);
}

/** A fault of a trail as a sentence. */
export type TrailFault = string;

/** Returns no faults if every entry is present and unchanged. */
export function verifyTrail(state: StateSnapshot): TrailFault[] {
  const entries = new Map(readTrail(state).map((entry) => [entry.number, entry]));
  const end = endOf(state);
  const last = Math.max(0, ...entries.keys());
  if (end === undefined && last > 0) return ['The end of the trail is missing.'];
  if (end === undefined) {
    // Only runs create objects, and each leaves an entry. If the first run was killed, the next run records it.
    const isMissing = countObjects(state.records()) > 0 && state.get(openRunAddress) === undefined;
    return isMissing ? ['The whole trail is missing: state contains objects, but no run is recorded.'] : [];
  }
  const faults: TrailFault[] = [];
  let previous: string | undefined = noDigest;
  for (let number = 1; number <= Math.max(end.count, last); number += 1) {
    const entry = entries.get(number);
    if (number > end.count) faults.push(`Entry ${number} was added after the end of the trail.`);
    else if (entry === undefined) faults.push(`Entry ${number} is missing.`);
    // The entry after a missing one cannot be compared.
    else if (previous !== undefined && entry.previous !== previous)
      faults.push(number === 1 ? 'Entry 1 was edited.' : `Entry ${number - 1} was edited, or entry ${number} was.`);
    previous = entry === undefined ? undefined : digestOf(asJson(entry));
  }
  if (end.count > 0 && entries.has(end.count) && previous !== end.digest && last <= end.count)
    faults.push(`Entry ${end.count} was edited, or the end of the trail was.`);
  return faults;
}

/** Whether a trail contains all entries of the trail with this digest. */
export function continuesTrail(state: StateSnapshot, digest: string): boolean {
  return digest === trailDigest(state) || readTrail(state).some(({ previous }) => previous === digest);
}

/** The digest of the whole trail. Kept elsewhere, it later proves that no earlier entry was changed. */
export function trailDigest(state: StateSnapshot): string | undefined {
  return endOf(state)?.digest;
}

/** Adds a complete entry at once. */
export async function recordAct(state: StateWriter, begun: Begun, ended: FinishedRun): Promise<void> {
  // Write the end of the trail last, in the same flush. An entry after the end is overwritten under its number.
  const records = entryRecords(state, begun, ended).toReversed();
  const dropped = ended.outcome === 'done' ? [] : withoutUntouched(state, begun.keeps);
  await Promise.all([...dropped, ...records.map((record) => put(state, record))]);
}

function put(state: StateWriter, record: StateRecord): Promise<void> {
  return state.done(`${record.address}#put`, { type: 'put', record });
}

function endOf(state: Pick<StateSnapshot, 'get'>): TrailEnd | undefined {
  return state.get(trailAddress)?.attributes as unknown as TrailEnd | undefined;
}

/** JSON by construction; the compiler cannot see it, as an interface has no index signature. */
function asJson(value: object): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as Record<
    string,
    JsonValue
  >;
}

/** The entry of work that begins and ends now. */
export function actOf(command: string, { env, clock }: Pick<Ports, 'env' | 'clock'>): Begun {
  return { command, by: actorOf({ env }), started_at: clock.date().toISOString() };
}
