// How does one process among many get the lock of a state folder?
//
// Who creates the next journal holds the lock. It appears under its name at once and complete, by a hard link, which
// fails when the name is taken: of two starters at the same instant one wins. Its header names a lock file, which is
// there before it and says who holds the lock and until when. A lock file that is gone was released; one that has run
// out is taken over by creating the next journal, and the old holder finds a newer journal than its own.
import { canonicalJson } from '../../lib/json.ts';
import type { Clock, OpenState, StateHeader } from '../../model/ports.ts';
import { stateFormatName } from '../format.ts';
import { checkApplication, readHeader } from '../header.ts';
import { isOver, Lease, type Lock, type LockOwner, newLock, parseLock } from '../lease.ts';
import { eachLine, parseLine } from '../lines.ts';
import { LockWait, type OnLockWait } from '../lock-wait.ts';
import type { GrowingFile } from './file-system.ts';
import { journalName, lockName, type StateFolder, snapshotName } from './folder.ts';
import { headerLine } from './journal.ts';
import { readJournalHead } from './load.ts';

export interface FileLockContext {
  readonly clock: Clock;
  readonly owner: LockOwner;
  /** Never the same twice; a part of file names. */
  readonly newId: () => string;
  readonly isAlive: (pid: number) => boolean;
  readonly waiting?: OnLockWait | undefined;
}

export interface HeldJournal {
  readonly epoch: number;
  readonly header: StateHeader;
  /** The journal, open at the end of its first line. */
  readonly journal: GrowingFile;
  readonly lock: string;
  readonly lease: Lease;
}

/** The newest journal that there is, whoever wrote it and however far he came. */
interface Newest {
  /** 0: there is no journal. */
  readonly epoch: number;
  /** Undefined: nothing was ever written here. */
  readonly header: StateHeader | undefined;
  /** Undefined: released, or never taken. */
  readonly lock: Lock | undefined;
}

export async function findNewest(folder: StateFolder): Promise<Newest> {
  for (;;) {
    const epoch = await folder.newestEpoch();
    const head = epoch === 0 ? undefined : await readJournalHead(folder, epoch);
    // Folded away between the two looks.
    if (epoch > 0 && head === undefined) continue;
    const header = head?.header ?? (await snapshotHeader(folder));
    return { epoch, header, lock: head && (await readLock(folder, head.lock)) };
  }
}

export interface LockRequest extends OpenState {
  /** The epoch of a lock that is to be broken, whatever it says. */
  readonly breaks?: number;
}

export async function acquireJournal(
  folder: StateFolder,
  context: FileLockContext,
  options: LockRequest,
): Promise<HeldJournal> {
  const { clock, owner, isAlive } = context;
  const wait = new LockWait(folder.name, options.lockTimeoutMs, context);
  try {
    for (;;) {
      const { epoch, header, lock } = await findNewest(folder);
      checkApplication(header, options.application, folder.name);
      if (lock === undefined || epoch === options.breaks || isOver(lock, owner, clock.date(), isAlive)) {
        const held = await claim(folder, context, epoch + 1, currentHeader(folder, context, options, header));
        if (held !== undefined) return held;
        continue;
      }
      await wait.forLock(lock);
    }
  } finally {
    wait.end();
  }
}

/** Writes the lock file anew: its first version, or a heartbeat. */
async function writeLock(folder: StateFolder, name: string, lock: Lock): Promise<void> {
  const temporary = folder.at(`${name}.tmp`);
  await folder.files.remove(temporary);
  const file = await folder.files.create(temporary);
  try {
    await file.write(Buffer.from(`${canonicalJson({ ...lock, owner: { ...lock.owner } })}\n`));
  } finally {
    await file.close();
  }
  await folder.files.rename(temporary, folder.at(name));
}

/** Creates a journal with its first lines, durable and at once; undefined when somebody else has the epoch or a later one. */
export async function publishJournal(
  folder: StateFolder,
  epoch: number,
  id: string,
  text: string,
): Promise<GrowingFile | undefined> {
  const temporary = folder.at(`journal.${epoch}.${id}.tmp`);
  const file = await folder.files.create(temporary);
  try {
    await file.write(Buffer.from(text));
    await file.sync();
    const linked = await folder.files.link(temporary, folder.at(journalName(epoch)));
    await folder.files.remove(temporary);
    await folder.sync();
    // A name may be free because its journal is over and folded away. Below the newest a journal says nothing.
    if (linked && (await folder.isNewest(epoch))) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

/** Gives a claim back that nothing stands on yet. */
export async function abandonJournal(folder: StateFolder, held: HeldJournal): Promise<void> {
  await held.lease.release();
  await held.journal.close();
  await folder.files.remove(folder.at(journalName(held.epoch)));
  await folder.files.remove(folder.at(held.lock));
}

async function claim(
  folder: StateFolder,
  { clock, owner, newId }: FileLockContext,
  epoch: number,
  header: StateHeader,
): Promise<HeldJournal | undefined> {
  await folder.make();
  const id = newId();
  const lock = lockName(epoch, id);
  const since = clock.date();
  const lease = new Lease(clock);
  try {
    await writeLock(folder, lock, newLock(owner, since, since));
    const journal = await publishJournal(folder, epoch, id, headerLine(header, epoch, lock, owner));
    if (journal !== undefined) {
      void lease.keep(async () => {
        await writeLock(folder, lock, newLock(owner, since, clock.date()));
        return folder.isNewest(epoch);
      });
      return { epoch, header, journal, lock, lease };
    }
  } catch (error) {
    // Without its lock file a claim holds nobody up. If that cannot be removed either, it runs out.
    await folder.files.remove(folder.at(lock)).catch(() => undefined);
    throw error;
  }
  await folder.files.remove(folder.at(lock));
  return undefined;
}

async function readLock(folder: StateFolder, name: string): Promise<Lock | undefined> {
  const text = await firstLine(folder, name);
  // One that cannot be read is of a machine that crashed: locks are replaced whole.
  return text === undefined ? undefined : parseLock(text);
}

async function snapshotHeader(folder: StateFolder): Promise<StateHeader | undefined> {
  const text = await firstLine(folder, snapshotName);
  return text === undefined ? undefined : readHeader(parseLine(text), folder.name, snapshotName, folder.formats);
}

/** The first line of a file, empty when it has none; undefined when there is no file. */
async function firstLine(folder: StateFolder, name: string): Promise<string | undefined> {
  const file = await folder.files.openToRead(folder.at(name));
  if (file === undefined) return undefined;
  let first = '';
  try {
    await eachLine(file, Number.POSITIVE_INFINITY, (text) => {
      first = text;
      return false;
    });
  } finally {
    await file.close();
  }
  return first;
}

/** What is written from now on is of the current format, whatever stood there before. */
function currentHeader(
  { formats }: StateFolder,
  { newId }: FileLockContext,
  { application }: OpenState,
  before: StateHeader | undefined,
): StateHeader {
  return { format: stateFormatName(formats.current), lineage: before?.lineage ?? newId(), application };
}
