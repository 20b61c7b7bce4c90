// Where messages went that other rows of the source belong to, such as reactions.
import { NameTable } from '../lib/name-table.ts';

interface Place {
  /** The address of the archive. */
  readonly to: string;
  readonly line: number;
}

/** Some forty bytes a message: the names of archives are kept once. */
export class Places {
  readonly #messages = new NameTable();
  readonly #archives = new Map<string, number>();
  readonly #names: string[] = [];
  /** By the number of the message. */
  readonly #archive: number[] = [];
  readonly #line: number[] = [];

  set(message: string, { to, line }: Place): void {
    let archive = this.#archives.get(to);
    if (archive === undefined) {
      archive = this.#names.push(to) - 1;
      this.#archives.set(to, archive);
    }
    const number = this.#messages.add(message);
    this.#archive[number] = archive;
    this.#line[number] = line;
  }

  get(message: string): Place | undefined {
    const number = this.#messages.find(message);
    if (number === undefined) return undefined;
    return { to: this.#names[this.#archive[number] ?? 0] ?? '', line: this.#line[number] ?? 0 };
  }
}
