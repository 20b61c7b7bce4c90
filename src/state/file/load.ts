// Reads a state folder as one consistent view, even while a writer is using it.
//
// The newest journal with a base is the truth. Its base names a snapshot and how far the journals before it count; its own
// entries follow. A holder without a base has changed nothing yet.
//
// No lock is taken. Files are removed and renamed only after a newer journal has a base. So the reader opens all files, and
// if the truth is still the same journal, they belong together. Open files stay readable when others remove them.
import type { StateHeader } from '../../model/ports.ts';
import { checkLineage } from '../header.ts';
import { corrupt, unsettled } from '../refusals.ts';
import { StateView } from '../view.ts';
import type { SourceFile } from './file-system.ts';
import { foldedName, journalName, type StateFolder, snapshotName } from './folder.ts';
import { type JournalBase, type JournalHead, readEntries, readHead } from './journal.ts';
import { readSnapshot } from './snapshot.ts';

export interface LoadedFolder {
  readonly view: StateView;
  /** The base for the next journal. */
  readonly base: JournalBase;
  readonly snapshotBytes: number;
  readonly entries: number;
}

interface Truth {
  readonly epoch: number;
  readonly header: StateHeader;
  readonly base: JournalBase;
  /** Its holder may still write to it: the lock file is there. */
  readonly isHeld: boolean;
}

interface OpenedJournal {
  readonly epoch: number;
  /** How many of its bytes count. Infinity for the newest journal. */
  readonly bytes: number;
  readonly file: SourceFile | undefined;
}

interface Opened {
  readonly header: StateHeader | undefined;
  readonly serial: number;
  readonly base: Pick<JournalBase, 'covers' | 'ahead' | 'snapshot'>;
  readonly snapshot: SourceFile | undefined;
  readonly journals: readonly OpenedJournal[];
}

const attempts = 100;

export async function loadFolder(folder: StateFolder): Promise<LoadedFolder> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const files = new Set<SourceFile>();
    try {
      const truth = await findTruth(folder);
      const opened = await openAll(folder, truth, files);
      if ((await findTruth(folder))?.epoch === truth?.epoch) return await readAll(folder, opened, files);
    } finally {
      for (const file of files) await file.close();
    }
  }
  throw unsettled(folder.name);
}

/** Undefined when the journal does not exist any more. */
export async function readJournalHead(folder: StateFolder, epoch: number): Promise<JournalHead | undefined> {
  const name = journalName(epoch);
  const file = await folder.files.openToRead(folder.at(name));
  if (file === undefined) return undefined;
  try {
    return await readHead(file, folder.name, name, folder.formats);
  } finally {
    await file.close();
  }
}

async function openAll(folder: StateFolder, truth: Truth | undefined, files: Set<SourceFile>): Promise<Opened> {
  const open = async (name: string): Promise<SourceFile | undefined> => {
    const file = await folder.files.openToRead(folder.at(name));
    if (file !== undefined) files.add(file);
    return file;
  };
  const covers = truth?.base.covers ?? 0;
  // A snapshot that already has its plain name is this one or a newer one.
  const snapshot = (await open(foldedName(covers))) ?? (await open(snapshotName));
  const journals: OpenedJournal[] = [];
  for (const { epoch, bytes } of truth?.base.counts ?? []) {
    journals.push({ epoch, bytes, file: await open(journalName(epoch)) });
  }
  if (truth !== undefined) {
    const { epoch } = truth;
    journals.push({ epoch, bytes: Number.POSITIVE_INFINITY, file: await open(journalName(epoch)) });
  }
  // What a holder may still write belongs to the next serial.
  const serial = truth === undefined ? 0 : truth.epoch + (truth.base.ahead ?? 0) - Number(truth.isHeld);
  return { header: truth?.header, serial, base: truth?.base ?? { covers }, snapshot, journals };
}

async function findTruth(folder: StateFolder): Promise<Truth | undefined> {
  for (const epoch of await folder.epochs()) {
    const head = await readJournalHead(folder, epoch);
    if (head?.base === undefined) continue;
    return { epoch, header: head.header, base: head.base, isHeld: await folder.has(head.lock) };
  }
  return undefined;
}

/** Removes the snapshot from `files`, which the caller closes, if its records are read from it on demand. */
async function readAll(
  folder: StateFolder,
  { header, serial, base: { covers, ahead, snapshot: digest }, snapshot, journals }: Opened,
  files: Set<SourceFile>,
): Promise<LoadedFolder> {
  if (snapshot === undefined && covers > 0) throw corrupt(folder.name, snapshotName, 'is missing');
  const stored = snapshot && (await readSnapshot(snapshot, folder.name, snapshotName, folder.formats, digest));
  if (snapshot !== undefined && stored?.isKeptOpen === true) files.delete(snapshot);
  if (stored !== undefined && header !== undefined) checkLineage(stored.header, header, folder.name, snapshotName);
  const view = new StateView(header ?? stored?.header, stored?.records, serial);
  const counts = [];
  let entries = 0;
  for (const { epoch, bytes: limit, file } of journals) {
    const name = journalName(epoch);
    if (file === undefined) throw corrupt(folder.name, name, 'is missing');
    const before = entries;
    const expected = header ?? stored?.header;
    const bytes = await readEntries(file, limit, expected, folder.name, name, folder.formats, (entry) => {
      entries += 1;
      view.apply(entry);
    });
    if (Number.isFinite(limit) && bytes !== limit) throw corrupt(folder.name, name, 'is shorter than it was');
    if (entries > before) counts.push({ epoch, bytes });
  }
  const base = {
    covers,
    counts,
    ...(ahead === undefined ? {} : { ahead }),
    ...(stored?.digest === undefined ? {} : { snapshot: stored.digest }),
  };
  return { view, base, snapshotBytes: stored?.bytes ?? 0, entries };
}
