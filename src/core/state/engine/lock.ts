// The lock of a state: an epoch and a lease in a head, taken by an exclusive creation.
//
// The process that creates the next head has the lock. Of several processes one succeeds, and no head is ever written by two
// of them. So a store need not order concurrent writes under If-Match, which some stores check before they write.
// The lease expires when the newest head is older than the lease, by the clock of the store, so machines need no common
// time. A folder has no answer with a time, so a process that wants the lock compares the head with a file that it writes.
//
// Only after the creation does the new holder read the previous head. It closes the journal of that head with a fence: an
// object under the number that the old holder would write next. Whichever of the two is created first counts. So a paused
// holder finds the fence and has lost nothing that it had acknowledged. A holder removes objects that its head no longer
// names only if its head is still the newest afterwards: whoever takes over then reads that head.
import { canonicalJson } from '../../../lib/json.ts';
import { Refusal } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';
import { checkApplication, stateFormat } from '../records/header.ts';
import { parseLine } from '../records/lines.ts';
import { corrupt } from '../records/refusals.ts';
import { emptyBase, type HeadLock, type ObjectsInUse, type StateHead } from './head.ts';
import { HeadKeeper } from './head-keeper.ts';
import {
  bindingOf,
  type EngineContext,
  type Heads,
  isNewest,
  openObject,
  packHead,
  packLines,
  type ReadHead,
  readHeads,
  type StatePlace,
} from './heads.ts';
import { headKey, journalKey, journalPrefix, numberOfKey, probeKey } from './layout.ts';
import { describeHolder, isDead, Lease, type Lock, type LockContext, type OnLockWait } from './lease.ts';
import { leaseLost, locked, untrustworthy, waitEnded } from './refusals.ts';
import type { ObjectStore } from './store.ts';
import type { LockRequest } from './upkeep.ts';

/** The number of fences to keep. A write of a former holder arrives within minutes, and take-overs are rare. */
const keptFences = 8;

/** How often a process that waits for a lock looks whether it is free. */
const pollMs = 500;

/** Returns the milliseconds until the lock expires, which are negative afterwards, or 0 without a lock. The clock of the store may be behind. */
export function endsInMs({ lock, ageMs }: ReadHead): number {
  return lock === undefined ? 0 : lock.leaseMs - ageMs;
}

/** Returns the lock for display. Its end is by the clock of this machine. */
export function shownLock(lock: HeadLock, endsInMs: number, clock: Clock): Lock {
  const { owner, since, heartbeat } = lock;
  return { owner, since, heartbeat, expires: new Date(clock.date().getTime() + endsInMs).toISOString() };
}

/** Takes the lock, creates the state if there is none, and fences off the previous holder. Rejects with a Refusal (exit code 7, 8). */
export async function acquireHead(place: StatePlace, options: LockRequest): Promise<HeadKeeper> {
  const { name, context } = place;
  const { clock, owner, isAlive } = context;
  const wait = new LockWait(name, options.lockTimeoutMs, context);
  try {
    for (;;) {
      const heads = await readHeads(place);
      const { newest } = heads;
      checkApplication(newest?.header, options.application, name);
      const { lock } = newest ?? {};
      const isHeld = lock !== undefined && newest?.epoch !== options.breaks && !isDead(lock.owner, owner, isAlive);
      const remainingMs =
        isHeld && newest !== undefined ? endsInMs(newest) + ((await place.store.clockAheadMs?.()) ?? 0) : 0;
      if (isHeld && remainingMs > 0) {
        await wait.forLock(shownLock(lock, remainingMs, clock));
        continue;
      }
      const keeper = await claim(place, options.application, heads);
      if (keeper !== undefined) return keeper;
    }
  } finally {
    wait.end();
  }
}

