// Stores objects as rows of one table in PostgreSQL, for any number of applications.
//
// A row belongs to an application, or to the name that the address gives. Each call is one statement, so poolers work.
import { randomUUID } from 'node:crypto';
import { wrongEncoding } from '../engine/refusals.ts';
import type { ObjectStore, OlderState, StoreAddress } from '../engine/store.ts';
import { identityWithoutPort } from '../records/header.ts';
import type { VariableReader } from './address.ts';
import { parsePostgresAddress } from './postgres-address.ts';
import { failureOf, isTableMissing } from './postgres-failures.ts';
import { type DatabaseLink, linkTo, type MakeLink, type RunQuery } from './postgres-link.ts';

/** The longest duration of a statement. After that its connection is dropped. */
const statementTimeoutMs = 15_000;

/** `spec` is the whole address, as given. */
export function postgresAddress(spec: string, variable: VariableReader, makeLink: MakeLink = linkTo): StoreAddress {
  const { name, key, connectionString } = parsePostgresAddress(spec, variable);
  const connected = async <T>(work: (query: RunQuery) => Promise<T>): Promise<T> => {
    const link = makeLink(connectionString, statementTimeoutMs);
    try {
      return await work(link.query);
    } catch (error) {
      throw failureOf(error);
    } finally {
      await link.close();
    }
  };
  const links = () => ({
    journal: makeLink(connectionString, statementTimeoutMs),
    others: makeLink(connectionString, statementTimeoutMs),
  });
  if (key !== undefined)
    return { name, connect: async () => new PostgresStore(name, links(), async () => `?state=${key}`) };
  return {
    name,
    connect: async (application) => {
      const store = new PostgresStore(name, links(), (query) => ownerOf(query, application));
      return Object.assign(store, { movedTo: (other: string) => store.moved(other) });
    },
    applications: () =>
      connected(async (query) => {
        const rows = await unlessNoTable(
          [],
          query(`SELECT DISTINCT application COLLATE "C" FROM chatform.objects
                  WHERE application NOT LIKE '?state=%' ORDER BY 1`),
        );
        return rows.map(([application]) => String(application));
      }),
  };
}

/** Finds the owner of the rows. It may be the identity without a port (up to 0.2.0), so that such a state is refused with advice. */
async function ownerOf(query: RunQuery, application: string): Promise<string> {
  const former = identityWithoutPort(application);
  if (former === undefined) return application;
  const rows = await unlessNoTable(
    [],
    query(
      `SELECT application FROM chatform.objects WHERE application = ANY($1) ORDER BY application = $2 DESC LIMIT 1`,
      [[application, former], application],
    ),
  );
  return String(rows[0]?.[0] ?? application);
}

async function unlessNoTable<T>(otherwise: T, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isTableMissing(error)) return otherwise;
    throw error;
  }
}

/** Two connections, so that a flush of the journal does not wait for parts of a snapshot. */
interface Links {
  readonly journal: DatabaseLink;
  readonly others: DatabaseLink;
}

// Makes an acknowledged write durable even for a role with synchronous_commit off. The setting ends with the statement.
const durably = `CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END`;

