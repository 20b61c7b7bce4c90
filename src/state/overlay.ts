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
  /** The longest untouched ones first. Undefined: gone. */
  readonly #loose = new Map<Address, StateRecord | undefined>();
  /** The number of a text, or that the record is gone. What is loose as well is out of date here. */
  readonly #settled = new Map<Address, number>();
  readonly #looseLimit: number;
  #texts = new Texts();

  constructor(looseLimit = looseRecords) {
    this.#looseLimit = looseLimit;
  }

  has(address: Address): boolean {
    return this.#loose.has(address) || this.#settled.has(address);
  }

  /** Undefined: gone, or never changed. */
  get(address: Address): StateRecord | undefined {
    if (this.#loose.has(address)) return this.#loose.get(address);
    const text = this.#settled.get(address) ?? gone;
    return text === gone ? undefined : parseStored(this.#texts.read(text));
  }

  /** The canonical line of a changed record; undefined when it is gone. */
  line(address: Address): Uint8Array | undefined {
    const text = this.#loose.has(address) ? gone : (this.#settled.get(address) ?? gone);
    if (text !== gone) return this.#texts.read(text);
    const record = this.get(address);
    return record === undefined ? undefined : Buffer.from(recordLine(record));
  }

  /** Whether it holds a record under that address: changed, and not gone. */
  isThere(address: Address): boolean {
    if (this.#loose.has(address)) return this.#loose.get(address) !== undefined;
    return (this.#settled.get(address) ?? gone) !== gone;
  }

  /** `text`: the record's canonical text, when it is at hand. */
  set(address: Address, record: StateRecord | undefined, text?: string): void {
    this.#loose.delete(address);
    const isFull = this.#loose.size === this.#looseLimit;
    if (isFull && text !== undefined) this.#keep(address, `${text}\n`);
    else {
      if (isFull) this.#settle();
      this.#loose.set(address, record);
    }
  }

  /** Sorted by code unit. */
  addresses(): readonly Address[] {
    const addresses = [...this.#settled.keys()];
    for (const address of this.#loose.keys()) if (!this.#settled.has(address)) addresses.push(address);
    return addresses.sort(compareText);
  }

  /** Half at a time, so that what changes again and again stays as it is. */
  #settle(): void {
    let left = Math.ceil(this.#looseLimit / 2);
    for (const [address, record] of this.#loose) {
      if (left === 0) break;
      left -= 1;
      this.#keep(address, record === undefined ? undefined : recordLine(record));
      this.#loose.delete(address);
    }
  }

  #keep(address: Address, line: string | undefined): void {
    const before = this.#settled.get(address) ?? gone;
    if (before !== gone) this.#texts.drop(before);
    this.#settled.set(address, line === undefined ? gone : this.#texts.add(Buffer.from(line)));
    if (this.#texts.stale < staleBytes || this.#texts.stale * 2 < this.#texts.length) return;
    const texts = new Texts();
    for (const [address, text] of this.#settled) {
      if (text !== gone) this.#settled.set(address, texts.add(this.#texts.read(text)));
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

  add(bytes: Uint8Array): number {
    this.#arena.append(bytes);
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
