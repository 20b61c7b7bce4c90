// A series of declared objects in the order of their addresses, read page by page, so that a million fit in little memory.

import { LazySeries } from '../../lib/series.ts';
import type { Resource } from '../../model/resource.ts';
import type { BlockId, BlockIds } from './key-index.ts';

const pageSize = 128;
/** A short series keeps this many pages, which is all of it. A long one keeps the last two. */
const keptOfFew = 16;

interface Page {
  readonly number: number;
  readonly resources: readonly Resource[];
}

/** The resources of one kind, read again from their files on demand. */
export class ReadSeries extends LazySeries<Resource> {
  readonly #blocks: BlockIds;
  readonly #read: (ids: readonly BlockId[]) => readonly Resource[];
  readonly #pages: (Page | undefined)[] = [];

  constructor(ids: BlockIds, read: (ids: readonly BlockId[]) => readonly Resource[]) {
    super();
    this.#blocks = ids;
    this.#read = read;
  }

  get length(): number {
    return this.#blocks.length;
  }

  at(index: number): Resource | undefined {
    if (!(index >= 0 && index < this.length)) return undefined;
    return this.#page(Math.floor(index / pageSize))[index % pageSize];
  }

  *[Symbol.iterator](): Iterator<Resource> {
    for (let page = 0; page * pageSize < this.length; page += 1) {
      for (const resource of this.#page(page)) yield resource;
    }
  }

  #page(number: number): readonly Resource[] {
    const slot = number % (this.length <= keptOfFew * pageSize ? keptOfFew : 2);
    const known = this.#pages[slot];
    if (known?.number === number) return known.resources;
    const end = Math.min(this.length, (number + 1) * pageSize);
    const ids: BlockId[] = [];
    for (let at = number * pageSize; at < end; at += 1) ids.push(this.#blocks.at(at));
    const resources = this.#read(ids);
    this.#pages[slot] = { number, resources };
    return resources;
  }
}
