// Collections in typed arrays, for millions of entries: a growing column of integers, and a table of names.

const noSlots = new Int32Array(0);
const firstSlots = 128;
/** Names in one block of hashes. Blocks are not copied when the table grows, except for the first one while it is smaller. */
const blockNames = 1 << 12;
/** A plan has many tables, and most plans name few objects. */
const firstNames = 64;

/**
 * Numbers names from 0 in the order in which they are added. It keeps only a 64-bit hash of each name, so a million names
 * fit into a few typed arrays. The probability that two of a million names collide is 3 in 100 million.
 */
export class NameTable {
  /** By number, the two halves of the hash. */
  readonly #hashes: Uint32Array[] = [];
  #size = 0;
  /** By slot, the number + 1, or 0 if empty. Uses open addressing, at most half full. */
  #slots = noSlots;

  get size(): number {
    return this.#size;
  }

  /** Returns the number of a name, after adding it if it is new. */
  add(name: string): number {
    if (this.#size === 0) this.#slots = new Int32Array(firstSlots);
    const [high, low] = hash(name);
    const slot = this.#slot(high, low);
    const known = this.#slots[slot] as number;
    if (known > 0) return known - 1;
    const at = 2 * (this.#size % blockNames);
    const block = this.#blockAt(at);
    block[at] = high;
    block[at + 1] = low;
    this.#size += 1;
    this.#slots[slot] = this.#size;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    return this.#size - 1;
  }

  find(name: string): number | undefined {
    if (this.#size === 0) return undefined;
    const [high, low] = hash(name);
    const known = this.#slots[this.#slot(high, low)] as number;
    return known > 0 ? known - 1 : undefined;
  }

  /** Returns the slot of a hash, or the empty slot where it belongs. */
  #slot(high: number, low: number): number {
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    for (let known = this.#slots[slot] as number; known !== 0; known = this.#slots[slot] as number) {
      if (this.#half(known - 1, 1) === low && this.#half(known - 1, 0) === high) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #half(number: number, half: 0 | 1): number {
    const block = this.#hashes[Math.floor(number / blockNames)] as Uint32Array;
    return block[2 * (number % blockNames) + half] as number;
  }

  /** Returns the block of the next name, whose hash begins at this place. */
  #blockAt(at: number): Uint32Array {
    const last = this.#hashes[this.#hashes.length - 1];
    if (last !== undefined && at > 0 && at < last.length) return last;
    const isFirst = last === undefined || at > 0;
    const block = new Uint32Array(isFirst ? Math.max(2 * firstNames, 2 * at) : 2 * blockNames);
    if (last !== undefined && at > 0) block.set(last);
    this.#hashes[isFirst ? 0 : this.#hashes.length] = block;
    return block;
  }

  #grow(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let number = 0; number < this.#size; number += 1)
      this.#slots[this.#slot(this.#half(number, 0), this.#half(number, 1))] = number + 1;
  }
}

/** Multiplies and mixes the UTF-16 code units in two rounds, as Murmur does. */
function hash(name: string): [high: number, low: number] {
  let high = 0x9e3779b9 ^ name.length;
  let low = 0x85ebca6b;
  for (let place = 0; place < name.length; place++) {
    const unit = name.charCodeAt(place);
    high = Math.imul(high ^ unit, 0xcc9e2d51);
    high = (high << 15) | (high >>> 17);
    low = Math.imul(low ^ unit, 0x1b873593);
    low = (low << 13) | (low >>> 19);
  }
  return [mixed(high), mixed(low ^ high)];
}

function mixed(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A plan has a column for each kind, and most kinds have no work. */
const emptyColumn = new Int32Array(0);
const firstLength = 32;

/** A growing column of integers of 32 bits, for millions of numbers. */
export class IntColumn {
  #items = emptyColumn;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A view of the numbers so far. It is invalid after the next `push`. */
  get values(): Int32Array {
    return this.#items.subarray(0, this.#length);
  }

  push(value: number): void {
    if (this.#length === this.#items.length) {
      const larger = new Int32Array(Math.max(firstLength, 2 * this.#length));
      larger.set(this.#items);
      this.#items = larger;
    }
    this.#items[this.#length++] = value;
  }

  /** Returns undefined outside the column. */
  at(index: number): number | undefined {
    return index < this.#length ? this.#items[index] : undefined;
  }

  /** Sets an existing number, or appends one if `index` is the length. */
  set(index: number, value: number): void {
    if (index === this.#length) this.push(value);
    else this.#items[index] = value;
  }
}
