// How are millions of numbers kept that come one after another? In blocks, so that growing copies little.
//
// Most columns are places that only grow, or lengths: of a block they are kept as small numbers, as far as they are, and not
// at all while each is one more than the one before it.

const blockSize = 1 << 14;
/** A block has room for so many, more when they come: there may be thousands of columns of a few numbers each. */
const rooms = [1 << 5, 1 << 8, 1 << 11, blockSize];
/** Smaller numbers are kept as they are, others as their distance from the first of their block. */
const small = 1 << 16;

interface Block {
  readonly base: number;
  /** Undefined: they count up from the base. */
  readonly numbers: Uint8Array | Uint16Array | Uint32Array | Float64Array | undefined;
}

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

  /** 0 outside of the column. */
  at(index: number): number {
    if (!(index >= 0 && index < this.#length)) return 0;
    const { base, numbers } = this.#blocks[Math.floor(index / blockSize)] as Block;
    const at = index % blockSize;
    return base + (numbers === undefined ? at : (numbers[at] as number));
  }
}

/** The first numbers of a block. */
function valuesOf({ base, numbers }: Block, count: number): number[] {
  return Array.from({ length: count }, (_none, at) => base + (numbers === undefined ? at : (numbers[at] as number)));
}

/** In the least room that they fit into. */
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
