// The rows of records and begins: how all of them are read or replaced.
//
// A key column holds the UTF-16 of a text, most significant byte first. Its bytes sort like code units under any collation
// of the database, and it keeps any text, even one that the encoding of the server cannot hold. In an encrypted state it
// holds a keyed digest, and records are sorted here.
import { compareText } from '../../lib/json.ts';
import type { PendingBegin } from '../../model/ports.ts';
import type { StateRecord } from '../../model/record.ts';
import { upgradeFrom } from '../format.ts';
import { parseBegin, parseLine } from '../lines.ts';
import { RecordLinesBuilder } from '../records/record-lines.ts';
import { parseRecord, recordText, startsWithAddress } from '../records/record-text.ts';
import { corrupt, leaseLost } from '../refusals.ts';
import type { Sealer } from '../seal/sealer.ts';
import type { StateContents } from '../upkeep.ts';
import { StateView } from '../view.ts';
import type { PostgresAddress } from './address.ts';
import type { Link, MakeLink, RunQuery } from './link.ts';
import { findState, type PostgresLockContext } from './lock.ts';
import { cipherOf, newStoredFormat, type RowCipher } from './row-cipher.ts';

const pageRows = 5_000;
/** A statement that removes a whole state may take long. */
const bulkTimeoutMs = 600_000;

/** A whole state at one moment, without a lock. */
export function readAll(
  link: Link,
  address: PostgresAddress,
  application: string,
  { formats, sealer }: Pick<PostgresLockContext, 'formats' | 'sealer'>,
): Promise<StateView> {
  return link.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (query) => {
    const row = await findState(query, address, application, formats);
    if (row === undefined) return new StateView(undefined);
    const upgrade = upgradeFrom(row.header.format, formats);
    const cipher = cipherOf(row, sealer, address.name);
    const records = new RecordLinesBuilder();
    let previous = '';
    const add = (text: string): void => {
      const record = parseRecord(text);
      if (record === undefined || record.address <= previous)
        throw corrupt(
          address.name,
          `a row of chatform.records, state ${row.id},`,
          'is not a record, or not under its key',
        );
      previous = record.address;
      const current = upgrade.record(record);
      records.add(current === record && startsWithAddress(text, record.address) ? text : recordText(current));
    };
    const unsorted: string[] = [];
    await eachRecord(query, row.id, (stored, key) => {
      const text = cipher.open(stored, key, address.name);
      if (cipher.isSorted) add(text);
      else unsorted.push(text);
    });
    for (const text of unsorted.sort(byAddress)) add(text);
    // What a holder may still write belongs to the next serial.
    const serial = row.lock === undefined ? row.epoch : row.epoch - 1;
    const view = new StateView(row.header, records.end(), serial);
    for (const begin of await readBegins(query, row.id, cipher, address.name)) view.apply({ type: 'begin', ...begin });
    return view;
  });
}

/** Replaces a whole state in one transaction, which also ends the holder's epoch. */
export async function replaceAll(
  makeLink: MakeLink,
  { name, connectionString }: PostgresAddress,
  { id, epoch }: { readonly id: number; readonly epoch: number },
  { header, records, pending, serial }: StateContents,
  sealer: Sealer,
): Promise<void> {
  const { column, cipher } = newStoredFormat(header.format, sealer);
  const link = makeLink(connectionString, bulkTimeoutMs);
  const work = link.transaction('BEGIN', async (query) => {
    const held = await query(
      `UPDATE chatform.states
          SET application = $3, format = $4, lineage = $5, epoch = greatest(epoch, $6) + 1, batch = 0,
              owner = NULL, since = NULL, heartbeat = NULL, expires = NULL
        WHERE id = $1 AND epoch = $2
        RETURNING id`,
      [id, epoch, header.application, column, header.lineage, serial],
    );
    if (held.length === 0) throw leaseLost(name);
    await query('DELETE FROM chatform.records WHERE state = $1', [id]);
    await query('DELETE FROM chatform.begins WHERE state = $1', [id]);
    await insertAll(query, id, records(), cipher);
    await insertBegins(query, id, pending, cipher);
  });
  await work.finally(() => link.close());
}

async function insertAll(
  query: RunQuery,
  id: number,
  records: Iterable<StateRecord>,
  cipher: RowCipher,
): Promise<void> {
  let keys: Buffer[] = [];
  let texts: string[] = [];
  const flush = async () => {
    if (keys.length === 0) return;
    await query('INSERT INTO chatform.records SELECT $1, * FROM unnest($2::bytea[], $3::text[])', [id, keys, texts]);
    keys = [];
    texts = [];
  };
  for (const record of records) {
    const key = cipher.key(record.address);
    keys.push(key);
    texts.push(cipher.seal(recordText(record), key));
    if (keys.length === pageRows) await flush();
  }
  await flush();
}

async function insertBegins(
  query: RunQuery,
  id: number,
  pending: readonly PendingBegin[],
  cipher: RowCipher,
): Promise<void> {
  const keys = pending.map(({ step }) => cipher.key(step));
  await query('INSERT INTO chatform.begins (state, step, pending) SELECT $1, * FROM unnest($2::bytea[], $3::text[])', [
    id,
    keys,
    pending.map((begin, index) => cipher.seal(JSON.stringify(begin), keys[index] ?? Buffer.alloc(0))),
  ]);
}

/** Reads records by address, a page at a time; the next page is requested while one is parsed. */
async function eachRecord(query: RunQuery, id: number, onRecord: (text: string, key: Buffer) => void): Promise<void> {
  // A cursor takes no parameters. The id is a number from our own row.
  await query(
    `DECLARE records NO SCROLL CURSOR FOR SELECT record, address FROM chatform.records WHERE state = ${id} ORDER BY address`,
  );
  const fetch = () => query(`FETCH ${pageRows} FROM records`);
  for (let next = fetch(); ; ) {
    const page = await next;
    if (page.length < pageRows) {
      for (const [text, key] of page) onRecord(String(text), asKey(key));
      return;
    }
    next = fetch();
    try {
      for (const [text, key] of page) onRecord(String(text), asKey(key));
    } catch (error) {
      await next.catch(() => undefined);
      throw error;
    }
  }
}

async function readBegins(query: RunQuery, id: number, cipher: RowCipher, state: string): Promise<PendingBegin[]> {
  const rows = await query('SELECT pending, step FROM chatform.begins WHERE state = $1 ORDER BY place', [id]);
  return rows.map(([text, key]) => {
    const begin = parseBegin(parseLine(cipher.open(String(text), asKey(key), state)));
    if (begin === undefined)
      throw corrupt(state, `a row of chatform.begins, state ${id},`, 'is not the begin of a step');
    return begin;
  });
}

function asKey(value: unknown): Buffer {
  return value instanceof Buffer ? value : Buffer.alloc(0);
}

function byAddress(left: string, right: string): number {
  return compareText(parseRecord(left)?.address ?? '', parseRecord(right)?.address ?? '');
}
