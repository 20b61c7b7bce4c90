// Append-only columns of millions of numbers. NumberColumn is compressed, IntColumn is a plain array.

const blockSize = 1 << 14;
/** Capacities of a growing block. They start small because there may be thousands of short columns. */
const rooms = [1 << 5, 1 << 8, 1 << 11, blockSize];
/** A block whose first number is below this has the base 0. */
const small = 1 << 16;

interface Block {
  readonly base: number;
  /** Distances from the base. Undefined if they are 0, 1, 2 and so on. */
  readonly numbers: Uint8Array | Uint16Array | Uint32Array | Float64Array | undefined;
}

/** Compressed whole numbers. A block keeps small distances from its base, or nothing while its numbers are consecutive. */
export class NumberColumn {
  readonly #blocks: Block[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const at = this.#length % blockSize;
    if (at === 0) this.#blocks.push({ base: value, numbers: undefined });
    this.#length += 1;
    const number = this.#blocks.length - 1;
    const block = this.#blocks[number] as Block;
    const { base, numbers } = block;
    if (numbers === undefined) {
      if (value === base + at) return;
    } else if (at < numbers.length) {
      numbers[at] = value - base;
      if (numbers[at] === value - base) return;
    }
    this.#blocks[number] = blockOf([...valuesOf(block, at), value]);
  }

  /** Returns 0 outside the column. */
  at(index: number): number {
    if (!(index >= 0 && index < this.#length)) return 0;
    const { base, numbers } = this.#blocks[Math.floor(index / blockSize)] as Block;
    const at = index % blockSize;
    return base + (numbers === undefined ? at : (numbers[at] as number));
  }
}

/** Returns the first `count` numbers of a block. */
function valuesOf({ base, numbers }: Block, count: number): number[] {
  return Array.from({ length: count }, (_none, at) => base + (numbers === undefined ? at : (numbers[at] as number)));
}

/** Stores the values in the smallest array type that fits. */
function blockOf(values: readonly number[]): Block {
  const [first = 0] = values;
  const base = first < small ? 0 : first;
  const [least, most] = values.reduce(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [base, base],
  );
  const room = rooms.find((size) => values.length <= size) ?? blockSize;
  const bits = least < base ? Number.POSITIVE_INFINITY : Math.log2(most - base + 1);
  if (bits > 32) return { base: 0, numbers: filled(new Float64Array(room), values, 0) };
  const numbers = bits <= 8 ? new Uint8Array(room) : bits <= 16 ? new Uint16Array(room) : new Uint32Array(room);
  return { base, numbers: filled(numbers, values, base) };
}

function filled<T extends NonNullable<Block['numbers']>>(numbers: T, values: readonly number[], base: number): T {
  for (const [at, value] of values.entries()) numbers[at] = value - base;
  return numbers;
}

/** Integers of 32 bits, for callers that read them as one array or change them. */
export class IntColumn {
  #items = new Int32Array(1024);
  #length = 0;

  /** A view of the numbers so far. It is invalid after the next `push`. */
  get values(): Int32Array {
    return this.#items.subarray(0, this.#length);
  }

  push(value: number): void {
    if (this.#length === this.#items.length) {
      const larger = new Int32Array(2 * this.#length);
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