/** Returns undefined if another process was faster, or took over meanwhile. */
async function claim(
  place: StatePlace,
  application: string,
  { newest, truth }: Heads,
): Promise<HeadKeeper | undefined> {
  const { name, store, context } = place;
  const { clock, newId, terms } = context;
  if (newest?.tested !== name) await probe(store, name, newId());
  const epoch = (newest?.epoch ?? 0) + 1;
  const made = { format: stateFormat, lineage: newId(), application };
  // A holder that has released its lock writes nothing more, so its head is final.
  const isFinal =
    newest === undefined || (newest === truth && newest.lock === undefined && truth.base.open === undefined);
  const head: StateHead = {
    header: newest?.header ?? made,
    epoch,
    lock: newLock(context),
    tested: name,
    ...(isFinal ? { base: { ...(truth?.base ?? emptyBase), open: { epoch, from: 1 } } } : {}),
  };
  // The lease begins before the lock is written, so that it never ends later than others expect.
  const lease = new Lease(clock, terms);
  const tag = await store.create(headKey(epoch), packHead(place, head));
  if (tag === undefined) return undefined;
  const keeper = new HeadKeeper(place, head, tag, lease);
  try {
    if (!isFinal) {
      const base = await fencedBase(place, epoch);
      await keeper.update((now) => ({ ...now, base }));
    }
    // The key may have been free only because a head of this epoch was removed. A head below the newest does not count.
    if (!(await isNewest(place, epoch))) throw leaseLost(name);
  } catch (error) {
    // Objects that vanish meanwhile may have been removed by a process that took over. Nothing was written under this lock.
    const isFaster = error instanceof Refusal && !(await isNewest(place, epoch).catch(() => true));
    await keeper.release((now) => now).catch(() => undefined);
    if (isFaster) return undefined;
    throw error;
  }
  keeper.keep();
  return keeper;
}

/** Fences off earlier holders and returns the base that counts then. */
async function fencedBase(place: StatePlace, epoch: number): Promise<ObjectsInUse> {
  const { truth } = await readHeads(place, epoch);
  const { open, ...base } = truth?.base ?? emptyBase;
  if (truth === undefined || open === undefined) return { ...base, open: { epoch, from: 1 } };
  return withFence(truth.base, open, await fence(place, truth, open, epoch), epoch);
}

function withFence(
  base: ObjectsInUse,
  open: NonNullable<ObjectsInUse['open']>,
  number: number,
  epoch: number,
): ObjectsInUse {
  const { tails, fences } = base;
  const { epoch: before, from } = open;
  return {
    ...base,
    tails: number > from ? [...tails, { epoch: before, from, to: number - 1 }] : tails,
    fences: [...fences, { epoch: before, number }].slice(-keptFences),
    open: { epoch, from: 1 },
  };
}

/**
 * Closes the journal of a former holder and returns the number of the fence. Works even if the store lists objects late,
 * because the object under the next number decides. Refuses a missing object before the last one, which a fence in its
 * place would hide.
 */
async function fence(
  place: StatePlace,
  head: StateHead,
  { epoch, from, least = 0 }: NonNullable<ObjectsInUse['open']>,
  by: number,
): Promise<number> {
  const { name, store, context } = place;
  const listed = await store.list(journalPrefix(epoch));
  const last = Math.max(from - 1, least, ...listed.map(numberOfKey));
  const line = Buffer.from(`${canonicalJson({ type: fenceType, by, id: context.newId() })}\n`);
  for (let number = from; ; number += 1) {
    const key = journalKey(epoch, number);
    if (number < last && listed.includes(key)) continue;
    const fenced = packLines(place, bindingOf(head.header, key), [line]);
    if (number > last && (await store.create(key, fenced)) !== undefined) return number;
    const there = await store.get(key);
    if (there === undefined) throw corrupt(name, `the object ${key}`, 'is missing');
    if (isFence(openObject(place, head, key, there.bytes))) return number;
  }
}

const fenceType = 'fence';

/** Whether the object is a fence, which ends its journal. */
export function isFence(bytes: Buffer): boolean {
  return bytes.length < 1_000 && parseLine(bytes.toString())?.type === fenceType;
}

function newLock({ owner, clock, terms }: EngineContext): HeadLock {
  const now = clock.date().toISOString();
  return { owner, since: now, heartbeat: now, leaseMs: terms.leaseMs };
}

// Tests whether a store can be trusted with a state: whether it honours the conditions of writes and reads its own writes.

/** The number of simultaneous writes, of which one may succeed. */
const rivals = 6;

