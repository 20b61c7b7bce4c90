// Cuts text to a width in terminal columns. Text must not contain colour codes.
import { displayWidth, graphemes, graphemeWidth, narrow } from './layout.ts';

/** The longest prefix of the text that fits. */
export function prefixThatFits(text: string, columns: number): string {
  if (narrow.test(text)) return text.slice(0, Math.max(0, columns));
  let used = 0;
  let kept = '';
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme);
    if (used > columns) break;
    kept += grapheme;
  }
  return kept;
}

/** The text, cut with `…` if it does not fit. */
export function clip(text: string, columns: number): string {
  return displayWidth(text) <= columns ? text : `${prefixThatFits(text, columns - 1)}…`;
}

/** Cuts the text into pieces that fit. */
export function* chop(text: string, columns: number): Generator<string> {
  let rest = text;
  while (displayWidth(rest) > columns) {
    const piece = prefixThatFits(rest, columns);
    if (piece === '') break;
    yield piece;
    rest = rest.slice(piece.length);
  }
  yield rest;
}
