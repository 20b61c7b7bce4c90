// Numbers the people of a plan, and marks by a bit what is counted of each: an effect on access, or a notice.
import { IntColumn, NameTable } from '../../lib/typed-arrays.ts';

export class PeopleMarks {
  readonly #table = new NameTable();
  /** By the number of a person. */
  readonly #marks = new IntColumn();
  #marksInUse = 0;
  /** The people of the object at hand in the order in which they were first named. */
  readonly #ids: string[] = [];
  readonly #numbers: number[] = [];
  /** The place in `#ids` after that of the last person. */
  #next = 0;

  /** Returns a bit that nothing else uses. There are at most 31. */
  newMark(): number {
    return 1 << this.#marksInUse++;
  }

  /** Must be called before an object is counted. */
  begin(): void {
    this.#ids.length = 0;
    this.#numbers.length = 0;
    this.#next = 0;
  }

  /** Whether the person did not have the mark yet. */
  mark(id: string, bit: number): boolean {
    const number = this.#numberOf(id);
    const marks = this.#marks.at(number) ?? 0;
    if ((marks & bit) !== 0) return false;
    this.#marks.set(number, marks | bit);
    return true;
  }

  /** Tallies name the people of a channel in the same order, so whoever was named before is found without a hash. */
  #numberOf(id: string): number {
    const place = this.#placeOf(id);
    if (place >= 0) {
      this.#next = place + 1;
      return this.#numbers[place] as number;
    }
    const number = this.#table.add(id);
    this.#ids.push(id);
    this.#numbers.push(number);
    this.#next = this.#ids.length;
    return number;
  }

  /** Returns -1 unless the person is the next one, the last one again, or the first one. */
  #placeOf(id: string): number {
    if (this.#ids[this.#next] === id) return this.#next;
    if (this.#next > 0 && this.#ids[this.#next - 1] === id) return this.#next - 1;
    return this.#ids[0] === id ? 0 : -1;
  }
}
