// Reads a strict subset of YAML, many times faster than the library: a part of a manifest that is written plainly.
//
// The subset: block maps and lists, flow maps and lists on one line, texts on one line. For anything else the result is
// undefined and the library is used. It may be strict but never wrong: a property test compares the two.
import { reservedKeys } from '../../lib/unusable.ts';
import {
  carriageReturn,
  closeBrace,
  closeBracket,
  colon,
  comma,
  dash,
  doubleQuote,
  hash,
  isBlank,
  isFlowSign,
  isIndicator,
  lineFeed,
  openBrace,
  openBracket,
  outside,
  plainTree,
  singleQuote,
  space,
  tab,
  textTree,
  unquoted,
} from './plain-scalar.ts';
import type { ListTree, MapTree, ScalarTree, Tree, TreeEntry } from './tree.ts';

/** Deeper parts are left to the library, which counts exactly. */
const maxDepth = 20;
/** YAML limits keys on the line of their value; the library has the exact rule. */
const maxKey = 500;

/** The map between two offsets, the first of which begins a line. Undefined when it is not in the subset. */
export function readPlainMap(text: string, start: number, end: number): MapTree | undefined {
  return attempt(() => new PlainReader(text, start, end).document());
}

/** The key that begins at an offset. */
export function readPlainKey(text: string, offset: number, end: number): string | undefined {
  return attempt(() => new PlainReader(text, offset, end).key().text);
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error === outside) return undefined;
    throw error;
  }
}

