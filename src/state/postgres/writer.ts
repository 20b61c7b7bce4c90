// How do entries get into the database: many in one statement, once each, although connections break and servers restart?
//
// A batch has a number, and the one statement that writes it has two conditions: that the lock is still ours, and that
// the batch before it was the last one. A batch whose answer was lost is sent again; if it was written after all, the
// second condition fails, and the row says why. That also stops an earlier attempt that the server carries out late.
import type { StateHeader } from '../../model/ports.ts';
import { GroupCommit } from '../commit.ts';
import { JournalingWriter } from '../journaling-writer.ts';
import type { Lease } from '../lease.ts';
import { leaseLost, rewound } from '../refusals.ts';
import type { StateContents, UpkeepWriter } from '../upkeep.ts';
import type { StateChange, StateView } from '../view.ts';
import { batchStatement } from './batch.ts';
import { cannotWrite, isTransient } from './failures.ts';
import type { Link, MakeLink } from './link.ts';
import { type PostgresLockContext, releaseRow, renewRow } from './lock.ts';
import type { PostgresAddress } from './place.ts';
import { replaceAll } from './rows.ts';

export interface PostgresContext extends PostgresLockContext {
  /** For how long a write is tried again while the database is away, in milliseconds. */
  readonly patienceMs: number;
  readonly link: MakeLink;
}

/** A statement of a batch. */
const batchTimeoutMs = 15_000;
const firstPauseMs = 100;
const longestPauseMs = 2_000;

export class PostgresWriter extends JournalingWriter implements UpkeepWriter {
  readonly serial: number;
  readonly #place: PostgresAddress;
  readonly #id: number;
  readonly #epoch: number;
  readonly #context: PostgresContext;
  readonly #lease: Lease;
  readonly #link: Link;
  /** Of its own, so that a heartbeat does not wait behind a batch. */
  readonly #heart: Link;
  readonly #commit: GroupCommit<StateChange>;
  #batches = 0;
  #closing: Promise<void> | undefined;

  /** `lease` counts from before the lock was taken. */
  constructor(
    place: PostgresAddress,
    held: { readonly id: number; readonly epoch: number; readonly lease: Lease },
    header: StateHeader,
    picture: StateView,
    context: PostgresContext,
  ) {
    super(header, picture);
    this.serial = held.epoch - 1;
    this.#place = place;
    this.#id = held.id;
    this.#epoch = held.epoch;
    this.#lease = held.lease;
    this.#context = context;
    this.#link = context.link(place.connectionString, batchTimeoutMs);
    this.#heart = context.link(place.connectionString, batchTimeoutMs);
    this.#commit = new GroupCommit({
      flush: (entries) => this.#write(entries),
      // The statement itself has said that the lock is ours.
      confirm: () => Promise.resolve(),
      committed: (entries) => this.take(entries),
      refusal: (cause) => cannotWrite(place.name, cause, context.patienceMs),
    });
    void this.#lease.keep(() => renewRow(this.#heart.query, held.id, held.epoch, context.terms));
  }

  override leaseLeft(): number {
    return this.#lease.left();
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async replace(contents: StateContents): Promise<void> {
    await this.#commit.close();
    try {
      await replaceAll(this.#context.link, this.#place, { id: this.#id, epoch: this.#epoch }, contents);
    } catch (cause) {
      throw cannotWrite(this.#place.name, cause, 0);
    } finally {
      await this.close();
    }
  }

  async rebind(application: string): Promise<void> {
    await this.#commit.close();
    try {
      const rows = await this.#link.query(
        'UPDATE chatform.states SET application = $3 WHERE id = $1 AND epoch = $2 RETURNING id',
        [this.#id, this.#epoch, application],
      );
      if (rows.length === 0) throw leaseLost(this.#place.name);
    } catch (cause) {
      throw cannotWrite(this.#place.name, cause, 0);
    } finally {
      await this.close();
    }
  }

  /** Rows are replaced in place, and the database tidies up behind them by itself. */
  compact(): Promise<void> {
    return this.close();
  }

  protected override append(entry: StateChange): Promise<void> {
    return this.#commit.append(entry);
  }

  async #close(): Promise<void> {
    await this.#commit.close();
    try {
      await releaseRow(this.#heart.query, this.#id, this.#epoch, this.#lease);
    } catch {
      // A lock that cannot be given back ends by itself; the process that held it is gone.
    }
    await this.#heart.close();
    await this.#link.close();
  }

  async #write(entries: readonly StateChange[]): Promise<void> {
    const batch = this.#batches + 1;
    const { text, values } = batchStatement([this.#id, this.#epoch, batch], entries, this.view);
    await this.#patiently(async () => {
      const written = await this.#link.query(text, values);
      if (written.length === 0) await this.#confirm(batch);
    });
    this.#batches = batch;
  }

  /** A batch was not written: because it was before, or because the lock is lost? */
  async #confirm(batch: number): Promise<void> {
    const [row] = await this.#link.query('SELECT epoch, batch FROM chatform.states WHERE id = $1', [this.#id]);
    const [epoch, last] = row ?? [];
    if (Number(epoch) === this.#epoch && Number(last) === batch) return;
    this.#lease.end();
    throw Number(epoch) > this.#epoch ? leaseLost(this.#place.name) : rewound(this.#place.name);
  }

  /** Tries again while the failure is one that passes, and the patience lasts. */
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
