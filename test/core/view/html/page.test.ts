// Tests the pages without a browser: their goldens, the bytes of that of a plan, and that they need no network.
import { expect, test } from 'vitest';
import type { Plan } from '../../../../src/core/model/plan.ts';
import type { ApplyReport } from '../../../../src/core/model/report.ts';
import { reportAsHtml } from '../../../../src/core/view/html/run-page.ts';
import { planFormats } from '../../../../src/core/view/index.ts';
import { migrationAsHtml } from '../../../../src/core/view/reports/migration-page.ts';
import type { ViewOptions } from '../../../../src/core/view/text/options.ts';
import { pageContent } from '../../../support/page-content.ts';
import { verified } from '../support/migrations.ts';
import { changeOf, comparedPlan, emptyPlan, everyPlan, manyCreations, planOf, refusals } from '../support/plans.ts';
import { reports } from '../support/reports.ts';

const options: ViewOptions = { color: false, width: 100 };
const planAsHtml = await planFormats.html();
const print = (plan: Plan, more: Partial<ViewOptions> = {}) => [...planAsHtml(plan, { ...options, ...more })].join('');
const printRun = (shown: ApplyReport) => [...reportAsHtml(shown, {})].join('');

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

test.for([
  ['Refused by 2 rules', everyPlan, { refusals: [...refusals, ...refusals, { ...refusals[0], code: 'safety.other' }] }],
  ['Awaits 2 signatures', { ...everyPlan, signatures: 2 }, {}],
  ['Awaits 1 signature', { ...everyPlan, signatures: 1 }, { signature: { counts: false, code: 'c', message: 'm' } }],
  ['Application not known', { ...everyPlan, unknown_application: { variable: 'CHATFORM_VAR_APP_ID' } }, {}],
  ['Ready', { ...everyPlan, signatures: 1 }, { signature: { counts: true, by: 'ann', key: 'k', sha256: 's' } }],
  ['No changes', emptyPlan, {}],
] as const)('says in title and headline: %s', ([words, plan, more]) => {
  const html = print(plan, more as Partial<ViewOptions>);
  expect(html).toContain(`<title>${words} · chatform plan`);
  expect(html).toMatch(new RegExp(`<p class="verdict"><span class="pill \\w+">${words}</span>`, 'u'));
});

test('heads the page of drift with its command, and lists what was not compared below the verdict', async () => {
  const drift = { ...comparedPlan, changes: [], steps: [], requests: [], isDriftAlone: true } as const;
  const html = print(drift);
  expect(html).toContain('<title>Drift of 3 objects · chatform drift');
  expect(html).toContain('<h1><strong>chatform</strong> drift</h1>');
  const [, verdict = ''] = /<p class="verdict">(.*)<\/p>/u.exec(html) ?? [];
  expect(verdict).not.toContain('Not compared');
  expect(html).toContain('<dt>Coverage</dt><dd>Not compared: ');
  const markdown = [...(await planFormats.markdown())(drift, options)].join('').split('\n');
  expect(markdown.filter((line) => line.includes('Not compared: '))).toEqual([
    expect.stringMatching(/^Not compared: /u),
  ]);
  expect([...(await planFormats.github())(drift, options)].join('')).toContain('title=chatform drift::');
});

test('counts each object once, and those that stay', () => {
  const html = print({ ...everyPlan, unchanged: 94 });
  expect(html).toContain(`${everyPlan.changes.length} objects change, 94 stay: `);
  const counted = Array.from(html.matchAll(/<span class="(?:added|changed|removed)">. (\d+)/gu), ([, count]) =>
    Number(count),
  );
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(everyPlan.changes.length);
});

test.for([
  ['refs/heads/main', 'Branch', 'main'],
  ['feature/x', 'Branch', 'feature<wbr>/x'],
  ['refs/pull/42/merge', 'Pull request', '#42'],
  ['refs/tags/v1', undefined, undefined],
] as const)('tells branch or request by %s', ([ref, name, value]) => {
  const html = print(everyPlan, { origin: { commit: undefined, ref, files: undefined } });
  const [, foundName, foundValue] = /<dt>(Branch|Pull request)<\/dt><dd>(.*?)<\/dd>/u.exec(html) ?? [];
  expect([foundName, foundValue]).toEqual([name, value]);
});

test('names the place of an existing person or channel on the page of the state, and of nothing else', () => {
  const changes = [
    changeOf('user.alice smith', ['update']),
    changeOf('bot.helper', ['update']),
    changeOf('group_channel.a&b', ['update']),
    changeOf('open_channel.lobby', ['create']),
    changeOf('custom_type.vip', ['update']),
  ];
  const places = (html: string) => Array.from(html.matchAll(/"m":"([^"]*)"/gu), ([, place]) => place);
  expect(places(print(planOf(changes), { statePage: 'app.html' }))).toEqual([
    'app.html#view=people&find=alice%20smith',
    'app.html#view=people&find=helper',
    'app.html#view=channels&find=group_channel.a%26b',
  ]);
  expect(places(print(planOf(changes)))).toEqual([]);
});

test.for(['pictured', 'done', 'nothing', 'interrupted'] as const)(
  'the page of a run matches its golden: %s',
  async (name) => {
    await expect(pageContent(printRun(reports[name]))).toMatchFileSnapshot(`../goldens/run-${name}.html`);
  },
);

test('the page of a verification matches its golden', async () => {
  await expect(pageContent([...migrationAsHtml(verified)].join(''))).toMatchFileSnapshot('../goldens/migration.html');
});

test.for([
  ['a plan', print(everyPlan)],
  ['a run', printRun(reports.pictured)],
  ['a verification', [...migrationAsHtml(verified)].join('')],
] as const)('the page of %s fetches nothing from anywhere', ([, html]) => {
  const markup = html.replace(/<script type="application\/json"[\s\S]*?<\/script>/u, '');
  expect(markup).not.toMatch(/\b(?:src|href)="(?!#)|@import|url\(|<link|<iframe/iu);
  expect(markup).toContain("default-src 'none'");
});
