// Tests output for machines: only JSON on stdout, and a report of every run, failed ones included.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { crowd, desk, deskElsewhere, reaching } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { expectEnd, runCli } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const unknownKey = { ...desk, 'more.yaml': 'version: 1\nusers:\n  dave: { nickname: Dave, nick: D }\n' };
const warned = {
  ...desk,
  'more.yaml': 'version: 1\ngroup_channels:\n  old-form:\n    user_ids: [alice]\n    operator_ids: [alice]\n',
};

test.for([
  { name: 'a plan', files: desk, args: ['plan'], exit: 0 },
  { name: 'a plan with warnings', files: warned, args: ['plan'], exit: 0 },
  { name: 'a plan of wrong manifests', files: unknownKey, args: ['plan'], exit: 65 },
  { name: 'a validation', files: desk, args: ['validate'], exit: 0 },
  { name: 'a validation of wrong manifests', files: unknownKey, args: ['validate'], exit: 65 },
  { name: 'a plan for no application', files: deskElsewhere, args: ['plan'], exit: 64 },
])('prints one JSON document: $name', async ({ files, args, exit }) => {
  const cwd = await temporaryFolder(files);
  const ended = await expectEnd(runCli([...args, '--format', 'json'], { cwd }), exit);
  expect(JSON.parse(ended.stdout)).toBeTypeOf('object');
});

test('prints the code and the advice of a refusal as JSON', async () => {
  const cwd = await temporaryFolder(deskElsewhere);
  const { stdout } = await runCli(['plan', '--format', 'json'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    error: { code: 'application.missing', advice: expect.stringContaining('--base-url') },
  });
});

test.for(['sarif', 'github'])('a validation as %s names file and line', async (format) => {
  const cwd = await temporaryFolder(unknownKey);
  const { stdout } = await expectEnd(runCli(['validate', '--format', format], { cwd }), 65);
  expect(stdout).toContain('more.yaml');
  expect(stdout).toContain('manifest.unknown-key');
  if (format === 'sarif') expect(JSON.parse(stdout)).toMatchObject({ version: '2.1.0' });
  else expect(stdout).toMatch(/^::error file=more\.yaml,line=3/mu);
});

test.for(['sarif', 'github'])('names files from the root of the checkout as %s', async (format) => {
  const root = await temporaryFolder();
  const cwd = join(root, 'team a', 'chat');
  await writeFiles(cwd, { 'sub/more.yaml': unknownKey['more.yaml'] ?? '', '../other.yaml': 'version: 1\nuserz: {}\n' });
  const args = ['validate', '.', '../other.yaml', '--format', format];
  const encoded = format === 'sarif' ? 'team%20a' : 'team a';
  for (const name of ['GITHUB_WORKSPACE', 'CI_PROJECT_DIR']) {
    const { stdout } = await runCli(args, { cwd, env: { [name]: root } });
    expect(stdout).toContain(`${encoded}/chat/sub/more.yaml`);
    expect(stdout).toContain(`${encoded}/other.yaml`);
    expect(stdout).not.toContain('..');
  }
  // The checkout is elsewhere, so its root is unknown.
  const { stdout } = await runCli(args, { cwd, env: { GITHUB_WORKSPACE: join(root, 'else') } });
  expect(stdout).not.toContain('team');
});

test('reports the failed steps of a run that ends with 4', async () => {
  const running = await startPlatform();
  const cwd = await temporaryFolder(deskElsewhere);
  // Another client has created this user.
  await call(running, 'POST', '/users', { user_id: 'bob', nickname: 'Robert', profile_url: '' });
  const ended = await expectEnd(
    runCli(['apply', '--auto-approve', '--report', 'report.json'], { cwd, env: reaching(running) }),
    4,
  );
  const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
  expect(report).toMatchObject({
    outcome: 'incomplete',
    exit_code: 4,
    failures: [{ address: 'user.bob', code: 400202 }],
  });
  const { planned, succeeded, failed, unknown, skipped } = report.steps;
  expect(succeeded + failed + unknown + skipped).toBe(planned);
  expect(skipped).toBeGreaterThan(0);
  expect(ended.stderr).toContain('user.bob');
  expect(publishedSchema('report')(report)).toEqual([]);
});

test('stops when existing objects are not in state, and suggests a lost state', async () => {
  const running = await startPlatform();
  const cwd = await temporaryFolder(crowd(30));
  const env = reaching(running);
  expect(await runCli(['apply', '--auto-approve'], { cwd, env })).toMatchObject({ exit: 0 });
  await expectEnd(
    runCli(['apply', '--auto-approve', '--state', 'file:other', '--report', 'report.json'], {
      cwd,
      env,
    }),
    6,
    'state rebuild',
  );
  expect(JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'))).toMatchObject({
    exit_code: 6,
    steps: { succeeded: 0 },
  });
});

test.for([
  { name: 'nothing is left to do', before: ['apply', '--auto-approve'], args: [], exit: 0, outcome: 'done' },
  {
    name: 'another plan was approved',
    before: ['validate'],
    args: ['--auto-approve', '--approved-hash', 'another'],
    exit: 6,
    outcome: 'conflict',
  },
  { name: 'the manifests are wrong', before: ['validate'], args: ['missing.yaml'], exit: 65, outcome: 'refused' },
])('writes a report also without a run: $name', async ({ before, args, exit, outcome }) => {
  const cwd = await temporaryFolder(desk);
  await runCli(before, { cwd });
  await expectEnd(runCli(['apply', ...args, '--report', 'report.json'], { cwd }), exit);
  expect(JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'))).toMatchObject({
    outcome,
    exit_code: exit,
    steps: { planned: 0 },
  });
});
