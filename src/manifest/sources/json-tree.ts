// What does a line of JSON say, and where does each part of it stand? Asked only of lines with which something is wrong.

import type { ManifestCode } from '../checks/codes.ts';
import { quote } from '../checks/wording.ts';
import { reservedKeys } from '../yaml/plain-scalar.ts';
import type { Entry, Tree } from '../yaml/tree.ts';

export interface JsonProblem {
  readonly code: ManifestCode;
  readonly detail: string;
  readonly offset: number;
}

const maxDepth = 50;
/** What no database or URL takes. */
const unusableCharacter = /[\0\p{Surrogate}]/u;

/** Undefined when it is no JSON; then there is a problem. */
export function readJsonTree(text: string, tell: (problem: JsonProblem) => void): Tree | undefined {
  try {
    return new JsonReader(text, tell).read();
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    tell(error.problem);
    return undefined;
  }
}

class Unreadable extends Error {
  readonly problem: JsonProblem;

  constructor(problem: JsonProblem) {
    super(problem.detail);
    this.problem = problem;
  }
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const stringPattern = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const spacePattern = /[ \t\r\n]*/uy;

class JsonReader {
  readonly #text: string;
  readonly #tell: (problem: JsonProblem) => void;
  #at = 0;

  constructor(text: string, tell: (problem: JsonProblem) => void) {
    this.#text = text;
    this.#tell = tell;
  }

  read(): Tree {
    const tree = this.#value(1);
    this.#skip();
    if (this.#at < this.#text.length)
      this.#fail('Something stands after the end of the object. Write one object a line.');
    return tree;
  }

  #value(depth: number): Tree {
    this.#skip();
    const offset = this.#at;
    const sign = this.#text[offset];
    if (depth > maxDepth) {
      const detail = `Maps and lists are nested more than ${maxDepth} levels deep here. No object needs that.`;
      throw new Unreadable({ code: 'manifest.too-deep', detail, offset });
    }
    if (sign === '{') return this.#map(depth);
    if (sign === '[') return this.#list(depth);
    if (sign === '"') {
      const value = this.#string();
      return { type: 'scalar', offset, value, text: value };
    }
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (!this.#text.startsWith(word, offset)) continue;
      this.#at += word.length;
      return { type: 'scalar', offset, value, text: word };
    }
    const text = this.#match(numberPattern);
    if (text === undefined)
      this.#fail('Here a value is expected: a text in double quotes, a number, true, false, null, { or [.');
    const value = Number(text);
    // 1e999 is no number that JSON can hold.
    return { type: 'scalar', offset, value: Number.isFinite(value) ? value : (text ?? ''), text: text ?? '' };
  }

  #map(depth: number): Tree {
    const offset = this.#at;
    const entries = new Map<string, Entry>();
    this.#at += 1;
    this.#skip();
    if (this.#accept('}')) return { type: 'map', offset, entries };
    do {
      this.#skip();
      const keyOffset = this.#at;
      if (this.#text[keyOffset] !== '"') this.#fail('Here a key is expected, in double quotes.');
      const key = this.#string();
      this.#skip();
      if (!this.#accept(':')) this.#fail('Here the : after a key is expected.');
      const value = this.#value(depth + 1);
      if (this.#accepts(key, keyOffset, entries)) entries.set(key, { offset: keyOffset, value });
      this.#skip();
    } while (this.#accept(','));
    if (!this.#accept('}')) this.#fail('Here a , or the } at the end of a map is expected.');
    return { type: 'map', offset, entries };
  }

  #accepts(key: string, offset: number, entries: ReadonlyMap<string, Entry>): boolean {
    if (entries.has(key)) {
      const detail = `${quote(key)} stands twice in one map, where programs take the one or the other. Keep one of them.`;
      this.#tell({ code: 'manifest.duplicate-key', detail, offset });
    } else if (reservedKeys.has(key)) {
      const detail = `${quote(key)} cannot be used as a key: programs would mistake it for a part of themselves. Choose another.`;
      this.#tell({ code: 'manifest.reserved-key', detail, offset });
    } else return true;
    return false;
  }

  #list(depth: number): Tree {
    const offset = this.#at;
    const items: Tree[] = [];
    this.#at += 1;
    this.#skip();
    if (this.#accept(']')) return { type: 'list', offset, items };
    do {
      items.push(this.#value(depth + 1));
      this.#skip();
    } while (this.#accept(','));
    if (!this.#accept(']')) this.#fail('Here a , or the ] at the end of a list is expected.');
    return { type: 'list', offset, items };
  }

  #string(): string {
    const offset = this.#at;
    const text = this.#match(stringPattern);
    if (text === undefined) {
      this.#fail('A text begins here that does not end, or that holds a control character or an unknown escape.');
    }
    const value = JSON.parse(text ?? '""') as string;
    if (unusableCharacter.test(value)) {
      const detail = `${quote(value)} holds a NUL character or half of a surrogate pair, which the platform cannot store. Remove it.`;
      this.#tell({ code: 'manifest.bad-character', detail, offset });
    }
    return value;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined || found === '') return undefined;
    this.#at += found.length;
    return found;
  }

  #skip(): void {
    this.#match(spacePattern);
  }

  #accept(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #fail(detail: string): never {
    throw new Unreadable({ code: 'manifest.bad-row', detail: `This is no JSON. ${detail}`, offset: this.#at });
  }
}
