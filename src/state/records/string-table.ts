// Where does each of a million texts stand? By number: small numbers cost a map nothing, places would be objects.
import { PagedBuffer, type StoredBytes, type StoredText } from './paged-buffer.ts';

export class StringTable {
  /** Of those that stand nowhere else. */
  readonly #own = new PagedBuffer();
  readonly #sources: StoredBytes[] = [this.#own];
  #sourceOf = new Uint8Array(1024);
  #offsets = new Float64Array(1024);
  #lengths = new Uint32Array(1024);
  #count = 0;
  #length = 0;
  #stale = 0;

  get count(): number {
    return this.#count;
  }

  /** Of all texts, in bytes. */
  get length(): number {
    return this.#length;
  }

  /** Of those that were dropped. */
  get stale(): number {
    return this.#stale;
  }

  /** Returns its number. It stays where it is. */
  refer({ bytes, offset, length }: StoredText): number {
    let source = this.#sources.indexOf(bytes);
    if (source === -1) source = this.#sources.push(bytes) - 1;
    return this.#add(source, offset, length);
  }

  /** Returns its number. */
  keep(text: string): number {
    const offset = this.#own.appendText(text);
    return this.#add(0, offset, this.#own.length - offset);
  }

  read(text: number): Buffer {
    const source = this.#sources[this.#sourceOf[text] ?? 0] ?? this.#own;
    return source.slice(this.#offsets[text] ?? 0, this.#lengths[text] ?? 0);
  }

  drop(text: number): void {
    this.#stale += this.#lengths[text] ?? 0;
  }

  /** A text of others: its bytes are copied if they stand with them alone. Returns its number here. */
  take(others: StringTable, text: number): number {
    const source = others.#sourceOf[text] ?? 0;
    const bytes = others.#sources[source];
    if (source === 0 || bytes === undefined) return this.keep(others.read(text).toString());
    return this.refer({ bytes, offset: others.#offsets[text] ?? 0, length: others.#lengths[text] ?? 0 });
  }

  #add(source: number, offset: number, length: number): number {
    const text = this.#count;
    if (text === this.#offsets.length) this.#grow();
    this.#sourceOf[text] = source;
    this.#offsets[text] = offset;
    this.#lengths[text] = length;
    this.#count += 1;
    this.#length += length;
    return text;
  }

  #grow(): void {
    const [sourceOf, offsets, lengths] = [this.#sourceOf, this.#offsets, this.#lengths];
    const size = 2 * this.#count;
    this.#sourceOf = new Uint8Array(size);
    this.#sourceOf.set(sourceOf);
    this.#offsets = new Float64Array(size);
    this.#offsets.set(offsets);
    this.#lengths = new Uint32Array(size);
    this.#lengths.set(lengths);
  }
}
