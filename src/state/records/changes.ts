// The records that have changed since a state was opened, as text, which needs less memory than objects.
import { compareText } from '../../lib/json.ts';
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import { PagedBuffer } from './paged-buffer.ts';
import { addressInLine, parseStored, recordText } from './record-text.ts';

/** Fewer outdated bytes are not worth copying all other texts. */
const minOutdatedBytes = 16 << 20;
const deleted = -1;

/** By changed address, the number of the text of its record, or `deleted`. */
type Entries = Map<Address, number>;

export class Changes {
  readonly #entries: Entries = new Map();
  #texts = new StringTable();
  #outdatedBytes = 0;
  /** The number of texts that are in `#entries`. */
  #indexed = 0;

  has(address: Address): boolean {
    this.#index();
    return this.#entries.has(address);
  }

  /** Returns undefined if the record is deleted or never changed. */
  get(address: Address): StateRecord | undefined {
    this.#index();
    return recordOf(this.#entries.get(address), this.#texts);
  }

  set(address: Address, record: StateRecord | undefined): void {
    this.#index();
    if (record !== undefined) this.put(Buffer.from(recordText(record)));
    else this.#replace(address, deleted);
  }

  /**
   * Like `set`, with the canonical text of the record (`recordText`). The address is read from the text only when needed, so a run
   * that creates a million objects needs no map of them until it ends.
   */
  put(text: Uint8Array): void {
    this.#texts.add(text);
  }

  /** Returns the changes so far. Later ones do not affect the result. */
  sorted(): SortedChanges {
    this.#index();
    return new SortedChanges(this.#entries, this.#texts);
  }

  /** Adds the texts that were put since the last call. */
  #index(): void {
    if (this.#indexed === this.#texts.count) return;
    for (; this.#indexed < this.#texts.count; this.#indexed += 1)
      this.#replace(addressInLine(this.#texts.read(this.#indexed), 0), this.#indexed);
    this.#dropOutdated();
  }

  #replace(address: Address, entry: number): void {
    const before = this.#entries.get(address) ?? deleted;
    if (before !== deleted) this.#outdatedBytes += this.#texts.lengthOf(before);
    this.#entries.set(address, entry);
  }

  /** Drops outdated texts once they are more than half of all texts. */
  #dropOutdated(): void {
    if (this.#outdatedBytes < minOutdatedBytes || this.#outdatedBytes * 2 < this.#texts.bytes) return;
    const texts = new StringTable();
    for (const [address, entry] of this.#entries) {
      if (entry !== deleted) this.#entries.set(address, texts.add(this.#texts.read(entry)));
    }
    this.#texts = texts;
    this.#indexed = texts.count;
    this.#outdatedBytes = 0;
  }
}

/** A fixed copy of the changes, sorted by address. */
export class SortedChanges {
  /** In the order of code units. */
  readonly addresses: readonly Address[];
  readonly #entries: readonly number[];
  readonly #texts: StringTable;

  constructor(entries: Entries, texts: StringTable) {
    this.addresses = [...entries.keys()].sort(compareText);
    this.#entries = this.addresses.map((address) => entries.get(address) ?? deleted);
    this.#texts = texts;
  }

  isDeleted(index: number): boolean {
    return (this.#entries[index] ?? deleted) === deleted;
  }

  /** Returns undefined if the record is deleted. */
  record(index: number): StateRecord | undefined {
    return recordOf(this.#entries[index], this.#texts);
  }

  /** Returns the canonical text of the record, or undefined if it is deleted. */
  text(index: number): Buffer | undefined {
    const entry = this.#entries[index] ?? deleted;
    return entry === deleted ? undefined : this.#texts.read(entry);
  }
}

function recordOf(entry = deleted, texts: StringTable): StateRecord | undefined {
  return entry === deleted ? undefined : parseStored(texts.read(entry));
}

// A table of texts by number. A PagedBuffer contains the bytes, so a million texts need little memory.

class StringTable {
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
