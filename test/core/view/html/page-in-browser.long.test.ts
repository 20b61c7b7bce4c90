// Tests the page in a browser: search, filters, keys, screen readers, dark and narrow screens, 10,000 changes.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { mapAsHtml } from '../../../../src/core/view/html/map-page.ts';
import { planFormats } from '../../../../src/core/view/index.ts';
import type { ViewOptions } from '../../../../src/core/view/text/options.ts';
import { safe } from '../../../../src/core/view/text/text.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { largeMap } from '../support/application-maps.ts';
import { barriersIn, describeInBrowser, openFile, openPage } from '../support/browser.ts';
import { hostilePlan } from '../support/hostile.ts';
import { everythingIn, type Found } from '../support/page-checks.ts';
import { changeOf, comparedPlan, emptyPlan, everyPlan, manyCreations, planOf, refusals } from '../support/plans.ts';

const options: ViewOptions = { color: false, width: 100 };
const planAsHtml = await planFormats.html();
const print = (plan: Plan, more: Partial<ViewOptions> = {}) => [...planAsHtml(plan, { ...options, ...more })].join('');
/** Set to a folder to inspect the page. */
const screenshots = process.env.CHATFORM_TEST_SCREENSHOTS;

/** A plan of the changes that a request makes, each of a nickname. */
function ofBranch(amount: number): Plan {
  const attributes = [{ path: ['nickname'], before: 'A', after: 'B', how: 'set' as const }];
  return planOf(
    Array.from({ length: amount }, (_, at) =>
      changeOf(`user.user-${at}`, ['update'], { attributes, cause: 'request' }),
    ),
  );
}

