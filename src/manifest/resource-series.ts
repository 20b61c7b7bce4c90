// How are a million declared objects gone through without all of them in memory? In the order of their addresses, page by page.
import type { Resource } from '../model/resource.ts';
import type { Series } from '../model/series.ts';
import type { Place, Places } from './catalogue.ts';

const pageSize = 128;
/** So few are kept once they are read; of more, the last two pages. */
const maxKept = 2048;

/** The resources of one kind, read again from where they are declared. */
export class ReadSeries implements Series<Resource> {
  readonly #places: Places;
  readonly #read: (places: readonly Place[]) => readonly Resource[];
  readonly #pages = new Map<number, readonly Resource[]>();

  constructor(places: Places, read: (places: readonly Place[]) => readonly Resource[]) {
    this.#places = places;
    this.#read = read;
  }

  get length(): number {
    return this.#places.length;
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

  #page(page: number): readonly Resource[] {
    const known = this.#pages.get(page);
    if (known !== undefined) return known;
    const end = Math.min(this.length, (page + 1) * pageSize);
    const places: Place[] = [];
    for (let at = page * pageSize; at < end; at += 1) places.push(this.#places.at(at));
    const made = this.#read(places);
    // The page that was made first goes first: whoever walks through does not come back to it soon.
    const [first] = this.#pages.keys();
    const isSmall = this.length <= maxKept;
    if (!isSmall && this.#pages.size > 1 && first !== undefined) this.#pages.delete(first);
    this.#pages.set(page, made);
    return made;
  }
}
