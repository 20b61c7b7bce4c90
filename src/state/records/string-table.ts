// Texts that are looked up by number. The bytes lie in a PagedBuffer, so a million of them hardly count in memory.
import { PagedBuffer } from './paged-buffer.ts';

export class StringTable {
  readonly #bytes = new PagedBuffer();
  /** By number: where the text begins. It ends where the next one begins. */
  readonly #starts: number[] = [];

  get count(): number {
    return this.#starts.length;
  }

  /** Of all texts together. */
  get bytes(): number {
    return this.#bytes.length;
  }

  /** Returns the number of the text. */
  add(text: string): number {
    return this.#starts.push(this.#bytes.appendText(text)) - 1;
  }

  /** Like `add`, for the UTF-8 of a text. */
  addBytes(text: Uint8Array): number {
    return this.#starts.push(this.#bytes.append(text)) - 1;
  }

  /** In bytes. */
  lengthOf(text: number): number {
    return (this.#starts[text + 1] ?? this.#bytes.length) - (this.#starts[text] ?? 0);
  }

  /** The bytes must not be written to. */
  read(text: number): Buffer {
    return this.#bytes.slice(this.#starts[text] ?? 0, this.lengthOf(text));
  }
}
