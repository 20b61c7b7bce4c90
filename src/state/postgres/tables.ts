// The tables of state in PostgreSQL, and their migrations.
//
// Everything lies in the schema `chatform`. A state is one row of `states`: its header, its lock, and the number of its
// last batch. Its records and begins are rows that refer to it.
import { newerFormat, wrongEncoding } from '../refusals.ts';
import type { Link, RunQuery } from './link.ts';

/** Migration n brings the tables from version n to n + 1. Never edited once released. */
const migrations: readonly string[] = [
  `CREATE TABLE chatform.states (
     id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     name text,
     application text NOT NULL,
     format text NOT NULL,
     lineage text NOT NULL,
     epoch bigint NOT NULL,
     batch bigint NOT NULL,
     owner text,
     since text,
     heartbeat timestamptz,
     expires timestamptz
   ) WITH (fillfactor = 50);
   CREATE UNIQUE INDEX states_by_name ON chatform.states (name) WHERE name IS NOT NULL;
   CREATE UNIQUE INDEX states_by_application ON chatform.states (application) WHERE name IS NULL;
   CREATE TABLE chatform.records (
     state integer NOT NULL,
     address bytea NOT NULL,
     record text NOT NULL,
     PRIMARY KEY (state, address)
   );
   CREATE TABLE chatform.begins (
     state integer NOT NULL,
     step bytea NOT NULL,
     place bigint GENERATED ALWAYS AS IDENTITY,
     pending text NOT NULL,
     PRIMARY KEY (state, step)
   );
   COMMENT ON SCHEMA chatform IS 'State of chatform, made and migrated by chatform itself';
   COMMENT ON COLUMN chatform.states.epoch IS 'The fencing token: who holds an older one cannot write any more';
   COMMENT ON COLUMN chatform.records.address IS 'UTF-16, most significant byte first: sorted by code unit'`,
];

/** Other processes that migrate wait for it. It ends with the transaction, so poolers work. */
const migrationLock = 7_463_524_873;

/** The version of the tables; undefined without tables. */
async function versionOf(query: RunQuery): Promise<number | undefined> {
  const [found] = await query(`SELECT to_regclass('chatform.version') IS NOT NULL`);
  if (found?.[0] !== true) return undefined;
  const [row] = await query('SELECT version FROM chatform.version');
  return Number(row?.[0] ?? 0);
}

/** Whether there are tables. Migrates older ones; throws `state.newer-format` for newer ones. */
export async function findTables(link: Link, state: string): Promise<boolean> {
  const version = await versionOf(link.query);
  if (version === undefined) return false;
  if (version < migrations.length) await makeTables(link, state);
  if (version > migrations.length) throw newerFormat(state, `tables ${version}`);
  return true;
}

/** Makes the tables, or brings them up to date. */
export async function makeTables(link: Link, state: string): Promise<void> {
  const version = await versionOf(link.query);
  if (version === migrations.length) return;
  if (version !== undefined && version > migrations.length) throw newerFormat(state, `tables ${version}`);
  await link.transaction('BEGIN', async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
    const [encoding] = await query(`SELECT current_setting('server_encoding')`);
    if (encoding?.[0] !== 'UTF8') throw wrongEncoding(state, String(encoding?.[0]));
    const [schema] = await query(`SELECT to_regnamespace('chatform') IS NOT NULL`);
    // IF NOT EXISTS would need a privilege that the owner of the schema may lack.
    if (schema?.[0] !== true) await query('CREATE SCHEMA chatform');
    const before = await versionOf(query);
    if (before !== undefined && before >= migrations.length) return;
    if (before === undefined) await query('CREATE TABLE chatform.version (version integer NOT NULL)');
    for (const migration of migrations.slice(before ?? 0)) await query(migration);
    await query('DELETE FROM chatform.version');
    await query('INSERT INTO chatform.version VALUES ($1)', [migrations.length]);
  });
}
