// Splits a text that is longer than a message may be. The parts together are the text, character for character.

/** A break is looked for in the last part of a piece, so that pieces stay long. */
const breakShare = 0.8;

/** At most `length` Unicode code points each; at the end of a line or a word where there is one. */
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

/** How many code units the first `length` code points have, or the whole text when it is shorter. */
function endOf(text: string, length: number): number {
  let at = 0;
  for (let count = 0; count < length && at < text.length; count++) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}
