// Compiles and evaluates the CEL expressions of `policy.rules` (semantics §4.8). CEL always terminates, has no side effects,
// and accesses only the plan.

import { createContext, Script } from 'node:vm';
import { Environment } from '@marcbachmann/cel-js';
import { celLimits } from '../../lib/cel.ts';

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

/** Declares the names that an expression may use. */
function environment(counts: () => EffectCounts): Environment {
  return new Environment({ limits: celLimits, enableOptionalTypes: true })
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
        reason: 'string',
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

export class Expressions {
  #counts: EffectCounts = new Map();
  readonly #environment = environment(() => this.#counts);

  /** Throws an error of the library if the text is not an expression of type bool. */
  compile(text: string): Expression {
    const parsed = this.#environment.parse(text);
    const checked = parsed.check();
    if (!checked.valid) throw checked.error ?? new Error('The types do not fit');
    if (checked.type !== 'bool' && checked.type !== 'dyn')
      throw new Error(`It is a ${checked.type}, not true or false`);
    const found = namesIn(parsed.ast as unknown as Node);
    const isConstant = !found.names.has('change') && !found.names.has('plan') && !found.names.has('count');
    return {
      asksOfChanges: found.names.has('change'),
      compared: found.compared,
      constant: isConstant ? asked(parsed, {}) === true : undefined,
      judge: (facts, timeMs) => within(timeMs, () => facts.map((one) => asked(parsed, one))),
    };
  }

  /** Sets the counts for later evaluations. */
  setCounts(counts: EffectCounts): void {
    this.#counts = counts;
  }
}

function asked(parsed: (context: object) => unknown, facts: object): boolean | Error {
  try {
    const answer = parsed(facts);
    return typeof answer === 'boolean' ? answer : new Error(`It is a ${typeof answer}, not true or false`);
  } catch (error) {
    return error instanceof Error ? error : new Error('It failed');
  }
}

const script = new Script('run()');

/**
 * Returns undefined after `timeMs`. CEL always terminates, but nested macros or a pattern of matches() may take very long.
 * The engine is interrupted. The script is constant, so no text is ever compiled.
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

/** A node of the library's syntax tree. */
interface Node {
  readonly op: string;
  readonly args: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'op' in value && 'args' in value;
}

function namesIn(root: Node): { readonly names: ReadonlySet<string>; readonly compared: Expression['compared'] } {
  const names = new Set<string>();
  const compared: { with: string; text: string }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const part of value) visit(part);
    if (!isNode(value)) return;
    if (value.op === 'id') names.add(String(value.args));
    if (value.op === 'call' && Array.isArray(value.args)) names.add(String(value.args[0]));
    if (value.op === 'call' && Array.isArray(value.args) && value.args[0] === 'count') addCounted(value.args[1]);
    const [left, right] = Array.isArray(value.args) ? (value.args as readonly unknown[]) : [];
    if (value.op === '==') addCompared(left, right, ['kind']);
    if (value.op === '==') addCompared(right, left, ['kind']);
    if (value.op === 'in') addCompared(right, left, ['actions', 'effects']);
    visit(value.args);
  };
  const addCounted = (parameters: unknown): void => {
    const [effect] = Array.isArray(parameters) ? (parameters as readonly unknown[]) : [];
    if (isNode(effect) && effect.op === 'value' && typeof effect.args === 'string')
      compared.push({ with: 'count', text: effect.args });
  };
  const addCompared = (field: unknown, text: unknown, fields: readonly string[]): void => {
    if (!isNode(field) || !isNode(text) || field.op !== '.' || text.op !== 'value' || typeof text.args !== 'string')
      return;
    const [holder, name] = Array.isArray(field.args) ? (field.args as readonly unknown[]) : [];
    if (isNode(holder) && holder.args === 'change' && fields.includes(String(name))) {
      compared.push({ with: String(name), text: text.args });
    }
  };
  visit(root);
  return { names, compared };
}
