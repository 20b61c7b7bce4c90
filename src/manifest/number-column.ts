// How are millions of numbers kept that come one after another? In blocks, so that growing copies nothing.

const blockSize = 1 << 14;

export class NumberColumn {
  readonly #blocks: Float64Array[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    const at = this.#length % blockSize;
    if (at === 0) this.#blocks.push(new Float64Array(blockSize));
    const block = this.#blocks.at(-1);
    if (block !== undefined) block[at] = value;
    this.#length += 1;
  }

  /** 0 outside of the column. */
  at(index: number): number {
    return this.#blocks[Math.floor(index / blockSize)]?.[index % blockSize] ?? 0;
  }
}
