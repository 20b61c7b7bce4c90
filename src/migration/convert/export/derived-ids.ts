// Ids of messages to which the source gives none. Time and author make one, as in an import of Mattermost, and messages that share
// both are numbered in the order of the export.
import { digestText } from '../../../lib/digest.ts';
import { NameTable } from '../../../lib/typed-arrays.ts';

/**
 * Within its channel, and without its number. `finer` are the digits of the time beyond its milliseconds, and `order` is what
 * orders the messages of one time, if the source says so: then no number has to.
 */
export function derivedId(time: number, sender: string | undefined, finer = '', order?: string): string {
  const author = digestText(order === undefined ? (sender ?? '') : JSON.stringify([sender ?? '', order])).slice(0, 12);
  return `${time}${finer === '' ? '' : `.${finer}`}-${author}`;
}

/** The messages of one export. */
export class DerivedIds {
  /** How often each name occurred, beyond the first time. */
  readonly #messages = new Occurrences();
  /** The ids of messages with their texts, so that the copy in a further file is known. Those without a number are not kept. */
  readonly #numbers = new Map<string, number>();
  readonly #texts = new NameTable();
  #file = '';
  #inFile = new Occurrences();

  /**
   * The id itself for the first message, and `ID-2` for the second one. A message that an earlier `file` of the export has with the same
   * text has the id of that one.
   */
  numbered(channel: string, id: string, text: string, file: string): string {
    if (file !== this.#file) {
      this.#file = file;
      this.#inFile = new Occurrences();
    }
    const name = `${channel}\n${id}`;
    const same = `${name}\n${digestText(text).slice(0, 24)}`;
    const copy = `${same}\n${this.#inFile.add(same)}`;
    const { size } = this.#texts;
    const isCopy = this.#texts.add(copy) < size;
    const number = isCopy ? (this.#numbers.get(copy) ?? 1) : this.#messages.add(name);
    if (!isCopy && number > 1) this.#numbers.set(copy, number);
    return number === 1 ? id : `${id}-${number}`;
  }
}

/** Counts names, most of which occur once. */
class Occurrences {
  readonly #names = new NameTable();
  readonly #more = new Map<string, number>();

  /** Returns how often the name has occurred, this time included. */
  add(name: string): number {
    const { size } = this.#names;
    if (this.#names.add(name) === size) return 1;
    const count = (this.#more.get(name) ?? 1) + 1;
    this.#more.set(name, count);
    return count;
  }
}
