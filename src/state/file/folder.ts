// The files in a state folder, and what their names mean.
//
//   state.ndjson            the snapshot
//   state.<epoch>.ndjson    a newer snapshot with everything up to that epoch, about to become state.ndjson
//   journal.<epoch>.ndjson  the entries of one holder of the lock
//   lock.<epoch>.<id>.json  the lease of one holder; removed when it is released
//   *.tmp                   a file that is still being written
import { join } from 'node:path';
import { type StateFormats, stateFormats } from '../format.ts';
import { sealedFiles } from '../seal/sealed-files.ts';
import { Sealer } from '../seal/sealer.ts';
import type { StateFiles } from './file-system.ts';
import type { JournalBase } from './journal.ts';

export const snapshotName = 'state.ndjson';

export function foldedName(epoch: number): string {
  return `state.${epoch}.ndjson`;
}

export function journalName(epoch: number): string {
  return `journal.${epoch}.ndjson`;
}

export function lockName(epoch: number, id: string): string {
  return `lock.${epoch}.${id}.json`;
}

export class StateFolder {
  /** For messages: `file:.chatform/state`. */
  readonly name: string;
  readonly files: StateFiles;
  readonly formats: StateFormats;
  readonly #path: string;
  readonly #stored: StateFiles;

  /** `stored`: the file system, of which `sealer` encrypts and decrypts the files. */
  constructor(
    name: string,
    path: string,
    stored: StateFiles,
    sealer: Sealer = new Sealer(),
    known: StateFormats = stateFormats,
  ) {
    this.name = name;
    this.#path = path;
    this.#stored = stored;
    this.files = sealedFiles(stored, sealer, name);
    this.formats = known;
  }

  /** The same folder with other keys. */
  under(sealer: Sealer): StateFolder {
    return new StateFolder(this.name, this.#path, this.#stored, sealer, this.formats);
  }

  at(name: string): string {
    return join(this.#path, name);
  }

  make(): Promise<void> {
    return this.files.makeFolder(this.#path);
  }

  sync(): Promise<void> {
    return this.files.syncFolder(this.#path);
  }

  async has(name: string): Promise<boolean> {
    return (await this.files.list(this.#path)).includes(name);
  }

  /** The epochs of the journals, newest first. */
  async epochs(): Promise<readonly number[]> {
    const epochs: number[] = [];
    for (const name of await this.files.list(this.#path)) {
      const epoch = epochIn(name);
      if (epoch !== undefined && name === journalName(epoch)) epochs.push(epoch);
    }
    return epochs.sort((left, right) => right - left);
  }

  /** 0 without a journal. */
  async newestEpoch(): Promise<number> {
    return (await this.epochs())[0] ?? 0;
  }

  /** The owner of the newest journal holds the lock: each journal is created exclusively, with the highest epoch. */
  async isNewest(epoch: number): Promise<boolean> {
    return (await this.newestEpoch()) === epoch;
  }

  /**
   * Removes files that no longer count and gives the snapshot its plain name. The caller must have been the newest holder
   * when its base was durable. It does no harm even if it has lost the lock since: every later holder builds on this base.
   * Nothing is synced: files that a power failure brings back still do not count.
   */
  async tidy(epoch: number, base: JournalBase, lock: string): Promise<void> {
    const kept = new Set([lock, foldedName(base.covers), ...base.counts.map((count) => journalName(count.epoch))]);
    const names = await this.files.list(this.#path);
    for (const name of names) {
      if ((epochIn(name) ?? epoch) < epoch && !kept.has(name)) await this.files.remove(this.at(name));
    }
    if (names.includes(foldedName(base.covers))) {
      await this.files.rename(this.at(foldedName(base.covers)), this.at(snapshotName));
    }
  }
}

/** Undefined when the name is not of this backend. */
function epochIn(name: string): number | undefined {
  const found = /^(?:state|journal|lock)\.([1-9]\d{0,14})\.\S+$/.exec(name);
  return found === null ? undefined : Number(found[1]);
}
