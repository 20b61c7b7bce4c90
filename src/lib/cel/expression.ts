// Compiles expressions in CEL so that none can take long, whatever it contains. Its function matches() is ours, which finds in linear time, and
// a meter counts the work of an evaluation.
import { Environment, type ParseResult } from '@marcbachmann/cel-js';
import { type LinearPattern, linearPattern } from '../patterns/linear-pattern.ts';
import { Meter } from './meter.ts';

const limits = { maxAstNodes: 2_000, maxDepth: 60, maxListElements: 500, maxMapEntries: 500, maxCallArguments: 16 };

/** The library refuses a second matches(string), so calls of it are renamed after parsing. */
export const ownMatches = 'matches_of_chatform';
/** Methods whose only argument is a regular expression. */
const patternMethods = new Set(['matches', 'extract', 'extractAll']);
/** A time zone is looked up anew for each call. */
const unitsOfZone = 2_000;
const stepsOfMatch = 16;
/** V8 searches for a text in a text in as many steps as the product of their lengths, at worst. */
const stepsOfSearch = 256;
const maxPatterns = 100;

export interface CelExpression {
  /** The name of its type: `bool`, `string`, `dyn`. */
  readonly type: string;
  readonly root: CelNode;
  /** Throws an error of the library, and a TooMuchWorkError. */
  run(context: object): unknown;
}

/** A node of the library's syntax tree. */
export interface CelNode {
  readonly op: string;
  readonly args: unknown;
}

export function isCelNode(value: unknown): value is CelNode {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

/** The parts of a node that are lists, or an empty list. */
export function celArguments(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** For functions that take a regular expression. */
export interface CelPatterns {
  /** Of each match, the text of the only group, or the whole match if the expression has no group. */
  partsOf(text: string, source: string): Generator<string>;
}

const manyGroups = 'Only one group can be extracted. Write (?:…) for the others';

/** Each node of a syntax tree once. */
export function celNodesIn(root: CelNode): Iterable<CelNode> {
  return nodesIn(root);
}

export class CelCompiler {
  readonly #meter: Meter;
  readonly #patterns = new Map<string, LinearPattern>();
  readonly #environment: Environment;

  /** `declare` adds the variables and functions that expressions may use. `allowedUnits` is the work of one evaluation. */
  constructor(
    options: { readonly homogeneousAggregateLiterals: boolean },
    declare: (environment: Environment, patterns: CelPatterns) => Environment,
    allowedUnits?: number,
  ) {
    this.#meter = new Meter(allowedUnits);
    const environment = declare(new Environment({ limits, enableOptionalTypes: true, ...options }), {
      partsOf: (text, source) => this.#partsOf(text, source),
    });
    this.#environment = environment.registerFunction(
      `string.${ownMatches}(string): bool`,
      (text: string, source: string) => this.#matches(text, source),
      { async: false },
    );
  }

  /** Throws an error of the library, or a SyntaxError for a pattern, if the text is not a valid expression. */
  compile(text: string): CelExpression {
    const parsed = this.#environment.parse(text);
    const root = parsed.ast as unknown as WatchedNode;
    for (const node of nodesIn(root)) if (node.op === 'rcall') this.#useOwnMatches(node);
    const { valid, error = new Error('The types do not fit'), type = 'dyn' } = parsed.check();
    if (!valid) throw inOwnWords(error);
    this.#watch(root);
    return { type, root, run: (context) => this.#run(parsed, context) };
  }

  #run(parsed: ParseResult, context: object): unknown {
    try {
      return this.#meter.run(() => parsed(context) as unknown);
    } catch (error) {
      throw inOwnWords(error);
    }
  }

  #useOwnMatches({ args }: WatchedNode): void {
    if (!Array.isArray(args)) return;
    const [name, , parameter] = args as unknown[];
    if (name === ownMatches) throw new Error(`Unknown function: ${ownMatches}`);
    const [pattern] = celArguments(parameter);
    if (!patternMethods.has(String(name)) || celArguments(parameter).length !== 1) return;
    if (name === 'matches') args[0] = ownMatches;
    if (!isCelNode(pattern) || pattern.op !== 'value' || typeof pattern.args !== 'string') return;
    const { groupCount } = linearPattern(pattern.args);
    if (name !== 'matches' && groupCount > 1) throw new SyntaxError(manyGroups);
  }

  #matches(text: string, source: string): boolean {
    const pattern = this.#patternOf(source);
    this.#chargeMatch(pattern, text.length);
    return pattern.test(text);
  }

  *#partsOf(text: string, source: string): Generator<string> {
    const pattern = this.#patternOf(source);
    if (pattern.groupCount > 1) throw new SyntaxError(manyGroups);
    // The search for each match may read the rest of the text.
    this.#chargeMatch(pattern, text.length);
    for (const { part, end } of pattern.parts(text)) {
      yield part;
      this.#chargeMatch(pattern, text.length - end);
    }
  }

  /** At worst, every instruction is tried for every character. */
  #chargeMatch({ size }: LinearPattern, length: number): void {
    this.#meter.charge((length * size) / stepsOfMatch);
  }

  #patternOf(source: string): LinearPattern {
    let pattern = this.#patterns.get(source);
    if (pattern === undefined) {
      this.#meter.charge(10 * source.length);
      pattern = linearPattern(source);
      this.#meter.charge(10 * pattern.size);
      if (this.#patterns.size >= maxPatterns) this.#patterns.clear();
      this.#patterns.set(source, pattern);
    }
    return pattern;
  }

  /** Makes the nodes that take more than constant time charge the meter. */
  #watch(root: WatchedNode): void {
    const meter = this.#meter;
    const read = new Set<WatchedNode>([root]);
    const written = new Set<WatchedNode>();
    for (const node of nodesIn(root)) {
      for (const operand of operandsOf(node)) read.add(operand);
      if (makers.has(node.op) && !isLiteral(node)) written.add(node);
      this.#watchSearch(node);
      const zone = zoneOf(node);
      if (zone !== undefined) watchNode(zone, meter, () => meter.charge(unitsOfZone));
      const { iterable, step } = comprehensionIn(node) ?? {};
      if (iterable !== undefined) watchNode(iterable, meter, (value) => meter.charge(keysOf(value)));
      if (step === undefined) continue;
      // A step costs as much as it has nodes.
      const weight = [...nodesIn(step)].length;
      watchNode(step, meter, () => meter.charge(weight));
    }
    for (const node of read)
      if (!written.has(node) && !isLiteral(node)) watchNode(node, meter, (value) => meter.chargeRead(value));
    for (const node of written) watchNode(node, meter, (value) => meter.chargeWritten(value));
  }

  /** contains, indexOf, split and the like. */
  #watchSearch(node: WatchedNode): void {
    const { op, handle } = node;
    if (op !== 'rcall' || handle === undefined) return;
    node.handle = (values, evaluator, place) => {
      const [text, part] = values;
      if (typeof text === 'string' && typeof part === 'string')
        this.#meter.charge((text.length * part.length) / stepsOfSearch);
      return handle(values, evaluator, place);
    };
  }
}

