// What all writers share: they read from a view in memory, each change of it is an entry, and they end once.
import type { Address } from '../model/address.ts';
import type { PendingBegin, StateHeader } from '../model/ports.ts';
import type { StateEntry, StateRecord } from '../model/record.ts';
import type { SortedRecords } from './records/record-lines.ts';
import type { Sealer } from './seal/sealer.ts';
import type { StateContents, UpkeepWriter } from './upkeep.ts';
import type { StateChange, StateView } from './view.ts';

export abstract class JournalingWriter implements UpkeepWriter {
  readonly header: StateHeader;
  abstract readonly serial: number;
  readonly #view: StateView;
  #ending: Promise<void> | undefined;

  constructor(header: StateHeader, view: StateView) {
    this.header = header;
    this.#view = view;
  }

  /** Has everything that was acknowledged. */
  protected get view(): StateView {
    return this.#view;
  }

  /** Resolves when the entry is durable and part of the view. */
  protected abstract append(entry: StateChange): Promise<void>;
  abstract leaseLeft(): number;
  /**
   * Takes no more entries, writes those that wait, and releases the lock. `instead`: contents to put in place first, with
   * what encrypts them.
   */
  protected abstract end(instead?: StateContents, sealer?: Sealer): Promise<void>;

  protected get isEnding(): boolean {
    return this.#ending !== undefined;
  }

  close(): Promise<void> {
    this.#ending ??= this.end();
    return this.#ending;
  }

  replace(contents: StateContents, sealer?: Sealer): Promise<void> {
    this.#ending ??= this.end(contents, sealer);
    return this.#ending;
  }

  compact(): Promise<void> {
    return this.replace(this.contents());
  }

  /** Of this moment: later entries do not change it. */
  protected contents(): StateContents {
    const { header, serial, pending } = this;
    const records = this.records();
    return { header, serial, pending, records: () => records, lines: () => records.lines() };
  }

  /** Applies entries that count from now on. */
  protected take(entries: readonly StateChange[]): void {
    for (const entry of entries) this.#view.apply(entry);
  }

  get size(): number {
    return this.view.size;
  }

  get pending(): readonly PendingBegin[] {
    return this.view.pending;
  }

  get(address: Address): StateRecord | undefined {
    return this.view.get(address);
  }

  records(): SortedRecords {
    return this.view.records();
  }

  begin(begin: PendingBegin): Promise<void> {
    return this.append({ type: 'begin', ...begin });
  }

  done(step: string, entry: StateEntry): Promise<void> {
    return this.append({ type: 'done', step, entry });
  }

  undone(step: string): Promise<void> {
    return this.append({ type: 'undone', step });
  }
}
