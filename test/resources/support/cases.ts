// Support: a case of a kind's table: two declarations of an object, and the exact calls from one to the other.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { Policy } from '../../../src/model/policy.ts';
import type { Lifecycle, Removal } from '../../../src/model/resource.ts';
import type { Step } from '../../../src/model/step.ts';
import { openPolicy, planFor, printSteps, resource, stateOf } from '../../support/planning/planning.ts';

export interface Case {
  readonly name: string;
  /** Declared and applied before; absent for a new object. */
  readonly before?: JsonObject;
  /** Declared now; absent for a removed object. */
  readonly after?: JsonObject;
  readonly lifecycle?: Lifecycle;
  readonly on_remove?: Removal;
  readonly policy?: Partial<Policy>;
  readonly expected: readonly string[];
}

export function stepsOf(kind: string, key: string, { before, after, lifecycle, on_remove, policy }: Case): Step[] {
  const declare = (block: JsonObject | undefined) =>
    block === undefined ? [] : [resource(kind, key, block, lifecycle)];
  const state = stateOf(declare(before));
  const source = { file: 'removed.yaml', line: 1, column: 1 };
  const planned = planFor(declare(after), state, {
    policy: { ...openPolicy, ...policy },
    removed: on_remove === undefined ? [] : [{ address: `${kind}.${key}`, on_remove, source }],
  });
  if (planned.problems.length > 0) throw new Error(planned.problems.map(({ detail }) => detail).join('\n'));
  return [...planned.plan.steps];
}

/** The test of each table of cases: `title` and its rows. */
export function sendsExactCalls(kind: string, key: string, tables: Readonly<Record<string, readonly Case[]>>): void {
  const rows = Object.entries(tables).flatMap(([table, cases]) => cases.map((given) => ({ ...given, table })));
  test.for(rows)('sends exactly the calls of $table: $name', (given) => {
    expect(callsOf(kind, key, given)).toEqual(given.expected);
  });
}

export function image(digest: string): JsonObject {
  return { file: `${digest}.png`, digest, media_type: 'image/png' };
}

export function callsOf(kind: string, key: string, given: Case): string[] {
  return printSteps(stepsOf(kind, key, given));
}

/** Adds the same parts to `before` and `after`. */
export function edit(
  name: string,
  common: JsonObject,
  before: JsonObject,
  after: JsonObject,
  expected: string[],
): Case {
  return { name, before: { ...common, ...before }, after: { ...common, ...after }, expected };
}
