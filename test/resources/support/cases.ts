// Support: a case of a kind's table: two declarations of an object, and the exact calls from one to the other.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Policy } from '../../../src/model/policy.ts';
import type { Removal } from '../../../src/model/resource.ts';
import type { Step } from '../../../src/model/step.ts';
import { openPolicy, planFor, printSteps, resource, stateOf } from '../../support/planning/planning.ts';

export interface Case {
  readonly name?: string;
  /** Declared and applied before; absent for a new object. */
  readonly before?: JsonObject;
  /** Declared now; absent for a removed object. */
  readonly after?: JsonObject;
  readonly on_remove?: Removal;
  readonly policy?: Partial<Policy>;
}

export function stepsOf(kind: string, key: string, { before, after, on_remove, policy }: Case): Step[] {
  const declare = (block: JsonObject | undefined) => (block === undefined ? [] : [resource(kind, key, block)]);
  const source = { file: 'removed.yaml', line: 1, column: 1 };
  const planned = planFor(declare(after), stateOf(declare(before)), {
    policy: { ...openPolicy, ...policy },
    removed: on_remove === undefined ? [] : [{ address: `${kind}.${key}`, on_remove, source }],
  });
  if (planned.problems.length > 0) throw new Error(planned.problems.map(({ detail }) => detail).join('\n'));
  return [...planned.plan.steps];
}

/** The test of tables of cases: `title` and its rows. Their calls are in goldens/GOLDEN.md. */
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
        const calls = printSteps(stepsOf(kind, key, given));
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
