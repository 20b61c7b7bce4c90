// Tests the pages of a run and of a verification: what they show, in a browser, to everybody, and that names stay names.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApplyReport } from '../../../src/model/report.ts';
import { reportAsHtml } from '../../../src/view/html/run-page.ts';
import { migrationAsHtml } from '../../../src/view/reports/migration-page.ts';
import { pageContent } from '../../support/page-content.ts';
import { barriersIn, launch, noBrowser, openPage } from '../support/browser.ts';
import { channel, report, time } from '../support/migrations.ts';
import { everythingIn, type Found } from '../support/page-checks.ts';
import { reports } from '../support/reports.ts';

const print = (shown: ApplyReport) => [...reportAsHtml(shown)].join('');
const hostile = '</script><script>window.harmed = 1</script><img src=x onerror="window.harmed = 1">';
const verified = report([
  channel('support-41'),
  channel('support-42-of-the-berlin-office', {
    outcome: 'mismatched',
    missing: 2,
    altered: 1,
    altered_fields: { message: 1 },
    findings: [{ what: 'missing', timestamp: time, sender: 'alice' }],
    not_compared: [{ field: 'mentions', why: 'not_shown', messages: 12 }],
  }),
  channel('support-43', { outcome: 'unreadable', note: 'The platform refuses to show it.' }),
]);

test.for(['pictured', 'done', 'nothing', 'interrupted'] as const)('a run, %s', async (name) => {
  await expect(pageContent(print(reports[name]))).toMatchFileSnapshot(`../goldens/run-${name}.html`);
});

test('a verification', async () => {
  await expect(pageContent([...migrationAsHtml(verified)].join(''))).toMatchFileSnapshot('../goldens/migration.html');
});

test.for([print(reports.pictured), [...migrationAsHtml(verified)].join('')])(
  'nothing is fetched from anywhere',
  (html) => {
    const markup = html.replace(/<script type="application\/json"[\s\S]*?<\/script>/u, '');
    expect(markup).not.toMatch(/\b(?:src|href)="(?!#)|@import|url\(|<link|<iframe/iu);
    expect(markup).toContain("default-src 'none'");
  },
);

describe.skipIf(noBrowser !== undefined)(
  `in a browser${noBrowser === undefined ? '' : ` (skipped: ${noBrowser})`}`,
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    });
    afterAll(() => browser.close());

    test('a person searches an object and sees its calls', async () => {
      const { page, noise } = await openPage(browser, print(reports.pictured));
      await page.keyboard.press('/');
      await page.keyboard.type('alice');
      await page.locator('#status').filter({ hasText: '2 of 2 shown.' }).waitFor();
      expect(await page.locator('#rows tr').allInnerTexts()).toEqual([
        expect.stringMatching(/user\.alice\s+create\s+POST \/users\s+0\.1 s\s+40\.2 ms\s+ok/u),
        expect.stringMatching(/user\.alice\s+create\s+GET \/users\/\{user_id\}\s+7\.3 s\s+39 ms\s+no answer/u),
      ]);
      await page.getByLabel('Search').fill('');
      await page.getByLabel('Not answered well only').check();
      await page.locator('#status').filter({ hasText: '2 of 2 shown.' }).waitFor();
      expect(noise).toEqual([]);
    });

    test('each lane has its bars, its limit and its figures; a stall and what is left open are told', async () => {
      const { page } = await openPage(browser, print(reports.pictured));
      const lane = page.locator('.lane').first();
      expect(await lane.locator('rect.sent').count()).toBe(7);
      expect(await lane.locator('rect.limited').count()).toBe(1);
      expect(await lane.locator('line.limit').count()).toBe(1);
      expect(await page.locator('.lane').last().locator('line.limit').count()).toBe(0);
      const text = await page.locator('main').innerText();
      for (const told of [
        'Refused (429)',
        '1.2 s',
        '10 s after the beginning: 2.4 s',
        'still open',
        '1,662 calls more',
      ]) {
        expect(text).toContain(told);
      }
    });

    test.for(
      (['light', 'dark'] as const).flatMap((colorScheme) =>
        [1280, 390].flatMap((width) =>
          [
            { page: 'run', html: print(reports.pictured) },
            { page: 'verification', html: [...migrationAsHtml(verified)].join('') },
          ].map(({ page, html }) => ({ name: page, html, colorScheme, width })),
        ),
      ),
    )('$name, $colorScheme, $width pixels: no barrier, and nothing runs out of the page', async (shown) => {
      const { html, colorScheme, width } = shown;
      const { page } = await openPage(browser, html, { colorScheme, viewport: { width, height: 844 } });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect(await barriersIn(page)).toEqual([]);
    });

    test('names are data', async () => {
      const failure = { address: `user.${hostile}`, action: 'create', status: 400, code: 0, message: hostile } as const;
      const { series } = reports.pictured;
      const call = { ...series.calls[0], address: `user.${hostile}`, answer: hostile } as (typeof series.calls)[number];
      const shown: ApplyReport = {
        ...reports.pictured,
        failures: [failure],
        left_open: [`user.${hostile}`],
        series: { ...series, calls: [call] },
      };
      const sick = report([
        channel(hostile, {
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
        [[...migrationAsHtml({ ...sick, application: hostile })].join(''), 0],
      ] as const) {
        const { page, noise } = await openPage(browser, html);
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
  },
);
