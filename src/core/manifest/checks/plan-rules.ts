// Evaluates the rules of a policy on plans (semantics §4.8).

import { asFact } from '../../../lib/cel/facts.ts';
import { TooMuchWorkError } from '../../../lib/cel/meter.ts';
import { Suggestions } from '../../../lib/suggestions.ts';
import { asSentence } from '../../../lib/words.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { Action } from '../../model/action.ts';
import { keyOf, kindOf } from '../../model/address.ts';
import { type Change, printPath } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { notifyEffect } from '../../model/people/effects.ts';
import type { Plan } from '../../model/plan.ts';
import type { Rule } from '../../model/policy.ts';
import { printPosition } from '../../model/source.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { Problems, Spot } from '../problems/problems.ts';
import { declaredRules, ruleOf } from './declared-rules.ts';
import { type EffectCounts, type Expression, Expressions, type Facts, maxTimeMs, reasonFacts } from './expression.ts';

interface CompiledRule {
  readonly rule: Rule;
  readonly expression: Expression;
}

export interface Verdicts {
  /** A plan with a refusal is shown but not applied (exit code 5). */
  readonly refusals: readonly Diagnostic[];
  readonly remarks: readonly Diagnostic[];
}

/** The number of changes evaluated together. The time limit of a rule is for all of them. */
const changesAtOnce = 500;
/** The maximum number of shown findings of one rule. */
const maxShown = 20;

export class PlanRules {
  readonly #rules: readonly CompiledRule[];
  readonly #expressions: Expressions;

  constructor(rules: readonly CompiledRule[], expressions: Expressions) {
    this.#rules = rules;
    this.#expressions = expressions;
  }

  /** `today` is a date in UTC such as `2026-12-01`. `timeMs` is the time limit of one rule for 500 changes. */
  judge(
    plan: Pick<Plan, 'application' | 'changes' | 'requests' | 'people' | 'notices'>,
    today: string,
    timeMs = maxTimeMs,
  ): Verdicts {
    const counts = countEffects(plan);
    this.#expressions.setCounts(counts);
    const facts = {
      application: plan.application,
      changes: BigInt(plan.changes.length),
      requests: BigInt(plan.requests.reduce((sum, { count }) => sum + count, 0)),
      today,
    };
    const findings = this.#rules.map((rule) => new Findings(rule, timeMs));
    for (const ofRule of findings) if (!ofRule.asksOfChanges) ofRule.judgePlan({ plan: facts }, counts);
    const asking = findings.filter(({ asksOfChanges }) => asksOfChanges);
    let batch: Change[] = [];
    const end = () => {
      for (const ofRule of asking) ofRule.judgeChanges(batch, facts);
      batch = [];
    };
    for (const change of asking.length === 0 ? [] : plan.changes) {
      batch.push(change);
      if (batch.length === changesAtOnce) end();
    }
    end();
    return {
      refusals: findings.flatMap((ofRule) => (ofRule.isRefusal ? ofRule.diagnostics() : [])),
      remarks: findings.flatMap((ofRule) => (ofRule.isRefusal ? [] : ofRule.diagnostics())),
    };
  }
}

/** The findings of one rule in one plan. */
class Findings {
  readonly #rule: Rule;
  readonly #expression: Expression;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #timeMs: number;
  #hidden = 0;
  #isOver = false;

  constructor({ rule, expression }: CompiledRule, timeMs: number) {
    this.#timeMs = timeMs;
    this.#rule = rule;
    this.#expression = expression;
  }

  get asksOfChanges(): boolean {
    return this.#expression.asksOfChanges;
  }

  get isRefusal(): boolean {
    return this.#rule.level === 'error';
  }

  diagnostics(): readonly Diagnostic[] {
    const [first] = this.#diagnostics;
    if (this.#hidden === 0 || first === undefined) return this.#diagnostics;
    const { address: _one, source: _there, ...common } = first;
    const detail = `… and ${this.#hidden.toLocaleString('en')} more changes match the rule ${this.#rule.name}.`;
    return [...this.#diagnostics, { ...common, detail }];
  }

  /** Evaluates a rule without `change` once, if the plan has an effect that the rule is on. */
  judgePlan(facts: Facts, counts: EffectCounts): void {
    const { on } = this.#rule;
    if (on !== undefined && !on.some((name) => [...counts.keys()].some((effect) => concerns(name, effect)))) return;
    this.#take([undefined], [facts]);
  }

  judgeChanges(changes: readonly Change[], plan: Facts['plan']): void {
    const { on } = this.#rule;
    const meant =
      on === undefined
        ? changes
        : changes.filter((change) => effectsOf(change).some((effect) => on.some((name) => concerns(name, effect))));
    if (meant.length > 0)
      this.#take(
        meant,
        meant.map((change) => ({ plan, change: factsOf(change) })),
      );
  }

  #take(changes: readonly (Change | undefined)[], facts: readonly Facts[]): void {
    if (this.#isOver) return;
    const verdicts = this.#expression.judge(facts, this.#timeMs);
    if (verdicts === undefined) {
      this.#isOver = true;
      const detail = `The rule ${this.#rule.name} (${printPosition(this.#rule.source)}) took longer than ${this.#timeMs / 1000} s for ${facts.length} changes and was stopped. Nest fewer macros.`;
      this.#add('safety.rule-failed', 'A rule cannot be evaluated', detail, undefined);
      return;
    }
    for (const [index, verdict] of verdicts.entries()) {
      if (verdict === true) this.#found(changes[index]);
      else if (verdict instanceof Error) this.#failed(verdict, changes[index]);
    }
  }

  #found(change: Change | undefined): void {
    const { name, message, source } = this.#rule;
    const code = this.isRefusal ? 'safety.rule' : 'plan.rule';
    const whose = `The rule ${name} is at ${printPosition(source)}.`;
    this.#add(code, 'A rule of the policy applies', `${asSentence(message)} ${whose}`, change);
  }

