// What all writers share: they read from a view in memory, and each change of it is an entry.
import type { Address } from '../model/address.ts';
import type { PendingBegin, StateHeader, StateWriter } from '../model/ports.ts';
import type { StateEntry, StateRecord } from '../model/record.ts';
import type { SortedRecords } from './records/record-lines.ts';
import type { StateChange, StateView } from './view.ts';

export abstract class JournalingWriter implements StateWriter {
  readonly header: StateHeader;
  readonly #view: StateView;

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
  abstract close(): Promise<void>;

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
