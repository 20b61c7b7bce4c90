// Positions of messages that other rows of the source, such as reactions, refer to.
import { IntColumn, NameTable } from '../../lib/typed-arrays.ts';

interface MessagePlace {
  /** The address of the history file. */
  readonly to: string;
  readonly line: number;
}

/** About thirty bytes per message: history file names are stored once. */
export class MessagePlaces {
  readonly #messages = new NameTable();
  readonly #historyFiles = new Map<string, number>();
  readonly #names: string[] = [];
  /** By message number. */
  readonly #historyFile = new IntColumn();
  readonly #line = new IntColumn();

  set(message: string, { to, line }: MessagePlace): void {
    let historyFile = this.#historyFiles.get(to);
    if (historyFile === undefined) {
      historyFile = this.#names.push(to) - 1;
      this.#historyFiles.set(to, historyFile);
    }
    const number = this.#messages.add(message);
    this.#historyFile.set(number, historyFile);
    this.#line.set(number, line);
  }

  get(message: string): MessagePlace | undefined {
    const number = this.#messages.find(message);
    if (number === undefined) return undefined;
    return { to: this.#names[this.#historyFile.at(number) ?? 0] ?? '', line: this.#line.at(number) ?? 0 };
  }
}
