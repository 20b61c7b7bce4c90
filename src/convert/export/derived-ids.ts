// Ids of messages to which the source gives none. Time and author make one, as in an import of Mattermost, and messages that share
// both are numbered in the order of the export.
import { digestText } from '../../lib/digest.ts';
import { NameTable } from '../../lib/typed-arrays.ts';

/** Within its channel, and without its number. */
export function derivedId(time: number, sender: string | undefined): string {
  return `${time}-${digestText(sender ?? '').slice(0, 12)}`;
}

/** The messages of one export. */
export class DerivedIds {
  readonly #seen = new NameTable();
  readonly #counts = new Map<string, number>();

  /** The id itself for the first message, and `ID-2` for the second one. */
  numbered(channel: string, id: string): string {
    const { size } = this.#seen;
    const name = `${channel}\n${id}`;
    if (this.#seen.add(name) === size) return id;
    const count = (this.#counts.get(name) ?? 1) + 1;
    this.#counts.set(name, count);
    return `${id}-${count}`;
  }
}
