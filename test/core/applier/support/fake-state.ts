// Support: a state in memory whose disk survives a killed run.
import type { Address } from '../../../../src/core/model/address.ts';
import type { Clock, PendingBegin, StateHeader, StateWriter } from '../../../../src/core/model/ports.ts';
import { applyEntry, entryAddress, type StateEntry, type StateRecord } from '../../../../src/core/model/record.ts';
import { Life } from '../../../promise/support/life.ts';

/** The durable content. */
export class Disk {
  readonly records = new Map<Address, StateRecord>();
  readonly pending = new Map<string, PendingBegin>();
  readonly done = new Set<string>();
}

export class FakeState implements StateWriter {
  readonly header: StateHeader = { format: '1', lineage: 'lineage', application: 'emulator:test' };
  readonly disk: Disk;
  /** The calls in order, such as `begin user.a#0`. */
  readonly log: string[] = [];
  lease = Number.POSITIVE_INFINITY;
  /** An error for writes to throw, such as a full disk or a lost lease. */
  refusal: ((what: string) => Error | undefined) | undefined;
  readonly #clock: Clock;
  readonly #life: Life;
  readonly #syncMs: number;

  constructor(clock: Clock, options: { readonly disk?: Disk; readonly life?: Life; readonly syncMs?: number } = {}) {
    this.#clock = clock;
    this.disk = options.disk ?? new Disk();
    this.#life = options.life ?? new Life();
    this.#syncMs = options.syncMs ?? 1;
  }

  get(address: Address): StateRecord | undefined {
    return this.disk.records.get(address);
  }

  records(): readonly StateRecord[] {
    return [...this.disk.records.values()];
  }

  get size(): number {
    return this.disk.records.size;
  }

  get pending(): readonly PendingBegin[] {
    return [...this.disk.pending.values()];
  }

  begin(begin: PendingBegin): Promise<void> {
    return this.#write(`begin ${begin.step}`, () => this.disk.pending.set(begin.step, begin));
  }

  done(step: string, entry: StateEntry): Promise<void> {
    return this.#write(`done ${step}`, () => {
      const address = entryAddress(entry);
      const record = applyEntry(this.disk.records.get(address), entry);
      if (record === undefined) this.disk.records.delete(address);
      else this.disk.records.set(address, record);
      this.disk.pending.delete(step);
      this.disk.done.add(step);
    });
  }

  undone(step: string): Promise<void> {
    return this.#write(`undone ${step}`, () => this.disk.pending.delete(step));
  }

  leaseLeft(): number {
    return this.lease;
  }

  async close(): Promise<void> {}

  async #write(what: string, effect: () => void): Promise<void> {
    this.log.push(what);
    const refusal = this.refusal?.(what);
    if (refusal !== undefined) throw refusal;
    await this.#life.moment();
    await this.#clock.sleep(this.#syncMs);
    if (this.#life.isDead) return new Promise(() => {});
    effect();
    await this.#life.moment();
  }
}
