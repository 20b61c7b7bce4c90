// Tests the pages of runs and verifications without a browser: their goldens, and that they need no network.
import { expect, test } from 'vitest';
import type { ApplyReport } from '../../../src/model/report.ts';
import { reportAsHtml } from '../../../src/view/html/run-page.ts';
import { migrationAsHtml } from '../../../src/view/reports/migration-page.ts';
import { pageContent } from '../../support/page-content.ts';
import { verified } from '../support/migrations.ts';
import { reports } from '../support/reports.ts';

const print = (shown: ApplyReport) => [...reportAsHtml(shown)].join('');

test.for(['pictured', 'done', 'nothing', 'interrupted'] as const)(
  'the page of a run matches its golden: %s',
  async (name) => {
    await expect(pageContent(print(reports[name]))).toMatchFileSnapshot(`../goldens/run-${name}.html`);
  },
);

test('the page of a verification matches its golden', async () => {
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
