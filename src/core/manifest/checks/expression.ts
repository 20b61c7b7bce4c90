// Compiles and evaluates the CEL expressions of `policy.rules` (semantics §4.8). CEL always terminates, has no side effects,
// and accesses only the plan.

import { createContext, Script } from 'node:vm';
import { CelCompiler, type CelExpression } from '../../../lib/cel/expression.ts';
import { TooMuchWorkError } from '../../../lib/cel/meter.ts';
import type { Suggestions } from '../../../lib/suggestions.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { actions } from '../../model/action.ts';
import { attributeHows, changeCauses, reversibilities } from '../../model/change.ts';
import type { Policy } from '../../model/policy.ts';
import { type ChangeReason, reasonFields } from '../../model/reasons.ts';
import { countedEffects, effectsOfKinds } from '../schema/effects.ts';
import { type ClosedList, celSchema, listOfType, type RuleType, text, typeRule, wordOf } from './rule-types.ts';

/** The input of a rule: the plan, and possibly one change. Whole numbers are bigint, as CEL requires. */
export interface Facts {
  readonly plan: Readonly<Record<string, unknown>>;
  readonly change?: Readonly<Record<string, unknown>>;
}

export interface Expression {
  /** Whether it refers to `change`, so that it must be evaluated for each change. */
  readonly asksOfChanges: boolean;
  /** A sentence for each text that is compared with values of a closed list without being one of them, and each unknown field. */
  readonly slips: readonly string[];
  /** Undefined unless the expression is a constant. */
  readonly constant: boolean | undefined;
  /** Returns a verdict or an error for each input, or undefined after `timeMs`. */
  judge(facts: readonly Facts[], timeMs: number): readonly (boolean | Error)[] | undefined;
}

/** The number of objects by effect, in the current plan. */
export type EffectCounts = ReadonlyMap<string, number>;

const adoptingWords: readonly (Exclude<Policy['existing'], 'refuse'> | '')[] = ['adopt_equal', 'adopt', ''];

/** The type of each type of data in reasons, and the value where a reason has no such field. */
const reasonData = {
  addresses: { type: (address: RuleType) => listOfType(address), empty: [] },
  attribute: { type: () => text, empty: '' },
  attributes: { type: () => listOfType(text), empty: [] },
  existing: { type: () => wordOf({ name: 'policy of existing objects', list: adoptingWords }), empty: '' },
  run: { type: (): RuleType => ({ cel: 'int' }), empty: 0n },
} as const;
const reasonDataByField = Object.values(reasonFields)
  .flatMap((fields) => Object.entries(fields))
  .map(([field, data]) => [field, reasonData[data]] as const);
const emptyReason = Object.fromEntries(reasonDataByField.map(([field, { empty }]) => [field, empty]));

/** Returns a reason with every field that any reason has. */
export function reasonFacts(reason: ChangeReason): Readonly<Record<string, unknown>> {
  return { ...emptyReason, ...reason, ...('run' in reason ? { run: BigInt(reason.run) } : {}) };
}

const ofPeople = {
  begin: 'people.',
  advice: 'The effects of a change are on objects. count("people.…") counts people.',
};

/** The variables of rules. */
function variablesOf(kinds: readonly KindDefinition[]): Readonly<Record<string, RuleType>> {
  const names = kinds.map(({ name }) => name);
  const address = wordOf({ name: 'address', list: names, isPrefix: true });
  const source = { file: text, line: { cel: 'int' }, column: { cel: 'int' } } as const;
  const value = { cel: 'dyn' } as const;
  const how = wordOf({ name: 'how of an attribute', list: attributeHows });
  const attribute = { path: text, how, before: value, after: value };
  const reason = {
    code: wordOf({ name: 'reason', list: Object.keys(reasonFields) }),
    ...Object.fromEntries(reasonDataByField.map(([field, { type }]) => [field, type(address)])),
  };
  const change = {
    address,
    kind: wordOf({ name: 'kind', list: names }),
    key: text,
    actions: listOfType(wordOf({ name: 'action', list: actions })),
    effects: listOfType(wordOf({ name: 'effect', list: effectsOfKinds(kinds), elsewhere: ofPeople })),
    attributes: listOfType({ cel: 'map', fields: attribute }),
    source: { cel: 'map', fields: source },
    reason: { cel: 'map', fields: reason },
    reversibility: wordOf({ name: 'reversibility', list: reversibilities }),
    dangerous: { cel: 'bool' },
    notes: listOfType(text),
    cause: wordOf({ name: 'cause', list: [...changeCauses, ''] }),
  } as const;
  const plan = { application: text, changes: { cel: 'int' }, requests: { cel: 'int' }, today: text } as const;
  return { change: { cel: 'map', fields: change }, plan: { cel: 'map', fields: plan } };
}