/** The library has no type for what it lets a macro do with nodes. */
interface WatchedNode extends CelNode {
  /** Of a method: calls it with the receiver and its arguments. */
  handle?: (values: readonly unknown[], evaluator: unknown, node: unknown) => unknown;
  readonly meta: {
    readonly alternate?: WatchedNode;
    readonly macro?: { evaluate?: Evaluate };
    readonly evaluate: Evaluate;
  };
  setMeta(key: 'evaluate', evaluate: Evaluate): unknown;
}

type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

/** Each node once, including those that a macro was expanded to. */
function* nodesIn(value: unknown, seen = new Set<unknown>()): Generator<WatchedNode> {
  if (Array.isArray(value)) {
    for (const part of value as readonly unknown[]) yield* nodesIn(part, seen);
    return;
  }
  if (!isCelNode(value) || seen.has(value)) return;
  seen.add(value);
  const node = value as WatchedNode;
  yield node;
  yield* nodesIn(node.args, seen);
  const { alternate } = node.meta;
  if (alternate === undefined) return;
  yield* nodesIn(alternate, seen);
  const { iterable, init, step } = comprehensionIn(alternate) ?? {};
  yield* nodesIn([iterable, init, step], seen);
}

interface Comprehension {
  readonly iterable: WatchedNode;
  readonly init: WatchedNode;
  readonly step: WatchedNode;
}

function comprehensionIn({ op, args }: CelNode): Comprehension | undefined {
  return op === 'comprehension' ? (args as Comprehension) : undefined;
}

/** Operations whose values may be larger than those they are made from. */
const makers = new Set(['+', 'call', 'rcall', 'list', 'map']);
const operators = new Set(['==', '!=', '<', '<=', '>', '>=', 'in', '+', '-', '*', '/', '%', '||', '&&']);

/** The parts of a node whose values it reads as a whole. */
function operandsOf(node: WatchedNode): readonly WatchedNode[] {
  // The nodes that a macro was expanded to are watched in its place.
  if (node.meta.alternate !== undefined || node.meta.macro !== undefined) return [];
  const [first, second, third] = celArguments(node.args);
  const parts = operators.has(node.op)
    ? [first, second]
    : node.op === 'call'
      ? celArguments(second)
      : node.op === 'rcall'
        ? [second, ...celArguments(third)]
        : [];
  return parts.filter((part): part is WatchedNode => isCelNode(part) && !isLiteral(part));
}

/** The size of a literal is that of the expression. */
function isLiteral({ op, args }: CelNode): boolean {
  return op === 'value' || (op === 'list' && celArguments(args).every((part) => isCelNode(part) && isLiteral(part)));
}

/** The time zone of `getHours("Europe/Berlin")`. */
function zoneOf({ op, args }: WatchedNode): WatchedNode | undefined {
  const [name, , parameter] = celArguments(args);
  const [zone] = celArguments(parameter);
  return op === 'rcall' && /^get[A-Z]/u.test(String(name)) && isCelNode(zone) ? (zone as WatchedNode) : undefined;
}

/** `charge` is called with each value of the node. */
function watchNode(node: WatchedNode, meter: Meter, charge: (value: unknown) => void): void {
  const { alternate, macro, evaluate } = node.meta;
  if (alternate !== undefined) {
    watchNode(alternate, meter, charge);
    return;
  }
  const inner = macro?.evaluate ?? evaluate;
  const watched: Evaluate = (evaluator, place, context) => {
    let value: unknown;
    try {
      value = inner(evaluator, place, context);
    } catch (error) {
      meter.chargeError();
      throw error;
    }
    charge(value);
    return value;
  };
  if (macro?.evaluate === undefined) node.setMeta('evaluate', watched);
  else macro.evaluate = watched;
}

/** The number of keys that a macro lists before its first step. A list has none. */
function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0;
  return value instanceof Map || value instanceof Set ? value.size : Object.keys(value).length;
}

/** Errors name the function that was written. */
function inOwnWords(error: unknown): unknown {
  return error instanceof Error && error.message.includes(ownMatches)
    ? new Error(error.message.replaceAll(ownMatches, 'matches'), { cause: error })
    : error;
}
