// Compiles and evaluates the CEL expressions of `policy.rules` (semantics §4.8). CEL always terminates, has no side effects,
// and accesses only the plan.

import { createContext, Script } from 'node:vm';
import type { Environment } from '@marcbachmann/cel-js';
import { CelCompiler, type CelExpression, type CelNode, celArguments, isCelNode } from '../../../lib/cel/expression.ts';
import { TooMuchWorkError } from '../../../lib/cel/meter.ts';
import { type ChangeReason, reasonFields } from '../../model/reasons.ts';

/** The input of a rule: the plan, and possibly one change. Whole numbers are bigint, as CEL requires. */
export interface Facts {
  readonly plan: Readonly<Record<string, unknown>>;
  readonly change?: Readonly<Record<string, unknown>>;
}

export interface Expression {
  /** Whether it refers to `change`, so that it must be evaluated for each change. */
  readonly asksOfChanges: boolean;
  /** Texts compared with `change.kind`, searched in `change.actions` or `change.effects`, or passed to `count`. */
  readonly compared: readonly { readonly with: string; readonly text: string }[];
  /** Undefined unless the expression is a constant. */
  readonly constant: boolean | undefined;
  /** Returns a verdict or an error for each input, or undefined after `timeMs`. */
  judge(facts: readonly Facts[], timeMs: number): readonly (boolean | Error)[] | undefined;
}

/** The number of objects by effect, in the current plan. */
export type EffectCounts = ReadonlyMap<string, number>;

const position = { file: 'string', line: 'int', column: 'int' };

/** The CEL type of each type of data in reasons, and the value where a reason has no such field. */
const reasonData = {
  addresses: { type: 'list<string>', empty: [] },
  attribute: { type: 'string', empty: '' },
  attributes: { type: 'list<string>', empty: [] },
  existing: { type: 'string', empty: '' },
  run: { type: 'int', empty: 0n },
} as const;
const reasonDataByField = Object.values(reasonFields)
  .flatMap((fields) => Object.entries(fields))
  .map(([field, data]) => [field, reasonData[data]] as const);
const reasonSchema: Readonly<Record<string, string>> = Object.fromEntries([
  ['code', 'string'],
  ...reasonDataByField.map(([field, { type }]) => [field, type]),
]);
const emptyReason = Object.fromEntries(reasonDataByField.map(([field, { empty }]) => [field, empty]));

/** Returns a reason with every field that any reason has. */
export function reasonFacts(reason: ChangeReason): Readonly<Record<string, unknown>> {
  return { ...emptyReason, ...reason, ...('run' in reason ? { run: BigInt(reason.run) } : {}) };
}

/** Declares the names that an expression may use. */
function declare(environment: Environment, counts: () => EffectCounts): Environment {
  return environment
    .registerVariable({
      name: 'change',
      schema: {
        address: 'string',
        kind: 'string',
        key: 'string',
        actions: 'list<string>',
        effects: 'list<string>',
        attributes: 'list<dyn>',
        source: position,
        reason: reasonSchema,
        reversibility: 'string',
        dangerous: 'bool',
        notes: 'list<string>',
        cause: 'string',
      },
    })
    .registerVariable({
      name: 'plan',
      schema: { application: 'string', changes: 'int', requests: 'int', today: 'string' },
    })
    .registerFunction('count(string): int', (effect: string) => BigInt(counts().get(effect) ?? 0));
}

/** The time limit of a rule for one set of facts, in milliseconds. */
export const maxTimeMs = 2_000;

export class Expressions {
  #counts: EffectCounts = new Map();
  readonly #compiler = new CelCompiler({ homogeneousAggregateLiterals: true }, (environment) =>
    declare(environment, () => this.#counts),
  );

  /** Throws an error if the text is not an expression of type bool, or is a constant that needs too much work. */
  compile(text: string): Expression {
    const expression = this.#compiler.compile(text);
    if (expression.type !== 'bool' && expression.type !== 'dyn')
      throw new Error(`It is a ${expression.type}, not true or false`);
    const found = namesIn(expression.root);
    const isConstant = !found.names.has('change') && !found.names.has('plan') && !found.names.has('count');
    const judge = (facts: readonly object[], timeMs: number) =>
      within(timeMs, () => facts.map((resource) => verdictOf(expression, resource)));
    return {
      asksOfChanges: found.names.has('change'),
      compared: found.compared,
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

function namesIn(root: CelNode): { readonly names: ReadonlySet<string>; readonly compared: Expression['compared'] } {
  const names = new Set<string>();
  const compared: { with: string; text: string }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const part of value) visit(part);
    if (!isCelNode(value)) return;
    if (value.op === 'id') names.add(String(value.args));
    if (value.op === 'call' && Array.isArray(value.args)) names.add(String(value.args[0]));
    if (value.op === 'call' && Array.isArray(value.args) && value.args[0] === 'count') addCounted(value.args[1]);
    const [left, right] = celArguments(value.args);
    if (value.op === '==') addCompared(left, right, ['kind']);
    if (value.op === '==') addCompared(right, left, ['kind']);
    if (value.op === 'in') addCompared(right, left, ['actions', 'effects']);
    visit(value.args);
  };
  const addCounted = (parameters: unknown): void => {
    const [effect] = celArguments(parameters);
    if (isCelNode(effect) && effect.op === 'value' && typeof effect.args === 'string')
      compared.push({ with: 'count', text: effect.args });
  };
  const addCompared = (field: unknown, text: unknown, fields: readonly string[]): void => {
    if (
      !isCelNode(field) ||
      !isCelNode(text) ||
      field.op !== '.' ||
      text.op !== 'value' ||
      typeof text.args !== 'string'
    )
      return;
    const [holder, name] = celArguments(field.args);
    if (isCelNode(holder) && holder.args === 'change' && fields.includes(String(name))) {
      compared.push({ with: String(name), text: text.args });
    }
  };
  visit(root);
  return { names, compared };
}
