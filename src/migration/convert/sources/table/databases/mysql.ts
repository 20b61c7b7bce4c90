// Reads the tables of a MySQL or MariaDB database in one snapshot, with the values that mysqldump would write.
import { readFileSync } from 'node:fs';
import type { Connection, ConnectionOptions, RowDataPacket } from 'mysql2';
import { Refusal } from '../../../../../core/model/errors.ts';
import { isPipe } from '../../../../../lib/paths.ts';
import { isThisMachine } from '../../../../../lib/url-parts.ts';
import { binaryText, fromHex } from '../dumps/bytes.ts';
import { type ColumnContent, contentOf, isBooleanType } from '../dumps/names.ts';
import type { Database, DatabaseAddress, DatabaseColumn, ReadFrom, Relation, RowPage, RowsRead } from './database.ts';
import { type MysqlFault, mysqlFault } from './mysql-faults.ts';
import { loadDriver, unreadableDatabase, wrongAddress } from './problems.ts';

export const mysqlForm = 'mysql://USER:PASSWORD@HOST:3306/DATABASE';

const connectTimeoutMs = 10_000;
/** Rows that are read at once. */
const pageRows = 1_000;
/**
 * Times are in UTC, as in mysqldump. Names are in backticks and backslashes escape, whatever the server prefers. The limits are
 * those of a long read that pauses while rows are converted.
 */
const settings = "SET SESSION time_zone = '+00:00', sql_mode = '', net_write_timeout = 86400, wait_timeout = 86400";
const limitNames = "SHOW SESSION VARIABLES WHERE Variable_name IN ('max_execution_time', 'max_statement_time')";

export async function openMysql(address: DatabaseAddress): Promise<Database> {
  const { variable } = address;
  const { options, name } = optionsIn(address);
  const driver = await loadDriver('MySQL', 'mysql2', () => import('mysql2'));
  const connection = driver.createConnection(options);
  const failure = (error: unknown) => failureOf(error, name, variable);
  // A lost connection fails the statement that runs, or the next one.
  connection.on('error', () => {});
  const snapshot = new MysqlSnapshot(connection, driver, name, failure);
  try {
    await snapshot.begin();
    return snapshot;
  } catch (error) {
    connection.destroy();
    throw error;
  }
}

type MysqlDriver = Pick<typeof import('mysql2'), 'escape' | 'escapeId'>;

class MysqlSnapshot implements Database {
  readonly name: string;
  takenAt = 0;
  readonly #connection: Connection;
  readonly #driver: MysqlDriver;
  readonly #failure: (error: unknown) => Refusal;
  /** By relation and column. */
  readonly #columns = new Map<string, ReadonlyMap<string, MysqlColumn>>();

  constructor(connection: Connection, driver: MysqlDriver, name: string, failure: (error: unknown) => Refusal) {
    this.#connection = connection;
    this.#driver = driver;
    this.name = name;
    this.#failure = failure;
  }

