// Regular expressions as authors write them, in the syntax of RegExp with the flag u, matched in bounded time: an expression
// of a request under review must not stop the runner.
//
// RegExp tries one way after the other, which takes time that grows exponentially with the text for expressions such as
// ^(a+)+$. Few expressions are like that. The others are left to RegExp, and these are matched by following all ways at
// once, one character after the other (K. Thompson, 1968).

export interface LinearPattern {
  readonly source: string;
  test(text: string): boolean;
}

/** More would take long for each character. */
const maxInstructions = 5_000;
/** With so many repetitions of single characters RegExp takes cubic time, which keys of 200 characters stand. */
const mostRepetitions = 2;
/** Answers that are remembered of one character class. */
const maxRemembered = 1_000;

/** Throws a SyntaxError when the expression is wrong, or cannot be matched in bounded time. */
export function linearPattern(source: string): LinearPattern {
  const native = new RegExp(source, 'u');
  const parser = new Parser(source);
  const node = parser.parse();
  if (!parser.repeatsGroups && parser.repetitions <= mostRepetitions) return native;
  if (parser.special !== undefined) {
    const what = `${parser.special} cannot be matched in bounded time beside repeated groups or several repetitions`;
    throw new SyntaxError(`Invalid regular expression: /${source}/u: ${what}`);
  }
  const program: Instruction[] = [];
  emit(program, node);
  program.push({ type: 'match' });
  if (program.length > maxInstructions)
    throw new SyntaxError(`Invalid regular expression: /${source}/u: its repetitions are too many`);
  return { source, test: (text) => isMatched(program, text) };
}

type Assertion = '^' | '$' | '\\b' | '\\B';

type Node =
  | { readonly type: 'one'; readonly accepts: (point: string) => boolean }
  | { readonly type: 'assertion'; readonly holds: Assertion }
  | { readonly type: 'all' | 'either'; readonly nodes: readonly Node[] }
  | { readonly type: 'repeat'; readonly node: Node; readonly min: number; readonly max: number };

/** Reads an expression that RegExp accepts. */
class Parser {
  readonly #source: string;
  #at = 0;
  repetitions = 0;
  repeatsGroups = false;
  /** A part that only RegExp can match. */
  special: string | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): Node {
    const nodes = [this.#sequence()];
    while (this.#take('|')) nodes.push(this.#sequence());
    return { type: 'either', nodes };
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    while (this.#at < this.#source.length && !this.#is('|') && !this.#is(')')) nodes.push(this.#repeated());
    return { type: 'all', nodes };
  }

  #repeated(): Node {
    const isGroup = this.#is('(');
    const node = this.#atom();
    const [whole, least, comma, most] = this.#match(/^(?:[*+?]|\{(\d+)(,?)(\d*)\})/u);
    if (whole === '') return node;
    this.#take('?');
    this.repetitions += 1;
    this.repeatsGroups ||= isGroup;
    const min = least === undefined ? Number(whole === '+') : Number(least);
    const end = most === undefined || most === '' ? Number.POSITIVE_INFINITY : Number(most);
    const max = least === undefined ? (whole === '?' ? 1 : end) : comma === '' ? min : end;
    return { type: 'repeat', node, min, max };
  }

  #atom(): Node {
    if (this.#take('(')) return this.#group();
    for (const holds of ['^', '$', '\\b', '\\B'] as const) if (this.#take(holds)) return { type: 'assertion', holds };
    const [back] = this.#match(/^\\(?:[1-9]\d*|k<[^>]*>)/u);
    if (back !== '') this.special ??= 'a backreference';
    const [one] = back === '' ? this.#match(oneCharacter) : [''];
    return { type: 'one', accepts: one === '' ? () => false : accepting(one) };
  }

  #group(): Node {
    const [opening] = this.#match(/^\?(?::|<?[=!]|<[^>]*>|[^:]*:)/u);
    if (/^\?<?[=!]/u.test(opening)) this.special ??= 'a lookaround';
    else if (/^\?[^:<]/u.test(opening)) this.special ??= 'a modifier';
    const node = this.parse();
    this.#take(')');
    return node;
  }

  #is(text: string): boolean {
    return this.#source.startsWith(text, this.#at);
  }

  #take(text: string): boolean {
    if (!this.#is(text)) return false;
    this.#at += text.length;
    return true;
  }

  #match(expression: RegExp): [whole: string, ...(string | undefined)[]] {
    const found = expression.exec(this.#source.slice(this.#at));
    this.#at += found?.[0].length ?? 0;
    return found === null ? [''] : [found[0], ...found.slice(1)];
  }
}

