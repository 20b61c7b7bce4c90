// Tests the comment on a pull request: the most important first, within its size limit, and names only as text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { planFormats } from '../../../../src/core/view/index.ts';
import { reportAsMarkdown } from '../../../../src/core/view/markdown/run-report.ts';
import { codeSpan, fenced } from '../../../../src/core/view/markdown/text.ts';
import type { ViewOptions } from '../../../../src/core/view/text/options.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';
import { hostilePlan, hostileText } from '../support/hostile.ts';
import { expectInert, expectWhole, large, toHtml } from '../support/markdown-checks.ts';
import { changeOf, comparedPlan, emptyPlan, everyPlan, planOf, refusals } from '../support/plans.ts';
import { reports } from '../support/reports.ts';

const options: ViewOptions = { color: false, width: 100 };
const planAsMarkdown = await planFormats.markdown();
const print = (plan: Plan, more: Partial<ViewOptions> = {}) =>
  [...planAsMarkdown(plan, { ...options, ...more })].join('');
const bytes = (text: string) => Buffer.byteLength(text, 'utf8');
fastTest.for(Object.entries(reports))('the report matches its golden: %s', async ([name, report]) => {
  await expect([...reportAsMarkdown(report, {})].join('')).toMatchFileSnapshot(`../goldens/report-${name}.md`);
});

fastTest('begins with the marker of the application', () => {
  const [first] = print(everyPlan).split('\n');
  expect(first).toBe('<!-- chatform:plan application=emulator:.chatform/emulator -->');
  expect(print(emptyPlan).split('\n')[0]).toBe(first);
  expect(print({ ...emptyPlan, application: 'a --> <b>--' }).split('\n')[0]).toBe(
    '<!-- chatform:plan application=a%20%2D-%3E%20%3Cb%3E%2D- -->',
  );
});

fastTest.for([65_536, 8_192])('shows an edited policy openly, above the changes, in %i bytes', (maxBytes) => {
  const detail = 'removals of the policy differs from main (0123456789ab).';
  const edited = {
    severity: 'warning',
    code: 'plan.rules-edited',
    summary: 'This request edits the policy',
    detail,
  } as const;
  const text = print({ ...comparedPlan, warnings: [...comparedPlan.warnings, edited] }, { maxBytes });
  const [before = ''] = text.split(/#### (?!⚠️ This request edits)|<details>/u);
  expect(before).toContain('#### ⚠️ This request edits the policy');
  expect(before).toContain(detail);
  expect(text.split(detail)).toHaveLength(2);
});

fastTest.for([1, 2, 15])('says of %i equal erasures once what cannot be undone, with their notes', (amount) => {
  const notes = ['group channels stay', 'messages may stay'];
  const changes = Array.from({ length: amount }, (_, place) =>
    changeOf(`user.u${place + 10}`, ['erase'], { reversibility: 'irreversible', notes }),
  );
  const text = print(planOf(changes));
  for (const line of ['! cannot be undone', ...notes.map((note) => `! ${note}`)])
    expect(text.split(`\n${line}\n`)).toHaveLength(2);
});

fastTest('puts refusals above dangers, and pending changes and drift below', () => {
  const text = print(comparedPlan, { refusals });
  const at = [
    'Refused',
    'Restricts access',
    'This request changes 27',
    'nickname changed for 12 users',
    'Pending',
    'Drift',
  ];
  const places = at.map((words) => text.indexOf(words));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((left, right) => left - right));
});

describe('never exceeds its bytes or ends inside a fence', () => {
  test.for(inSuite([8_192], [8_192, 20_000, 65_536, 1_048_576]))('%i', (maxBytes) => {
    const text = print(large, { maxBytes });
    expect(bytes(text)).toBeLessThanOrEqual(maxBytes);
    expect(bytes(text)).toBeGreaterThan(maxBytes * 0.6);
    expectWhole(text);
    expect(text).toContain(`Shortened to ${maxBytes.toLocaleString('en-US')} bytes`);
    expect(text).toContain('deactivate (block removed)** 3,000');
  });

  fastTest('keeps to 65,536 bytes by default', () => {
    expect(bytes(print(large))).toBeLessThanOrEqual(65_536);
  });

  fastTest('leaves out whole warnings and refusals, and counts them', () => {
    const [warning] = everyPlan.warnings;
    const warnings = warning === undefined ? [] : Array.from({ length: 400 }, () => warning);
    const text = print({ ...everyPlan, warnings }, { maxBytes: 20_000, refusals: warnings });
    expect(bytes(text)).toBeLessThanOrEqual(20_000);
    expect(text.match(/^… and \d+ more$/gmu)).toHaveLength(2);
    expectWhole(text);
  });

  test('keeps any plan within any budget', () => {
    fc.assert(
      fc.property(hostilePlan, fc.integer({ min: 8_192, max: 30_000 }), (plan, maxBytes) => {
        const text = print(plan, { maxBytes, refusals });
        expect(bytes(text)).toBeLessThanOrEqual(maxBytes);
        expectWhole(text);
      }),
      { numRuns: inSuite(5, 150) },
    );
  });
});

describe('escapes names', () => {
  test('in a plan', () => {
    fc.assert(
      fc.property(hostilePlan, (plan) => {
        // A large budget shows the details, a small one the short forms.
        expectInert(print(plan));
        expectInert(print(plan, { maxBytes: 4_096 }));
      }),
      { numRuns: inSuite(10, 150) },
    );
  });

  test('in a report', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (key, message) => {
        const failure = { address: `user.${key}` as const, action: 'create' as const, status: 400, code: 1, message };
        const left_open = [`user.${key}` as const];
        expectInert([...reportAsMarkdown({ ...reports.incomplete, failures: [failure], left_open }, {})].join(''));
      }),
      { numRuns: inSuite(25, 100) },
    );
  });

  fastTest('in a code span and in a fence', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(toHtml(`a ${codeSpan(text)} b`)).toMatch(/^<p>a <code>[^<]*<\/code> b<\/p>$/u);
        const lines = [text.replace(/[^`]/gu, ''), text.replace(/\s+/gu, ' ')];
        expect(toHtml(`${fenced('diff', lines)}end`)).toMatch(
          /^<pre><code class="language-diff">[^<]*<\/code><\/pre>\n<p>end<\/p>$/u,
        );
      }),
    );
  });
});
