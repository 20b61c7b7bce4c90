// Matches globs in linear time. Their syntax is `*`, `?`, `[ab]`, `[!a-z]`, `{a,b}` and `\` before a character that is meant as it is; in
// paths also `**` as a whole part.
import { linearPattern } from './linear-pattern.ts';

/** In paths a slash separates parts, and only `**` goes across. Elsewhere a slash is an ordinary character. */
type GlobSubject = 'path' | 'text';

const maxCharacters = 2_000;

/** Throws a SyntaxError, with a rewriting, for forms of other globs. The message has no full stop. */
export function globMatcher(glob: string, subject: GlobSubject): (text: string) => boolean {
  if (glob.length > maxCharacters)
    throw new SyntaxError(`A glob is longer than ${maxCharacters.toLocaleString('en')} characters. Split it`);
  const symbols = [...(subject === 'path' ? glob.replace(/^\.\//u, '') : glob)];
  const translated = new Translation(symbols, subject).translated();
  try {
    const pattern = linearPattern(`^(?s:${translated})$`);
    return (text) => pattern.test(text);
  } catch (cause) {
    throw new SyntaxError(`The glob "${glob}" has a set in the wrong order, such as [z-a]. Write [a-z]`, { cause });
  }
}

const forms: Readonly<Record<string, string>> = {
  '@(a|b)': 'Write {a,b} for one of several',
  '{1..3}': 'Write {1,2,3} or [1-3] for a range',
  '!': 'A glob cannot be negated. The first entry that matches a file applies, so list the exceptions before it',
  '[[:alpha:]]': 'Write [a-z] for a class of characters',
};

class Translation {
  readonly #symbols: readonly string[];
  readonly #isPath: boolean;
  /** The places of braces that have a partner and a comma, and of those commas. */
  readonly #braces: ReadonlyMap<number, string>;

  constructor(symbols: readonly string[], subject: GlobSubject) {
    this.#symbols = symbols;
    this.#isPath = subject === 'path';
    this.#braces = bracesIn(symbols);
  }

  translated(): string {
    if (this.#isPath) this.#demandNoOtherForm();
    const parts: string[] = [];
    for (let at = 0; at < this.#symbols.length; ) {
      const [part, width] = this.#partAt(at);
      parts.push(part);
      at += width;
    }
    return parts.join('');
  }

  #demandNoOtherForm(): void {
    const glob = this.#symbols.join('');
    const bare = glob.replaceAll(/\\./gsu, 'x');
    const found = bare.startsWith('!')
      ? '!'
      : /[@+*?!]\(|\([^()]*\|/u.test(bare)
        ? '@(a|b)'
        : /\{[^{},]*\.\.[^{},]*\}/u.test(bare)
          ? '{1..3}'
          : bare.includes('[[:')
            ? '[[:alpha:]]'
            : undefined;
    if (found !== undefined) throw new SyntaxError(`The glob "${glob}" has the form ${found}. ${forms[found] ?? ''}`);
  }

  /** The expression at the place, and how many symbols it stands for. */
  #partAt(at: number): readonly [part: string, width: number] {
    const symbol = this.#symbols[at] ?? '';
    switch (symbol) {
      case '\\':
        return [literal(this.#symbols[at + 1] ?? symbol), 2];
      case '?':
        return [this.#isPath ? '[^/]' : '.', 1];
      case '*':
        return this.#starsAt(at);
      case '[':
        return this.#setAt(at) ?? [literal(symbol), 1];
      case '/':
        // The folder itself is also among all that is in it.
        return this.#isPath && this.#symbols.slice(at + 1).join('') === '**' ? ['(?:/.*)?', 3] : [literal(symbol), 1];
      default:
        return [this.#braces.get(at) ?? literal(symbol), 1];
    }
  }

  #starsAt(at: number): readonly [part: string, width: number] {
    let width = 1;
    while (this.#symbols[at + width] === '*') width += 1;
    if (!this.#isPath) return ['.*', width];
    const [before, after] = [this.#symbols[at - 1], this.#symbols[at + width]];
    const isPart = width === 2 && this.#isBoundary(before, at - 1) && this.#isBoundary(after, at + width);
    if (!isPart) return ['[^/]*', width];
    // The slash behind is a part of the repetition, so that ** also stands for no folder.
    return after === '/' ? ['(?:[^/]*/)*', width + 1] : ['.*', width];
  }

  #isBoundary(symbol: string | undefined, at: number): boolean {
    return symbol === undefined || symbol === '/' || this.#braces.has(at);
  }

  /** Undefined for a bracket without a partner, which is an ordinary character. */
  #setAt(at: number): readonly [part: string, width: number] | undefined {
    let end = at + 1;
    const isNegated = this.#symbols[end] === '!' || this.#symbols[end] === '^';
    if (isNegated) end += 1;
    const first = end;
    const members: string[] = [];
    for (; this.#symbols[end] !== ']' || end === first; end++) {
      const symbol = this.#symbols[end] === '\\' ? this.#symbols[++end] : this.#symbols[end];
      if (symbol === undefined || (this.#isPath && symbol === '/')) return undefined;
      const isRange = this.#symbols[end + 1] === '-' && ![']', undefined].includes(this.#symbols[end + 2]);
      const last = isRange ? this.#symbols[end + 2] : symbol;
      if (isRange) end += 2;
      members.push(range(symbol, last ?? symbol, this.#isPath && !isNegated));
    }
    const separator = this.#isPath && isNegated ? '/' : '';
    return [`[${isNegated ? '^' : ''}${members.join('')}${separator}]`, end + 1 - at];
  }
}

/** As members of a set. `hasNoSlash` leaves the slash out of a range. */
function range(first: string, last: string, hasNoSlash: boolean): string {
  if (first === last) return literal(first);
  if (hasNoSlash && first < '/' && last > '/') return `${range(first, '.', false)}${range('0', last, false)}`;
  return `${literal(first)}-${literal(last)}`;
}

function literal(symbol: string): string {
  return /^[\p{P}\p{S}]$/u.test(symbol) && symbol < '\u0080' ? `\\${symbol}` : symbol;
}

function bracesIn(symbols: readonly string[]): ReadonlyMap<number, string> {
  const parts = new Map<number, string>();
  const open: { readonly at: number; readonly commas: number[] }[] = [];
  for (let at = 0; at < symbols.length; at++) {
    const symbol = symbols[at];
    if (symbol === '\\') at += 1;
    else if (symbol === '{') open.push({ at, commas: [] });
    else if (symbol === ',') open.at(-1)?.commas.push(at);
    else if (symbol === '}') {
      const { at: start, commas } = open.pop() ?? { at: 0, commas: [] };
      if (commas.length === 0) continue;
      parts.set(start, '(?:').set(at, ')');
      for (const comma of commas) parts.set(comma, '|');
    }
  }
  return parts;
}
