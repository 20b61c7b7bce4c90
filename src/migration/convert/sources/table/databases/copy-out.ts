// Runs COPY … TO STDOUT with the driver of PostgreSQL, and pauses the connection while nobody takes the bytes.
import type { Connection, Submittable } from 'pg';

const pageBytes = 1 << 18;
/** The connection is paused when that many pages wait. */
const mostPages = 4;

interface CopyData {
  readonly chunk: Uint8Array;
}

/** Passed to `Client.query`. The driver calls `submit` and the methods whose names begin with `handle`. */
export class CopyOut implements Submittable {
  readonly #text: string;
  readonly #pages: Buffer[] = [];
  #page = Buffer.allocUnsafe(pageBytes);
  #length = 0;
  #connection: Connection | undefined;
  #isPaused = false;
  #end: { readonly error?: Error } | undefined;
  #wake: (() => void) | undefined;

  /** `text` is the statement. */
  constructor(text: string) {
    this.#text = text;
  }

  /** The bytes in pages. Throws the error of the driver. */
  async *pages(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const page = this.#pages.shift();
      if (page !== undefined) {
        yield page;
        continue;
      }
      if (this.#isPaused) {
        this.#isPaused = false;
        this.#connection?.stream.resume();
      }
      if (this.#end?.error !== undefined) throw this.#end.error;
      if (this.#end !== undefined) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#text);
  }

  /** Copies the bytes, because the driver overwrites its buffer. */
  handleCopyData({ chunk }: CopyData): void {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + pageBytes - this.#length);
      this.#page.set(taken, this.#length);
      this.#length += taken.length;
      at += taken.length;
      if (this.#length === pageBytes) this.#turn();
    }
  }

  handleError(error: Error): void {
    this.#finish({ error });
  }

  handleReadyForQuery(): void {
    this.#turn();
    this.#finish({});
  }

  // The driver calls these, too, and they say nothing that is needed.
  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  handleEmptyQuery(): void {}

  #turn(): void {
    if (this.#length === 0) return;
    this.#pages.push(this.#page.subarray(0, this.#length));
    this.#page = Buffer.allocUnsafe(pageBytes);
    this.#length = 0;
    if (this.#pages.length >= mostPages && !this.#isPaused) {
      this.#isPaused = true;
      this.#connection?.stream.pause();
    }
    this.#wake?.();
  }

  #finish(end: { readonly error?: Error }): void {
    this.#end ??= end;
    this.#wake?.();
  }
}
