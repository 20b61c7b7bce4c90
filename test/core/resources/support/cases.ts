// Support: a case of a kind's table: two declarations of an object, and the exact calls from one to the other.
import { expect, test } from 'vitest';
import type { Policy } from '../../../../src/core/model/policy.ts';
import type { Removal } from '../../../../src/core/model/resource.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import type { JudgedPlan } from '../../../../src/core/planner/judges/judge.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { openPolicy, planFor, printSteps, resource, stateOf } from '../../../support/planning/planning.ts';

export interface Case {
  readonly name?: string;
  /** Declared and applied before; absent for a new object. */
  readonly before?: JsonObject;
  /** Declared now; absent for a removed object. */
  readonly after?: JsonObject;
  readonly on_remove?: Removal;
  readonly policy?: Partial<Policy>;
}

function planOf(kind: string, key: string, { before, after, on_remove, policy }: Case): JudgedPlan {
  const declare = (block: JsonObject | undefined) => (block === undefined ? [] : [resource(kind, key, block)]);
  const source = { file: 'removed.yaml', line: 1, column: 1 };
  return planFor(declare(after), stateOf(declare(before)), {
    policy: { ...openPolicy, ...policy },
    removed: on_remove === undefined ? [] : [{ address: `${kind}.${key}`, on_remove, source }],
  });
}

export function stepsOf(kind: string, key: string, given: Case): Step[] {
  const { plan, problems } = planOf(kind, key, given);
  if (problems.length > 0) throw new Error(problems.map(({ detail }) => detail).join('\n'));
  return [...plan.steps];
}

/** The test of tables of cases: `title` and its rows. Their calls, or why they are refused, are in goldens/GOLDEN.md. */
export function sendsExactCalls(
  kind: string,
  key: string,
  tables: Readonly<Record<string, readonly Case[]>>,
  golden = kind,
): void {
  test(`sends exactly the calls of goldens/${golden}.md`, async () => {
    const lines = [`# Calls for objects of the kind \`${kind}\``];
    for (const [title, cases] of Object.entries(tables)) {
      lines.push('', `## ${title}`, '');
      for (const given of cases) {
        const { plan, problems } = planOf(kind, key, given);
        const refusals = problems.map(({ code, detail }) => `${code}: ${detail}`);
        const calls = [...printSteps(plan.steps), ...refusals];
        lines.push(
          `- ${given.name}${calls.length === 0 ? ': no step' : ''}`,
          ...calls.map((call) => `  - \`${call}\``),
        );
      }
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`../goldens/${golden}.md`);
  });
}

export function image(digest: string): JsonObject {
  return { file: `${digest}.png`, digest, media_type: 'image/png' };
}

/** Adds the same parts to `before` and `after`. */
export function edit(name: string, common: JsonObject, before: JsonObject, after: JsonObject): Case {
  return { name, before: { ...common, ...before }, after: { ...common, ...after } };
}
