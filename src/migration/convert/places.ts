// Positions of messages that other rows of the source, such as reactions, refer to.
import { IntColumn, NameTable } from '../../lib/typed-arrays.ts';

interface MessagePlace {
  /** The address of the archive. */
  readonly to: string;
  readonly line: number;
}

/** About thirty bytes per message: archive names are stored once. */
export class MessagePlaces {
  readonly #messages = new NameTable();
  readonly #archives = new Map<string, number>();
  readonly #names: string[] = [];
  /** By message number. */
  readonly #archive = new IntColumn();
  readonly #line = new IntColumn();

  set(message: string, { to, line }: MessagePlace): void {
    let archive = this.#archives.get(to);
    if (archive === undefined) {
      archive = this.#names.push(to) - 1;
      this.#archives.set(to, archive);
    }
    const number = this.#messages.add(message);
    this.#archive.set(number, archive);
    this.#line.set(number, line);
  }

  get(message: string): MessagePlace | undefined {
    const number = this.#messages.find(message);
    if (number === undefined) return undefined;
    return { to: this.#names[this.#archive.at(number) ?? 0] ?? '', line: this.#line.at(number) ?? 0 };
  }
}
