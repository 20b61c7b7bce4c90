// The types of the values in rules (semantics §4.8), with the words that a text can be. CEL knows only that a text is a string, so a condition with a
// misspelt word would be valid and would never apply.

import type { ObjectSchema } from '@marcbachmann/cel-js';
import { type CelNode, celArguments, isCelNode, ownMatches } from '../../../lib/cel/expression.ts';
import { linearPattern } from '../../../lib/patterns/linear-pattern.ts';
import type { Suggestions } from '../../../lib/suggestions.ts';
import { firstOf } from '../../../lib/words.ts';
import { quoted } from '../problems/wording.ts';

/** The closed list of what a text can be. */
export interface ClosedList {
  /** `effect`. */
  readonly name: string;
  readonly list: readonly string[];
  /** The list is of the part before the first dot, and any text may follow the dot. */
  readonly isPrefix?: boolean;
  /** Where texts that begin so are known instead, as a sentence. */
  readonly elsewhere?: { readonly begin: string; readonly advice: string };
}

/** The maximum number of values in a sentence. */
const mostValues = 10;

export type RuleType =
  | {
      readonly cel: 'string';
      readonly words?: ClosedList;
      readonly literals?: readonly string[];
      /** Its value is one literal after the other, and each may be meant for another comparison. */
      readonly isEach?: boolean;
    }
  | { readonly cel: 'list'; readonly item: RuleType }
  | { readonly cel: 'map'; readonly fields: Readonly<Record<string, RuleType>>; readonly keys?: RuleType }
  | { readonly cel: 'int' | 'bool' | 'dyn' };

export const text: RuleType = { cel: 'string' };
const unknown: RuleType = { cel: 'dyn' };

export function wordOf(words: ClosedList): RuleType {
  return { cel: 'string', words };
}

export function listOfType(item: RuleType): RuleType {
  return { cel: 'list', item };
}

/** The fields of a map, as the library declares them. Items of a list that are maps are dyn. */
export function celSchema(type: RuleType): ObjectSchema {
  const fields = type.cel === 'map' ? Object.entries(type.fields) : [];
  return Object.fromEntries(
    fields.map(([name, field]) => [name, field.cel === 'map' ? celSchema(field) : celType(field)]),
  );
}

function celType(type: RuleType): string {
  return type.cel === 'list' ? `list<${type.item.cel === 'map' ? 'dyn' : type.item.cel}>` : type.cel;
}

export interface TypedRule {
  /** The names that are not bound inside the expression. */
  readonly names: ReadonlySet<string>;
  /** A sentence for each text that its value can never be and each field that does not exist, with a suggestion. */
  readonly slips: readonly string[];
}

/** `functions`: the words that the parameter of a function takes. */
export function typeRule(
  root: CelNode,
  variables: Readonly<Record<string, RuleType>>,
  functions: Readonly<Record<string, ClosedList>>,
  suggestions: Suggestions,
): TypedRule {
  const checker = new Checker(new Map(Object.entries(variables)), functions, suggestions);
  checker.typeOf(root);
  return { names: checker.names, slips: [...checker.slips] };
}

type Scope = ReadonlyMap<string, RuleType>;

class Checker {
  readonly names = new Set<string>();
  readonly slips = new Set<string>();
  readonly #variables: Scope;
  readonly #functions: Readonly<Record<string, ClosedList>>;
  readonly #suggestions: Suggestions;

  constructor(variables: Scope, functions: Readonly<Record<string, ClosedList>>, suggestions: Suggestions) {
    this.#variables = variables;
    this.#functions = functions;
    this.#suggestions = suggestions;
  }

