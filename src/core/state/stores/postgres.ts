// Stores objects as rows of one table in PostgreSQL, for any number of applications.
//
// A row belongs to an application, or to the name that the address gives. Each call is one statement, so poolers work.
import { randomUUID } from 'node:crypto';
import { demandTlsFiles } from '../../../lib/postgres/tls-files.ts';
import { PostgresUrlError, readPostgresUrl } from '../../../lib/postgres/url.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { wrongEncoding } from '../engine/refusals.ts';
import type { ObjectStore, StoreAddress } from '../engine/store.ts';
import type { VariableReader } from './address.ts';
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
  if (key !== undefined) return { name, connect: async () => new PostgresStore(name, links(), `?state=${key}`) };
  return {
    name,
    connect: async (application) => {
      const store = new PostgresStore(name, links(), application);
      return Object.assign(store, { movedTo: (other: string) => store.moved(other) });
    },
    applications: () =>
      connected(async (query) => {
        const rows = await unlessNoTable(
          query(`SELECT DISTINCT application COLLATE "C" FROM chatform.objects
                  WHERE application NOT LIKE '?state=%' ORDER BY 1`),
        );
        return rows.map(([application]) => String(application));
      }),
  };
}

async function unlessNoTable<T>(work: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await work;
  } catch (error) {
    if (isTableMissing(error)) return [];
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
  readonly #name: string;
  readonly #links: Links;
  /** The application that the rows belong to. */
  readonly #owner: string;

  /** `name` is for messages. */
  constructor(name: string, links: Links, owner: string) {
    this.#name = name;
    this.#links = links;
    this.#owner = owner;
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
    return this.#insert(this.#owner, [key, bytes, after ?? null], condition, '');
  }

  /** Returns a store over the same rows, which the next creation moves to another application. */
  moved(application: string): ObjectStore {
    const there = new PostgresStore(this.#name, this.#links, application);
    const moved = `, moved AS (UPDATE chatform.objects SET application = $1
                                WHERE application = $5 AND EXISTS (SELECT FROM made))`;
    there.create = async (key, bytes) => this.#insert(application, [key, bytes, this.#owner], '', moved);
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
    return this.#tried(() => unlessNoTable(this.#links.others.query(text, [this.#owner, ...values])));
  }

  async #tried<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw failureOf(error);
    }
  }
}

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

export interface PostgresAddress {
  /** For messages. Contains no password, and of the query only `state`. */
  readonly name: string;
  /** From `?state=NAME`. Without it the database has one state for each application. */
  readonly key: string | undefined;
  /** For the driver. Contains the password. */
  readonly connectionString: string;
}

/**
 * Uses CHATFORM_STATE_PASSWORD, PGPASSWORD and PGSSLMODE for parts that the address lacks. Throws `state.usage` (64) for an
 * invalid address, without repeating any part of a password.
 */
export function parsePostgresAddress(spec: string, variable: VariableReader): PostgresAddress {
  const { url, connectionString } = read(spec, variable);
  const key = url.searchParams.get('state') ?? undefined;
  if (key !== undefined && !/^[\w.-]{1,100}$/u.test(key)) {
    throw usage(
      'names a state with an invalid name',
      'Write ?state=NAME with letters, digits, dots, dashes and underscores.',
    );
  }
  const name = `postgres://${url.username === '' ? '' : `${url.username}@`}${url.host}${url.pathname}${key === undefined ? '' : `?state=${key}`}`;
  return { name, key, connectionString };
}

function read(spec: string, variable: VariableReader) {
  try {
    return demandTlsFiles(
      readPostgresUrl(spec, {
        own: ['state'],
        password: passwordFrom(variable),
        sslmode: variable('PGSSLMODE'),
      }),
    );
  } catch (error) {
    throw error instanceof PostgresUrlError ? usage(error.what, error.advice) : error;
  }
}

/** There is no flag for the password, because other users of the machine can see flags. */
function passwordFrom(variable: VariableReader): string | undefined {
  return variable('CHATFORM_STATE_PASSWORD') ?? variable('PGPASSWORD');
}

function usage(what: string, advice: string): Refusal {
  return new Refusal(
    'state.usage',
    exitCode.usage,
    `The address of the state, postgres:…, ${what}.`,
    `${advice} It looks like postgres://USER@HOST:5432/DATABASE?sslmode=verify-full, with the password in CHATFORM_STATE_PASSWORD.`,
  );
}
