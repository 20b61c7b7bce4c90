// The lock of a state in object storage: an epoch and a lease in the head, moved on by conditional writes.
//
// The lease is over when the head is older than the lease, by the clock of the store: no two machines have to agree on the
// time. A process takes the lock by writing the next epoch over the version of the head that it has read: of many, one
// succeeds. Before it counts the journal of the holder before, it closes that journal with a fence: an object under the
// number that the holder would write next. Whichever of the two is created first counts, so a holder that was paused
// finds the fence and has lost nothing that it had acknowledged.
import { canonicalJson } from '../../lib/json.ts';
import type { Clock, OpenState, StateHeader } from '../../model/ports.ts';
import { stateFormatName } from '../format.ts';
import { checkApplication } from '../header.ts';
import { isDead, Lease, type Lock } from '../lease.ts';
import { parseLine } from '../lines.ts';
import { LockWait } from '../lock-wait.ts';
import { corrupt } from '../refusals.ts';
import { pack, unpack } from './content.ts';
import { type Base, emptyBase, type Head, type HeadLock, printHead } from './head.ts';
import { HeadKeeper } from './keeper.ts';
import { epochOfKey, headKey, journalKey, journalPrefix } from './layout.ts';
import { bindingOf, type ObjectContext, type ReadHead, readHeadObject, type StatePlace } from './place.ts';
import { probe } from './probe.ts';

/** Stores tell times to the second. */
const grainMs = 1_000;
/** So many fences are kept. A write of a lost holder arrives within minutes, and take-overs are rare. */
const keptFences = 8;

export function endsInMs({ lock, ageMs }: ReadHead): number {
  return lock === undefined ? 0 : lock.leaseMs + grainMs - ageMs;
}

/** As it is shown: the end is by the clock of this machine. */
export function shownLock(lock: HeadLock, endsInMs: number, clock: Clock): Lock {
  const { owner, since, heartbeat } = lock;
  return { owner, since, heartbeat, expires: new Date(clock.date().getTime() + endsInMs).toISOString() };
}

export interface LockRequest extends OpenState {
  /** The epoch of a lock to break, even if it has not expired. */
  readonly breaks?: number;
}

/** Takes the lock, makes the state when there is none, and fences off the holder before. */
export async function acquireHead(place: StatePlace, options: LockRequest): Promise<HeadKeeper> {
  const { name, context } = place;
  const { clock, owner, isAlive } = context;
  const wait = new LockWait(name, options.lockTimeoutMs, context);
  try {
    for (;;) {
      const found = await readHeadObject(place);
      checkApplication(found?.header, options.application, name);
      const { lock } = found ?? {};
      const left = found === undefined ? 0 : endsInMs(found);
      if (lock === undefined || found?.epoch === options.breaks || left <= 0 || isDead(lock.owner, owner, isAlive)) {
        const keeper = await claim(place, options.application, found);
        if (keeper !== undefined) return keeper;
        continue;
      }
      await wait.forLock(shownLock(lock, left, clock));
    }
  } finally {
    wait.end();
  }
}

/** Undefined when another process was quicker. */
async function claim(
  place: StatePlace,
  application: string,
  before: ReadHead | undefined,
): Promise<HeadKeeper | undefined> {
  const { name, store, context } = place;
  const { clock, newId, formats, terms } = context;
  if (before?.tested !== name) await probe(store, name, newId());
  if (before === undefined) await demandNothing(place);
  // From before the lock is written, so that it never ends later than what others read.
  const lease = new Lease(clock, terms);
  const epoch = (before?.epoch ?? 0) + 1;
  const made = { format: stateFormatName(formats.current), lineage: newId(), application };
  const base = before?.base ?? emptyBase;
  const head: Head = {
    header: before?.header ?? made,
    epoch,
    holder: newId(),
    lock: newLock(context),
    // After a release no journal is open, and this write is the only one.
    base: base.open === undefined ? { ...base, open: { epoch, from: 1 } } : base,
    tested: name,
  };
  const tag = await writeClaim(place, head, before?.tag);
  if (tag === undefined) return undefined;
  const keeper = new HeadKeeper(place, head, tag, lease);
  try {
    if (base.open !== undefined) {
      const fenced = await fence(place, head.header, base.open, epoch);
      await keeper.update((now) => ({ ...now, base: withFence(base, base.open, fenced, epoch) }));
    }
  } catch (error) {
    await keeper.release((now) => now).catch(() => undefined);
    throw error;
  }
  keeper.keep();
  return keeper;
}

/** The tag of the head that is now ours; undefined when another process was quicker. */
async function writeClaim(place: StatePlace, head: Head, before: string | undefined): Promise<string | undefined> {
  const { store, context } = place;
  const bytes = pack(printHead(head), headKey, context.sealing);
  if (before === undefined) return store.create(headKey, bytes);
  const tag = await store.replace(headKey, bytes, before);
  if (tag !== undefined) return tag;
  const there = await readHeadObject(place);
  return there?.holder === head.holder ? there.tag : undefined;
}

/** Objects without a head are what is left of a state: a new one must not begin among them. */
async function demandNothing({ name, store }: StatePlace): Promise<void> {
  const [first] = (await store.list('')).filter((key) => epochOfKey(key) !== undefined);
  if (first !== undefined && (await store.read(headKey)) === undefined)
    throw corrupt(name, `the object ${headKey}`, `is missing, and there are others, such as ${first}`);
}

function withFence(base: Base, open: Base['open'], number: number, epoch: number): Base {
  const { tails, fences } = base;
  const from = open?.from ?? 1;
  const before = open?.epoch ?? 0;
  return {
    ...base,
    tails: number > from ? [...tails, { epoch: before, from, to: number - 1 }] : tails,
    fences: [...fences, { epoch: before, number }].slice(-keptFences),
    open: { epoch, from: 1 },
  };
}

/**
 * Closes the journal of a former holder; the number of the fence. Works on stores that list late: what counts is which
 * object is under the next number.
 */
async function fence(
  { name, store, context }: StatePlace,
  header: StateHeader,
  { epoch, from }: NonNullable<Base['open']>,
  by: number,
): Promise<number> {
  const listed = new Set(await store.list(journalPrefix(epoch)));
  const line = Buffer.from(`${canonicalJson({ type: fenceType, by, id: context.newId() })}\n`);
  for (let number = from; ; number += 1) {
    const key = journalKey(epoch, number);
    // All but the last that is listed are batches.
    if (listed.has(key) && listed.has(journalKey(epoch, number + 1))) continue;
    const binding = bindingOf(header, key);
    const bytes = pack(line, binding, context.sealing);
    if ((await store.create(key, bytes)) !== undefined) return number;
    const there = await store.read(key);
    if (there === undefined) throw corrupt(name, `the object ${key}`, 'was removed');
    if (isFence(unpack(there, binding, context.sealing, name, key))) return number;
  }
}

const fenceType = 'fence';

/** Whether a journal object ends its journal. */
export function isFence(bytes: Buffer): boolean {
  return bytes.length < 1_000 && parseLine(bytes.toString())?.type === fenceType;
}

function newLock({ owner, clock, terms }: ObjectContext): HeadLock {
  const now = clock.date().toISOString();
  return { owner, since: now, heartbeat: now, leaseMs: terms.leaseMs };
}
