// Tests what holds for every format of a plan: its goldens, that names stay text, its bytes, and how often it reads a change.
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/core/model/change.ts';
import type { Plan } from '../../../src/core/model/plan.ts';
import { type PlanFormatName, planFormatNames } from '../../../src/core/view/index.ts';
import { durationInWords } from '../../../src/core/view/summary/verdict.ts';
import type { ViewOptions } from '../../../src/core/view/text/options.ts';
import { pageContent } from '../../support/page-content.ts';
import { MadeSeries } from '../../support/series.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { harmIn, hostilePlan } from './support/hostile.ts';
import {
  changeOf,
  comparedPlan,
  emptyPlan,
  everyPlan,
  manyCreations,
  piecesOf,
  planOf,
  print,
  refusals,
} from './support/plans.ts';

fastTest.for<readonly [format: PlanFormatName, golden: string, plan: Plan, options?: Partial<ViewOptions>]>([
  ['human', 'every-change-100.txt', everyPlan],
  ['human', 'every-change-60.txt', everyPlan, { width: 60 }],
  ['human', 'many-creations.txt', manyCreations(25), { limit: 20 }],
  ['human', 'compared.txt', comparedPlan],
  ['human', 'no-changes.txt', emptyPlan],
  ['json', 'every-change.json', everyPlan],
  ['markdown', 'every-change.md', everyPlan],
  ['markdown', 'every-change-8192.md', everyPlan, { maxBytes: 8_192 }],
  ['markdown', 'compared.md', comparedPlan],
  ['markdown', 'refused.md', everyPlan, { refusals, maxBytes: 8_192 }],
  ['markdown', 'many-creations.md', manyCreations(2_000), { maxBytes: 8_192 }],
  ['markdown', 'no-changes.md', emptyPlan],
  ['html', 'compared.html', comparedPlan, { refusals }],
  ['sarif', 'every-change.sarif.json', everyPlan, { refusals }],
  ['github', 'every-change.github', everyPlan],
  ['github', 'compared.github', comparedPlan, { refusals }],
  ['github', 'no-changes.github', emptyPlan],
])('%s matches its golden: %s', async ([format, golden, plan, options]) => {
  const text = await print(format, plan, options);
  await expect(format === 'html' ? pageContent(text) : text).toMatchFileSnapshot(`goldens/plan-${golden}`);
});

fastTest('has the colours of the golden', async () => {
  const colored = await print('human', everyPlan, { color: true });
  expect(stripVTControlCharacters(colored)).toBe(await print('human', everyPlan));
  await expect(colored.replaceAll('\u{1b}', '␛')).toMatchFileSnapshot('goldens/plan-every-change-color.txt');
});

const views = [
  ...planFormatNames.map((format) => ({ format, plain: false })),
  { format: 'human' as const, plain: true },
];

/** What a reader of the format could obey. The browser tests ask the same of pages. */
const harmOf: Readonly<Record<PlanFormatName, (text: string) => void>> = {
  human: (text) => expect(harmIn(text)).toBeUndefined(),
  json: (text) => expect(harmIn(text)).toBeUndefined(),
  markdown: (text) => expect(harmIn(text)).toBeUndefined(),
  html: (text) => expect(text).not.toMatch(/<img|<script>window|javascript:alert\(1\)">/u),
  sarif: (text) => {
    expect(harmIn(text)).toBeUndefined();
    const [{ results }] = JSON.parse(text).runs;
    for (const { message } of results) expect(message.text).not.toContain('](');
  },
  github: (text) => {
    for (const line of text.split('\n').slice(0, -1)) {
      expect(line).toMatch(/^::(?:error|warning|notice) [^:]*::/u);
      expect(harmIn(line.slice(2))).toBeUndefined();
    }
  },
};

test.for(views)('$format escapes what a plan contains, in plain words: $plain', async ({ format, plain }) => {
  await fc.assert(
    fc.asyncProperty(hostilePlan, fc.integer({ min: 40, max: 120 }), async (plan, width) => {
      harmOf[format](await print(format, plan, { width, plain }));
    }),
    { numRuns: inSuite(20, 100) },
  );
});

fastTest.for(['human', 'json'] as const)('%s prints 10,000 changes line by line', async (format) => {
  const pieces = await piecesOf(format, manyCreations(10_000), { color: format === 'human', limit: 10_000 });
  expect(pieces.length).toBeGreaterThan(10_000);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(1000);
});

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
  await print(format, plan, options);
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

describe('if the two behaviours of the user rules give different bounds', () => {
  const user_rules = { assumed: 'named', other: 'first_listed', other_lower_bound_s: 20 } as const;
  const requests = [{ method: 'POST', route: '/group_channels', count: 101 }] as const;
  const inWords = async (format: PlanFormatName, lower_bound_s: number, plain = false) => {
    const bottleneck = 'POST /group_channels at 40/s';
    const duration = { lower_bound_s, bottleneck, user_rules, buckets: [] };
    const plan = planOf([changeOf('group_channel.a', ['create'])], { requests, duration });
    const text = await print(format, plan, { width: 500, plain });
    return text.replaceAll('<wbr>', '').replaceAll('`', '').replaceAll(/\s+/gu, ' ');
  };
  const reading = 'or at least 20 s if the per-user limit applies to the first user listed';

  test.for([
    { format: 'human' as const, plain: false },
    { format: 'human' as const, plain: true },
    { format: 'markdown' as const, plain: false },
    { format: 'html' as const, plain: false },
  ])('$format says which one the bound assumes and what the other gives, in plain words: $plain', async (row) => {
    const bound = 'at least 2.5 s, limited by POST /group_channels at 40/s';
    expect(await inWords(row.format, 2.5, row.plain)).toContain(`${bound}, ${reading}`);
    expect(await inWords(row.format, 0.01, row.plain)).toContain(`under 0.1 s, ${reading}`);
  });

  test('the rate-plan limits get their own clause, unless they hardly matter', async () => {
    const plan_limits = { assumed: 'endpoint', other: 'method', other_lower_bound_s: 30 } as const;
    const duration = { lower_bound_s: 2.5, user_rules, plan_limits, buckets: [] };
    const plan = planOf([changeOf('group_channel.a', ['create'])], { requests, duration });
    expect(durationInWords(plan)).toBe(
      `at least 2.5 s, ${reading}, or at least 30 s if the limits of the rate plan count each method over all endpoints`,
    );
    expect(durationInWords({ ...plan, duration: { ...duration, lower_bound_s: 29.5 } })).toBe('at least 30 s');
  });

  test('JSON contains both', async () => {
    expect(JSON.parse(await inWords('json', 2.5))).toMatchObject({ duration: { lower_bound_s: 2.5, user_rules } });
  });
});
