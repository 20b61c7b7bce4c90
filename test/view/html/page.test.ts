// Tests the page of a plan without a browser: its golden, its bytes, and that it needs no network.
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/model/plan.ts';
import { planFormats } from '../../../src/view/index.ts';
import type { ViewOptions } from '../../../src/view/text/options.ts';
import { comparedPlan, emptyPlan, everyPlan, manyCreations } from '../support/plans.ts';

const options: ViewOptions = { color: false, width: 100 };
const planAsHtml = await planFormats.html();
const print = (plan: Plan, more: Partial<ViewOptions> = {}) => [...planAsHtml(plan, { ...options, ...more })].join('');

test('leaves changes out to fit its bytes and says so, and refuses too few bytes', () => {
  const plan = manyCreations(3_000);
  const html = print(plan, { maxBytes: 100_000 });
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(100_000);
  expect(Buffer.byteLength(html)).toBeGreaterThan(99_000);
  expect(html).toMatch(/<strong>[\d,]+ changes left out<\/strong>/u);
  expect(() => print(plan, { maxBytes: 9_000 })).toThrow('does not fit into 9,000 bytes');
});

test('is the same under a limit that is not reached, with dangers counted before the rows or with them', () => {
  for (const plan of [everyPlan, comparedPlan, emptyPlan, manyCreations(300)])
    expect(print(plan, { maxBytes: 10_000_000 })).toBe(print(plan));
  expect(print(everyPlan)).toContain('<h2 id="dangers">Dangers</h2>');
});

test('fetches nothing from anywhere', () => {
  const html = print(everyPlan).replace(/<script type="application\/json"[\s\S]*?<\/script>/u, '');
  expect(html).not.toMatch(/\b(?:src|href)="(?!#)|@import|url\(|<link|<iframe/iu);
  expect(html).toContain("default-src 'none'");
});
