// Support: the browser that opens the pages, if there is one, and checks of what a page must not do.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const executablePath = process.env.TEST_CHROMIUM ?? '/usr/bin/chromium';

const isAbsent = !existsSync(executablePath);
const why = isAbsent ? ` (skipped: ${executablePath} is not there: apt-get install -y chromium)` : '';

/** Tests that share a browser. They are skipped if there is none. */
export function describeInBrowser(tests: (browser: () => Browser) => void): void {
  describe.skipIf(isAbsent)(`in a browser${why}`, () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    });
    afterAll(() => browser.close());
    tests(() => browser);
  });
}

/** The accessibility problems that axe finds, as `rule: element`. */
export async function barriersIn(page: Page): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

export interface OpenPage {
  readonly page: Page;
  /** Requests, console messages, errors and dialogs of the page. */
  readonly noise: string[];
}

/** Opens a page from a file, as after a download, until the test ends. */
export async function openPage(
  browser: Browser,
  html: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<OpenPage> {
  return openFile(browser, join(await temporaryFolder({ 'plan.html': html }), 'plan.html'), options);
}

export async function openFile(
  browser: Browser,
  file: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<OpenPage> {
  const { href } = pathToFileURL(file);
  const context = await browser.newContext({ viewport: { width: 1_200, height: 900 }, ...options });
  // A page that is left open keeps its process.
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const noise: string[] = [];
  page.on('console', (message) => noise.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`));
  page.on('dialog', (dialog) => {
    noise.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== href) noise.push(`request: ${request.url()}`);
  });
  await page.goto(href);
  return { page, noise };
}
