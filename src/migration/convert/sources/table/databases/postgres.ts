// Reads the tables of a PostgreSQL database in one snapshot, with the values that pg_dump would write.
import type { Client } from 'pg';
import { Refusal } from '../../../../../core/model/errors.ts';
import { stores } from '../../../../../core/model/stores/places.ts';
import { type PostgresFault, postgresFault, reachAdvice, tlsAdvice } from '../../../../../lib/postgres/faults.ts';
import { demandTlsFiles } from '../../../../../lib/postgres/tls-files.ts';
import { PostgresUrlError, readPostgresUrl } from '../../../../../lib/postgres/url.ts';
import { copyCells } from '../../../../../lib/tables/copy-cells.ts';
import { countedLines } from '../../../export/lines.ts';
import { CopyOut } from './copy-out.ts';
import type { Database, DatabaseAddress, DatabaseColumn, ReadFrom, Relation, RowPage, RowsRead } from './database.ts';
import { loadDriver, unreadableDatabase, wrongAddress } from './problems.ts';

const connectTimeoutMs = 10_000;
const keepAliveMs = 10_000;

/**
 * Settings of the transaction, as in pg_dump: values in one form, and no limits of time for a long read. With row security off,
 * PostgreSQL refuses to read a table of which this user may see only some rows.
 */
const settings: Readonly<Record<string, string>> = {
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  extra_float_digits: '3',
  bytea_output: 'hex',
  row_security: 'off',
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

export async function openPostgres({ url: spec, variable, env }: DatabaseAddress): Promise<Database> {
  const { url, connectionString } = addressIn(spec, variable, env);
  const host = url.hostname === '' ? '' : url.host;
  const name = `postgres://${host}${url.pathname}`;
  const driver = await loadDriver('PostgreSQL', stores.postgres.packages, () => import('pg'));
  const client = new driver.Client({
    connectionString,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    fallback_application_name: 'chatform',
  });
  const failure = (error: unknown) => failureOf(error, name, variable);
  // A lost connection fails the statement that runs, or the next one.
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const [names, values] = [Object.keys(settings), Object.values(settings)];
    // Older servers do not know all of them.
    await client.query(
      `SELECT set_config(s.name, given.value, true) FROM unnest($1::text[], $2::text[]) AS given(name, value)
         JOIN pg_settings s ON lower(s.name) = lower(given.name)`,
      [names, values],
    );
    // The first query makes the snapshot, and now() is the time of BEGIN.
    const { rows } = await client.query<{ now: string }>(`SELECT (extract(epoch FROM now()) * 1000)::bigint AS now`);
    return new PostgresSnapshot(client, driver, { name, takenAt: Number(rows[0]?.now) }, failure);
  } catch (error) {
    drop(client);
    throw failure(error);
  }
}

type Driver = Pick<typeof import('pg'), 'escapeIdentifier' | 'escapeLiteral'>;

class PostgresSnapshot implements Database {
  readonly name: string;
  readonly takenAt: number;
  readonly #client: Client;
  readonly #driver: Driver;
  readonly #failure: (error: unknown) => Refusal;

  constructor(
    client: Client,
    driver: Driver,
    { name, takenAt }: Pick<Database, 'name' | 'takenAt'>,
    failure: (error: unknown) => Refusal,
  ) {
    this.#client = client;
    this.#driver = driver;
    this.name = name;
    this.takenAt = takenAt;
    this.#failure = failure;
  }

