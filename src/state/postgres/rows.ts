// The rows of records and begins: how all of them are read or replaced.
//
// A key column holds the UTF-16 of a text, most significant byte first. Its bytes sort like code units under any collation
// of the database, and it keeps any text, even one that the encoding of the server cannot hold.
import type { PendingBegin } from '../../model/ports.ts';
import type { StateRecord } from '../../model/record.ts';
import { type StateFormats, upgradeFrom } from '../format.ts';
import { parseBegin, parseLine } from '../lines.ts';
import { RecordLinesBuilder } from '../records/record-lines.ts';
import { parseRecord, recordText, startsWithAddress } from '../records/record-text.ts';
import { corrupt, leaseLost } from '../refusals.ts';
import type { StateContents } from '../upkeep.ts';
import { StateView } from '../view.ts';
import type { PostgresAddress } from './address.ts';
import type { Link, MakeLink, RunQuery } from './link.ts';
import { findState } from './lock.ts';

const pageRows = 5_000;
/** A statement that removes a whole state may take long. */
const bulkTimeoutMs = 600_000;

export function sortKey(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** A whole state at one moment, without a lock. */
export function readAll(
  link: Link,
  address: PostgresAddress,
  application: string,
  formats: StateFormats,
): Promise<StateView> {
  return link.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (query) => {
    const row = await findState(query, address, application, formats);
    if (row === undefined) return new StateView(undefined);
    const upgrade = upgradeFrom(row.header.format, formats);
    const records = new RecordLinesBuilder();
    let previous = '';
    await eachRecord(query, row.id, (text) => {
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
    });
    // What a holder may still write belongs to the next serial.
    const serial = row.lock === undefined ? row.epoch : row.epoch - 1;
    const view = new StateView(row.header, records.end(), serial);
    for (const begin of await readBegins(query, row.id, address.name)) view.apply({ type: 'begin', ...begin });
    return view;
  });
}

/** Replaces a whole state in one transaction, which also ends the holder's epoch. */
export async function replaceAll(
  makeLink: MakeLink,
  { name, connectionString }: PostgresAddress,
  { id, epoch }: { readonly id: number; readonly epoch: number },
  { header, records, pending, serial }: StateContents,
): Promise<void> {
  const link = makeLink(connectionString, bulkTimeoutMs);
  const work = link.transaction('BEGIN', async (query) => {
    const held = await query(
      `UPDATE chatform.states
          SET application = $3, format = $4, lineage = $5, epoch = greatest(epoch, $6) + 1, batch = 0,
              owner = NULL, since = NULL, heartbeat = NULL, expires = NULL
        WHERE id = $1 AND epoch = $2
        RETURNING id`,
      [id, epoch, header.application, header.format, header.lineage, serial],
    );
    if (held.length === 0) throw leaseLost(name);
    await query('DELETE FROM chatform.records WHERE state = $1', [id]);
    await query('DELETE FROM chatform.begins WHERE state = $1', [id]);
    await insertAll(query, id, records());
    await insertBegins(query, id, pending);
  });
  await work.finally(() => link.close());
}

async function insertAll(query: RunQuery, id: number, records: Iterable<StateRecord>): Promise<void> {
  let keys: Buffer[] = [];
  let texts: string[] = [];
  const flush = async () => {
    if (keys.length === 0) return;
    await query('INSERT INTO chatform.records SELECT $1, * FROM unnest($2::bytea[], $3::text[])', [id, keys, texts]);
    keys = [];
    texts = [];
  };
  for (const record of records) {
    keys.push(sortKey(record.address));
    texts.push(recordText(record));
    if (keys.length === pageRows) await flush();
  }
  await flush();
}

async function insertBegins(query: RunQuery, id: number, pending: readonly PendingBegin[]): Promise<void> {
  await query('INSERT INTO chatform.begins (state, step, pending) SELECT $1, * FROM unnest($2::bytea[], $3::text[])', [
    id,
    pending.map(({ step }) => sortKey(step)),
    pending.map((begin) => JSON.stringify(begin)),
  ]);
}

/** Reads records by address, a page at a time; the next page is requested while one is parsed. */
async function eachRecord(query: RunQuery, id: number, onRecord: (text: string) => void): Promise<void> {
  // A cursor takes no parameters. The id is a number from our own row.
  await query(
    `DECLARE records NO SCROLL CURSOR FOR SELECT record FROM chatform.records WHERE state = ${id} ORDER BY address`,
  );
  const fetch = () => query(`FETCH ${pageRows} FROM records`);
  for (let next = fetch(); ; ) {
    const page = await next;
    if (page.length < pageRows) {
      for (const [text] of page) onRecord(String(text));
      return;
    }
    next = fetch();
    try {
      for (const [text] of page) onRecord(String(text));
    } catch (error) {
      await next.catch(() => undefined);
      throw error;
    }
  }
}

async function readBegins(query: RunQuery, id: number, state: string): Promise<PendingBegin[]> {
  const rows = await query('SELECT pending FROM chatform.begins WHERE state = $1 ORDER BY place', [id]);
  return rows.map(([text]) => {
    const begin = parseBegin(parseLine(String(text)));
    if (begin === undefined)
      throw corrupt(state, `a row of chatform.begins, state ${id},`, 'is not the begin of a step');
    return begin;
  });
}
