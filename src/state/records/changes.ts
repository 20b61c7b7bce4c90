// The records that have changed since a state was opened: the most recent ones as objects, the others as text, which needs
// less memory.
import { compareText } from '../../lib/json.ts';
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import { addressInLine, parseStored, recordText } from './record-text.ts';
import { StringTable } from './string-table.ts';

/** The maximum number of records kept as objects. They are not serialized after each step of an object. */
const maxObjects = 16_384;
/** Fewer outdated bytes are not worth copying all other texts. */
const minOutdatedBytes = 16 << 20;
const deleted = -1;

/** The entry of a changed address: a record, the number of its text, or `deleted`. */
type Entry = StateRecord | number;

export class Changes {
  readonly #entries = new Map<Address, Entry>();
  /** The addresses whose entry is an object. A text may have replaced some of these objects since. */
  readonly #objects = new Set<Address>();
  readonly #maxObjects: number;
  #texts = new StringTable();
  #outdatedBytes = 0;
  /** The number of texts that are in `#entries`. */
  #indexed = 0;

  constructor(objects = maxObjects) {
    this.#maxObjects = objects;
  }

  has(address: Address): boolean {
    this.#index();
    return this.#entries.has(address);
  }

  /** Returns undefined if the record is deleted or never changed. */
  get(address: Address): StateRecord | undefined {
    this.#index();
    return recordOf(this.#entries.get(address) ?? deleted, this.#texts);
  }

  set(address: Address, record: StateRecord | undefined): void {
    this.#index();
    this.#replace(address, record ?? deleted);
    if (record !== undefined) this.#objects.add(address);
    if (this.#objects.size > this.#maxObjects) this.#serializeObjects();
    this.#dropOutdated();
  }

  /**
   * Like `set`, with the canonical text of the record (`recordText`). The address is read from the text only when needed, so a run
   * that creates a million objects needs no map of them until it ends.
   */
  put(text: Uint8Array): void {
    this.#texts.addBytes(text);
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

  #replace(address: Address, entry: Entry): void {
    const before = this.#entries.get(address) ?? deleted;
    if (typeof before === 'number' && before !== deleted) this.#outdatedBytes += this.#texts.lengthOf(before);
    this.#entries.set(address, entry);
  }

  #serializeObjects(): void {
    for (const address of this.#objects) {
      const entry = this.#entries.get(address);
      if (typeof entry === 'object') this.#entries.set(address, this.#texts.add(recordText(entry)));
    }
    this.#objects.clear();
    this.#indexed = this.#texts.count;
  }

  /** Drops outdated texts once they are more than half of all texts. */
  #dropOutdated(): void {
    if (this.#outdatedBytes < minOutdatedBytes || this.#outdatedBytes * 2 < this.#texts.bytes) return;
    const texts = new StringTable();
    for (const [address, entry] of this.#entries) {
      if (typeof entry === 'number' && entry !== deleted)
        this.#entries.set(address, texts.addBytes(this.#texts.read(entry)));
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
  readonly #entries: readonly Entry[];
  readonly #texts: StringTable;

  constructor(entries: ReadonlyMap<Address, Entry>, texts: StringTable) {
    this.addresses = [...entries.keys()].sort(compareText);
    this.#entries = this.addresses.map((address) => entries.get(address) ?? deleted);
    this.#texts = texts;
  }

  isDeleted(index: number): boolean {
    return this.#entry(index) === deleted;
  }

  /** Returns undefined if the record is deleted. */
  record(index: number): StateRecord | undefined {
    return recordOf(this.#entry(index), this.#texts);
  }

  /** Returns the canonical text of the record, or undefined if it is deleted. */
  text(index: number): Uint8Array | undefined {
    const entry = this.#entry(index);
    if (typeof entry === 'object') return Buffer.from(recordText(entry));
    return entry === deleted ? undefined : this.#texts.read(entry);
  }

  #entry(index: number): Entry {
    return this.#entries[index] ?? deleted;
  }
}

function recordOf(entry: Entry, texts: StringTable): StateRecord | undefined {
  if (typeof entry === 'object') return entry;
  return entry === deleted ? undefined : parseStored(texts.read(entry));
}