  async relations(name: string, isMeant: (names: readonly string[]) => boolean): Promise<readonly Relation[]> {
    const found = await this.#query<FoundRelation>(relationsOfName, [name]);
    return found
      .filter(({ database, schema, relation }) => isMeant([database, schema, relation]))
      .map((row) => this.#relation(row));
  }

  #relation({ schema, relation, key, bytes, columns, role, is_schema_granted }: FoundRelation): Relation {
    const quote = this.#driver.escapeIdentifier;
    const quoted = `${quote(schema)}.${quote(relation)}`;
    const grants = [...(is_schema_granted ? [] : [`USAGE ON SCHEMA ${quote(schema)}`]), `SELECT ON ${quoted}`];
    return {
      name: `${schema}.${relation}`,
      quoted,
      columns: columns.map(({ name, type, category, is_readable, generated }) => ({
        name,
        ...(types[type] ?? { kind: type === 'uuid' ? 'key' : 'other', cast: '' }),
        isBoolean: type === 'bool',
        isSortable: type !== 'json' && type !== 'xml' && category !== 'G',
        isReadable: is_readable && is_schema_granted,
        isComputed: (generated ?? '') !== '',
      })),
      key: key ?? [],
      bytes: Number(bytes ?? 0),
      grant: grants.map((grant) => `GRANT ${grant} TO ${quote(role)};`).join(' '),
    };
  }

  async *rows(read: RowsRead): AsyncGenerator<RowPage> {
    const copy = new CopyOut(this.#copy(read));
    let isWhole = false;
    try {
      this.#client.query(copy);
      for await (const { lines, bytes } of countedLines(digested(copy.pages(), read.digest)))
        yield { rows: lines.map(({ text }) => (text === undefined ? undefined : copyCells(text))), bytes };
      isWhole = true;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      // The server would go on sending.
      if (!isWhole) this.close();
    }
  }

  #copy({ relation, columns, order, from, limit }: RowsRead): string {
    const quote = this.#driver.escapeIdentifier;
    const condition = from === undefined ? '' : ` WHERE ${this.#condition(from)}`;
    const sorted = order.length === 0 ? '' : ` ORDER BY ${order.map(quote).join(', ')}`;
    const limited = limit === undefined ? '' : ` LIMIT ${Math.trunc(limit)}`;
    return `COPY (SELECT ${columns.map(quote).join(', ')} FROM ${relation.quoted}${condition}${sorted}${limited}) TO STDOUT`;
  }

  #condition({ column: { name, kind, cast }, value, overlap }: ReadFrom): string {
    const column = this.#driver.escapeIdentifier(name);
    const back = kind === 'time' ? `interval '${Math.trunc(overlap)} milliseconds'` : String(Math.trunc(overlap));
    return `${column} >= ${this.#driver.escapeLiteral(value)}::${cast} - ${back} OR ${column} IS NULL`;
  }

  async lastValue({ quoted }: Relation, column: DatabaseColumn): Promise<string | undefined> {
    const last = lastOf(`max(${this.#driver.escapeIdentifier(column.name)})`, column.cast);
    const [row] = await this.#query<{ last: string | null }>(`SELECT (${last})::text AS last FROM ${quoted}`, []);
    return row?.last ?? undefined;
  }

  close(): void {
    drop(this.#client);
  }

  async #query<Row extends object>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    try {
      return (await this.#client.query<Row>(text, [...values])).rows;
    } catch (error) {
      throw this.#failure(error);
    }
  }
}

async function* digested(pages: AsyncIterable<Uint8Array>, digest: RowsRead['digest']): AsyncGenerator<Uint8Array> {
  for await (const page of pages) {
    digest.update(page);
    yield page;
  }
}

const whole = { kind: 'number', cast: 'int8' } as const;
const decimal = { kind: 'number', cast: 'numeric' } as const;
const types: Readonly<Record<string, Pick<DatabaseColumn, 'kind' | 'cast'>>> = {
  int2: whole,
  int4: whole,
  int8: whole,
  numeric: decimal,
  float4: decimal,
  float8: decimal,
  date: { kind: 'time', cast: 'date' },
  timestamp: { kind: 'time', cast: 'timestamp' },
  timestamptz: { kind: 'time', cast: 'timestamptz' },
};

/** The zone of times without one is not known. A future time counts as the earliest that it can be now in any zone. */
function lastOf(most: string, cast: string): string {
  const now = "(now() AT TIME ZONE 'UTC')";
  if (cast === 'timestamptz') return `LEAST(${most}, now())`;
  return cast === 'timestamp' || cast === 'date'
    ? `CASE WHEN ${most} > ${now}::${cast} THEN (${now} - interval '14 hours')::${cast} ELSE ${most} END`
    : most;
}