describeInBrowser((browser) => {
  const rows = (page: Page) => page.locator('.toggle').allTextContents();
  const status = (page: Page) => page.locator('#status').textContent();
  const settled = (page: Page, words: RegExp) => page.locator('#status').filter({ hasText: words }).waitFor();

  test('searches, filters and pages', async () => {
    const { page, noise } = await openPage(browser(), print(everyPlan));
    expect(await rows(page)).toHaveLength(15);
    await page.getByLabel('Search names').fill('alicia USERS.yaml');
    await settled(page, /1 to 1 of 1 found among 15/u);
    expect((await rows(page)).join()).toContain('user.alice');
    await page.getByLabel('Search names').fill('nowhere');
    await settled(page, /Nothing found among 15/u);
    expect(await page.locator('#nothing').isVisible()).toBe(true);
    await page.getByLabel('Search names').press('Escape');
    await settled(page, /1 to 15 of 15/u);
    await page.getByLabel('Kind').selectOption('user');
    expect(await status(page)).toBe('1 to 7 of 7 found among 15.');
    await page.getByLabel('Dangers only').check();
    expect((await rows(page)).map((row) => row.replace(/^.*user/u, 'user'))).toEqual([
      'user.mallory',
      'user.peggy',
      'user.trent',
    ]);
    await page.locator('#action').selectOption('deactivate');
    expect(await rows(page)).toHaveLength(2);
    expect(noise).toEqual([]);
  });

  test('leads from a person and a channel to the page of the state, which finds each of them', async () => {
    const existing = planOf([changeOf('user.user-7', ['update']), changeOf('group_channel.room-2', ['update'])]);
    const folder = await temporaryFolder({
      'plans/plan.html': print(existing, { statePage: '../app%20one.html' }),
      'app one.html': [...mapAsHtml(largeMap(200), options)].join(''),
    });
    const { page, noise } = await openFile(browser(), join(folder, 'plans/plan.html'));
    for (const [at, view, first] of [
      [0, 'people', 'user-7'],
      [1, 'channels', 'group_channel.room-2'],
    ] as const) {
      await page.getByRole('link', { name: 'in the page of the state' }).nth(at).click();
      await settled(page, /found among/u);
      expect(await page.getByLabel('Show').inputValue()).toBe(view);
      expect(await page.locator('#rows code').first().textContent()).toBe(first);
      await page.goBack();
    }
    expect(noise.filter((line) => !/^request: file:.*\/app%20one\.html/u.test(line))).toEqual([]);
  });

  test('distinguishes causes and drift', async () => {
    const { page } = await openPage(browser(), print(comparedPlan));
    await page.getByLabel('Cause').selectOption('drift');
    expect(await rows(page)).toHaveLength(3);
    await page.getByLabel('Cause').selectOption('pending');
    expect((await rows(page)).join()).toContain('user.late');
  });

  test('groups rows by cause, and names a cause once, but only with a base', async () => {
    const { page } = await openPage(browser(), print(comparedPlan));
    expect(await page.locator('.group').allTextContents()).toEqual([
      'This branch: 27 objects',
      'Pending before it: 1 object',
      'Drift: 3 objects',
    ]);
    expect((await page.locator('main').innerText()).match(/Pending before it/gu)).toHaveLength(2);
    const { page: branch } = await openPage(browser(), print(ofBranch(8)));
    expect((await branch.locator('main').innerText()).match(/This branch/gu)).toEqual(['This branch']);
    const { page: alone } = await openPage(browser(), print(everyPlan));
    expect(await alone.locator('.group').count()).toBe(0);
  });

  test.for([
    [8, 8, 'Close all'],
    [12, 12, 'Close all'],
    [13, 0, 'Open all on this page'],
  ] as const)('of %i changes, the diffs of %i are open at first', async ([amount, opened, button]) => {
    const { page, noise } = await openPage(browser(), print(ofBranch(amount)));
    expect(await page.locator('.diff:visible').count()).toBe(opened);
    expect(await page.locator('#expand-all').textContent()).toBe(button);
    await page.locator('.toggle').first().click();
    expect(await page.locator('.diff:visible').count()).toBe(opened === 0 ? 1 : opened - 1);
    expect(noise).toEqual([]);
    for (const width of [390, 1_280]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      if (screenshots === undefined) continue;
      await mkdir(screenshots, { recursive: true });
      await page.screenshot({ path: `${screenshots}/${amount}-changes-${width}.png`, fullPage: true });
    }
  });

  test('keeps a long diff closed, also if it is the only one', async () => {
    const entries = Array.from({ length: 500 }, (_, at) => ({
      path: ['metadata', `key-${at}`],
      after: 'value',
      how: 'set' as const,
    }));
    const room = changeOf('group_channel.a', ['create'], { attributes: entries });
    const { page } = await openPage(browser(), print(planOf([room])));
    expect(await page.locator('.diff:visible').count()).toBe(0);
  });

  test('colours lines by their sign, and labels the line that takes a right', async () => {
    const closing = (value: boolean) => [{ path: ['frozen'], before: !value, after: value, how: 'set' as const }];
    const plan = planOf([
      changeOf('open_channel.closed', ['freeze'], { attributes: closing(true) }),
      changeOf('open_channel.opened', ['unfreeze'], { attributes: closing(false) }),
    ]);
    const { page } = await openPage(browser(), print(plan));
    const lines = (address: string) =>
      page
        .locator('tr', { hasText: address })
        .locator('xpath=following-sibling::tr[1]')
        .locator('.diff span')
        .evaluateAll((spans) => spans.map(({ className, textContent }) => [className, textContent]));
    expect(await lines('open_channel.closed')).toEqual([
      ['removed', '- frozen: false'],
      ['added', '+ frozen: true danger'],
    ]);
    expect(await lines('open_channel.opened')).toEqual([
      ['removed', '- frozen: true'],
      ['added', '+ frozen: false'],
    ]);
    expect(await page.locator('.verbs .label').allTextContents()).toEqual(['danger', 'danger']);
  });

  test('needs at most 110 pixels for an open change of one line', async () => {
    const { page } = await openPage(browser(), print(ofBranch(6)), { viewport: { width: 1_280, height: 900 } });
    expect((await page.locator('#rows').boundingBox())?.height).toBeLessThan(40 + 6 * 110);
  });

  test('leads from a link to a change, to its line in the repository, and copies the whole hash', async () => {
    const source = { file: 'chat #1/rooms.yaml', line: 15, column: 3 };
    const changes = [...manyCreations(150).changes, changeOf('user.zoe', ['update'], { source })];
    const files = 'https://git.example.com/org/shop/blob/1a2b3c/';
    const html = print(planOf(changes), { origin: { commit: '1a2b3c', ref: 'refs/pull/42/merge', files } });
    const { page } = await openPage(browser(), html, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.evaluate(`location.hash = 'change=user.zoe'`);
    await page.locator('#page').filter({ hasText: 'Page 2 of 2' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('user.zoe');
    expect(await page.locator('.where a').last().getAttribute('href')).toBe(`${files}chat%20%231/rooms.yaml#L15`);
    expect(await page.locator('header').innerText()).toMatch(/Commit\s+1a2b3c\s+Pull request\s+#42/u);
    await page.locator('.copy').first().click();
    await page.locator('.copy', { hasText: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(emptyPlan.hash);
  });

  test('keeps the filters in sight', async () => {
    const { page } = await openPage(browser(), print(manyCreations(90)));
    await page.locator('.toggle').last().scrollIntoViewIfNeeded();
    expect((await page.locator('.filters').boundingBox())?.y).toBe(0);
  });

  test('shows the schedule after the changes, and folds limits that no call waits for', async () => {
    const { page } = await openPage(browser(), print(comparedPlan));
    const headings = await page.locator('h2:visible').allTextContents();
    expect(headings).toEqual(['Dangers', 'Changes', 'Schedule']);
    expect(await page.locator('.schedule:visible tbody tr').count()).toBe(2);
    await page.getByText('15 other limits, which no call has to wait for').click();
    expect(await page.locator('details li:visible').count()).toBe(2);
  });

  test('shows who loses access within three actions', async () => {
    const crowd = manyCreations(9_990).changes;
    const leave = changeOf('group_channel.support-42', ['leave'], {
      attributes: [{ path: ['members', 'bob'], before: {}, how: 'reset' }],
      source: { file: 'chat.yaml', line: 15, column: 3 },
      reason: { code: 'attributes_differ', edited: ['members'], changed_on_platform: [] },
    });
    const { page } = await openPage(browser(), print(planOf([...crowd, leave])));
    await page.getByLabel('Dangers only').check();
    await page.locator('#action').selectOption('leave');
    await page.getByRole('button', { name: 'group_channel.support-42' }).click();
    expect(await page.locator('.detail:visible').innerText()).toMatch(/^- members: bob/u);
  });

  test('opens a change to its diff, its place and what is at stake', async () => {
    const { page } = await openPage(browser(), print(comparedPlan));
    const toggle = page.locator('.toggle', { hasText: 'open_channel.town-hall' });
    await toggle.click();
    const detail = page.locator(`#${await toggle.getAttribute('aria-controls')}`);
    expect(await toggle.getAttribute('aria-expanded')).toBe('true');
    const text = await detail.innerText();
    expect(text).toContain('1,204 members, last message 2026-11-20');
    expect(await detail.locator('xpath=preceding-sibling::tr[1]').innerText()).toContain('channels.yaml:7:3');
    await page.locator('.toggle', { hasText: 'agent-003' }).click();
    expect(await page.locator('.diff .added').innerText()).toBe('+ nickname: "agent-003 (Berlin)"');
    await page.locator('#expand-all').click();
    expect(await page.locator('.detail:visible').count()).toBe(31);
    expect(await page.locator('#expand-all').textContent()).toBe('Close all');
    await page.locator('#expand-all').click();
    expect(await page.locator('.detail:visible').count()).toBe(0);
  });

  test('can be used by keyboard alone', async () => {
    const { page } = await openPage(browser(), print(everyPlan));
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Skip to the changes');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    const order: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      await page.keyboard.press('Tab');
      order.push(await page.evaluate<string>('document.activeElement.id'));
    }
    expect(order).toEqual(['kind', 'action', 'only-dangers', 'expand-all', '']);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('group_channel.club');
    await page.keyboard.press('Enter');
    expect(await page.locator('.detail:visible').innerText()).toContain('One call takes 100 members');
    await page.keyboard.press('ArrowUp');
    expect(await focused()).toContain('archive-2019');
  });

  test('gives a screen reader names, states and headings', async () => {
    const { page } = await openPage(browser(), print(everyPlan, { refusals }));
    const snapshot = await page.locator('body').ariaSnapshot();
    for (const heard of [
      'heading "chatform plan" [level=1]',
      'heading "Dangers" [level=2]',
      'searchbox "Search names, values, files, reasons"',
      'combobox "Kind"',
      'checkbox "Dangers only"',
      'status: 1 to 15 of 15.',
      'columnheader "Object"',
      'button "user.alice"',
    ]) {
      expect(snapshot).toContain(heard);
    }
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  test('every text can be read, and nothing runs out of the page: light, dark and narrow', async () => {
    const wide = planOf([
      ...everyPlan.changes,
      changeOf(`user.${'w'.repeat(300)}`, ['deactivate'], { source: { file: 'f'.repeat(200), line: 1, column: 1 } }),
    ]);
    const longest = { name: 'POST /migration/{channel_url}', calls: 10_000, rate: 5, seconds: 200_000 };
    const buckets = [longest, ...comparedPlan.duration.buckets];
    const duration = { ...comparedPlan.duration, lower_bound_s: 200_000, buckets };
    const plan = { ...wide, duration, warnings: everyPlan.warnings };
    const { page } = await openPage(browser(), print(plan, { refusals }));
    await page.locator('#expand-all').click();
    for (const [name, colorScheme, width] of [
      ['light', 'light', 1_200],
      ['dark', 'dark', 1_200],
      ['narrow', 'light', 360],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 740 });
      if (screenshots !== undefined) {
        await mkdir(screenshots, { recursive: true });
        await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
      }
      expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      expect([name, await barriersIn(page)]).toEqual([name, []]);
    }
  });

  test('prints every found change open', async () => {
    const { page } = await openPage(browser(), print(manyCreations(250)));
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.detail:visible').count()).toBe(250);
    expect(await page.locator('.filters').isVisible()).toBe(false);
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    expect(await rows(page)).toHaveLength(100);
  });

  test('shows the verdict and the dangers without scripts', async () => {
    const { page } = await openPage(browser(), print(everyPlan), { javaScriptEnabled: false });
    const text = await page.locator('body').innerText();
    expect(text).toContain('user.mallory');
    expect(text).toContain('needs JavaScript');
  });

  test('has no table for an empty plan', async () => {
    const { page, noise } = await openPage(browser(), print(emptyPlan));
    expect(await page.locator('.verdict').innerText()).toBe(
      'No changes Nothing to do. The platform was not read (--refresh).',
    );
    expect(await page.title()).toMatch(/^No changes · chatform plan/u);
    expect(await page.locator('table').isVisible()).toBe(false);
    expect(noise).toEqual([]);
  });

  test('has no page controls if the table fits on one page', async () => {
    const { page } = await openPage(browser(), print(everyPlan));
    expect(await page.locator('#pager').isVisible()).toBe(false);
    const { page: long } = await openPage(browser(), print(manyCreations(51)));
    expect(await long.locator('#pager').ariaSnapshot()).toContain('button "Next" [disabled]');
  });

  test('finds 10,000 changes by search, page by page, and never has all of them in the document', async () => {
    const { page, noise } = await openPage(browser(), print(manyCreations(10_000)));
    expect(await rows(page)).toHaveLength(100);
    expect(await page.locator('#page').textContent()).toBe('Page 1 of 100');
    await page.locator('#next').click();
    expect(await status(page)).toBe('101 to 200 of 10,000.');
    await page.locator('#search').fill('user-009876');
    await settled(page, /1 to 1 of 1 found among 10,000/u);
    expect(await page.evaluate<number>(`document.querySelectorAll('*').length`)).toBeLessThan(2_000);
    expect(noise).toEqual([]);
  });

  test('turns nothing in a name into an element, an attribute, a request or a script', async () => {
    const plans = fc.sample(hostilePlan, { numRuns: 24, seed: 8 });
    for (let at = 0; at < plans.length; at += 12) {
      const some = plans.slice(at, at + 12);
      const changes = some.flatMap((plan) => [...plan.changes]);
      const [first] = some;
      const plan = {
        ...planOf(changes, first),
        changes,
        drift: some.flatMap((one) => [...(one.drift ?? [])]),
        warnings: some.flatMap((one) => one.warnings),
      };
      const { page, noise } = await openPage(browser(), print(plan, { refusals: plan.warnings }));
      if ((await page.locator('#expand-all').textContent()) !== 'Close all') await page.locator('#expand-all').click();
      const found = await page.evaluate<Found>(everythingIn);
      expect(found.harmed).toBe(false);
      expect(found.scripts).toBe(2);
      expect(found.links.filter((link) => !link.startsWith('#change='))).toEqual(['#changes-title']);
      expect(found.handlers).toEqual([]);
      expect(found.names.filter((name) => !known.has(name))).toEqual([]);
      const grouped = (['request', 'pending'] as const).flatMap((cause) =>
        changes.filter((change) => change.cause === cause),
      );
      expect(found.addresses).toEqual([...grouped, ...plan.drift].map(({ address }) => safe(address)));
      expect(noise).toEqual([]);
    }
  });
});

const known = new Set(
  'a button caption code dd details div dl dt footer h1 h2 h3 header input kbd label li line main nav noscript option p pre rect script section select span strong summary svg table tbody td th thead tr ul wbr'.split(
    ' ',
  ),
);
