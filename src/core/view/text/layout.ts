// Measures text in terminal columns and fills lines with it. Text must not contain colour codes.

import { unbrokenWords } from './typed-commands.ts';

/** Text of which each code unit is one column: also Latin letters, dashes, quotes and `…`. A segmenter is slow to load. */
export const narrow = /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2212]*$/u;
const wide =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\u{fe0f}|\p{Emoji_Presentation}/u;
const combining = /^\p{M}+$/u;

let segmenter: Intl.Segmenter | undefined;

/** Adds a line end to each line. */
export function* withEnds(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

/** The visible characters: a letter with its accent, a family of emoji. */
export function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment } of segmenter.segment(text)) yield segment;
}

export function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return combining.test(grapheme) ? 0 : 1;
}

export function displayWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let columns = 0;
  for (const grapheme of graphemes(text)) columns += graphemeWidth(grapheme);
  return columns;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)));
}

export function padStart(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - displayWidth(text))) + text;
}

/** Fills lines with parts. A part that does not fit gets its own line and is not cut. */
export function* flow(parts: Iterable<string>, columns: number): Generator<string> {
  let line: string | undefined;
  let used = 0;
  for (const part of parts) {
    const partWidth = displayWidth(part);
    if (line !== undefined && used + 1 + partWidth <= columns) {
      line += ` ${part}`;
      used += 1 + partWidth;
    } else {
      if (line !== undefined) yield line;
      line = part;
      used = partWidth;
    }
  }
  if (line !== undefined) yield line;
}

/** The columns of prose. Output without a terminal (`whole`) is not wrapped: programs look for a message on one line. */
export function proseColumns(columns: number, whole: boolean | undefined): number {
  return whole === true ? Number.POSITIVE_INFINITY : columns;
}

/** Wraps prose between words. */
export function* wrap(text: string, columns: number): Generator<string> {
  yield* flow(unbrokenWords(text), columns);
}
