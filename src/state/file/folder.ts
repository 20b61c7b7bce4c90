// Which files lie in a state folder, and what do their names say?
//
//   state.ndjson            the snapshot
//   state.<epoch>.ndjson    a newer snapshot, which holds all up to that epoch; on its way to become state.ndjson
//   journal.<epoch>.ndjson  what one holder of the lock has done
//   lock.<epoch>.<id>.json  the lease of one holder; gone when it was released
//   *.tmp                   not yet anything
import { join } from 'node:path';
import { type StateFormats, stateFormats } from '../format.ts';
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

  constructor(name: string, path: string, files: StateFiles, known: StateFormats = stateFormats) {
    this.name = name;
    this.#path = path;
    this.files = files;
    this.formats = known;
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

  /** Epochs of the journals, the newest first. */
  async epochs(): Promise<readonly number[]> {
    const epochs: number[] = [];
    for (const name of await this.files.list(this.#path)) {
      const epoch = epochIn(name);
      if (epoch !== undefined && name === journalName(epoch)) epochs.push(epoch);
    }
    return epochs.sort((left, right) => right - left);
  }

  /** 0 when there is no journal. */
  async newestEpoch(): Promise<number> {
    return (await this.epochs())[0] ?? 0;
  }

  /** Who owns the newest journal holds the lock, and nobody else: a journal is created exclusively, above all others. */
  async isNewest(epoch: number): Promise<boolean> {
    return (await this.newestEpoch()) === epoch;
  }

  /**
   * Removes what counts no more and gives the snapshot its plain name, for a holder that was found to be the newest when
   * its base was durable. Even if it has lost the lock since, it does no harm: every later holder stands on this base.
   * Nothing is synced: what a power failure brings back counts no more than before.
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

/** The epoch in the name of a file of ours. */
function epochIn(name: string): number | undefined {
  const found = /^(?:state|journal|lock)\.([1-9]\d{0,14})\.\S+$/.exec(name);
  return found === null ? undefined : Number(found[1]);
}
