// Remembers where the lines of a history file are that replies may name as the first messages of their threads.

import { IntColumn } from '../../../lib/typed-arrays.ts';

/** A line that a reply may name. It counts from 0; the time is in Unix milliseconds. */
export interface FirstLine {
  readonly line: number;
  readonly time: number;
  readonly type: (typeof placeTypes)[number];
}

const minuteMs = 60_000;
const placeTypes = ['message', 'reply', 'notice'] as const;

/** Twelve bytes for each line with a dedup_id, since any of them may be the first of a thread. */
export class FirstLines {
  /** The line, then the type in two bits. */
  readonly #lines = new IntColumn();
  /** The time in minutes, and its further milliseconds. */
  readonly #minutes = new IntColumn();
  readonly #milliseconds = new IntColumn();

  push({ line, time, type }: FirstLine): void {
    this.#lines.push(line * 4 + placeTypes.indexOf(type));
    this.#minutes.push(Math.floor(time / minuteMs));
    this.#milliseconds.push(time % minuteMs);
  }

  at(number: number): FirstLine | undefined {
    const [place, minutes, milliseconds] = [this.#lines, this.#minutes, this.#milliseconds].map((column) =>
      column.at(number),
    );
    if (place === undefined || minutes === undefined || milliseconds === undefined) return undefined;
    return { line: place >> 2, time: minutes * minuteMs + milliseconds, type: placeTypes[place & 3] ?? 'message' };
  }
}
