// Which number has a name? For a million names in a few typed arrays, where a Map of strings would hold every name.
//
// A name is known by 64 bits of hash alone: of a million names two are taken for one with a probability of 3 in
// 100 million. Numbers count up from 0 in the order in which names were added.

const firstSize = 1024;

export class NameTable {
  /** By slot: the number + 1, 0 when empty; and the two halves of the hash. Open addressing, at most half full. */
  #numbers = new Int32Array(firstSize);
  #high = new Uint32Array(firstSize);
  #low = new Uint32Array(firstSize);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Its number, a new one when it is not known yet. */
  add(name: string): number {
    if (this.#size * 2 >= this.#numbers.length) this.#grow();
    const [high, low] = hash(name);
    const slot = this.#slot(high, low);
    const known = this.#numbers[slot] as number;
    if (known > 0) return known - 1;
    this.#set(slot, ++this.#size, high, low);
    return this.#size - 1;
  }

  find(name: string): number | undefined {
    const [high, low] = hash(name);
    const known = this.#numbers[this.#slot(high, low)] as number;
    return known > 0 ? known - 1 : undefined;
  }

  /** Where it stands, or where it would stand. */
  #slot(high: number, low: number): number {
    const mask = this.#numbers.length - 1;
    let slot = low & mask;
    while (this.#numbers[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low))
      slot = (slot + 1) & mask;
    return slot;
  }

  #set(slot: number, number: number, high: number, low: number): void {
    this.#numbers[slot] = number;
    this.#high[slot] = high;
    this.#low[slot] = low;
  }

  #grow(): void {
    const [numbers, highs, lows] = [this.#numbers, this.#high, this.#low];
    this.#numbers = new Int32Array(2 * numbers.length);
    this.#high = new Uint32Array(2 * numbers.length);
    this.#low = new Uint32Array(2 * numbers.length);
    for (const [place, number] of numbers.entries()) {
      if (number === 0) continue;
      const [high, low] = [highs[place] as number, lows[place] as number];
      this.#set(this.#slot(high, low), number, high, low);
    }
  }
}

/** Two rounds of multiplying and mixing, as in Murmur, over the UTF-16 code units. */
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