  /** Tables of engines without transactions, such as MyISAM, are read as they are at each moment. */
  async begin(): Promise<void> {
    await this.#query(settings);
    // MySQL and MariaDB call the limit of a statement differently.
    for (const { Variable_name: limit } of await this.#query<{ Variable_name: string }>(limitNames))
      await this.#query(`SET SESSION ${limit} = 0`);
    await this.#query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await this.#query('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    const [row] = await this.#query<{ now: string }>('SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS UNSIGNED) AS now');
    this.takenAt = Number(row?.now);
  }

  async relations(name: string, isMeant: (names: readonly string[]) => boolean): Promise<readonly Relation[]> {
    const found = await this.#query<MysqlRelation>(relationsOfName, [name]);
    const meant = found.filter(({ db, relation }) => isMeant([db, relation]));
    // The URL names a database, which is then that of names without one.
    const own = meant.filter(({ db, relation, is_own }) => is_own === '1' || name === `${db}.${relation}`);
    const chosen = own.length === 0 ? meant : own;
    return Promise.all(chosen.map((relation) => this.#relation(relation)));
  }

  async #relation({ db, relation, bytes, role }: MysqlRelation): Promise<Relation> {
    const columns = await this.#query<MysqlColumn>(columnsOf, [db, relation]);
    const keys = await this.#query<MysqlKey>(keysOf, [db, relation]);
    const name = `${db}.${relation}`;
    const quoted = this.#driver.escapeId([db, relation]).replaceAll('`, `', '`.`');
    this.#columns.set(name, new Map(columns.map((column) => [column.name, column])));
    return {
      name,
      quoted,
      columns: columns.map(({ name: column, data_type: type, column_type, extra, privileges }) => ({
        name: column,
        ...(types[type] ?? { kind: type === 'uuid' ? 'key' : 'other', cast: '' }),
        isBoolean: isBooleanType(column_type),
        isSortable: !/^(?:json|geometry|point|polygon|linestring|multi\w+)$/u.test(type),
        isReadable: /\bselect\b/iu.test(privileges),
        isComputed: /\b(?:virtual|stored|persistent)\b/iu.test(extra),
      })),
      key: bestKey(keys),
      bytes: Number(bytes ?? 0),
      grant: `GRANT SELECT ON ${quoted} TO ${role};`,
    };
  }

  async *rows(read: RowsRead): AsyncGenerator<RowPage> {
    const contents = read.columns.map((column) => this.#contentOf(read.relation, column));
    const stream = this.#connection
      .query({ sql: this.#select(read, contents), rowsAsArray: true })
      .stream({ highWaterMark: pageRows, objectMode: true });
    let isWhole = false;
    try {
      let page: (string | null)[][] = [];
      let bytes = 0;
      for await (const row of stream as AsyncIterable<(string | null)[]>) {
        const cells = row.map((cell, place) =>
          cell !== null && contents[place] === 'binary' ? binaryText(fromHex(cell)) : cell,
        );
        const text = Buffer.from(`${JSON.stringify(cells)}\n`);
        read.digest.update(text);
        bytes += text.length;
        page.push(cells);
        if (page.length < pageRows) continue;
        yield { rows: page, bytes };
        [page, bytes] = [[], 0];
      }
      if (page.length > 0) yield { rows: page, bytes };
      isWhole = true;
    } catch (error) {
      throw this.#failure(error);
    } finally {
      // The server would go on sending.
      if (!isWhole) this.close();
    }
  }

  #contentOf({ name }: Relation, column: string): ColumnContent {
    return contentOf(this.#columns.get(name)?.get(column)?.column_type ?? '');
  }

  #select({ relation, columns, order, from, limit }: RowsRead, contents: readonly ColumnContent[]): string {
    const quote = (name: string) => this.#driver.escapeId(name, true);
    const forms = { binary: (name: string) => `HEX(${name})`, bits: (name: string) => `${name} + 0`, text: String };
    const values = columns.map((name, place) => forms[contents[place] ?? 'text'](quote(name)));
    const condition = from === undefined ? '' : ` WHERE ${this.#condition(from)}`;
    const sorted = order.length === 0 ? '' : ` ORDER BY ${order.map(quote).join(', ')}`;
    const limited = limit === undefined ? '' : ` LIMIT ${Math.trunc(limit)}`;
    return `SELECT ${values.length === 0 ? 'NULL' : values.join(', ')} FROM ${relation.quoted}${condition}${sorted}${limited}`;
  }

  #condition({ column: { name, kind, cast }, value, overlap }: ReadFrom): string {
    const column = this.#driver.escapeId(name, true);
    const back = kind === 'time' ? `INTERVAL ${Math.trunc(overlap * 1000)} MICROSECOND` : String(Math.trunc(overlap));
    return `${column} >= CAST(${this.#driver.escape(value)} AS ${cast}) - ${back} OR ${column} IS NULL`;
  }

  async lastValue({ name, quoted }: Relation, column: DatabaseColumn): Promise<string | undefined> {
    const type = this.#columns.get(name)?.get(column.name)?.data_type ?? '';
    const last = lastOf(`MAX(${this.#driver.escapeId(column.name, true)})`, type);
    const [row] = await this.#query<{ last: string | null }>(`SELECT CAST(${last} AS CHAR) AS last FROM ${quoted}`);
    return row?.last ?? undefined;
  }

  close(): void {
    this.#connection.destroy();
  }

  #query<Row extends object>(sql: string, values: readonly string[] = []): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      this.#connection.query<RowDataPacket[]>({ sql, values: [...values] }, (error, rows) => {
        if (error === null) resolve(rows as unknown as readonly Row[]);
        else reject(this.#failure(error));
      });
    });
  }
}

const whole = { kind: 'number', cast: 'DECIMAL(65,0)' } as const;
const decimal = { kind: 'number', cast: 'DECIMAL(65,20)' } as const;
const time = { kind: 'time', cast: 'DATETIME(6)' } as const;
const types: Readonly<Record<string, Pick<DatabaseColumn, 'kind' | 'cast'>>> = {
  tinyint: whole,
  smallint: whole,
  mediumint: whole,
  int: whole,
  bigint: whole,
  decimal,
  float: decimal,
  double: decimal,
  date: time,
  datetime: time,
  timestamp: time,
};

/** The zone of times without one is not known. A future time counts as the earliest that it can be now in any zone. */
function lastOf(most: string, type: string): string {
  if (types[type]?.kind !== 'time') return most;
  if (type === 'timestamp') return `LEAST(${most}, NOW(6))`;
  const now = 'UTC_TIMESTAMP(6)';
  return `CASE WHEN ${most} > ${now} THEN ${now} - INTERVAL 14 HOUR ELSE ${most} END`;
}

