// Writes entries to the database: many in one statement, and each once, although connections break and servers restart.
//
// The statement of a batch has two conditions: the lock is still ours, and the batch before it was the last one. A batch
// whose answer was lost is sent again. If it was written after all, the second condition fails, and the row says why. The
// conditions also stop an earlier attempt that the server runs late.
import type { StateHeader } from '../../model/ports.ts';
import { GroupCommit } from '../commit.ts';
import { JournalingWriter } from '../journaling-writer.ts';
import type { Lease } from '../lease.ts';
import { leaseLost, rewound } from '../refusals.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { StateContents } from '../upkeep.ts';
import type { StateChange, StateView } from '../view.ts';
import type { PostgresAddress } from './address.ts';
import { batchStatement } from './batch.ts';
import { cannotWrite, isTransient } from './failures.ts';
import type { Link, MakeLink } from './link.ts';
import { type PostgresLockContext, releaseRow, renewRow } from './lock.ts';
import type { RowCipher } from './row-cipher.ts';
import { replaceAll } from './rows.ts';

export interface PostgresContext extends PostgresLockContext {
  /** How long a write is retried while the database is away, in milliseconds. */
  readonly patienceMs: number;
  readonly link: MakeLink;
}

/** For the statement of a batch. */
const batchTimeoutMs = 15_000;
const firstPauseMs = 100;
const longestPauseMs = 2_000;

export class PostgresWriter extends JournalingWriter {
  override readonly serial: number;
  readonly #address: PostgresAddress;
  readonly #id: number;
  readonly #epoch: number;
  readonly #context: PostgresContext;
  readonly #lease: Lease;
  readonly #cipher: RowCipher;
  readonly #link: Link;
  /** A separate connection, so that a heartbeat does not wait behind a batch. */
  readonly #heart: Link;
  readonly #commit: GroupCommit<StateChange>;
  #batches = 0;

  /** `held.lease` must be from before the lock was taken. */
  constructor(
    address: PostgresAddress,
    held: { readonly id: number; readonly epoch: number; readonly lease: Lease; readonly cipher: RowCipher },
    header: StateHeader,
    view: StateView,
    context: PostgresContext,
  ) {
    super(header, view);
    this.serial = held.epoch - 1;
    this.#address = address;
    this.#id = held.id;
    this.#epoch = held.epoch;
    this.#lease = held.lease;
    this.#cipher = held.cipher;
    this.#context = context;
    this.#link = context.link(address.connectionString, batchTimeoutMs);
    this.#heart = context.link(address.connectionString, batchTimeoutMs);
    this.#commit = new GroupCommit({
      flush: (entries) => this.#write(entries),
      // The statement has the lock as its condition.
      confirm: () => Promise.resolve(),
      committed: (entries) => this.take(entries),
      refusal: (cause) => cannotWrite(address.name, cause, context.patienceMs),
    });
    void this.#lease.keep(() => renewRow(this.#heart.query, held.id, held.epoch, context.terms));
  }

  override leaseLeft(): number {
    return this.#lease.left();
  }

  /** There is nothing to compact: rows are replaced in address, and the database vacuums. */
  override compact(): Promise<void> {
    return this.close();
  }

  protected override append(entry: StateChange): Promise<void> {
    return this.#commit.append(entry);
  }

  protected override async end(instead?: StateContents, sealer = this.#context.sealer): Promise<void> {
    await this.#commit.close();
    try {
      if (instead !== undefined) await this.#putInPlace(instead, sealer);
    } finally {
      await this.#release();
    }
  }

  async #putInPlace(contents: StateContents, sealer: Sealer): Promise<void> {
    try {
      await replaceAll(this.#context.link, this.#address, { id: this.#id, epoch: this.#epoch }, contents, sealer);
    } catch (cause) {
      throw cannotWrite(this.#address.name, cause, 0);
    }
  }

  async #release(): Promise<void> {
    try {
      await releaseRow(this.#heart.query, this.#id, this.#epoch, this.#lease);
    } catch {
      // A lock that cannot be released expires.
    }
    await this.#heart.close();
    await this.#link.close();
  }

  async #write(entries: readonly StateChange[]): Promise<void> {
    const batch = this.#batches + 1;
    const { text, values } = batchStatement([this.#id, this.#epoch, batch], entries, this.view, this.#cipher);
    await this.#patiently(async () => {
      const written = await this.#link.query(text, values);
      if (written.length === 0) await this.#confirm(batch);
    });
    this.#batches = batch;
  }

  /** Finds out why a batch was not written: an earlier attempt wrote it, or the lock is lost. */
  async #confirm(batch: number): Promise<void> {
    const [row] = await this.#link.query('SELECT epoch, batch FROM chatform.states WHERE id = $1', [this.#id]);
    const [epoch, last] = row ?? [];
    if (Number(epoch) === this.#epoch && Number(last) === batch) return;
    this.#lease.end();
    throw Number(epoch) > this.#epoch ? leaseLost(this.#address.name) : rewound(this.#address.name);
  }

  /** Retries transient failures until the patience is over. */
  async #patiently(work: () => Promise<void>): Promise<void> {
    const { clock, patienceMs } = this.#context;
    const deadline = clock.now() + patienceMs;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await work();
      } catch (error) {
        if (!isTransient(error) || clock.now() + pauseMs > deadline) throw error;
      }
      await clock.sleep(pauseMs);
    }
  }
}