  #failed(error: Error, change: Change | undefined): void {
    const [why = ''] = error.message.split('\n');
    const advice = error instanceof TooMuchWorkError ? '' : ' Test a key that may be absent with has() or change.?key.';
    const detail = `The rule ${this.#rule.name} (${printPosition(this.#rule.source)}) fails: ${why}.${advice}`;
    this.#add('safety.rule-failed', 'A rule cannot be evaluated', detail, change);
  }

  #add(code: string, summary: string, detail: string, change: Change | undefined): void {
    if (this.#diagnostics.length === maxShown) {
      this.#hidden += 1;
      return;
    }
    const source = change === undefined ? this.#rule.source : change.source;
    this.#diagnostics.push({
      severity: this.isRefusal ? 'error' : 'warning',
      code,
      summary,
      detail,
      ...(change === undefined ? {} : { address: change.address }),
      ...(source === undefined ? {} : { source }),
    });
  }
}

/** `user` matches every effect on users, `user.delete` only that effect. */
function concerns(name: string, effect: string): boolean {
  return name === effect || name === effect.slice(0, effect.indexOf('.'));
}

function effectsOf({ address, actions }: Change): string[] {
  // A conflict may be gone when the plan is applied, and then it is a creation.
  const all: readonly Action[] = actions.includes('conflict') ? ['create', ...actions] : actions;
  return all.map((action) => `${kindOf(address)}.${action}`);
}

/** Objects by effect, and people by what changes for them. */
function countEffects({ changes, people, notices }: Pick<Plan, 'changes' | 'people' | 'notices'>): EffectCounts {
  const counts = new Map(
    Object.entries(people?.counts ?? {}).map(([name, count]): [string, number] => [`people.${name}`, count]),
  );
  if (notices !== undefined && notices.people > 0) counts.set(notifyEffect, notices.people);
  for (const change of changes)
    for (const effect of effectsOf(change)) counts.set(effect, (counts.get(effect) ?? 0) + 1);
  return counts;
}

/** Returns a change as in `plan --format json`, with kind, key and effects. Absent values are empty here. */
function factsOf(change: Change): Record<string, unknown> {
  const { address, actions, attributes, source, reason, reversibility, dangerous, notes, cause } = change;
  const { file = '', line = 0, column = 0 } = source ?? {};
  return {
    address,
    kind: kindOf(address),
    key: keyOf(address),
    actions,
    effects: effectsOf(change),
    attributes: attributes.map(({ path, how, before, after }) =>
      asFact({
        path: printPath(path),
        how,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      }),
    ),
    source: { file, line: BigInt(line), column: BigInt(column) },
    reason: reasonFacts(reason),
    reversibility,
    dangerous,
    notes,
    cause: cause ?? '',
  };
}

/** Reads the rules of a policy. Reports invalid expressions, rules that can never apply, and words that no value can be. */
export function readPlanRules(
  document: ManifestDocument,
  kinds: readonly KindDefinition[],
  problems: Problems,
): PlanRules | undefined {
  const expressions = new Expressions(kinds, new Suggestions());
  const names = new Map<string, Spot>();
  const compiled = declaredRules(document).flatMap(({ item, path }): CompiledRule[] => {
    const spot = spotIn(document, [...path, 'when']);
    const nameSpot = spotIn(document, [...path, 'name']);
    const name = String(item.name);
    const first = names.get(name);
    if (first !== undefined) {
      const detail = `A rule named ${name} is already declared at ${printPosition(first.source.position(first.offset))}. Rename one.`;
      problems.add('manifest.declared-twice', detail, nameSpot);
      return [];
    }
    names.set(name, nameSpot);
    const rule = ruleOf(item, document, path);
    try {
      const expression = expressions.compile(rule.when);
      // With `on`, a condition that is always true applies to these effects.
      if (expression.constant === false || (expression.constant === true && rule.on === undefined))
        problems.add('manifest.rule-useless', uselessDetail(name, expression.constant), spot, 'warning');
      for (const slip of expression.slips)
        problems.add('manifest.bad-expression', `The rule ${name} does not work as written: ${slip}`, spot);
      return [{ rule, expression }];
    } catch (error) {
      const [why = ''] = (error instanceof Error ? error.message : '').split('\n');
      problems.add('manifest.bad-expression', `${why}. ${adviceOn(expressions)}`, spot);
      return [];
    }
  });
  return compiled.length === 0 ? undefined : new PlanRules(compiled, expressions);
}

function adviceOn({ variables }: Expressions): string {
  return `A rule is a CEL expression of type bool over ${variables} and count("user.delete") or count("people.newly_read").`;
}

function uselessDetail(name: string, constant: boolean): string {
  return `The rule ${name} is ${constant} for every plan. Its expression must refer to change or plan.`;
}
