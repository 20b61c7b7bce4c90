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
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}
