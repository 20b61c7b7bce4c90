// What does the backend ask of a connection to the database, and how does one live: made when it is needed, thrown away
// when it is broken?
import type { Client } from 'pg';
import { isServerError } from './failures.ts';

/** One row: its columns in the order of the statement. */
type Row = readonly unknown[];

/** Runs one statement. The statements are never named and nothing is set for a session, so that poolers are fine. */
export type RunQuery = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** A port of a few calls, so that a test can hold up or cut each one. */
export interface Link {
  /** Rejects with the error of the driver. What the statement did is unknown then, unless the server said so. */
  readonly query: RunQuery;
  /** All that `work` does counts at once, or not at all when it rejects. `begin` opens the transaction. */
  transaction<T>(begin: string, work: (query: RunQuery) => Promise<T>): Promise<T>;
  /** Does not wait for the server: what was written is durable already, or was never acknowledged. */
  close(): Promise<void>;
}

/** `timeoutMs`: what a statement may take; after that its connection is given up. */
export type MakeLink = (connectionString: string, timeoutMs: number) => Link;

export const linkTo: MakeLink = (connectionString, timeoutMs) => new DriverLink(connectionString, timeoutMs);

const connectTimeoutMs = 5_000;

class DriverLink implements Link {
  readonly #connectionString: string;
  readonly #timeoutMs: number;
  #client: Promise<Client> | undefined;
  /** The same, once it is there. */
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
      // What is open on the connection is rolled back by its end.
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
      // An idle connection that breaks: the next statement makes another one.
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
    // A server that does not answer must not keep the process from its end.
    (client as Client & { unref(): void }).unref();
    void client.end().catch(() => undefined);
  }
}
