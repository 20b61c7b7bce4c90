// Converts offsets of a text to lines and columns, and returns excerpts.
import { lastWhere } from '../../lib/series.ts';
import type { SourcePosition } from '../../model/source.ts';

/** The maximum length of an excerpt. Longer lines are not shown. */
export const maxExcerpt = 240;

/** A text that problems point into. */
export interface ProblemSource {
  /** Relative to the working folder, with `/`. */
  readonly file: string;
  position(offset: number): SourcePosition;
  /** Returns the whole line without its end, or undefined if it is too long. */
  excerpt(offset: number): string | undefined;
}

export class SourceText implements ProblemSource {
  readonly file: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  position(offset: number): SourcePosition {
    const line = this.#lineOf(offset);
    return { file: this.file, line: line + 1, column: offset - this.#startOf(line) + 1 };
  }

  excerpt(offset: number): string | undefined {
    const line = this.#lineOf(offset);
    const end = line + 1 < this.#starts().length ? this.#startOf(line + 1) - 1 : this.text.length;
    if (end - this.#startOf(line) > maxExcerpt) return undefined;
    return this.text.slice(this.#startOf(line), end).replace(/\r$/u, '');
  }

  #lineOf(offset: number): number {
    const starts = this.#starts();
    return lastWhere(starts.length, (line) => (starts[line] ?? 0) <= offset);
  }

  #startOf(line: number): number {
    return this.#starts()[line] ?? 0;
  }

  #starts(): readonly number[] {
    if (this.#lineStarts === undefined) {
      const starts = [0];
      for (let at = this.text.indexOf('\n'); at !== -1; at = this.text.indexOf('\n', at + 1)) starts.push(at + 1);
      this.#lineStarts = starts;
    }
    return this.#lineStarts;
  }
}
