// The lock of a state in PostgreSQL: an epoch and a lease in the row of the state.
//
// The lease ends at `expires`, by the clock of the database, so no two machines have to agree on the time. A process takes
// the lock by moving `epoch` on by one, on the condition that it is still the epoch that it has read: of many, one
// succeeds. The statement that writes a batch has the holder's epoch as its condition.
import type { StateHeader } from '../../model/ports.ts';
import type { LockRequest } from '../break-lock.ts';
import { type StateFormats, stateFormatName } from '../format.ts';
import { checkApplication, identityWithoutPort, readHeader } from '../header.ts';
import { isDead, isOwner, Lease, type LeaseTerms, type Lock } from '../lease.ts';
import { parseLine } from '../lines.ts';
import { type LockContext, LockWait } from '../lock-wait.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { PostgresAddress } from './address.ts';
import type { Link, RunQuery } from './link.ts';
import { newStoredFormat, readStoredFormat, type StoredFormat } from './row-cipher.ts';

export interface PostgresLockContext extends LockContext {
  readonly terms: LeaseTerms;
  readonly formats: StateFormats;
  readonly sealer: Sealer;
}

/** One row of `states`. */
export interface StateRow extends StoredFormat {
  readonly id: number;
  readonly header: StateHeader;
  readonly epoch: number;
  /** Undefined when it was released. */
  readonly lock: Lock | undefined;
  /** Milliseconds until the lock expires, by the clock of the database. */
  readonly endsInMs: number;
}

/** The row with the name in the address, else the row of the application. Throws when it belongs to another application. */
export async function findState(
  query: RunQuery,
  { key, name }: PostgresAddress,
  application: string,
  formats: StateFormats,
): Promise<StateRow | undefined> {
  const [row] = await query(
    `SELECT id, application, format, lineage, epoch, owner, since, heartbeat, expires,
            coalesce(extract(epoch FROM expires - clock_timestamp()) * 1000, 0)
       FROM chatform.states
      WHERE ${key === undefined ? 'name IS NULL AND application = ANY($1)' : 'name = ANY($1)'}
      ORDER BY application = $2 DESC LIMIT 1`,
    [key === undefined ? [application, identityWithoutPort(application) ?? application] : [key], application],
  );
  if (row === undefined) return undefined;
  const [id, found, format, lineage, epoch, owner, since, heartbeat, expires, endsInMs] = row;
  const stored = readStoredFormat(String(format), name);
  const header = readHeader(
    { format: stored.format, lineage, application: found },
    name,
    `chatform.states, row ${id},`,
    formats,
  );
  checkApplication(header, application, name);
  const holder = typeof owner === 'string' ? parseLine(owner) : undefined;
  return {
    ...stored,
    id: Number(id),
    header,
    epoch: Number(epoch),
    lock:
      isOwner(holder) && heartbeat instanceof Date && expires instanceof Date
        ? { owner: holder, since: String(since), heartbeat: heartbeat.toISOString(), expires: expires.toISOString() }
        : undefined,
    endsInMs: Number(endsInMs),
  };
}

/** Takes the lock and makes the state when there is none. Returns the row as it was before, and the epoch that is now ours. */
export async function acquireRow(
  link: Link,
  address: PostgresAddress,
  context: PostgresLockContext,
  { application, lockTimeoutMs, breaks }: LockRequest,
): Promise<{ readonly row: StateRow; readonly epoch: number; readonly lease: Lease }> {
  const { clock, owner, isAlive, formats, terms } = context;
  const wait = new LockWait(address.name, lockTimeoutMs, context);
  try {
    for (;;) {
      const row = await findState(link.query, address, application, formats);
      if (row === undefined) {
        await make(link.query, address, application, context);
        continue;
      }
      const { lock } = row;
      const isTaken = lock !== undefined && (row.epoch === breaks || isDead(lock.owner, owner, isAlive));
      if (lock === undefined || row.endsInMs <= 0 || isTaken) {
        const lease = new Lease(clock, terms);
        if (await claim(link.query, row, context, isTaken)) return { row, epoch: row.epoch + 1, lease };
        continue;
      }
      await wait.forLock(lock);
    }
  } finally {
    wait.end();
  }
}

/** Renews the lock; false when another process holds it. */
export async function renewRow(query: RunQuery, id: number, epoch: number, { leaseMs }: LeaseTerms): Promise<boolean> {
  const rows = await query(
    `UPDATE chatform.states
        SET heartbeat = clock_timestamp(), expires = clock_timestamp() + $3 * interval '1 millisecond'
      WHERE id = $1 AND epoch = $2 AND owner IS NOT NULL
      RETURNING id`,
    [id, epoch, leaseMs],
  );
  return rows.length > 0;
}

export async function releaseRow(query: RunQuery, id: number, epoch: number, lease: Lease): Promise<void> {
  await lease.release();
  await query(
    `UPDATE chatform.states SET owner = NULL, since = NULL, heartbeat = NULL, expires = NULL
      WHERE id = $1 AND epoch = $2`,
    [id, epoch],
  );
}

async function make(
  query: RunQuery,
  { key }: PostgresAddress,
  application: string,
  { newId, formats, sealer }: PostgresLockContext,
): Promise<void> {
  const { column } = newStoredFormat(stateFormatName(formats.current), sealer);
  await query(
    `INSERT INTO chatform.states (name, application, format, lineage, epoch, batch)
     VALUES ($1, $2, $3, $4, 0, 0) ON CONFLICT DO NOTHING`,
    [key ?? null, application, column, newId()],
  );
}

/** `isTaken`: from a holder, whose lease may last. */
async function claim(
  query: RunQuery,
  { id, epoch }: StateRow,
  { owner, clock, terms }: PostgresLockContext,
  isTaken: boolean,
): Promise<boolean> {
  const rows = await query(
    `UPDATE chatform.states
        SET epoch = epoch + 1, batch = 0, owner = $3, since = $4, heartbeat = clock_timestamp(),
            expires = clock_timestamp() + $5 * interval '1 millisecond'
      WHERE id = $1 AND epoch = $2 AND ($6 OR owner IS NULL OR expires <= clock_timestamp())
      RETURNING id`,
    [id, epoch, JSON.stringify(owner), clock.date().toISOString(), terms.leaseMs, isTaken],
  );
  return rows.length > 0;
}