  typeOf(node: unknown, scope: Scope = this.#variables): RuleType {
    if (!isCelNode(node)) return unknown;
    const typeIn = (part: unknown) => this.typeOf(part, scope);
    const parts = celArguments(node.args);
    const [first, second, third] = parts;
    switch (node.op) {
      case 'value':
        return typeof node.args === 'string' ? { cel: 'string', literals: [node.args] } : unknown;
      case 'id': {
        const name = String(node.args);
        const type = scope.get(name);
        if (type === this.#variables.get(name)) this.names.add(name);
        return type ?? unknown;
      }
      case '.':
      case '.?':
        return this.#fieldOf(typeIn(first), String(second), isOptional(node));
      case '[]':
      case '[?]': {
        const [holder, index] = [typeIn(first), typeIn(second)];
        if (holder.cel === 'list') return holder.item;
        const fields = index.cel === 'string' ? (index.literals ?? []) : [];
        return anyOf(fields.map((field) => this.#fieldOf(holder, field, isOptional(node))));
      }
      case 'list':
        return listOfType(anyOf(parts.map(typeIn)));
      case 'map': {
        const entries = parts.map((entry) => celArguments(entry).map(typeIn));
        return { cel: 'map', fields: {}, keys: anyOf(entries.map(([key = unknown]) => key)) };
      }
      case '?:':
        typeIn(first);
        return anyOf([typeIn(second), typeIn(third)]);
      case '+': {
        const [left, right] = [typeIn(first), typeIn(second)];
        return left.cel === 'list' && right.cel === 'list' ? anyOf([left, right]) : unknown;
      }
      case '==':
      case '!=':
        return this.#compare(typeIn(first), typeIn(second));
      case 'in':
        return this.#compare(typeIn(first), elementOf(typeIn(second)));
      case 'call':
        return this.#call(String(first), celArguments(second).map(typeIn));
      case 'rcall':
        return this.#method(String(first), second, celArguments(third), scope);
      default:
        // A unary operator has one node in place of a list.
        for (const part of isCelNode(node.args) ? [node.args] : parts) typeIn(part);
        return unknown;
    }
  }

  #call(name: string, [parameter = unknown]: readonly RuleType[]): RuleType {
    this.names.add(name);
    const words = Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;
    if (words !== undefined) this.#compare(wordOf(words), parameter);
    return name === 'dyn' || name === 'string' ? parameter : unknown;
  }

  #method(name: string, receiver: unknown, parameters: readonly unknown[], scope: Scope): RuleType {
    const holder = this.typeOf(receiver, scope);
    const [first, ...others] = parameters;
    if (isCelNode(first) && first.op === 'id' && (name === 'bind' || macros.has(name))) {
      const item = name === 'bind' ? this.typeOf(others[0], scope) : elementOf(holder);
      const isEach = item.cel === 'string' && name !== 'bind' && usesOf(String(first.args), others) > 1;
      const value = isEach ? { ...item, isEach } : item;
      const inner = new Map(scope).set(String(first.args), value);
      const result = others.map((part) => this.typeOf(part, inner)).at(-1) ?? unknown;
      return name === 'map' ? listOfType(result) : name === 'filter' ? holder : name === 'bind' ? result : unknown;
    }
    const types = parameters.map((part) => this.typeOf(part, scope));
    const [parameter] = types;
    const test = Object.hasOwn(textTests, name) ? textTests[name] : undefined;
    if (test !== undefined && parameter !== undefined) this.#compare(holder, parameter, test);
    if (name === 'of') return parameter ?? unknown;
    return ofSameType.has(name) ? anyOf([holder, ...types]) : unknown;
  }

  #compare(left: RuleType, right: RuleType, test: TextTest = equals): RuleType {
    if (left.cel === 'list' && right.cel === 'list') return this.#compare(left.item, right.item, test);
    if (left.cel !== 'string' || right.cel !== 'string') return unknown;
    const { words, literals = [] } = left;
    if (words !== undefined) {
      const all = right.literals ?? [];
      const wrong = all.filter(
        (literal) => !literals.some((other) => test.holds(other, literal)) && !canBe(literal, words, test),
      );
      if (right.isEach === true && wrong.length < all.length) return unknown;
      for (const literal of wrong) this.#slip(words, literal, test);
    } else if (right.words !== undefined && test === equals) this.#compare(right, left);
    return unknown;
  }