class PlainReader {
  readonly #text: string;
  readonly #end: number;
  #at: number;
  /** Columns before the content of the current line. */
  #indent = 0;
  #depth = 0;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#at = start;
    this.#end = end;
  }

  document(): MapTree {
    if (!this.#toContent()) throw outside;
    const map = this.#blockMap(this.#indent);
    if (this.#at < this.#end) throw outside;
    return map;
  }

  key(): { readonly text: string; readonly offset: number } {
    const offset = this.#at;
    const code = this.#code(offset);
    const text = code === doubleQuote || code === singleQuote ? this.#quoted(code) : this.#plainKey(false);
    if (this.#code(this.#at) !== colon || !isBlank(this.#code(this.#at + 1)) || text.length > maxKey) throw outside;
    return { text, offset };
  }

  /** Returns line ends past the end of the input. */
  #code(at: number): number {
    return at < this.#end ? this.#text.charCodeAt(at) : lineFeed;
  }

  /** Moves from the start of a line to the next content, past comments and blank lines. False at the end. */
  #toContent(): boolean {
    while (this.#at < this.#end) {
      const lineStart = this.#at;
      while (this.#code(this.#at) === space) this.#at += 1;
      const code = this.#code(this.#at);
      if (code === tab) throw outside;
      if (code !== lineFeed && code !== carriageReturn && code !== hash) {
        this.#indent = this.#at - lineStart;
        return this.#at < this.#end;
      }
      this.#nextLine();
    }
    this.#indent = -1;
    return false;
  }

  #nextLine(): void {
    const lineEnd = this.#text.indexOf('\n', this.#at);
    this.#at = lineEnd === -1 || lineEnd >= this.#end ? this.#end : lineEnd + 1;
  }

  /** Moves past the end of a value's line, where only a comment may follow, to the next content. */
  #endLine(): void {
    const valueEnd = this.#at;
    while (this.#code(this.#at) === space) this.#at += 1;
    const code = this.#code(this.#at);
    if (code === hash) {
      if (this.#at === valueEnd) throw outside;
    } else if (code !== lineFeed && code !== carriageReturn) throw outside;
    this.#nextLine();
    this.#toContent();
  }

  #blockMap(indent: number): MapTree {
    this.#enter();
    const start = this.#at;
    const entries = new Map<string, TreeEntry>();
    do {
      const { text, offset } = this.key();
      if (entries.has(text) || reservedKeys.has(text)) throw outside;
      this.#at += 1;
      entries.set(text, { offset, value: this.#blockValue(indent) });
      if (this.#indent > indent) throw outside;
    } while (this.#indent === indent);
    this.#depth -= 1;
    return { type: 'map', offset: start, entries };
  }

  /** Reads from the colon to the next content. */
  #blockValue(indent: number): Tree {
    const colonEnd = this.#at;
    while (this.#code(this.#at) === space) this.#at += 1;
    const code = this.#code(this.#at);
    if (code !== lineFeed && code !== carriageReturn && (code !== hash || this.#at === colonEnd)) {
      const value = this.#inline(code);
      this.#endLine();
      if (this.#indent > indent) throw outside;
      return value;
    }
    const valueStart = this.#at;
    this.#at = colonEnd;
    this.#endLine();
    if (this.#indent > indent) return this.#isItem() ? this.#blockList(this.#indent) : this.#blockMap(this.#indent);
    if (this.#indent === indent && this.#isItem()) return this.#blockList(indent);
    return { type: 'scalar', offset: valueStart, value: null, text: '' };
  }

  #isItem(): boolean {
    return this.#code(this.#at) === dash && isBlank(this.#code(this.#at + 1));
  }

  #blockList(indent: number): ListTree {
    this.#enter();
    const start = this.#at;
    const items: Tree[] = [];
    while (this.#indent === indent && this.#isItem()) {
      this.#at += 1;
      while (this.#code(this.#at) === space) this.#at += 1;
      const code = this.#code(this.#at);
      // Items that begin on the next line, and empty ones, are rare.
      if (code === lineFeed || code === carriageReturn || code === hash || this.#isItem()) throw outside;
      items.push(this.#listItem(code, indent));
    }
    if (this.#indent > indent) throw outside;
    this.#depth -= 1;
    return { type: 'list', offset: start, items };
  }

  #listItem(code: number, indent: number): Tree {
    const start = this.#at;
    if (code !== openBrace && code !== openBracket && this.#beginsPair()) {
      const lineStart = this.#text.lastIndexOf('\n', start) + 1;
      return this.#blockMap(start - lineStart);
    }
    const value = this.#inline(code);
    this.#endLine();
    if (this.#indent > indent) throw outside;
    return value;
  }

  /** Whether the current line begins with a key and a colon. */
  #beginsPair(): boolean {
    const start = this.#at;
    try {
      this.key();
      return true;
    } catch (error) {
      if (error !== outside) throw error;
      return false;
    } finally {
      this.#at = start;
    }
  }

  /** Reads a value on the line of its key. */
  #inline(code: number): Tree {
    if (code === openBrace) return this.#flowMap();
    if (code === openBracket) return this.#flowList();
    const offset = this.#at;
    if (code === doubleQuote || code === singleQuote) return textTree(offset, this.#quoted(code));
    return this.#plainScalar();
  }

  #plainScalar(): ScalarTree {
    const offset = this.#at;
    this.#refuseIndicator(offset);
    let last = offset;
    for (let at = offset; ; at += 1) {
      const code = this.#code(at);
      if (code === lineFeed) break;
      if (code === carriageReturn || code === tab) {
        if (code === carriageReturn && this.#code(at + 1) === lineFeed) break;
        throw outside;
      }
      if (code === colon && isBlank(this.#code(at + 1))) throw outside;
      if (code === hash && this.#code(at - 1) === space) break;
      if (code !== space) last = at + 1;
    }
    this.#at = last;
    return plainTree(offset, this.#text.slice(offset, last));
  }

  /** Reads up to the colon; in flow style, flow indicators end it as well. */
  #plainKey(inFlow: boolean): string {
    const offset = this.#at;
    this.#refuseIndicator(offset);
    for (let at = offset; ; at += 1) {
      const code = this.#code(at);
      if (code === colon && (isBlank(this.#code(at + 1)) || (inFlow && isFlowSign(this.#code(at + 1))))) {
        this.#at = at;
        break;
      }
      const isComment = code === hash && this.#code(at - 1) === space;
      if (isComment || code === lineFeed || code === carriageReturn || code === tab) throw outside;
      if (inFlow && isFlowSign(code)) throw outside;
    }
    const text = this.#text.slice(offset, this.#at);
    // The merge key has a meaning of its own.
    if (text === '<<' || text.endsWith(' ')) throw outside;
    return text;
  }

  #refuseIndicator(offset: number): void {
    const code = this.#code(offset);
    if (code === dash ? isBlank(this.#code(offset + 1)) : isIndicator(code)) throw outside;
    // Three dots or dashes may end a document.
    if (this.#code(offset + 1) === code && (code === dash || code === 46)) throw outside;
  }

  #quoted(quote: number): string {
    const start = this.#at + 1;
    for (let at = start; ; at += 1) {
      const code = this.#code(at);
      if (code === lineFeed || code === carriageReturn || code === tab) throw outside;
      if (code === 92 && quote === doubleQuote) at += 1;
      else if (code === quote) {
        if (quote === singleQuote && this.#code(at + 1) === singleQuote) at += 1;
        else {
          this.#at = at + 1;
          return unquoted(this.#text.slice(start, at), quote);
        }
      }
    }
  }

  #flowMap(): MapTree {
    this.#enter();
    const start = this.#at;
    const entries = new Map<string, TreeEntry>();
    this.#at += 1;
    this.#skipSpaces();
    while (this.#code(this.#at) !== closeBrace) {
      const offset = this.#at;
      const key = this.#flowKey();
      if (entries.has(key) || reservedKeys.has(key)) throw outside;
      entries.set(key, { offset, value: this.#flowValue(closeBrace) });
      this.#endOfFlowPart(closeBrace);
    }
    this.#at += 1;
    this.#depth -= 1;
    return { type: 'map', offset: start, entries };
  }

  /** Reads a key with its colon. */
  #flowKey(): string {
    const code = this.#code(this.#at);
    const text = code === doubleQuote || code === singleQuote ? this.#quoted(code) : this.#plainKey(true);
    const next = this.#code(this.#at + 1);
    if (this.#code(this.#at) !== colon || !(isBlank(next) || isFlowSign(next)) || text.length > maxKey) throw outside;
    this.#at += 1;
    return text;
  }

  #flowList(): ListTree {
    this.#enter();
    const start = this.#at;
    const items: Tree[] = [];
    this.#at += 1;
    this.#skipSpaces();
    while (this.#code(this.#at) !== closeBracket) {
      const item = this.#flowValue(closeBracket);
      if (item.type === 'scalar' && item.text === '' && item.value === null) throw outside;
      items.push(item);
      this.#endOfFlowPart(closeBracket);
    }
    this.#at += 1;
    this.#depth -= 1;
    return { type: 'list', offset: start, items };
  }

  #flowValue(close: number): Tree {
    this.#skipSpaces();
    const code = this.#code(this.#at);
    if (code === comma || code === close) return { type: 'scalar', offset: this.#at, value: null, text: '' };
    if (code === openBrace) return this.#flowMap();
    if (code === openBracket) return this.#flowList();
    const offset = this.#at;
    if (code === doubleQuote || code === singleQuote) return textTree(offset, this.#quoted(code));
    return this.#flowScalar();
  }

  #flowScalar(): ScalarTree {
    const offset = this.#at;
    this.#refuseIndicator(offset);
    let last = offset;
    for (let at = offset; ; at += 1) {
      const code = this.#code(at);
      if (code === comma || code === closeBrace || code === closeBracket) break;
      if (code === lineFeed || code === carriageReturn || code === tab || isFlowSign(code)) throw outside;
      if (code === colon && (isBlank(this.#code(at + 1)) || isFlowSign(this.#code(at + 1)))) throw outside;
      if (code === hash && this.#code(at - 1) === space) throw outside;
      if (code !== space) last = at + 1;
    }
    this.#at = last;
    return plainTree(offset, this.#text.slice(offset, last));
  }

  #endOfFlowPart(close: number): void {
    this.#skipSpaces();
    const code = this.#code(this.#at);
    if (code === close) return;
    if (code !== comma) throw outside;
    this.#at += 1;
    this.#skipSpaces();
    if (this.#code(this.#at) === comma) throw outside;
  }

  /** Moves past spaces in flow style. Comments and line ends are outside the subset there. */
  #skipSpaces(): void {
    while (this.#code(this.#at) === space) this.#at += 1;
    const code = this.#code(this.#at);
    if (code === lineFeed || code === carriageReturn || code === tab || code === hash) throw outside;
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw outside;
  }
}
