// Tests the picture of a run: written by --report, and from the JSON report by chatform show. Through the command line.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { archiveText } from '../../support/archives.ts';
import { desk, deskElsewhere, reaching } from '../../support/desk.ts';
import { contentOf } from '../../support/folders.ts';
import { startPlatform } from '../../support/platform.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('writes the page of an apply, and its data into the JSON report', async () => {
  const running = await startPlatform();
  const env = reaching(running);
  const cwd = await temporaryFolder(deskElsewhere);
  await succeeded(runCli(['apply', '--auto-approve', '--report', 'run.html'], { cwd, env }));
  const page = await readFile(join(cwd, 'run.html'), 'utf8');
  expect(page).toContain('<!doctype html>');
  expect(page).toContain('"user.alice","create","POST /users"');
  expect(page).not.toContain(running.token);
});

test('says on the page which application and plan it was, and who ran it', async () => {
  const cwd = await temporaryFolder(desk);
  const env = { GITHUB_ACTOR: 'ann', GITHUB_RUN_ID: '4711', GITHUB_REPOSITORY: 'org/chat' };
  await succeeded(runCli(['apply', '--auto-approve', '--report', 'run.html'], { cwd, env: { ...env, CI: '' } }));
  const page = await readFile(join(cwd, 'run.html'), 'utf8');
  expect(page).toMatch(/<dt>Application<\/dt><dd>emulator:\.chatform<wbr>\/emulator<\/dd>/u);
  expect(page.replaceAll('<wbr>', '')).toMatch(/<dt>Plan hash<\/dt><dd><code class="digest">[\da-f]{64}<\/code>/u);
  expect(page).toMatch(/<dt>By<\/dt><dd>ann on [^,<]+, job 4711 of org<wbr>\/chat<\/dd>/u);
});

test('writes the page of a failed apply', async () => {
  const running = await startPlatform({
    faults: { rules: [{ fault: 'quota_exceeded', route: 'POST /users', at: [1] }] },
  });
  const cwd = await temporaryFolder(deskElsewhere);
  const env = reaching(running);
  expect(await runCli(['apply', '--auto-approve', '--report', 'run.html'], { cwd, env })).toMatchObject({ exit: 4 });
  const page = await readFile(join(cwd, 'run.html'), 'utf8');
  expect(page).toContain('<h2 id="failures">Failures</h2>');
  expect(page).toContain('refused 400 (400306)');
});

test('writes the same page for a rehearsal, which changes nothing', async () => {
  const cwd = await temporaryFolder(desk);
  const before = await contentOf(cwd);
  expect(await runCli(['rehearse', '--report', 'run.html'], { cwd })).toMatchObject({ exit: 0 });
  const { 'run.html': page = '', ...rest } = await contentOf(cwd);
  expect(page).toContain('POST /group_channels');
  expect(rest).toEqual(before);
});

test('shows a report in each format', async () => {
  const cwd = await temporaryFolder({
    ...desk,
    'other.json': '{"a":1}',
    'old.json': '{"outcome":"done","steps":{},"failures":[],"format_version":"2.0"}',
  });
  expect(await runCli(['apply', '--auto-approve', '--report', 'report.json'], { cwd })).toMatchObject({ exit: 0 });
  const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
  expect(publishedSchema('report')(report)).toEqual([]);
  expect(report).toMatchObject({
    application: 'emulator:.chatform/emulator',
    plan_hash: expect.stringMatching(/^[\da-f]{64}$/u),
    by: { user: expect.any(String), host: expect.any(String) },
  });
  expect(
    report.series.lanes.every(({ allowed_per_s }: { allowed_per_s?: number }) => allowed_per_s !== undefined),
  ).toBe(true);
  expect(report.series.lanes.map(({ route }: { route: string }) => route)).toEqual([
    '/group_channels',
    '/open_channels',
    '/users',
  ]);
  const show = (...args: string[]) => runCli(['show', 'report.json', ...args], { cwd });
  expect((await show()).stdout).toContain('Done. 5 steps succeeded.');
  expect((await show('--format', 'markdown')).stdout).toContain('### chatform: Done.');
  expect((await show('--format', 'html')).stdout).toContain('<h1><strong>chatform</strong> run</h1>');
  expect(JSON.parse((await show('--format', 'json')).stdout)).toEqual(report);
  const refused = await show('--format', 'sarif');
  expect(refused.exit).toBe(64);
  expect(refused.stderr).toContain('A report cannot be shown as sarif.');
  expect(await runCli(['show', 'other.json'], { cwd })).toMatchObject({ exit: 6 });
  await expectEnd(runCli(['show', 'old.json'], { cwd }), 6, 'report.other-version');
});

test('hides addresses of people in a redacted page', async () => {
  const cwd = await temporaryFolder({
    'm.yaml':
      'version: 1\napplication: { base_url: "emulator:e", rate_plan: 100k_mau }\npolicy: { personal_data: warn }\nusers: { ada@example.com: { nickname: Ada } }\n',
  });
  const apply = ['apply', '--auto-approve', '--redact', '--report'];
  expect(await runCli([...apply, 'run.html'], { cwd })).toMatchObject({ exit: 0 });
  expect(await readFile(join(cwd, 'run.html'), 'utf8')).not.toContain('ada@');
});

test('writes the page of a verification, also from its JSON report', async () => {
  const running = await startPlatform();
  const env = reaching(running);
  const message = { message_type: 'ADMM', message: 'Welcome', timestamp: 1_600_000_000_000 };
  const cwd = await temporaryFolder({
    'm.yaml': 'version: 1\nopen_channels: { lobby-1: { messages: { file: lobby.ndjson } } }\n',
    'lobby.ndjson': archiveText([message]),
  });
  await succeeded(
    runCli(['apply', '--auto-approve', '--verify', '--migration-report', 'm.html', 'm.json'], { cwd, env }),
  );
  const page = await readFile(join(cwd, 'm.html'), 'utf8');
  expect(page).toContain('lobby-<wbr>1');
  expect((await runCli(['show', 'm.json', '--format', 'html'], { cwd, env })).stdout).toBe(page);
  expect((await runCli(['show', 'm.json'], { cwd, env })).stdout).toContain('1 of 1 channel matched');
});