/** Throws `state.store-unsafe` with what the store did. `id` must be unique. */
async function probe(store: ObjectStore, state: string, id: string): Promise<void> {
  const key = probeKey(id);
  const raced = `${key}.race`;
  try {
    await probeConditions(store, state, key);
    await probeRaces(store, state, raced);
  } catch (error) {
    // A later holder removes an object that remains.
    await store.remove([key, raced]).catch(() => undefined);
    throw error;
  }
  await store.remove([key, raced]);
  if ((await store.get(key)) !== undefined) throw untrustworthy(state, 'still read an object that it had just removed');
}

async function probeConditions(store: ObjectStore, state: string, key: string): Promise<void> {
  const demand = (holds: boolean, did: string): void => {
    if (!holds) throw untrustworthy(state, did);
  };
  const reads = async (bytes: Buffer, tag: string): Promise<boolean> => {
    const found = await store.get(key);
    return found?.tag === tag && found.bytes.equals(bytes);
  };
  demand((await store.get(key)) === undefined, 'read an object that nobody had written');
  demand(
    (await store.replace(key, text('none'), 'none')) === undefined,
    'accepted a write under If-Match where no object was',
  );
  const first = await store.create(key, text('first'));
  demand(first !== undefined, 'refused the first write under If-None-Match, where no object was');
  // Read before any other call, so that a delayed read has not caught up.
  demand(await reads(text('first'), first ?? ''), 'did not read what it had just written');
  demand((await store.list(key)).includes(key), 'did not list what it had just written');
  demand(
    (await store.create(key, text('second'))) === undefined,
    'accepted a second write under If-None-Match, over an object that was there',
  );
  demand(await reads(text('first'), first ?? ''), 'changed an object although it had refused the write');
  const next = await store.replace(key, text('next'), first ?? '');
  demand(next !== undefined, 'refused a write under If-Match, although the object was as named');
  demand(next !== first, 'gave another content of an object the same version');
  demand(await reads(text('next'), next ?? ''), 'read an old version after it had accepted a new one');
  demand(
    (await store.replace(key, text('late'), first ?? '')) === undefined,
    'accepted a write under If-Match with a version that was gone',
  );
  demand(await reads(text('next'), next ?? ''), 'changed an object although it had refused the write');
}

async function probeRaces(store: ObjectStore, state: string, key: string): Promise<void> {
  const created = await race((name) => store.create(key, text(name)));
  if (created.length !== 1)
    throw untrustworthy(state, `accepted ${created.length} of ${rivals} writes under If-None-Match at the same moment`);
}

/** Returns the tags of the accepted writes. */
async function race(write: (name: string) => Promise<string | undefined>): Promise<string[]> {
  const tags = await Promise.all(Array.from({ length: rivals }, (_, index) => write(`rival ${index}`)));
  return tags.filter((tag) => tag !== undefined);
}

function text(content: string): Buffer {
  return Buffer.from(`${canonicalJson({ probe: content })}\n`);
}

/** Waits for a lock that another process has, until the time is over or the user interrupts. */
export class LockWait {
  readonly #state: string;
  readonly #clock: Clock;
  readonly #deadline: number;
  readonly #waiting: OnLockWait | undefined;
  #watch: ReturnType<OnLockWait> | undefined;

  /** `state` is for messages. */
  constructor(state: string, timeoutMs: number, { clock, waiting }: Pick<LockContext, 'clock' | 'waiting'>) {
    this.#state = state;
    this.#clock = clock;
    this.#deadline = clock.now() + timeoutMs;
    this.#waiting = waiting;
  }

  /** Resolves after a pause, when the lock may be free. Rejects when the time is over (7) or the wait was aborted (8). */
  async forLock(lock: Lock): Promise<void> {
    const remainingMs = this.#deadline - this.#clock.now();
    if (remainingMs <= 0) throw locked(this.#state, lock);
    this.#watch ??= this.#waiting?.(describeHolder(lock), remainingMs);
    const signal = this.#watch?.signal;
    await this.#clock.sleep(Math.min(pollMs, remainingMs), signal);
    if (signal?.aborted === true) throw waitEnded(this.#state, lock);
  }

  end(): void {
    this.#watch?.end();
  }
}