  #fieldOf(holder: RuleType, name: string, isOptionalField: boolean): RuleType {
    if (holder.cel !== 'map') return unknown;
    if (Object.hasOwn(holder.fields, name)) return holder.fields[name] ?? unknown;
    const list = Object.keys(holder.fields);
    if (list.length > 0 && !isOptionalField) this.#slip({ name: 'field', list }, name, equals);
    return unknown;
  }

  #slip({ name, list, isPrefix = false, elsewhere }: ClosedList, literal: string, { verb }: TextTest): void {
    const end = literal.indexOf('.');
    const begin = literal.slice(0, end + 1);
    const behind = isPrefix && end !== -1 ? literal.slice(end) : '';
    const isOfOther = elsewhere !== undefined && literal.startsWith(elsewhere.begin);
    const what = name === 'field' ? 'fields' : 'values';
    const suggestion = isOfOther
      ? ` ${elsewhere.advice}`
      : this.#suggestions.sentence(
          literal,
          list.map((word) => word + behind),
        );
    // Those with an equal word in front are the likeliest.
    const likeliest = [...list].sort((one, other) => Number(other.startsWith(begin)) - Number(one.startsWith(begin)));
    const values = likeliest.map((word) => (word === '' ? '""' : word));
    const others = ` ${isPrefix ? 'It begins with a kind and a dot:' : `The ${what} are`} ${firstOf(values, mostValues)}.`;
    this.slips.add(`no ${name} ${verb} ${quoted(literal)}.${suggestion === '' ? others : suggestion}`);
  }
}

interface TextTest {
  readonly verb: string;
  holds(word: string, literal: string): boolean;
}

const equals: TextTest = { verb: 'is', holds: (word, literal) => word === literal };
const startsWith: TextTest = { verb: 'begins with', holds: (word, literal) => word.startsWith(literal) };
const textTests: Readonly<Record<string, TextTest>> = {
  startsWith,
  endsWith: { verb: 'ends with', holds: (word, literal) => word.endsWith(literal) },
  contains: { verb: 'contains', holds: (word, literal) => word.includes(literal) },
  [ownMatches]: { verb: 'matches', holds: (word, literal) => linearPattern(literal).test(word) },
};
const macros = new Set(['all', 'exists', 'exists_one', 'filter', 'map']);
/** Methods of optional values. */
const ofSameType = new Set(['or', 'orValue', 'value']);

function canBe(literal: string, { list, isPrefix = false }: ClosedList, test: TextTest): boolean {
  if (!isPrefix) return list.some((word) => test.holds(word, literal));
  const end = literal.indexOf('.');
  if (test === startsWith && end === -1) return list.some((word) => word.startsWith(literal));
  if (test !== startsWith && test !== equals) return true;
  return list.includes(literal.slice(0, Math.max(0, end)));
}

/** Whether a field may be absent: it, or one on the path to it, is written with `?`. */
function isOptional(node: unknown): boolean {
  if (!isCelNode(node)) return false;
  if (node.op === '.?' || node.op === '[?]') return true;
  return (node.op === '.' || node.op === '[]') && isOptional(celArguments(node.args)[0]);
}

/** The type of the items of a list, or of the keys of a map. */
function elementOf(holder: RuleType): RuleType {
  if (holder.cel === 'list') return holder.item;
  return (holder.cel === 'map' ? holder.keys : undefined) ?? unknown;
}

/** The type of a value that has one of these types. */
function anyOf([first, ...others]: readonly RuleType[]): RuleType {
  return others.reduce(eitherOf, first ?? unknown);
}

function eitherOf(left: RuleType, right: RuleType): RuleType {
  if (left.cel === 'list' && right.cel === 'list') return listOfType(eitherOf(left.item, right.item));
  if (left.cel !== 'string' || right.cel !== 'string') return unknown;
  const literals = [...(left.literals ?? []), ...(right.literals ?? [])];
  const words = left.words ?? right.words;
  const isClosed = [left, right].every(
    (type) => type.words === words || (type.words === undefined && type.literals !== undefined),
  );
  return {
    cel: 'string',
    ...(words === undefined || !isClosed ? {} : { words }),
    ...(literals.length === 0 ? {} : { literals }),
    ...(left.isEach === true || right.isEach === true ? { isEach: true } : {}),
  };
}

/** How often an expression refers to a name. */
function usesOf(name: string, part: unknown): number {
  if (Array.isArray(part)) return part.reduce((sum: number, inner) => sum + usesOf(name, inner), 0);
  if (!isCelNode(part)) return 0;
  return part.op === 'id' && part.args === name ? 1 : usesOf(name, part.args);
}
