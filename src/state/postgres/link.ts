// A connection to the database: made when the first statement needs it, and dropped when it breaks.
import type { Client } from 'pg';
import { isServerError } from './failures.ts';

/** The columns of one row, in the order of the statement. */
type Row = readonly unknown[];

/** Runs one statement. Nothing is prepared by name or set for a session, so poolers work. */
export type RunQuery = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** A port of a few calls, so that a test can delay or cut each one. */
export interface Link {
  /** Rejects with the error of the driver. Whether the statement took effect is then unknown, unless the server answered. */
  readonly query: RunQuery;
  /** All that `work` does counts at once, or not at all when it rejects. `begin`: the statement that opens it. */
  transaction<T>(begin: string, work: (query: RunQuery) => Promise<T>): Promise<T>;
  /** Does not wait for the server: everything acknowledged is durable already. */
  close(): Promise<void>;
}

/** `timeoutMs`: the longest that a statement may take; after that its connection is dropped. */
export type MakeLink = (connectionString: string, timeoutMs: number) => Link;

export const linkTo: MakeLink = (connectionString, timeoutMs) => new DriverLink(connectionString, timeoutMs);

const connectTimeoutMs = 5_000;

class DriverLink implements Link {
  readonly #connectionString: string;
  readonly #timeoutMs: number;
  #client: Promise<Client> | undefined;
  /** The client of `#client`, once it is connected. */
  #current: Client | undefined;

  constructor(connectionString: string, timeoutMs: number) {
    this.#connectionString = connectionString;
    this.#timeoutMs = timeoutMs;
  }

  readonly query: RunQuery = async (text, values = []) => {
    const client = await this.#connected();
    try {
      const { rows } = await client.query<Row[]>({ text, values: [...values], rowMode: 'array' });
      return rows;
    } catch (error) {
      if (!isServerError(error)) this.#drop(client);
      throw error;
    }
  };

  async transaction<T>(begin: string, work: (query: RunQuery) => Promise<T>): Promise<T> {
    const client = await this.#connected();
    try {
      await this.query(begin);
      const result = await work(this.query);
      await this.query('COMMIT');
      return result;
    } catch (error) {
      // The end of the connection rolls the transaction back.
      this.#drop(client);
      throw error;
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    if (client !== undefined) this.#drop(client);
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Client> {
    try {
      const { Client } = await import('pg');
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
