// Stores where each of a million rows stands in its file. Consecutive rows share one stored offset.

import { NumberColumn } from '../../lib/number-column.ts';
import { lastWhere } from '../../lib/search.ts';
import type { RawRow } from './row.ts';

export type RowPlace = Pick<RawRow, 'start' | 'bytes' | 'line'>;

/** Most rows that share a stored offset, and are counted from it. */
const rowsOfRun = 16;

export class RowPlaces {
  readonly #bytes = new NumberColumn();
  /** For each run of consecutive rows: the number, offset and line of its first row. */
  readonly #firsts = new NumberColumn();
  readonly #starts = new NumberColumn();
  readonly #lines = new NumberColumn();
  /** Offset and line that the next row has when nothing stands in between. */
  #nextStart = -1;
  #nextLine = -1;
  /** The row that was asked for last, and its run: most callers ask for one row after the other. */
  #last: { readonly index: number; readonly run: number; readonly place: RowPlace } | undefined;

  get length(): number {
    return this.#bytes.length;
  }

  push({ start, bytes, line }: RowPlace): void {
    const first = this.#firsts.at(this.#firsts.length - 1);
    const follows = start === this.#nextStart && line === this.#nextLine && this.length - first < rowsOfRun;
    if (!follows) {
      this.#firsts.push(this.length);
      this.#starts.push(start);
      this.#lines.push(line);
    }
    this.#bytes.push(bytes);
    this.#nextStart = start + bytes + 1;
    this.#nextLine = line + 1;
  }

  /** The place of a row that was pushed. */
  at(index: number): RowPlace {
    const { run, from, place } = this.#before(index);
    let { start, bytes, line } = place;
    for (let at = from; at < index; at += 1) {
      start += bytes + 1;
      bytes = this.#bytes.at(at + 1);
      line += 1;
    }
    const found = { start, bytes, line };
    this.#last = { index, run, place: found };
    return found;
  }

  /** The nearest row with a known place, at or before this one in its run. */
  #before(index: number): { readonly run: number; readonly from: number; readonly place: RowPlace } {
    const last = this.#last;
    if (last !== undefined && last.index <= index && index < this.#endOf(last.run)) {
      return { run: last.run, from: last.index, place: last.place };
    }
    const next = last === undefined ? 0 : last.run + 1;
    const run = last?.index === index - 1 && index < this.#endOf(next) ? next : this.#runOf(index);
    const from = this.#firsts.at(run);
    return {
      run,
      from,
      place: { start: this.#starts.at(run), bytes: this.#bytes.at(from), line: this.#lines.at(run) },
    };
  }

  #endOf(run: number): number {
    return run + 1 < this.#firsts.length ? this.#firsts.at(run + 1) : this.length;
  }

  #runOf(index: number): number {
    return lastWhere(this.#firsts.length, (run) => this.#firsts.at(run) <= index);
  }
}
