// The PostgreSQL backend: state for teams, and for CI runners that come and go.
//
// Records and begins are rows. A reader takes a snapshot of them in one transaction, without a lock. The holder of the lock
// writes batches, each of which is one statement with the fencing token as its condition (lock.ts, writer.ts).
import { breakHeld, type LockRequest, type WorkUnderLock } from '../break-lock.ts';
import { type StateFormats, stateFormatName, stateFormats } from '../format.ts';
import { isDead, type LeaseTerms, processIsAlive } from '../lease.ts';
import { Sealer } from '../seal/sealer.ts';
import type { LockHolder, NumberedSnapshot, UpkeepBackend, UpkeepWriter } from '../upkeep.ts';
import { StateView } from '../view.ts';
import { type PostgresAddress, parsePostgresAddress, type Variable } from './address.ts';
import { cannotOpen } from './failures.ts';
import { type Link, linkTo, type MakeLink } from './link.ts';
import { acquireRow, findState, type PostgresLockContext, releaseRow } from './lock.ts';
import { cipherOf } from './row-cipher.ts';
import { readAll, replaceAll } from './rows.ts';
import { findTables, makeTables } from './tables.ts';
import { type PostgresContext, PostgresWriter } from './writer.ts';

export interface PostgresOptions extends Omit<PostgresLockContext, 'isAlive' | 'terms' | 'formats' | 'sealer'> {
  /** Encrypts the rows. Default: nothing is encrypted, and what is encrypted cannot be read. */
  readonly sealer?: Sealer | undefined;
  readonly isAlive?: (pid: number) => boolean;
  /** A variable of the environment. Default: none is set. */
  readonly variable?: Variable | undefined;
  /** How long a write waits for a database that is away. Default: 60,000 ms. */
  readonly patienceMs?: number | undefined;
  readonly terms?: LeaseTerms;
  readonly formats?: StateFormats;
  readonly link?: MakeLink;
}

const defaultPatienceMs = 60_000;
/** For a statement while a state is opened. None takes long, even for a large state. */
const statementTimeoutMs = 60_000;
/** How much longer than the patience a lease is: a heartbeat that was due, and the time-out of a request with its margin. */
const leaseBeyondMs = 60_000;

/** `spec` is the whole address, as given. */
export function postgresBackend(spec: string, options: PostgresOptions): UpkeepBackend {
  const address = parsePostgresAddress(spec, options.variable ?? (() => undefined));
  const patienceMs = options.patienceMs ?? defaultPatienceMs;
  const context: PostgresContext = {
    isAlive: processIsAlive,
    formats: stateFormats,
    link: linkTo,
    // A run that waits for its database must not lose its lock.
    terms: { leaseMs: patienceMs + leaseBeyondMs, heartbeatMs: 15_000, retryMs: 2_000 },
    ...options,
    sealer: options.sealer ?? new Sealer(),
    patienceMs,
  };
  return new PostgresBackend(address, context);
}

class PostgresBackend implements UpkeepBackend {
  readonly name: string;
  readonly holdsMany: boolean;
  readonly #address: PostgresAddress;
  readonly #context: PostgresContext;

  constructor(address: PostgresAddress, context: PostgresContext) {
    this.name = address.name;
    this.holdsMany = address.key === undefined;
    this.#address = address;
    this.#context = context;
  }

  read(application: string): Promise<NumberedSnapshot> {
    return this.#use(async (link) => {
      if (!(await findTables(link, this.name))) return new StateView(undefined);
      return readAll(link, this.#address, application, this.#context);
    });
  }

  open(options: LockRequest): Promise<UpkeepWriter> {
    return this.#use(async (link) => {
      await makeTables(link, this.name);
      for (;;) {
        const writer = await this.#hold(link, options);
        if (writer !== undefined) return writer;
      }
    });
  }

  applications(): Promise<readonly string[]> {
    return this.#use(async (link) => {
      if (!(await findTables(link, this.name))) return [];
      const { key } = this.#address;
      const rows = await link.query(
        `SELECT application FROM chatform.states
          WHERE ($1::text IS NULL AND name IS NULL) OR name = $1 ORDER BY application COLLATE "C"`,
        [key ?? null],
      );
      return rows.map(([application]) => String(application));
    });
  }

  holder(application: string): Promise<LockHolder | undefined> {
    return this.#use(async (link) => {
      const { owner, isAlive, formats } = this.#context;
      const row = (await findTables(link, this.name))
        ? await findState(link.query, this.#address, application, formats)
        : undefined;
      if (row?.lock === undefined) return undefined;
      const { epoch, lock, endsInMs } = row;
      return { epoch, lock, endsInMs, isDead: isDead(lock.owner, owner, isAlive) };
    });
  }

  async breakLock(application: string, epoch: number, work?: WorkUnderLock): Promise<boolean> {
    const held = await this.holder(application);
    return breakHeld(held?.epoch, { application, epoch }, (request) => this.open(request), work);
  }

  /** Undefined when the state was of an older format: it was upgraded, and the lock has to be taken again. */
  async #hold(link: Link, options: LockRequest): Promise<PostgresWriter | undefined> {
    const { formats, sealer } = this.#context;
    const { row, epoch, lease } = await acquireRow(link, this.#address, this.#context, options);
    const held = { id: row.id, epoch, lease };
    try {
      const view = await readAll(link, this.#address, options.application, this.#context);
      const header = { ...row.header, format: stateFormatName(formats.current) };
      if (row.header.format === header.format)
        return new PostgresWriter(
          this.#address,
          { ...held, cipher: cipherOf(row, sealer, this.name) },
          header,
          view,
          this.#context,
        );
      const { pending, serial } = view;
      const contents = { header, serial, records: () => view.records(), pending };
      await replaceAll(this.#context.link, this.#address, held, contents, sealer);
      return undefined;
    } catch (error) {
      await releaseRow(link.query, row.id, epoch, lease).catch(() => undefined);
      throw error;
    }
  }

  async #use<T>(work: (link: Link) => Promise<T>): Promise<T> {
    const link = this.#context.link(this.#address.connectionString, statementTimeoutMs);
    try {
      return await work(link);
    } catch (cause) {
      throw cannotOpen(this.name, cause);
    } finally {
      await link.close();
    }
  }
}
