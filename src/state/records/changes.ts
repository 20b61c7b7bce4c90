// What has changed since a state was stored, when it may be one record or a million? The latest as they are, the rest as text.

import { compareText } from '../../lib/json.ts';
import type { Address } from '../../model/address.ts';
import type { StateRecord } from '../../model/record.ts';
import type { StoredText } from './paged-buffer.ts';
import { addressIn, parseStored, recordText } from './record-lines.ts';
import { StringTable } from './string-table.ts';

/** So many changed records are kept as they are: an object whose steps follow each other is not spelt out each time. */
const looseRecords = 16_384;
/** So many bytes of texts that are out of date are not worth a walk through the rest. */
const staleBytes = 16 << 20;
const gone = -1;

/** What is there under a changed address: a record, the number of its text, or nothing (`gone`). */
type Entry = StateRecord | number;

export class Overlay {
  readonly #entries = new Map<Address, Entry>();
  /** Those that are kept as they are: the longest untouched ones first. */
  readonly #loose = new Set<Address>();
  readonly #looseLimit: number;
  #texts = new StringTable();
  /** Texts from this one on are not among the entries: nobody has looked since they were put. */
  #unseen = 0;

  constructor(looseLimit = looseRecords) {
    this.#looseLimit = looseLimit;
  }

  has(address: Address): boolean {
    this.#see();
    return this.#entries.has(address);
  }

  /** Undefined: gone, or never changed. */
  get(address: Address): StateRecord | undefined {
    this.#see();
    return recordOf(this.#entries.get(address) ?? gone, this.#texts);
  }

  set(address: Address, record: StateRecord | undefined): void {
    this.#see();
    this.#replace(address, record ?? gone);
    if (record !== undefined) this.#loose.add(address);
    if (this.#loose.size > this.#looseLimit) this.#settle();
    this.#tidy();
  }

  /**
   * A record, as its canonical text. Which one it is, is found out when somebody looks: a run that makes a million
   * objects asks for none of them until it ends.
   */
  put(text: StoredText): void {
    this.#texts.refer(text);
  }

  /** As they are now. */
  changes(): Changes {
    this.#see();
    return new Changes(this.#entries, this.#texts);
  }

  #see(): void {
    if (this.#unseen === this.#texts.count) return;
    for (; this.#unseen < this.#texts.count; this.#unseen += 1) {
      this.#replace(addressIn(this.#texts.read(this.#unseen), 0), this.#unseen);
    }
    this.#tidy();
  }

  #replace(address: Address, entry: Entry): void {
    const before = this.#entries.get(address) ?? gone;
    if (typeof before === 'object') this.#loose.delete(address);
    else if (before !== gone) this.#texts.drop(before);
    this.#entries.set(address, entry);
  }

  /** Half at a time, so that what changes again and again stays as it is. */
  #settle(): void {
    let left = Math.ceil(this.#looseLimit / 2);
    for (const address of this.#loose) {
      if (left === 0) break;
      left -= 1;
      const entry = this.#entries.get(address);
      if (typeof entry === 'object') this.#entries.set(address, this.#texts.keep(recordText(entry)));
      this.#loose.delete(address);
    }
    this.#unseen = this.#texts.count;
  }

  /** Leaves out the texts that are out of date, once they are the most. */
  #tidy(): void {
    if (this.#texts.stale < staleBytes || this.#texts.stale * 2 < this.#texts.length) return;
    const texts = new StringTable();
    for (const [address, entry] of this.#entries) {
      if (typeof entry === 'number' && entry !== gone) this.#entries.set(address, texts.take(this.#texts, entry));
    }
    this.#texts = texts;
    this.#unseen = texts.count;
  }
}

/** What has changed, sorted by address: it stays as it is, whatever changes later. */
export class Changes {
  /** By code unit. */
  readonly addresses: readonly Address[];
  readonly #entries: readonly Entry[];
  readonly #texts: StringTable;

  constructor(entries: ReadonlyMap<Address, Entry>, texts: StringTable) {
    this.addresses = [...entries.keys()].sort(compareText);
    this.#entries = this.addresses.map((address) => entries.get(address) ?? gone);
    this.#texts = texts;
  }

  isThere(place: number): boolean {
    return this.#entry(place) !== gone;
  }

  /** Undefined when it is gone. */
  record(place: number): StateRecord | undefined {
    return recordOf(this.#entry(place), this.#texts);
  }

  /** Its canonical text; undefined when it is gone. */
  text(place: number): Uint8Array | undefined {
    const entry = this.#entry(place);
    if (typeof entry === 'object') return Buffer.from(recordText(entry));
    return entry === gone ? undefined : this.#texts.read(entry);
  }

  #entry(place: number): Entry {
    return this.#entries[place] ?? gone;
  }
}

function recordOf(entry: Entry, texts: StringTable): StateRecord | undefined {
  if (typeof entry === 'object') return entry;
  return entry === gone ? undefined : parseStored(texts.read(entry));
}
