// Tests the pages of runs, verifications and conversions: their content, that everybody can read them at every width and on
// paper in a browser, and that names stay text.
import { expect, test } from 'vitest';
import type { ConversionReport } from '../../../../src/core/model/conversion.ts';
import type { ApplyReport, CallRecord } from '../../../../src/core/model/report.ts';
import { mapAsHtml } from '../../../../src/core/view/html/map-page.ts';
import { reportAsHtml } from '../../../../src/core/view/html/run-page.ts';
import { planFormats } from '../../../../src/core/view/index.ts';
import { certificateAsHtml } from '../../../../src/core/view/reports/certificate.ts';
import { conversionAsHtml } from '../../../../src/core/view/reports/conversion.ts';
import { migrationAsHtml } from '../../../../src/core/view/reports/migration-page.ts';
import { largeMap } from '../support/application-maps.ts';
import { barriersIn, describeInBrowser, openPage } from '../support/browser.ts';
import { certificate } from '../support/certificate.ts';
import { channel, report, time, verified } from '../support/migrations.ts';
import { everythingIn, type Found, hiddenOnPaper } from '../support/page-checks.ts';
import { comparedPlan } from '../support/plans.ts';
import { reports } from '../support/reports.ts';

const planAsHtml = await planFormats.html();

const aliceCreated: Omit<CallRecord, 'at_s'> = {
  address: 'user.alice',
  action: 'create',
  call: 'POST /users',
  took_ms: 40.2,
  answer: 'ok',
};
const print = (shown: ApplyReport) => [...reportAsHtml(shown, {})].join('');
const hostile = '</script><script>window.harmed = 1</script><img src=x onerror="window.harmed = 1">';
const origin = { by: { user: 'ann', host: 'ci-7' }, at: '2026-06-01T10:00:00.000Z' };
const hostileActor = { user: hostile, host: hostile, repository: hostile, job: hostile, commit: hostile, ref: hostile };
/** The width of A4 between its margins, in CSS pixels. */
const a4Width = 687;
/** A conversion in which every text from outside is `text`. */
function converted(text: string): ConversionReport {
  const reason = { code: 'user.profile-fields', count: 2, summary: text, advice: text, examples: [text, text] };
  return {
    title: text,
    users: 4,
    channels: 3,
    messages: 8,
    historyFiles: 3,
    lines: 15,
    outcomes: { carried: 6, changed: 8, left_out: 1 },
    losses: { threads: 1, reactions: 1, edits: 0, files: 1, fileBytes: 51_200 },
    unordered: 2,
    attachments: {
      ...{ files: 1, copied: 0, exported: 0, login: 1, signed: 0, open: 0, missing: 0 },
      hosts: [{ host: text, files: 1, bytes: 1, copied: 0, login: 1, signed: 0 }],
    },
    kinds: { people: 2, guests: 1, bots: 1, deactivated: 0, unlisted: 0, kept: 0 },
    declared: [{ url: 'general', name: text, messages: 8 }],
    older: undefined,
    assumedLater: undefined,
    covered: { first: '2024-05-06T08:00:00.000Z', last: '2024-05-06T08:10:00.000Z' },
    identities: { matched: 1, unused: 0, missing: [{ id: text, userId: text }] },
    noLongerThere: { kept: 1, gone: 1, users: 1, channels: 0, historyFiles: [{ channel: text, kept: 1, gone: 1 }] },
    reasons: [reason],
    undecided: [reason],
    notes: [text],
  };
}

