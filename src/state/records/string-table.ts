// A table of texts by number. A PagedBuffer contains the bytes, so a million texts need little memory.
import { PagedBuffer } from './paged-buffer.ts';

export class StringTable {
  readonly #bytes = new PagedBuffer();
  /** By number, the offset of the text. It ends where the next one begins. */
  readonly #starts: number[] = [];

  get count(): number {
    return this.#starts.length;
  }

  /** The size of all texts together. */
  get bytes(): number {
    return this.#bytes.length;
  }

  /** `text` is in UTF-8. Returns its number. */
  add(text: Uint8Array): number {
    return this.#starts.push(this.#bytes.append(text)) - 1;
  }

  /** Returns the length in bytes. */
  lengthOf(text: number): number {
    return (this.#starts[text + 1] ?? this.#bytes.length) - (this.#starts[text] ?? 0);
  }

  /** Callers must not write to the result. */
  read(text: number): Buffer {
    return this.#bytes.slice(this.#starts[text] ?? 0, this.lengthOf(text));
  }
}
