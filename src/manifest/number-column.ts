// How are millions of numbers kept that come one after another? In blocks, so that growing copies nothing.
//
// Most columns are places that only grow, or lengths: of a block they are kept as small numbers, as far as they are.

const blockSize = 1 << 14;
/** The first block begins small: there may be thousands of columns of a few numbers each. */
const firstSize = 1 << 5;
/** Smaller numbers are kept as they are, others as their distance from the first of their block. */
const small = 1 << 16;

type Numbers = Uint16Array | Uint32Array | Float64Array;

interface Block {
  readonly base: number;
  readonly numbers: Numbers;
}

export class NumberColumn {
  readonly #blocks: Block[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const at = this.#length % blockSize;
    if (at === 0) {
      const size = this.#length === 0 ? firstSize : blockSize;
      this.#blocks.push({ base: value < small ? 0 : value, numbers: new Uint16Array(size) });
    }
    this.#length += 1;
    const number = this.#blocks.length - 1;
    let block = this.#blocks[number];
    if (block === undefined) return;
    if (at === block.numbers.length) {
      block = longer(block);
      this.#blocks[number] = block;
    }
    block.numbers[at] = value - block.base;
    if (block.numbers[at] === value - block.base) return;
    const wider = widened(block, value - block.base);
    wider.numbers[at] = value - wider.base;
    this.#blocks[number] = wider;
  }

  /** 0 outside of the column. */
  at(index: number): number {
    const block = this.#blocks[Math.floor(index / blockSize)];
    const number = block?.numbers[index % blockSize];
    return block === undefined || number === undefined || index >= this.#length ? 0 : block.base + number;
  }
}

/** With room for more numbers. */
function longer({ base, numbers }: Block): Block {
  const all =
    numbers instanceof Uint16Array ? Uint16Array : numbers instanceof Uint32Array ? Uint32Array : Float64Array;
  const room = new all(Math.min(blockSize, 8 * numbers.length));
  room.set(numbers);
  return { base, numbers: room };
}

/** With room for another number. */
function widened({ base, numbers }: Block, next: number): Block {
  if (next >= 0 && next < 2 ** 32 && numbers instanceof Uint16Array)
    return { base, numbers: Uint32Array.from(numbers) };
  return { base: 0, numbers: Float64Array.from(numbers, (number) => base + number) };
}