interface FoundRelation {
  readonly database: string;
  readonly schema: string;
  readonly relation: string;
  readonly role: string;
  readonly is_schema_granted: boolean;
  readonly bytes: string | null;
  readonly key: readonly string[] | null;
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly category: string;
    readonly is_readable: boolean;
    readonly generated: string | null;
  }[];
}

/** `generated` is unknown to PostgreSQL 11. */
const relationsOfName = `
SELECT current_database()::text AS database, n.nspname::text AS schema, c.relname::text AS relation, current_user::text AS role,
       has_schema_privilege(n.oid, 'USAGE') AS is_schema_granted,
       CASE WHEN c.relkind IN ('r', 'm') THEN pg_table_size(c.oid) END AS bytes,
       (SELECT array_agg(a.attname::text ORDER BY k.place)
          FROM (SELECT i.indkey, i.indnkeyatts FROM pg_index i
                 WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL
                   AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum = ANY (i.indkey) AND NOT a.attnotnull)
                 ORDER BY i.indisprimary DESC, i.indexrelid LIMIT 1) AS best,
               unnest(best.indkey::int2[]) WITH ORDINALITY AS k(attnum, place)
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.attnum
         WHERE k.place <= best.indnkeyatts) AS key,
       (SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', coalesce(b.typname, t.typname), 'category', t.typcategory,
                 'is_readable', has_column_privilege(c.oid, a.attnum, 'SELECT'), 'generated', to_jsonb(a) ->> 'attgenerated') ORDER BY a.attnum), '[]')
          FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
          LEFT JOIN pg_type b ON t.typtype = 'd' AND b.oid = t.typbasetype
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
 WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND right('.' || $1::text, length(c.relname) + 1) = '.' || c.relname
   AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
 ORDER BY n.nspname`;

function addressIn(spec: string, variable: string, env: DatabaseAddress['env']) {
  try {
    return demandTlsFiles(
      readPostgresUrl(spec, {
        own: [],
        // Applications add parameters for their own libraries.
        dropsUnknown: true,
        password: env.PGPASSWORD,
        sslmode: env.PGSSLMODE,
      }),
    );
  } catch (error) {
    throw error instanceof PostgresUrlError ? wrongAddress(variable, error.what, error.advice) : error;
  }
}

function failureOf(error: unknown, name: string, variable: string): Refusal {
  if (error instanceof Refusal) return error;
  const fault = postgresFault(error);
  const isLogin = fault.kind === 'password' || fault.code === '28P01' || fault.code === '28000';
  const isHidden = fault.code === '42501' && error instanceof Error && error.message.includes('row-level security');
  const what = isHidden ? 'row-level security would hide rows from this user (42501)' : fault.what;
  const advice = isHidden ? 'Read as the owner of the table, or as a role with BYPASSRLS.' : adviceOn(fault, variable);
  return unreadableDatabase(name, variable, { what, advice, isLogin }, error);
}

function adviceOn({ code = '', kind }: PostgresFault, variable: string): string {
  if (kind === 'lost' || /^(?:E|57P|08)/u.test(code)) return reachAdvice;
  if (kind === 'tls') return tlsAdvice;
  if (kind === 'password') return `Put the password into the URL, or into PGPASSWORD.`;
  return advices[code] ?? (code.startsWith('3D') || code.startsWith('28') ? `Check the URL in ${variable}.` : checkLog);
}

const checkLog = 'Check the log of the server.';
const advices: Readonly<Record<string, string>> = {
  '40001': 'A replica had to apply changes first. Read from the primary, or raise max_standby_streaming_delay.',
  '42501': 'Grant SELECT on all that the tables and views of the mapping read.',
  '53300': 'Raise max_connections, or connect when fewer programs do.',
  '57014':
    'An administrator, a pooler or a limit of the server ended it. Connect to the server itself, or to a replica.',
};

/** The driver destroys a connection with a running statement, and says goodbye on any other. */
function drop(client: Client): void {
  (client as Client & { unref(): void }).unref();
  void client.end().catch(() => undefined);
}
