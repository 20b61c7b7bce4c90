// What has changed since a state was stored, when it may be one record or a million? The latest as they are, the rest as text.
import type { Address } from '../model/address.ts';
import { compareText } from '../model/json.ts';
import type { StateRecord } from '../model/record.ts';
import { Arena } from './arena.ts';
import { parseStored, recordLine } from './record-lines.ts';

/** So many changed records are kept as they are: an object whose steps follow each other is not spelt out each time. */
const looseRecords = 16_384;
/** So many bytes of texts that are out of date are not worth a walk through the rest. */
const staleBytes = 16 << 20;
const gone = -1;

export class Overlay {
  /** Of each changed address: its record, the number of its text, or that it is gone. */
  readonly #entries = new Map<Address, StateRecord | number>();
  /** Those that are kept as they are: the longest untouched ones first. */
  readonly #loose = new Set<Address>();
  readonly #looseLimit: number;
  #texts = new Texts();

  constructor(looseLimit = looseRecords) {
    this.#looseLimit = looseLimit;
  }

  has(address: Address): boolean {
    return this.#entries.has(address);
  }

  /** Undefined: gone, or never changed. */
  get(address: Address): StateRecord | undefined {
    const entry = this.#entries.get(address) ?? gone;
    if (typeof entry === 'object') return entry;
    return entry === gone ? undefined : parseStored(this.#texts.read(entry));
  }

  /** The canonical line of a changed record; undefined when it is gone. */
  line(address: Address): Uint8Array | undefined {
    const entry = this.#entries.get(address) ?? gone;
    if (typeof entry === 'object') return Buffer.from(recordLine(entry));
    return entry === gone ? undefined : this.#texts.read(entry);
  }

  /** Whether it holds a record under that address: changed, and not gone. */
  isThere(address: Address): boolean {
    return (this.#entries.get(address) ?? gone) !== gone;
  }

  /** `text`: the record's canonical text, when it is at hand. */
  set(address: Address, record: StateRecord | undefined, text?: string): void {
    const before = this.#entries.get(address) ?? gone;
    if (typeof before === 'object') this.#loose.delete(address);
    else if (before !== gone) this.#texts.drop(before);
    if (record === undefined) this.#entries.set(address, gone);
    else if (this.#loose.size < this.#looseLimit) this.#loosen(address, record);
    else if (text !== undefined) this.#entries.set(address, this.#texts.add(`${text}\n`));
    else {
      this.#settle();
      this.#loosen(address, record);
    }
    this.#tidy();
  }

  /** Sorted by code unit. */
  addresses(): readonly Address[] {
    return [...this.#entries.keys()].sort(compareText);
  }

  #loosen(address: Address, record: StateRecord): void {
    this.#entries.set(address, record);
    this.#loose.add(address);
  }

  /** Half at a time, so that what changes again and again stays as it is. */
  #settle(): void {
    let left = Math.ceil(this.#looseLimit / 2);
    for (const address of this.#loose) {
      if (left === 0) break;
      left -= 1;
      const entry = this.#entries.get(address);
      if (typeof entry === 'object') this.#entries.set(address, this.#texts.add(recordLine(entry)));
      this.#loose.delete(address);
    }
  }

  /** Leaves out the texts that are out of date, once they are the most. */
  #tidy(): void {
    if (this.#texts.stale < staleBytes || this.#texts.stale * 2 < this.#texts.length) return;
    const texts = new Texts();
    for (const [address, entry] of this.#entries) {
      if (typeof entry === 'number' && entry !== gone)
        this.#entries.set(address, texts.add(this.#texts.read(entry).toString()));
    }
    this.#texts = texts;
  }
}

/** Texts by number: small numbers cost a map nothing, places in a file would be objects. */
class Texts {
  readonly #arena = new Arena();
  #ends = new Float64Array(1024);
  #count = 0;
  /** Bytes of texts that were dropped. */
  stale = 0;

  /** In bytes. */
  get length(): number {
    return this.#arena.length;
  }

  add(text: string): number {
    this.#arena.appendText(text);
    if (this.#count === this.#ends.length) {
      const longer = new Float64Array(2 * this.#count);
      longer.set(this.#ends);
      this.#ends = longer;
    }
    this.#ends[this.#count] = this.#arena.length;
    this.#count += 1;
    return this.#count - 1;
  }

  read(text: number): Buffer {
    const start = this.#start(text);
    return this.#arena.slice(start, this.#end(text) - start);
  }

  drop(text: number): void {
    this.stale += this.#end(text) - this.#start(text);
  }

  #start(text: number): number {
    return text === 0 ? 0 : this.#end(text - 1);
  }

  #end(text: number): number {
    return this.#ends[text] ?? 0;
  }
}