/** The time limit of a rule for one set of facts, in milliseconds. */
export const maxTimeMs = 2_000;

export class Expressions {
  #counts: EffectCounts = new Map();
  readonly #variables: Readonly<Record<string, RuleType>>;
  readonly #functions: Readonly<Record<string, ClosedList>>;
  readonly #suggestions: Suggestions;
  readonly #compiler: CelCompiler;

  constructor(kinds: readonly KindDefinition[], suggestions: Suggestions) {
    this.#variables = variablesOf(kinds);
    this.#functions = { count: { name: 'effect', list: countedEffects(kinds) } };
    this.#suggestions = suggestions;
    this.#compiler = new CelCompiler({ homogeneousAggregateLiterals: true }, (environment) =>
      Object.entries(this.#variables)
        .reduce((declared, [name, type]) => declared.registerVariable({ name, schema: celSchema(type) }), environment)
        .registerFunction('count(string): int', (effect: string) => BigInt(this.#counts.get(effect) ?? 0)),
    );
  }

  /** The variables with their fields, for people: `change (address, kind), plan (application)`. */
  get variables(): string {
    return Object.entries(this.#variables)
      .map(([name, type]) => `${name} (${Object.keys(celSchema(type)).join(', ')})`)
      .join(', ');
  }

  /** Throws an error if the text is not an expression of type bool, or is a constant that needs too much work. */
  compile(text: string): Expression {
    const expression = this.#compiler.compile(text);
    if (expression.type !== 'bool' && expression.type !== 'dyn')
      throw new Error(`It is a ${expression.type}, not true or false`);
    const { names, slips } = typeRule(expression.root, this.#variables, this.#functions, this.#suggestions);
    const isConstant = !names.has('change') && !names.has('plan') && !names.has('count');
    const judge = (facts: readonly object[], timeMs: number) =>
      within(timeMs, () => facts.map((resource) => verdictOf(expression, resource)));
    return {
      asksOfChanges: names.has('change'),
      slips,
      constant: isConstant ? constantOf(judge) : undefined,
      judge,
    };
  }

  /** Sets the counts for later evaluations. */
  setCounts(counts: EffectCounts): void {
    this.#counts = counts;
  }
}

/** False if the expression fails. */
function constantOf(
  judge: (facts: readonly object[], timeMs: number) => readonly (boolean | Error)[] | undefined,
): boolean {
  const [verdict] = judge([{}], maxTimeMs) ?? [new TooMuchWorkError(`It takes longer than ${maxTimeMs / 1000} s`)];
  if (verdict instanceof TooMuchWorkError) throw verdict;
  return verdict === true;
}

function verdictOf(expression: CelExpression, facts: object): boolean | Error {
  try {
    const answer = expression.run(facts);
    return typeof answer === 'boolean' ? answer : new Error(`It is a ${typeof answer}, not true or false`);
  } catch (error) {
    return error instanceof Error ? error : new Error('It failed');
  }
}

const script = new Script('run()');

/**
 * Returns undefined after `timeMs`. Each evaluation is bounded, but there may be many. The engine is interrupted. The script is constant, so no
 * text is ever compiled.
 */
function within<T>(timeMs: number, run: () => T): T | undefined {
  let result: T | undefined;
  const context = createContext({
    run: () => {
      result = run();
    },
  });
  try {
    script.runInContext(context, { timeout: timeMs });
    return result;
  } catch (error) {
    // An error of another realm is not an instance of this realm's Error.
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  }
}