class PostgresStore implements ObjectStore {
  readonly older: OlderState = { isThere: () => this.#hasOlder(), retire: () => this.#retireOlder() };
  readonly #name: string;
  readonly #links: Links;
  readonly #findOwner: (query: RunQuery) => Promise<string>;
  /** The application that the rows belong to. */
  #owner: string | undefined;

  /** `name` is for messages. */
  constructor(name: string, links: Links, findOwner: (query: RunQuery) => Promise<string>) {
    this.#name = name;
    this.#links = links;
    this.#findOwner = findOwner;
  }

  async get(key: string) {
    const text = `SELECT bytes, tag, extract(epoch FROM clock_timestamp() - at) * 1000
                    FROM chatform.objects WHERE application = $1 AND key = $2`;
    const [row] = await this.#reading(text, [key]);
    if (row === undefined) return undefined;
    const [bytes, tag, ageMs] = row;
    return { bytes: bytes instanceof Buffer ? bytes : Buffer.alloc(0), tag: String(tag), ageMs: Number(ageMs) };
  }

  async create(key: string, bytes: Uint8Array, after?: string) {
    const condition = `WHERE $5::text IS NULL OR EXISTS
      (SELECT FROM chatform.objects WHERE application = $1 AND key = $5)`;
    return this.#insert(await this.#ownerNow(), [key, bytes, after ?? null], condition, '');
  }

  /** Returns a store over the same rows, which the next creation moves to another application. */
  moved(application: string): ObjectStore {
    const there = new PostgresStore(this.#name, this.#links, async () => application);
    const moved = `, moved AS (UPDATE chatform.objects SET application = $1
                                WHERE application = $5 AND EXISTS (SELECT FROM made))`;
    there.create = async (key, bytes) => this.#insert(application, [key, bytes, await this.#ownerNow()], '', moved);
    return there;
  }

  async replace(key: string, bytes: Uint8Array, tag: string) {
    const text = `UPDATE chatform.objects SET bytes = $3, tag = $5, at = clock_timestamp()
                   WHERE application = $1 AND key = $2 AND tag = $4 RETURNING tag, ${durably}`;
    const [row] = await this.#reading(text, [key, bytes, tag, randomUUID()]);
    return row === undefined ? undefined : String(row[0]);
  }

  async list(prefix: string) {
    const text = `SELECT key FROM chatform.objects WHERE application = $1 AND starts_with(key, $2) ORDER BY key COLLATE "C"`;
    return (await this.#reading(text, [prefix])).map(([key]) => String(key));
  }

  async remove(keys: readonly string[]) {
    await this.#reading('DELETE FROM chatform.objects WHERE application = $1 AND key = ANY($2)', [keys]);
  }

  async close(): Promise<void> {
    await Promise.all([this.#links.journal.close(), this.#links.others.close()]);
  }

  /** Returns the new tag, or undefined if the key is taken. */
  #insert(
    owner: string,
    [key, bytes, last]: readonly [string, Uint8Array, string | null],
    condition: string,
    also: string,
  ) {
    return this.#tried(async () => {
      const { query } = /^(?:journal|head)\//u.test(key) ? this.#links.journal : this.#links.others;
      const text = `WITH made AS (
          INSERT INTO chatform.objects (application, key, bytes, tag, at)
          SELECT $1::text, $2::text, $3::bytea, $4::text, clock_timestamp() ${condition} ON CONFLICT DO NOTHING RETURNING tag)${also}
        SELECT tag, ${durably} FROM made`;
      const values = [owner, key, Buffer.from(bytes), randomUUID(), ...(condition + also === '' ? [] : [last])];
      const insert = () => query(text, values);
      const rows = await insert().catch(async (error: unknown) => {
        if (!isTableMissing(error)) throw error;
        await makeTable(query, this.#name);
        return insert();
      });
      return rows.length === 0 ? undefined : String(rows[0]?.[0]);
    });
  }

  /** Returns no rows if the table does not exist. `$1` is the application. */
  #reading(text: string, values: readonly unknown[]): Promise<readonly (readonly unknown[])[]> {
    return this.#tried(async () =>
      unlessNoTable([], this.#links.others.query(text, [await this.#ownerNow(), ...values])),
    );
  }

  async #ownerNow(): Promise<string> {
    this.#owner ??= await this.#tried(() => this.#findOwner(this.#links.others.query));
    return this.#owner;
  }

  async #tried<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw failureOf(error);
    }
  }

  async #hasOlder(): Promise<boolean> {
    const rows = await this.#reading(`SELECT FROM chatform.states WHERE ${olderRow}`, []);
    return rows.length > 0;
  }

  /** Makes 0.2 refuse the state as one of a newer version. */
  async #retireOlder(): Promise<void> {
    await this.#reading(`UPDATE chatform.states SET format = 'chatform-state/2' WHERE ${olderRow}`, []);
  }
}

const olderRow = `coalesce('?state=' || name, application) = $1 AND format <> 'chatform-state/2'`;

/** The advisory lock of processes that make the table. It ends with the statement, so poolers work. */
const makingLock = 7_463_524_873;

/** Makes the table in one statement, because a pooler may run two statements on two connections. */
async function makeTable(query: RunQuery, state: string): Promise<void> {
  const [encoding] = await query(`SELECT current_setting('server_encoding')`);
  if (encoding?.[0] !== 'UTF8') throw wrongEncoding(state, String(encoding?.[0]));
  await query(`DO $$ BEGIN
    PERFORM pg_advisory_xact_lock(${makingLock});
    -- IF NOT EXISTS would need a privilege that the owner of the schema may lack.
    IF to_regnamespace('chatform') IS NULL THEN
      CREATE SCHEMA chatform;
      COMMENT ON SCHEMA chatform IS 'State of chatform, made by chatform itself';
    END IF;
    IF to_regclass('chatform.objects') IS NULL THEN
      CREATE TABLE chatform.objects (
        application text NOT NULL,
        key text NOT NULL,
        bytes bytea NOT NULL,
        tag text NOT NULL,
        at timestamptz NOT NULL,
        PRIMARY KEY (application, key)
      );
      ALTER TABLE chatform.objects ALTER COLUMN bytes SET STORAGE EXTERNAL;
    END IF;
  END $$`);
}
