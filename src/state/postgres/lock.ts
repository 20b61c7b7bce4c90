// How does one process among many get the lock of a state, when all they share is a row?
//
// The lock is a lease: `expires` stands in the row, and the database's own clock says whether it is over, so that no two
// machines need to agree on the time. Who takes the lock moves `epoch` on by one, with the condition that it is still
// the epoch that was looked at: of many only one succeeds. Every batch of entries has the holder's epoch as its
// condition, in the very statement that writes it.
import type { Clock, OpenState, StateHeader } from '../../model/ports.ts';
import { type StateFormats, stateFormatName } from '../format.ts';
import { checkApplication, readHeader } from '../header.ts';
import { isDead, isOwner, Lease, type LeaseTerms, type Lock, type LockOwner } from '../lease.ts';
import { parseLine } from '../lines.ts';
import { LockWait, type OnLockWait } from '../lock-wait.ts';
import type { Link, RunQuery } from './link.ts';
import type { PostgresAddress } from './place.ts';

export interface PostgresLockContext {
  readonly clock: Clock;
  readonly owner: LockOwner;
  /** Never the same twice. */
  readonly newId: () => string;
  readonly isAlive: (pid: number) => boolean;
  readonly waiting?: OnLockWait | undefined;
  readonly terms: LeaseTerms;
  readonly formats: StateFormats;
}

/** One row of `states`. */
export interface StateRow {
  readonly id: number;
  readonly header: StateHeader;
  readonly epoch: number;
  /** Absent: released. */
  readonly lock: Lock | undefined;
  /** Milliseconds until the lock ends by itself, by the clock of the database. */
  readonly endsInMs: number;
}

/** The row of a state: the one of the place's name, else the one of the application. Refused when it is of another one. */
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
      WHERE ${key === undefined ? 'name IS NULL AND application = $1' : 'name = $1'}`,
    [key ?? application],
  );
  if (row === undefined) return undefined;
  const [id, found, format, lineage, epoch, owner, since, heartbeat, expires, endsInMs] = row;
  const header = readHeader({ format, lineage, application: found }, name, `chatform.states, row ${id},`, formats);
  checkApplication(header, application, name);
  const holder = typeof owner === 'string' ? parseLine(owner) : undefined;
  return {
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

/** Takes the lock, making the state when there is none: its row as it was before, and the epoch that is ours now. */
export async function acquireRow(
  link: Link,
  place: PostgresAddress,
  context: PostgresLockContext,
  { application, lockTimeoutMs }: OpenState,
): Promise<{ readonly row: StateRow; readonly epoch: number; readonly lease: Lease }> {
  const { clock, owner, isAlive, formats, terms } = context;
  const wait = new LockWait(place.name, lockTimeoutMs, context);
  try {
    for (;;) {
      const row = await findState(link.query, place, application, formats);
      if (row === undefined) {
        await make(link.query, place, application, context);
        continue;
      }
      const { lock } = row;
      const isDeadHere = lock !== undefined && isDead(lock.owner, owner, isAlive);
      if (lock === undefined || row.endsInMs <= 0 || isDeadHere) {
        const lease = new Lease(clock, terms);
        if (await claim(link.query, row, context, isDeadHere)) return { row, epoch: row.epoch + 1, lease };
        continue;
      }
      await wait.forLock(lock);
    }
  } finally {
    wait.end();
  }
}

/** Renews the lock: false when it is somebody else's by now. */
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

/** Takes the lock away from whoever holds that epoch, for nobody: false when it has changed hands meanwhile. */
export async function fenceOffRow(query: RunQuery, id: number, epoch: number): Promise<boolean> {
  const rows = await query(
    `UPDATE chatform.states
        SET epoch = epoch + 1, batch = 0, owner = NULL, since = NULL, heartbeat = NULL, expires = NULL
      WHERE id = $1 AND epoch = $2
      RETURNING id`,
    [id, epoch],
  );
  return rows.length > 0;
}

async function make(
  query: RunQuery,
  { key }: PostgresAddress,
  application: string,
  { newId, formats }: PostgresLockContext,
): Promise<void> {
  await query(
    `INSERT INTO chatform.states (name, application, format, lineage, epoch, batch)
     VALUES ($1, $2, $3, $4, 0, 0) ON CONFLICT DO NOTHING`,
    [key ?? null, application, stateFormatName(formats.current), newId()],
  );
}

async function claim(
  query: RunQuery,
  { id, epoch }: StateRow,
  { owner, clock, terms }: PostgresLockContext,
  isDeadHere: boolean,
): Promise<boolean> {
  const rows = await query(
    `UPDATE chatform.states
        SET epoch = epoch + 1, batch = 0, owner = $3, since = $4, heartbeat = clock_timestamp(),
            expires = clock_timestamp() + $5 * interval '1 millisecond'
      WHERE id = $1 AND epoch = $2 AND ($6 OR owner IS NULL OR expires <= clock_timestamp())
      RETURNING id`,
    [id, epoch, JSON.stringify(owner), clock.date().toISOString(), terms.leaseMs, isDeadHere],
  );
  return rows.length > 0;
}