/** A class, an escape or a character; a pair of escaped surrogates is one character. */
const oneCharacter =
  /^(?:\[(?:\\[\s\S]|[^\]\\])*\]|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u\{[^}]*\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[a-zA-Z]|\\[pP]\{[^}]*\}|\\[\s\S]|[\s\S])/u;

function accepting(source: string): (point: string) => boolean {
  const expression = new RegExp(`^${source}$`, 'u');
  const known = new Map<string, boolean>();
  return (point) => {
    let accepts = known.get(point);
    if (accepts === undefined) {
      accepts = expression.test(point);
      if (known.size < maxRemembered) known.set(point, accepts);
    }
    return accepts;
  };
}

type Instruction =
  | { readonly type: 'one'; readonly accepts: (point: string) => boolean }
  | { readonly type: 'assertion'; readonly holds: Assertion }
  /** Goes on at each of these places. */
  | { readonly type: 'fork'; readonly to: readonly number[] }
  | { readonly type: 'match' };

function emit(program: Instruction[], node: Node): void {
  if (program.length > maxInstructions) return;
  switch (node.type) {
    case 'one':
    case 'assertion':
      program.push(node);
      return;
    case 'all':
      for (const one of node.nodes) emit(program, one);
      return;
    case 'either': {
      const fork = program.push({ type: 'fork', to: [] }) - 1;
      const starts: number[] = [];
      const ends: number[] = [];
      for (const one of node.nodes) {
        starts.push(program.length);
        emit(program, one);
        ends.push(program.push({ type: 'fork', to: [] }) - 1);
      }
      program[fork] = { type: 'fork', to: starts };
      for (const end of ends) program[end] = { type: 'fork', to: [program.length] };
      return;
    }
    case 'repeat':
      emitRepeat(program, node);
  }
}

function emitRepeat(program: Instruction[], { node, min, max }: Extract<Node, { type: 'repeat' }>): void {
  for (let count = 0; count < min && program.length <= maxInstructions; count++) emit(program, node);
  if (max === Number.POSITIVE_INFINITY) {
    const fork = program.push({ type: 'fork', to: [] }) - 1;
    emit(program, node);
    program.push({ type: 'fork', to: [fork] });
    program[fork] = { type: 'fork', to: [fork + 1, program.length] };
    return;
  }
  const forks: number[] = [];
  for (let count = min; count < max && program.length <= maxInstructions; count++) {
    forks.push(program.push({ type: 'fork', to: [] }) - 1);
    emit(program, node);
  }
  for (const fork of forks) program[fork] = { type: 'fork', to: [fork + 1, program.length] };
}

function isMatched(program: readonly Instruction[], text: string): boolean {
  const points = Array.from(text);
  let waiting: number[] = [];
  for (let at = 0; at <= points.length; at++) {
    const reached = new Set<number>();
    const open = [...waiting, 0];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (reached.has(place)) continue;
      reached.add(place);
      const instruction = program[place];
      if (instruction?.type === 'match') return true;
      if (instruction?.type === 'fork') open.push(...instruction.to);
      if (instruction?.type === 'assertion' && holds(instruction.holds, points, at)) open.push(place + 1);
    }
    const point = points[at];
    if (point === undefined) return false;
    waiting = [];
    for (const place of reached) {
      const instruction = program[place];
      if (instruction?.type === 'one' && instruction.accepts(point)) waiting.push(place + 1);
    }
  }
  return false;
}

function holds(assertion: Assertion, points: readonly string[], at: number): boolean {
  if (assertion === '^') return at === 0;
  if (assertion === '$') return at === points.length;
  const isBoundary = isWord(points[at - 1]) !== isWord(points[at]);
  return isBoundary === (assertion === '\\b');
}

function isWord(point: string | undefined): boolean {
  return point !== undefined && /^\w$/u.test(point);
}
