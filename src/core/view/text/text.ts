// Makes text from manifests and the platform safe to print on terminals and in CI logs.
import type { JsonValue } from '../../../lib/json.ts';

/** Characters that move the cursor, are invisible, change the direction of text, look like a space, or pile up on a letter. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]|(?![ \u{3000}])\p{Zs}|(?<=\p{M}{4})\p{M}/gu;

/** Commands in the logs of GitHub (`::set-output`, `##[group]`), Azure (`##vso[…]`) and TeamCity. */
const logCommand = /(?<=^|\s):(?=:)|#(?=#\w*\[)/gu;

const plain = /^[\x20-\x7e]*$/u;
/** A quick check that most short texts pass. */
const suspicious = /[^\x20-\x7e]|::|##/u;
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text on one line, with everything that is not plainly visible escaped: `\n`, `\u{1b}`. */
export function safe(text: string): string {
  if (!suspicious.test(text)) return text;
  const visible = plain.test(text)
    ? text
    : text.replace(unseen, (char, at: number) => (isPartOfEmoji(char, text, at) ? char : escaped(char)));
  return withoutCommands(visible, escaped);
}

/** Like `safe`, for text with several lines. */
export function safeLines(text: string): string[] {
  return text.split(/\r?\n/u).map(safe);
}

/** A string in quotes. Its quotes and backslashes are escaped, so that the output is unambiguous. */
export function printText(text: string): string {
  // Most texts contain neither, and testing is faster than replacing.
  const isEscaped = text.includes('"') || text.includes('\\');
  return `"${safe(isEscaped ? text.replace(/["\\]/gu, '\\$&') : text)}"`;
}

/** Words of the sentences in which ids appear. A user may be called `nobody`. */
const wordsOfSentences =
  /^(?:all|and|any|any(?:body|one)|can|channels?|every|every(?:body|one)|in|is|lines?|may|more|no|nobody|none|not|of|or|other|others|pe(?:ople|rson)|some|some(?:body|one)|the|users?|who)$/iu;

/** An id in a list or a sentence: without quotes if it is unambiguous. */
export function printId(id: string): string {
  return /^[^\s,"'()]+$/u.test(id) && !wordsOfSentences.test(id) && safe(id) === id ? id : printText(id);
}

/** Any value, on one line. */
export function printValue(value: JsonValue): string {
  return typeof value === 'string' ? printText(value) : safe(JSON.stringify(value));
}

/** JSON of the same value that is safe to print on a terminal or in a CI log, with `\uXXXX` escapes. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  const visible = plain.test(text) ? text : text.replace(unseen, (char) => (char === '\n' ? char : jsonEscaped(char)));
  return withoutCommands(visible, jsonEscaped);
}

/** A line of YAML that is safe to print. What `safe` escapes must be in double quotes, as the writer of manifests has it. */
export function safeYaml(line: string): string {
  return withoutCommands(line.replace(unseen, jsonEscaped), jsonEscaped);
}

/** Most texts contain neither pair of signs, and this check is much faster than the pattern. */
function withoutCommands(text: string, spell: (char: string) => string): string {
  return text.includes('::') || text.includes('##') ? text.replace(logCommand, spell) : text;
}

function escaped(char: string): string {
  return named[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

function jsonEscaped(char: string): string {
  return Array.from({ length: char.length }, (_, at) => {
    return `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

/** The joiner and the variation selector are invisible, but emoji such as a family or a heart need them. */
function isPartOfEmoji(char: string, text: string, at: number): boolean {
  if (char !== '\u{200d}' && char !== '\u{fe0f}') return false;
  const before = text.slice(Math.max(0, at - 6), at);
  if (char === '\u{fe0f}') return /\p{Extended_Pictographic}$/u.test(before);
  return (
    /\p{Extended_Pictographic}\p{Emoji_Modifier}?\u{fe0f}?$/u.test(before) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3))
  );
}
