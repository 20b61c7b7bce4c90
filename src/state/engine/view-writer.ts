// The part that all writers of a state share: their view, and the three kinds of entries.
import type { Address } from '../../model/address.ts';
import type { PendingBegin, StateHeader } from '../../model/ports.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import type { SortedRecords } from '../records/sorted-records.ts';
import type { StateChange, StateView } from '../records/view.ts';

export abstract class ViewWriter {
  readonly header: StateHeader;
  readonly serial: number;
  /** Contains everything acknowledged. */
  protected readonly view: StateView;

  constructor(view: StateView, header: StateHeader, serial: number) {
    this.header = header;
    this.serial = serial;
    this.view = view;
  }

  protected abstract append(entry: StateChange): Promise<void>;

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