describeInBrowser((browser) => {
  test('finds the calls of an object by search', async () => {
    const { page, noise } = await openPage(browser(), print(reports.pictured));
    await page.keyboard.press('/');
    await page.keyboard.type('alice');
    await page.locator('#status').filter({ hasText: '1 to 2 of 2 found among 3.' }).waitFor();
    expect(await page.locator('#rows tr').allInnerTexts()).toEqual([
      expect.stringMatching(/user\.alice\s+create\s+POST \/users\s+0\.1 s\s+40\.2 ms\s+ok/u),
      expect.stringMatching(/user\.alice\s+create\s+GET \/users\/\{user_id\}\s+7\.3 s\s+39 ms\s+no answer/u),
    ]);
    await page.getByLabel('Search').fill('');
    await page.getByLabel('Failed or retried only').check();
    await page.locator('#status').filter({ hasText: '1 to 2 of 2 found among 3.' }).waitFor();
    expect(noise).toEqual([]);
  });

  test('shows each lane with bars, limit and figures, and names stalls and open objects', async () => {
    const { page } = await openPage(browser(), print(reports.pictured));
    const lane = page.locator('.lane').first();
    expect(await lane.locator('rect.sent').count()).toBe(7);
    expect(await lane.locator('rect.limited').count()).toBe(1);
    expect(await lane.locator('line.limit').count()).toBe(1);
    expect(await page.locator('.lane').last().locator('line.limit').count()).toBe(0);
    const text = await page.locator('main').innerText();
    for (const told of ['Refused (429)', '1.2 s', '10 s after the start: 2.4 s', 'still open', '1,662 more calls']) {
      expect(text).toContain(told);
    }
  });

  test('leads with what changed, and shows charts only of runs of ten seconds and more', async () => {
    const { page } = await openPage(browser(), print({ ...reports.pictured, failures: [], duration_s: 9.9 }));
    expect(await page.locator('h2').first().textContent()).toBe('What changed');
    expect(await page.locator('.lane').count()).toBe(0);
  });

  test('sorts the columns of an application by keyboard, and names rights in words', async () => {
    const { page } = await openPage(browser(), [...mapAsHtml(largeMap(200), { color: false, width: 100 })].join(''));
    await page.getByRole('button', { name: 'Custom type' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await page.locator('[aria-sort]').getAttribute('aria-sort')).toBe('descending');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Custom type');
    const types = await page.locator('td[data-label="Custom type"]').allTextContents();
    expect(types).toEqual(types.toSorted().toReversed());
    await page.locator('#rows summary').first().click();
    expect(await page.locator('#rows li').first().textContent()).toMatch(/ member, operator$/u);
  });

  test('divides the calls of a long run into pages, and prints all of them', async () => {
    const { series } = reports.pictured;
    const calls = Array.from({ length: 1_090 }, (_, at) => ({ ...aliceCreated, at_s: at / 30 }));
    const { page } = await openPage(browser(), print({ ...reports.pictured, series: { ...series, calls } }));
    expect(await page.locator('#status').textContent()).toBe('1 to 100 of 1,090.');
    expect(await page.locator('#page').textContent()).toBe('Page 1 of 11');
    await page.locator('#next').click();
    expect(await page.locator('#status').textContent()).toBe('101 to 200 of 1,090.');
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await page.locator('#rows tr').count()).toBe(1_090);
  });

  const pages = [
    { name: 'plan', html: [...planAsHtml(comparedPlan, { color: false, width: 100, writing: origin })].join('') },
    { name: 'run', html: print(reports.pictured) },
    { name: 'verification', html: [...migrationAsHtml(verified)].join('') },
    { name: 'conversion', html: conversionAsHtml(converted('general')) },
    { name: 'certificate', html: certificateAsHtml(certificate) },
    { name: 'application', html: [...mapAsHtml(largeMap(200), { color: false, width: 100 })].join('') },
  ];

  test.for(pages)('$name: no barrier, and nothing runs out of the page', async ({ name, html }) => {
    const { page } = await openPage(browser(), html);
    const runsOut = () => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    expect(await page.locator('h1').textContent()).toBe(`chatform ${name}`);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect([width, colorScheme, await barriersIn(page)]).toEqual([width, colorScheme, []]);
      }
      expect(await runsOut()).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: a4Width, height: 1_000 });
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    await page.emulateMedia({ media: 'print' });
    expect(await runsOut()).toBeLessThanOrEqual(0);
    expect(await page.evaluate<string[]>(hiddenOnPaper)).toEqual([]);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  });

  test('shows the name and the figures of each verified channel, and a place to sign', async () => {
    const { page } = await openPage(browser(), [...migrationAsHtml(verified)].join(''));
    expect(await page.locator('tbody tr', { hasText: 'support-41' }).innerText()).toMatch(
      /Support 41\s+support-41\s+matched\s+1,250\s+1,250\s+600\s+none\s+0\s+2019-03-01 08:00:00\.250\s+2019-03-01 09:00:00\.250/u,
    );
    const signed = await page.locator('.sign-off').innerText();
    for (const said of ['api-example.sendbird.com/v3', 'ann on ci-7', 'Name', 'Place and date', 'Signature'])
      expect(signed).toContain(said);
  });

  test('shows figures beside their labels', async () => {
    const { page } = await openPage(browser(), [...migrationAsHtml(verified)].join(''), {
      viewport: { width: 1280, height: 900 },
    });
    const row = page.locator('.figures tbody tr').first();
    const label = await row.locator('th').boundingBox();
    const value = await row.locator('td').boundingBox();
    expect((value?.x ?? 1_000) + (value?.width ?? 0) - (label?.x ?? 0)).toBeLessThan(600);
  });

  test('treats names as data', async () => {
    const failure = { address: `user.${hostile}`, action: 'create', status: 400, code: 0, message: hostile } as const;
    const { series } = reports.pictured;
    const call = {
      ...aliceCreated,
      at_s: 1,
      address: `user.${hostile}`,
      answer: hostile,
    } as (typeof series.calls)[number];
    const shown: ApplyReport = {
      ...reports.pictured,
      failures: [failure],
      left_open: [`user.${hostile}`],
      application: hostile,
      plan_hash: hostile,
      by: hostileActor,
      started_at: hostile,
      series: { ...series, calls: [call] },
    };
    const sick = report([
      channel(hostile, {
        name: hostile,
        outcome: 'mismatched',
        missing: 1,
        note: hostile,
        findings: [{ what: 'altered', timestamp: time, sender: hostile, fields: [hostile] }],
        altered_fields: { [hostile]: 1 },
        not_compared: [{ field: hostile, why: 'not_shown', messages: 1 }],
      }),
    ]);
    for (const [html, scripts] of [
      [print(shown), 2],
      [[...migrationAsHtml({ ...sick, application: hostile, by: hostileActor, finished_at: hostile })].join(''), 0],
      [conversionAsHtml(converted(hostile)), 0],
    ] as const) {
      const { page, noise } = await openPage(browser(), html);
      const found = await page.evaluate<Found>(everythingIn);
      expect({ ...found, names: [], addresses: [] }).toEqual({
        harmed: false,
        names: [],
        addresses: [],
        scripts,
        links: [expect.stringMatching(/^#/u)],
        handlers: [],
      });
      expect(found.names).not.toContain('img');
      expect(noise).toEqual([]);
    }
  });
});
