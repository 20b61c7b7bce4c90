// A connection to the database, which is made for the first statement and dropped when it breaks.
import type { Client } from 'pg';
import { isUsableAfter } from './postgres-failures.ts';
import { loadPackage } from './sdk.ts';

/** The columns of one row, in the order of the statement. */
type DatabaseRow = readonly unknown[];

/** Runs one statement. Nothing is prepared by name or set for a session, so poolers work. */
export type RunQuery = (text: string, values?: readonly unknown[]) => Promise<readonly DatabaseRow[]>;

/** A port of a few calls, so that a test can delay or cut each one. */
export interface DatabaseLink {
  /** Rejects with the driver's error. Whether the statement took effect is then unknown, unless the server answered. */
  readonly query: RunQuery;
  /** Does not wait for the server, because everything acknowledged is durable already. */
  close(): Promise<void>;
}

/** `timeoutMs` is the longest duration of a statement. After that its connection is dropped. */
export type MakeLink = (connectionString: string, timeoutMs: number) => DatabaseLink;

export const linkTo: MakeLink = (connectionString, timeoutMs) => new DriverLink(connectionString, timeoutMs);

const connectTimeoutMs = 5_000;

class DriverLink implements DatabaseLink {
  readonly #connectionString: string;
  readonly #timeoutMs: number;
  #last: Promise<unknown> = Promise.resolve();
  #client: Promise<Client> | undefined;
  #current: Client | undefined;

  constructor(connectionString: string, timeoutMs: number) {
    this.#connectionString = connectionString;
    this.#timeoutMs = timeoutMs;
  }

  readonly query: RunQuery = (text, values = []) => {
    // The driver accepts one statement at a time.
    const done = this.#last.then(() => this.#send(text, values));
    this.#last = done.catch(() => undefined);
    return done;
  };

  async #send(text: string, values: readonly unknown[]): Promise<readonly DatabaseRow[]> {
    const client = await this.#connected();
    try {
      const { rows } = await client.query<DatabaseRow[]>({ text, values: [...values], rowMode: 'array' });
      return rows;
    } catch (error) {
      if (!isUsableAfter(error)) this.#drop(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    // Do not wait for a server that accepts a connection and never answers.
    if (this.#current !== undefined) this.#drop(this.#current);
    else
      this.#client?.then(
        (client) => this.#drop(client),
        () => undefined,
      );
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Client> {
    try {
      const { Client } = await loadPackage('postgres', () => import('pg'));
      const client = new Client({
        connectionString: this.#connectionString,
        connectionTimeoutMillis: connectTimeoutMs,
        query_timeout: this.#timeoutMs,
        keepAlive: true,
        fallback_application_name: 'chatform',
      });
      // When an idle connection breaks, the next statement makes another one.
      client.on('error', () => this.#drop(client));
      client.on('end', () => this.#drop(client));
      try {
        await client.connect();
      } catch (error) {
        await client.end().catch(() => undefined);
        throw error;
      }
      this.#current = client;
      return client;
    } catch (error) {
      this.#client = undefined;
      throw error;
    }
  }

  #drop(client: Client): void {
    if (this.#current === client) {
      this.#current = undefined;
      this.#client = undefined;
    }
    // A server that does not answer must not keep the process alive.
    (client as Client & { unref(): void }).unref();
    void client.end().catch(() => undefined);
  }
}
