// Tests how often a view reads each change of a plan, which may be on disk: at most twice, and less for few bytes.
import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/model/change.ts';
import type { Plan } from '../../src/model/plan.ts';
import { type PlanFormatName, planFormatNames, printPlan } from '../../src/view/index.ts';
import { readingInWords } from '../../src/view/summary/verdict.ts';
import { MadeSeries } from '../support/series.ts';
import { changeOf, planOf } from './support/plans.ts';

const amount = 3_000;
const changes = Array.from({ length: amount }, (_, at): Change => {
  const address = `user.u${String(at).padStart(4, '0')}` as const;
  if (at % 10 === 0) return changeOf(address, ['deactivate']);
  const attributes = [{ path: ['nickname'], before: 'a', after: `b${at}`, how: 'set' as const }];
  return changeOf(address, at % 3 === 0 ? ['create'] : ['update'], { attributes });
});

/** How many changes were read in sequence, and how many by position. */
async function readsOf(format: PlanFormatName, options: { plain?: boolean; maxBytes?: number; limit?: number }) {
  const reads = { inTurn: 0, byPlace: 0 };
  const plan: Plan = {
    ...planOf(changes),
    changes: new MadeSeries(
      amount,
      (index) => {
        reads.byPlace += 1;
        return changes[index];
      },
      function* () {
        for (const change of changes) {
          reads.inTurn += 1;
          yield change;
        }
      },
    ),
  };
  for (const _text of await printPlan(format, plan, { color: false, width: 100, ...options }));
  return reads;
}

describe.for([
  ...planFormatNames.map((format) => ({ format, plain: false })),
  { format: 'human' as const, plain: true },
])('$format, in plain words: $plain', ({ format, plain }) => {
  test('reads every change at most twice', async () => {
    const { inTurn } = await readsOf(format, { plain, limit: amount });
    expect(inTurn).toBeLessThanOrEqual(2 * amount);
  });

  test('reads few changes for few bytes, after one pass over all', async () => {
    const { inTurn, byPlace } = await readsOf(format, { plain, maxBytes: 60_000 });
    expect(inTurn + byPlace).toBeLessThanOrEqual(2 * amount);
  });
});

describe('if the two readings of the user rules give different bounds', () => {
  const user_rules = { assumed: 'named', other: 'first_listed', other_lower_bound_s: 20 } as const;
  const requests = [{ method: 'POST', route: '/group_channels', count: 101 }] as const;
  const printed = async (format: PlanFormatName, lower_bound_s: number, plain = false) => {
    const bottleneck = 'POST /group_channels at 40/s';
    const duration = { lower_bound_s, bottleneck, user_rules, buckets: [] };
    const plan = planOf([changeOf('group_channel.a', ['create'])], { requests, duration });
    const pieces: string[] = [];
    for await (const piece of await printPlan(format, plan, { color: false, width: 500, plain })) pieces.push(piece);
    return pieces.join('').replaceAll('<wbr>', '').replaceAll('`', '').replaceAll(/\s+/gu, ' ');
  };
  const reading = 'or at least 20 s if the per-user limit applies to the first user listed';

  test.for([
    { format: 'human' as const, plain: false },
    { format: 'human' as const, plain: true },
    { format: 'markdown' as const, plain: false },
    { format: 'html' as const, plain: false },
  ])('$format says which one the bound assumes and what the other gives, in plain words: $plain', async (row) => {
    const bound = 'at least 2.5 s, limited by POST /group_channels at 40/s';
    expect(await printed(row.format, 2.5, row.plain)).toContain(`${bound}, ${reading}`);
    expect(await printed(row.format, 0.01, row.plain)).toContain(`under 0.1 s, ${reading}`);
  });

  test('the rate-plan limits get their own clause, unless they hardly matter', async () => {
    const plan_limits = { assumed: 'endpoint', other: 'method', other_lower_bound_s: 30 } as const;
    const duration = { lower_bound_s: 2.5, user_rules, plan_limits, buckets: [] };
    const plan = planOf([changeOf('group_channel.a', ['create'])], { requests, duration });
    expect(readingInWords(plan)).toBe(
      `${reading}, or at least 30 s if the limits of the rate plan count each method over all endpoints`,
    );
    expect(readingInWords({ ...plan, duration: { ...duration, lower_bound_s: 29.5 } })).toBeUndefined();
  });

  test('JSON contains both', async () => {
    expect(JSON.parse(await printed('json', 2.5))).toMatchObject({ duration: { lower_bound_s: 2.5, user_rules } });
  });
});
