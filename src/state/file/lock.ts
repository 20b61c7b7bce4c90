// The lock of a state folder.
//
// The process that creates the next journal holds the lock. A hard link makes the journal appear under its name at once and
// complete, and fails when the name is taken, so of two processes at the same instant one wins. The header of the journal
// names a lock file, which exists before it and says who holds the lock and until when. The lock is released when that
// file is gone. When it has expired, another process takes over by creating the next journal, and the old holder finds a
// newer journal than its own.
import { canonicalJson } from '../../lib/json.ts';
import type { OpenState, StateHeader } from '../../model/ports.ts';
import type { LockRequest } from '../break-lock.ts';
import { stateFormatName } from '../format.ts';
import { checkApplication, readHeader } from '../header.ts';
import { isOver, Lease, type Lock, newLock, parseLock } from '../lease.ts';
import { eachLine, parseLine } from '../lines.ts';
import { type LockContext, LockWait } from '../lock-wait.ts';
import type { GrowingFile } from './file-system.ts';
import { journalName, lockName, type StateFolder, snapshotName } from './folder.ts';
import { headerLine } from './journal.ts';
import { readJournalHead } from './load.ts';

export interface HeldJournal {
  readonly epoch: number;
  readonly header: StateHeader;
  /** The journal, open at the end of its first line. */
  readonly journal: GrowingFile;
  readonly lock: string;
  readonly lease: Lease;
}

/** The newest journal, with or without a base. */
interface Newest {
  /** 0 without a journal. */
  readonly epoch: number;
  /** Undefined when nothing was ever written here. */
  readonly header: StateHeader | undefined;
  /** Undefined when it was released, or never taken. */
  readonly lock: Lock | undefined;
}

export async function findNewest(folder: StateFolder): Promise<Newest> {
  for (;;) {
    const epoch = await folder.newestEpoch();
    const head = epoch === 0 ? undefined : await readJournalHead(folder, epoch);
    // Another process compacted the folder between the two reads.
    if (epoch > 0 && head === undefined) continue;
    const header = head?.header ?? (await snapshotHeader(folder));
    return { epoch, header, lock: head && (await readLock(folder, head.lock)) };
  }
}

export async function acquireJournal(
  folder: StateFolder,
  context: LockContext,
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

/** Replaces the lock file, for the first time or as a heartbeat. */
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

/** Creates a journal with its first lines, durably and atomically; undefined when another process has this epoch or a later one. */
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
    // The name may be free because its journal was compacted away. A journal below the newest does not count.
    if (linked && (await folder.isNewest(epoch))) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return undefined;
}

/** Gives up a journal that has no base yet. */
export async function abandonJournal(folder: StateFolder, held: HeldJournal): Promise<void> {
  await held.lease.release();
  await held.journal.close();
  await folder.files.remove(folder.at(journalName(held.epoch)));
  await folder.files.remove(folder.at(held.lock));
}

async function claim(
  folder: StateFolder,
  { clock, owner, newId }: LockContext,
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
    // Without its lock file the claim blocks nobody. If the file cannot be removed, the lock expires.
    await folder.files.remove(folder.at(lock)).catch(() => undefined);
    throw error;
  }
  await folder.files.remove(folder.at(lock));
  return undefined;
}

async function readLock(folder: StateFolder, name: string): Promise<Lock | undefined> {
  const text = await firstLine(folder, name);
  // A lock that cannot be parsed is left from a crash of the machine: locks are replaced whole.
  return text === undefined ? undefined : parseLock(text);
}

async function snapshotHeader(folder: StateFolder): Promise<StateHeader | undefined> {
  const text = await firstLine(folder, snapshotName);
  return text === undefined ? undefined : readHeader(parseLine(text), folder.name, snapshotName, folder.formats);
}

/** The first line of a file, empty without one; undefined when the file does not exist. */
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

/** The header for what is written from now on: always of the current format. */
function currentHeader(
  { formats }: StateFolder,
  { newId }: LockContext,
  { application }: OpenState,
  before: StateHeader | undefined,
): StateHeader {
  return { format: stateFormatName(formats.current), lineage: before?.lineage ?? newId(), application };
}
