// Splits a text that is too long for one message. The joined parts equal the text.

/** Searches for a break only in the last part of a piece, so that pieces stay long. */
const breakShare = 0.8;

/** Pieces of at most `length` Unicode code points, preferably ending at the end of a line or word. */
export function splitText(text: string, length: number): string[] {
  if (text.length <= length) return [text];
  const parts: string[] = [];
  let rest = text;
  for (let end = endOf(rest, length); end < rest.length; end = endOf(rest, length)) {
    const earliest = Math.max(1, Math.floor(end * breakShare));
    const line = rest.lastIndexOf('\n', end - 1) + 1;
    const word = rest.lastIndexOf(' ', end - 1) + 1;
    const at = line >= earliest ? line : word >= earliest ? word : end;
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  parts.push(rest);
  return parts;
}

/** The number of code units of the first `length` code points, or of a shorter text. */
function endOf(text: string, length: number): number {
  let at = 0;
  for (let count = 0; count < length && at < text.length; count++) {
    // V8 of Node 24 and 26 reads beyond the end of a sliced text in codePointAt, so the pair is tested unit by unit.
    at += isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1;
  }
  return at;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** False for NaN, which charCodeAt returns at the end of a text. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
