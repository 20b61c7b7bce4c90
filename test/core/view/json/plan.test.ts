// Tests that the JSON of plans, reports and events keeps its contract and is safe to print.
import { describe, expect, test } from 'vitest';
import type { ApplyEvent } from '../../../../src/core/model/event.ts';
import { planFormats } from '../../../../src/core/view/index.ts';
import { eventLine } from '../../../../src/core/view/json/diagnostics.ts';
import { publishedSchema } from '../../../support/published-schema.ts';
import { harmIn } from '../support/hostile.ts';
import { changeOf, comparedPlan, emptyPlan, everyPlan, manyCreations, planOf } from '../support/plans.ts';
import { reports } from '../support/reports.ts';

const planAsJson = await planFormats.json();
const print = (plan: typeof emptyPlan) => [...planAsJson(plan)].join('');

function expectValid(schema: string, value: unknown): void {
  expect(publishedSchema(schema)(value)).toEqual([]);
}

describe('plan', () => {
  test.for([
    ['every change', everyPlan],
    ['with causes, drift and what is at stake', comparedPlan],
    ['no changes', emptyPlan],
    ['creations', manyCreations(3)],
  ] as const)('follows the schema: %s', ([, plan]) => {
    expectValid('plan', JSON.parse(print(plan)));
  });

  test('contains neither steps nor fields that only the plan file needs', () => {
    expect(Object.keys(JSON.parse(print(everyPlan)))).toEqual([
      'format_version',
      'application',
      'lineage',
      'summary',
      'changes',
      'requests',
      'duration',
      'warnings',
      'hash',
    ]);
  });

  test('prints paths and exact values', () => {
    const name = '\u{1b}[31m\u{202e}##[group]\u{1f600}';
    const attributes = [{ path: ['metadata', 'a.b'], before: name, after: { deep: [name] }, how: 'set' as const }];
    const output = print(planOf([changeOf(`user.${name}`, ['update'], { attributes })]));
    expect(harmIn(output)).toBeUndefined();
    const [change] = JSON.parse(output).changes;
    expect(change.address).toBe(`user.${name}`);
    expect(change.attributes).toEqual([{ path: 'metadata."a.b"', before: name, after: { deep: [name] }, how: 'set' }]);
  });

  test('contains drift and the cost of reading after a refresh', () => {
    expect(JSON.parse(print(comparedPlan))).toMatchObject({
      refreshed: { objects: 230, requests: 4 },
      drift: [{ type: 'departed' }, { address: 'user.gone', attributes: [] }, { attributes: [{ path: 'nickname' }] }],
    });
    expect(JSON.parse(print({ ...emptyPlan, drift: [] }))).toMatchObject({ changes: [], drift: [] });
  });

  test.for([8_192, 100_000])('fits into %i bytes, and counts what it leaves out', (maxBytes) => {
    const many = Array.from({ length: 500 }, (_, at) => ({
      address: `user.u${at}` as const,
      type: 'changed' as const,
      attributes: comparedPlan.changes.at(0)?.attributes ?? [],
      note: 'An apply sets it back.',
    }));
    const plan = { ...manyCreations(2_000), drift: many };
    const text = [...planAsJson(plan, { maxBytes })].join('');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
    const document = JSON.parse(text);
    expectValid('plan', document);
    expect(document.changes.length + document.omitted.changes).toBe(2_000);
    expect(document.drift.length + (document.omitted.drift ?? 0)).toBe(500);
    expect(document.changes.length).toBeGreaterThan(10);
  });

  test('contains as many refusals as fit', () => {
    const refusal = {
      severity: 'error',
      code: 'safety.over-budget',
      summary: 'More is taken away than the budget allows',
      detail: 'It says what to do.',
    } as const;
    const whole = JSON.parse([...planAsJson(everyPlan, { refusals: [refusal] })].join(''));
    expectValid('plan', whole);
    expect(whole.refusals).toEqual([refusal]);
    const refusals = Array.from({ length: 100 }, () => refusal);
    const text = [...planAsJson(manyCreations(100), { refusals, maxBytes: 8_192 })].join('');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8_192);
    const bounded = JSON.parse(text);
    expectValid('plan', bounded);
    expect(bounded.refusals.length + bounded.omitted.refusals).toBe(100);
  });
});

test.for(Object.entries(reports))('prints a report that follows the schema: %s', ([, report]) => {
  expectValid('report', JSON.parse(JSON.stringify(report)));
});

describe('events', () => {
  const at = '2026-11-21T08:00:00.000Z';
  const address = 'user.alice';
  const step = `${address}#0`;
  const failure = {
    address,
    action: 'create',
    status: 400,
    code: 400105,
    message: 'nickname must be required.',
  } as const;
  const events: readonly ApplyEvent[] = [
    {
      type: 'run.started',
      steps: 3,
      lower_bound_s: 0.05,
      routes: [{ route: 'POST /users', calls: 2, allowed_per_s: 40, other_allowed_per_s: 5 }],
    },
    { type: 'step.started', step, address, action: 'create' },
    { type: 'step.retried', step, address, attempt: 2, why: 'the connection was reset' },
    { type: 'step.ended', step, address, action: 'create', outcome: 'succeeded', note: 'resolved by reading' },
    { type: 'step.ended', step, address, action: 'create', outcome: 'failed', failure },
    { type: 'rate.limited', route: 'POST /users', retry_after_s: 1, refused_for_s: 0 },
    { type: 'run.stopping', why: 'interrupted' },
    { type: 'run.ended', outcome: 'incomplete' },
  ];

  test.for(events.map((event) => [event.type, event] as const))(
    'prints %s as one line that follows the schema',
    ([, event]) => {
      const line = eventLine(event, at);
      expect(line.indexOf('\n')).toBe(line.length - 1);
      expectValid('events', JSON.parse(line));
      expect(JSON.parse(line)).toMatchObject({ ...event, at });
    },
  );

  test('refuses an event of a step that ended without an outcome', () => {
    expect(publishedSchema('events')({ type: 'step.ended', at, step, address, action: 'create' })).not.toEqual([]);
  });
});
