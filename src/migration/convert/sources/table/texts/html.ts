// Turns HTML into plain text, in time proportional to its length, however malformed it is.
import entities from './entities.cjs';

/** Elements that stand on lines of their own. */
const blocks = new Set(
  'address article aside blockquote dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul'.split(
    ' ',
  ),
);
const cells = new Set(['td', 'th']);
const hidden = new Set(['script', 'style']);

/** A piece of the text, or the name of a tag. */
type Part = { readonly text: string } | { readonly tag: string; readonly isEnd: boolean };

/**
 * The text that people see. `br` and the ends of blocks such as `p`, `div`, `li` and `tr` end a line. Where a text has such a tag, other
 * white space is a blank, as in HTML; elsewhere it stays. A `<` that starts no tag stays, and so does a tag or a comment without an end.
 */
export function plainTextOf(html: string): string {
  const parts = [...partsOf(html)];
  const hasLines = parts.some((part) => 'tag' in part && (part.tag === 'br' || blocks.has(part.tag)));
  if (!hasLines) return parts.map((part) => ('text' in part ? decoded(part.text) : '')).join('');
  const plain = new PlainText();
  let preformatted = 0;
  for (const part of parts) {
    if ('text' in part) {
      if (preformatted > 0) plain.addLines(part.text.split(/\r\n?|\n/u).map(decoded));
      else plain.add(part.text);
    } else if (part.tag === 'br') plain.end();
    else if (blocks.has(part.tag)) {
      if (part.tag === 'pre') preformatted = Math.max(0, preformatted + (part.isEnd ? -1 : 1));
      plain.endBlock();
    } else if (cells.has(part.tag)) plain.addBlank();
  }
  return plain.text();
}

function decoded(text: string): string {
  return text.includes('&') ? entities().decodeHTMLStrict(text) : text;
}

class PlainText {
  readonly #pieces: string[] = [];
  #isAtStart = true;
  /** White space before the next piece. */
  #hasBlank = false;
  #isBlockOver = false;

  /** Entities are decoded last, so that a blank that is one stays. */
  add(text: string): void {
    const words = text.replaceAll(/[ \t\n\r\f]+/gu, ' ');
    const core = words.trim() === '' ? '' : words.replace(/^ /u, '').replace(/ $/u, '');
    if (words.startsWith(' ')) this.#hasBlank = true;
    if (core === '') return;
    this.#put(decoded(core));
    this.#hasBlank = words.endsWith(' ');
  }

  addLines(lines: readonly string[]): void {
    for (const [place, line] of lines.entries()) {
      if (place > 0) this.end();
      if (line !== '') this.#put(line);
    }
  }

  addBlank(): void {
    this.#hasBlank = true;
  }

  end(): void {
    this.#startLine();
    this.#pieces.push('\n');
    this.#isAtStart = true;
    this.#hasBlank = false;
  }

  endBlock(): void {
    this.#isBlockOver = true;
  }

  /** Without the lines before the first and after the last one that has a text. */
  text(): string {
    return this.#pieces.join('').replace(/^\n+/u, '').trimEnd();
  }

  #put(text: string): void {
    this.#startLine();
    if (this.#hasBlank && !this.#isAtStart) this.#pieces.push(' ');
    this.#pieces.push(text);
    this.#isAtStart = false;
    this.#hasBlank = false;
  }

  /** The line of a block ends only before the next line, and not if `br` has ended it. */
  #startLine(): void {
    if (!this.#isBlockOver) return;
    this.#isBlockOver = false;
    this.#hasBlank = false;
    if (this.#isAtStart) return;
    this.#pieces.push('\n');
    this.#isAtStart = true;
  }
}

function* partsOf(html: string): Generator<Part> {
  const after = new MarkupSearch(html);
  let start = 0;
  let from = 0;
  for (;;) {
    const at = html.indexOf('<', from);
    if (at === -1) break;
    const found = after.markup(at);
    if (found.tag === undefined && !found.isMarkup) {
      from = found.end;
      continue;
    }
    if (at > start) yield { text: html.slice(start, at) };
    if (found.tag !== undefined) yield found.tag;
    start = found.end;
    from = start;
  }
  if (start < html.length) yield { text: html.slice(start) };
}

interface Markup {
  readonly tag?: { readonly tag: string; readonly isEnd: boolean };
  /** Whether it is left out: a tag, a comment or a declaration. */
  readonly isMarkup: boolean;
  /** Where the search goes on. No character is searched twice. */
  readonly end: number;
}

class MarkupSearch {
  readonly #html: string;
  /** The texts that do not occur again. */
  readonly #gone = new Set<string>();

  constructor(html: string) {
    this.#html = html;
  }

  markup(at: number): Markup {
    const html = this.#html;
    if (html.startsWith('<!--', at)) {
      const end = this.#after('-->', at + 2);
      return end === undefined ? { isMarkup: false, end: at + 1 } : { isMarkup: true, end };
    }
    tagStart.lastIndex = at;
    const [whole, slash, name] = tagStart.exec(html) ?? [];
    if (whole === undefined) return { isMarkup: false, end: at + 1 };
    const { end, isWhole } = this.#tagEnd(at + whole.length);
    if (!isWhole) return { isMarkup: false, end };
    if (name === undefined) return { isMarkup: true, end };
    const tag = { tag: name.toLowerCase(), isEnd: slash === '/' };
    const close = tag.isEnd || !hidden.has(tag.tag) ? undefined : this.#closeOf(tag.tag, end);
    return { tag, isMarkup: true, end: close ?? end };
  }

  /** After the `>` of a tag, which may also be in the quotes of an attribute. A `<` outside of quotes shows that this was only text. */
  #tagEnd(from: number): { readonly end: number; readonly isWhole: boolean } {
    let end = from;
    for (;;) {
      special.lastIndex = end;
      const found = special.exec(this.#html);
      if (found === null) return { end: this.#html.length, isWhole: false };
      const { 0: character, index } = found;
      if (character === '>') return { end: index + 1, isWhole: true };
      if (character === '<') return { end: index, isWhole: false };
      end = index + character.length;
      end = this.#after(character.slice(-1), end) ?? end;
    }
  }

  #after(text: string, from: number): number | undefined {
    const at = this.#gone.has(text) ? -1 : this.#html.indexOf(text, from);
    if (at !== -1) return at + text.length;
    this.#gone.add(text);
    return undefined;
  }

  /** Where the end tag of a script or a style starts. */
  #closeOf(name: string, from: number): number | undefined {
    const close = `</${name}`;
    if (this.#gone.has(close)) return undefined;
    const pattern = new RegExp(String.raw`${close}(?=[\s/>])`, 'giu');
    pattern.lastIndex = from;
    const found = pattern.exec(this.#html);
    if (found === null) this.#gone.add(close);
    return found?.index;
  }
}

/** A tag, or a declaration such as `<!doctype html>`, `<![endif]>` and `<?xml`. */
const tagStart = /<(?:(\/?)([a-z][^\s/<>]*)|[!?][a-z[])/iuy;
/** What a tag may end with, or an attribute whose value is in quotes. */
const special = /[<>]|=\s*["']/gu;