interface MysqlRelation {
  readonly db: string;
  readonly relation: string;
  readonly bytes: string | null;
  readonly role: string;
  /** 1: the table is in the database that the URL names. */
  readonly is_own: string;
}

interface MysqlColumn {
  readonly name: string;
  readonly data_type: string;
  readonly column_type: string;
  readonly extra: string;
  readonly privileges: string;
}

interface MysqlKey {
  readonly key_name: string;
  readonly name: string;
  readonly nullable: string;
  readonly part: string | null;
}

const relationsOfName = `
SELECT TABLE_SCHEMA AS db, TABLE_NAME AS relation, DATA_LENGTH AS bytes, CURRENT_USER() AS role,
       TABLE_SCHEMA = DATABASE() AS is_own
  FROM information_schema.TABLES
 WHERE RIGHT(CONCAT('.', ?), CHAR_LENGTH(TABLE_NAME) + 1) = CONCAT('.', TABLE_NAME)
   AND TABLE_SCHEMA NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')
 ORDER BY TABLE_SCHEMA`;

const columnsOf = `
SELECT COLUMN_NAME AS name, DATA_TYPE AS data_type, COLUMN_TYPE AS column_type, EXTRA AS extra, PRIVILEGES AS privileges
  FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? ORDER BY ORDINAL_POSITION`;

const keysOf = `
SELECT INDEX_NAME AS key_name, COLUMN_NAME AS name, NULLABLE AS nullable, SUB_PART AS part
  FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ? AND NON_UNIQUE = 0
 ORDER BY INDEX_NAME = 'PRIMARY' DESC, INDEX_NAME, SEQ_IN_INDEX`;

/** The columns of the first unique key that has no missing values and no parts of columns. The primary key comes first. */
function bestKey(parts: readonly MysqlKey[]): readonly string[] {
  const keys = [...new Set(parts.map(({ key_name }) => key_name))].map((name) =>
    parts.filter(({ key_name }) => key_name === name),
  );
  const found = keys.find((key) => key.every(({ nullable, part }) => nullable !== 'YES' && part === null));
  return (found ?? []).map(({ name }) => name);
}

function optionsIn({ url: spec, variable, env }: DatabaseAddress): { options: ConnectionOptions; name: string } {
  const url = URL.canParse(spec) ? new URL(spec) : undefined;
  const database = decodeURIComponent(url?.pathname.slice(1) ?? '');
  const socket = url?.searchParams.get('socket') ?? undefined;
  if (url === undefined || database === '' || (url.hostname === '' && socket === undefined))
    throw wrongAddress(variable, 'is incomplete', `It looks like ${mysqlForm}.`);
  const host = url.hostname.replace(/^\[|\]$/gu, '');
  return {
    name: `mysql://${host === '' ? '' : url.host}/${database}`,
    options: {
      ...(socket === undefined ? { host, port: Number(url.port || 3306) } : { socketPath: socket }),
      user: decodeURIComponent(url.username),
      password: url.password === '' ? (env.MYSQL_PWD ?? '') : decodeURIComponent(url.password),
      database,
      charset: 'utf8mb4',
      connectTimeout: connectTimeoutMs,
      ...tlsIn(url, socket !== undefined || isThisMachine(host), variable),
      // Every value as the server writes it.
      typeCast: (field) => field.string('utf8'),
    },
  };
}

/** Connections are unencrypted only to this machine, or if the address asks for that. */
function tlsIn({ searchParams }: URL, isHere: boolean, variable: string): Pick<ConnectionOptions, 'ssl'> {
  const written =
    searchParams.get('ssl-mode') ?? searchParams.get('sslmode') ?? (isHere ? 'disabled' : 'verify_identity');
  const mode = written.toLowerCase().replaceAll('-', '_');
  const file = searchParams.get('ssl-ca') ?? undefined;
  const ca = file === undefined ? {} : { ca: authorityIn(file, variable) };
  switch (mode) {
    case 'disabled':
      return {};
    case 'required':
      return { ssl: { rejectUnauthorized: false } };
    case 'verify_ca':
      return { ssl: { ...ca, rejectUnauthorized: true } };
    case 'verify_identity':
      return { ssl: { ...ca, rejectUnauthorized: true, verifyIdentity: true } };
    default:
      throw wrongAddress(
        variable,
        'has an unknown ssl-mode',
        'Known are disabled, required, verify_ca and verify_identity.',
      );
  }
}

function authorityIn(file: string, variable: string): string {
  if (isPipe(file)) throw wrongAddress(variable, 'names a pipe in ssl-ca', 'Write the certificate to a file.');
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw wrongAddress(variable, 'names a file in ssl-ca that cannot be read', 'Check its path.');
  }
}

function failureOf(error: unknown, name: string, variable: string): Refusal {
  if (error instanceof Refusal) return error;
  const fault: MysqlFault = mysqlFault(error);
  return unreadableDatabase(name, variable, fault, error);
}
