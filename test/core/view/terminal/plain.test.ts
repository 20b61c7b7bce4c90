// Tests the plain view: sentences only, in which no sign, column or arrow has a meaning.
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../src/core/model/errors.ts';
import { exitCode } from '../../../../src/core/model/exit-code.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { diagnosticsForPeople } from '../../../../src/core/view/terminal/diagnostics.ts';
import { errorForPeople } from '../../../../src/core/view/terminal/error.ts';
import { progressLine } from '../../../../src/core/view/terminal/progress.ts';
import { comparedPlan, emptyPlan, everyPlan, manyCreations, print, refusals } from '../support/plans.ts';

const options = { color: false, width: 40, plain: true };
const inWords = (plan: Plan, more = {}) => print('human', plan, { ...options, ...more });

describe('a plan in words', () => {
  test.for([
    { name: 'every-change', plan: everyPlan },
    { name: 'compared', plan: comparedPlan },
    { name: 'no-changes', plan: emptyPlan },
  ])('$name', async ({ name, plan }) => {
    const text = await inWords(plan);
    expect(text).not.toMatch(/[→≠↓↑·…│]|-->|\^|^\s*[-+~!.]\s/mu);
    expect(text).not.toMatch(/\S {2}/u);
    await expect(text).toMatchFileSnapshot(`../goldens/plain-${name}.txt`);
  });

  test('names every object, and ends every line as a sentence', async () => {
    const text = await inWords(everyPlan);
    for (const { address } of everyPlan.changes) expect(text).toContain(address);
    expect(
      text.split('\n').filter((line) => line !== '' && !/[.:]$|^The line says: |^\d+ warnings?$/u.test(line)),
    ).toEqual([]);
  });

  test('keeps to a number of bytes', async () => {
    const text = await inWords(manyCreations(2_000), { maxBytes: 10_000 });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10_000);
    expect(text).toMatch(/[\d,]+ more changes not shown; see --format json\.\n\n2,000 requests in all\./u);
  });
});

test('says where problems are', () => {
  expect([...diagnosticsForPeople(refusals, options)].join('')).toMatchInlineSnapshot(`
    "error, code safety.removals: More is taken away than the policy allows.
    File policy.yaml, line 3, column 5.
    37 of 210 users would be deactivated.
    Write acknowledge: [{effect: user.deactivate, count: 37}] to mean it.

    1 error
    "
  `);
  const source = { file: 'a b.yaml', line: 3, column: 5 };
  const found = { severity: 'error', code: 'x.y', summary: 'No such key', detail: 'Take it out.', source } as const;
  expect([...diagnosticsForPeople([{ ...found, excerpt: '\tnick: Al' }], options)].join('')).toMatchInlineSnapshot(`
    "error, code x.y: No such key.
    File a b.yaml, line 3, column 5.
    The line says: nick: Al
    Take it out.

    1 error
    "
  `);
});

test('states the code of a refusal in words', () => {
  const refusal = new Refusal('plan.stale', exitCode.conflict, 'It is stale.', 'Make it anew.');
  expect([...errorForPeople(refusal, options)].join('')).toBe('error, code plan.stale: It is stale.\nMake it anew.\n');
});

test('prints progress as a sentence', () => {
  const picture = { total: 1_200, done: 600, failed: 2, unknown: 0, skipped: 0, running: 3, ratePerS: 10 };
  expect(progressLine({ ...picture, leftS: 60, refusedS: 0 }, false, 0, true)).toBe(
    '602 of 1,200 steps, 50 percent, 2 failed, 10/s, about 1 min left',
  );
});
