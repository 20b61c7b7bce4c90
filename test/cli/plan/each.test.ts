// Tests commands over several folders: separate states and tokens, one report, and no failure that stops another folder.
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { Place, place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';

function environmentOf(name: string): string {
  return `version: 1\nextends: ../../base\napplication: { base_url: emulator:.chatform/${name}, rate_plan: 100k_mau }\n`;
}

const estate = {
  'base/chat.yaml': 'version: 1\nusers: { alice: { nickname: Alice } }\n',
  'envs/a/chat.yaml': environmentOf('a'),
  'envs/b/chat.yaml': `${environmentOf('b')}users: { bob: { nickname: Bob } }\n`,
  'envs/README.md': 'no folder',
};
const each = '--each envs/a envs/b envs/README.md';

test('plans and applies several folders, each with its own state', async () => {
  const at = await place(estate);
  const planned = await at.ends(`plan ${each} --format json --detailed-exitcode`, 2, 'envs/README.md is not a folder');
  expect(JSON.parse(planned.stdout)).toMatchObject({
    each: [
      { folder: 'envs/a', exit_code: 2, result: { application: 'emulator:.chatform/a', summary: { create: 1 } } },
      { folder: 'envs/b', exit_code: 2, result: { application: 'emulator:.chatform/b', summary: { create: 2 } } },
    ],
  });
  await at.does(`apply ${each} --auto-approve --report report.json`);
  const done = (folder: string) => ({ folder, result: { outcome: 'done' } });
  expect(await at.readJson('report.json')).toMatchObject({ each: [done('envs/a'), done('envs/b')] });
  expect((await readdir(at.path('.chatform/state'))).sort()).toEqual(['envs-a', 'envs-b']);
  const again = await at.does(`plan ${each} --detailed-exitcode`);
  expect(again.stdout).toMatch(/^=== envs\/a, envs\/b\n[^=]*Nothing to do/u);
});

test('knows a folder by its place, however it is written', async () => {
  const at = await place(estate);
  await at.does(`apply ${each} --auto-approve`);
  for (const spelling of ['./envs/a', 'envs//a/', 'envs/b/../a']) {
    const { stdout } = await at.does(`plan --each ${spelling}`);
    expect(stdout).toContain('Nothing to do');
  }
  const { stdout } = await at.does(['plan', '--each', './envs/a', at.path('envs/a'), '--format', 'json']);
  expect(JSON.parse(stdout)).toMatchObject({ each: [{ folder: 'envs/a' }] });
});

test.for([
  ['a-b', 'a_b'],
  ['a b', 'a-b'],
  ['a.b', 'a_b'],
] as const)('refuses folders whose names would be one: %s and %s', async ([one, other]) => {
  const at = await place({ [`${one}/chat.yaml`]: environmentOf('a'), [`${other}/chat.yaml`]: environmentOf('b') });
  const { stderr } = await at.ends(['validate', '--each', one, other], 64, 'would both');
  for (const name of [one, other]) expect(stderr).toContain(name);
});

test('reports many folders in the order of their names', async () => {
  const names = Array.from({ length: 20 }, (_none, place) => `envs/${String(place).padStart(2, '0')}`);
  const files = names.map((name) => [`${name}/chat.yaml`, environmentOf(name.slice('envs/'.length))]);
  const at = await place({ 'base/chat.yaml': estate['base/chat.yaml'], ...Object.fromEntries(files) });
  for (const command of ['validate', 'plan']) {
    const { stdout } = await at.does(`${command} --each ${[...names].reverse().join(' ')} --format json`);
    expect(JSON.parse(stdout)).toMatchObject({ each: names.map((folder) => ({ folder, exit_code: 0 })) });
  }
});

test('continues after the failure of a folder, and shows it in the comment', async () => {
  const at = await place({ ...estate, 'envs/a/chat.yaml': 'version: 1\nusers: { alice: 5 }\n' });
  const planned = await at.ends(
    `plan ${each} --write markdown=plan.md`,
    65,
    /envs\/a:\nerror\[manifest\.wrong-type\][\s\S]*envs\/a ended with exit code 65\.\n1 of 2 environments succeeded\./u,
  );
  expect(planned.stdout).toContain('+ user.bob');
  const comment = await at.read('plan.md');
  expect(comment).toMatch(
    /^<!-- chatform:plan each=envs-a,envs-b -->\n\| Environment \| Plan \|\n\|---\|---\|\n\| envs\/a \| ⛔ no plan \(exit code 65\) \|\n\| envs\/b \| [^|]+ \|\n\n# envs\/a\n\n### chatform: no plan \(exit code 65\)\n\n```text\nerror\[manifest\.wrong-type\][\s\S]*# envs\/b\n[\s\S]*user\.bob/u,
  );
  await at.ends(`apply ${each} --auto-approve`, 65, 'Done. 2 steps succeeded.');
});

test('runs folders in the order given with --in-order, and stops at the first that fails', async () => {
  const at = await place({ ...estate, 'envs/a/chat.yaml': 'version: 1\nusers: { alice: 5 }\n' });
  const stopped = await at.ends(
    'apply --each envs/b envs/a base --in-order --auto-approve --report report.json',
    65,
    '1 of 3 environments succeeded.',
    'Not begun, because of the failure: base.',
  );
  expect(stopped.stdout).toContain('=== envs/b');
  expect(await at.readJson('report.json')).toMatchObject({
    each: [
      { folder: 'envs/b', exit_code: 0 },
      { folder: 'envs/a', exit_code: 65 },
    ],
    not_begun: ['base'],
  });
  await at.ends('validate --each base envs/b --in-order --format json', 0);
  await at.ends('apply envs/b --in-order', 64, '--in-order needs --each');
});

test.for([
  ['a path beside it', `plan base ${each}`],
  ['a view of one plan', `plan ${each} --format html`],
  ['one hash for several plans', `apply ${each} --approved-hash ${'f'.repeat(64)}`],
  ['no such folder', 'plan --each envs/none'],
  ['files alone', 'plan --each envs/README.md'],
  ['nobody to ask', `apply ${each}`],
] as const)('refuses %s', async ([, command]) => {
  await (await place(estate)).ends(command, 64);
});

test('refuses two folders of one application, and an unnamed state in CI', async () => {
  const at = (await place(estate)).with({ env: { CI: 'true' } });
  const apply = `apply ${each} --auto-approve`;
  await at.ends(apply, 64, '--state (CHATFORM_STATE)');
  await at.does(`${apply} --state file:kept`);
  await at.write({ 'envs/b/chat.yaml': environmentOf('a') });
  await at.ends(apply, 64, 'envs/a and envs/b are the same application');
});

test('validate checks overlays of one base, which together would declare everything twice', async () => {
  const at = await place(estate);
  expect((await at.run('validate')).stdout).toContain('declared-twice');
  const { exit, stdout, stderr } = await at.with({ env: { CHATFORM_EACH: 'envs/a,envs/b' } }).run('validate');
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '2 of 2 environments succeeded.\n' });
  expect(stdout).toBe('=== envs/a\nValid: 1 object in 2 files.\n\n=== envs/b\nValid: 2 objects in 2 files.\n\n');
  await at.write({ 'envs/b/chat.yaml': `${environmentOf('b')}users: { bob: { nick: Bob } }\n` });
  const wrong = await at.run(`validate ${each} --format github`);
  expect(wrong).toMatchObject({ exit: 65, stdout: expect.stringMatching(/^::error file=envs\/b\/chat.yaml/u) });
});

test('drift, verify and test report on each folder', async () => {
  const written = { 'tests.test.yaml': 'tests: [{ name: quiet, expect: { counts: {} } }]\n' };
  const at = await place({
    ...estate,
    'envs/a/a.test.yaml': written['tests.test.yaml'],
    'envs/b/b.test.yaml': written['tests.test.yaml'].replace('{}', '{ create: 5 }'),
  });
  // A state of nothing is not "no drift".
  await at.ends(`drift ${each}`, 66, '0 of 2 environments succeeded');
  await at.does(`apply ${each} --auto-approve`);
  const drift = await at.run(`drift ${each} --detailed-exitcode`);
  expect(drift, drift.stderr).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(
      /=== envs\/a, envs\/b\n[^=]*\n {2}envs\/b: emulator:\.chatform\/b, read 2 live objects\n\nNo drift/u,
    ),
  });
  await at.does(`verify ${each} --report report.md`);
  const tested = await at.ends(`test ${each} --junit tests.xml`, 4);
  expect(tested.stderr).toBe(
    'envs/README.md is not a folder; skipped.\nenvs/b ended with exit code 4.\n1 of 2 environments succeeded.\n',
  );
  const names = ['report.envs-a.md', 'report.envs-b.md', 'tests.envs-a.xml', 'tests.envs-b.xml'];
  expect(await readdir(at.cwd)).toEqual(expect.arrayContaining(names));
});

test('saves a plan and a page for each folder, and publishes all to the job', async () => {
  const at = await place(estate);
  const env = { GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary' };
  await at.does('apply --each envs/a --auto-approve');
  await at.with({ env }).does(`plan ${each} --out plan.chatform --write html=plan.html markdown=plan.md`);
  const lines = (await at.read('output')).trim().split('\n');
  const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/u).slice(0, 2))) as Record<string, string>;
  expect(outputs).toMatchObject({ has_changes: 'true', has_dangers: 'false', has_drift: 'false', exit_code: '0' });
  const changed = JSON.parse(outputs.changed ?? '') as { name: string; hash: string }[];
  expect(changed).toMatchObject([{ folder: 'envs/b', name: 'envs-b', has_changes: 'true' }]);
  expect(JSON.parse(outputs.each ?? '')).toHaveLength(2);
  expect(await at.read('summary')).toMatch(/# envs\/a\n[\s\S]*# envs\/b\n[\s\S]*user\.bob/u);
  expect(await readdir(at.cwd)).toEqual(expect.arrayContaining(['plan.envs-a.html', 'plan.envs-b.html', 'plan.md']));
  const saved = `apply plan.envs-b.chatform --approved-hash ${changed[0]?.hash ?? ''}`;
  await at.does(`${saved} --state file:.chatform/state/envs-b --auto-approve`);
});

test('shows equal plans once, with what tells them apart, and one that differs in a value by itself', async () => {
  const ofItsOwn = (name: string, nickname: string) =>
    environmentOf(name).replace('extends: ../../base\n', `# ${name}\nusers: { al: { nickname: ${nickname} } }\n`);
  const at = await place({
    'envs/a/chat.yaml': ofItsOwn('a', 'Al'),
    'envs/b/chat.yaml': `\n${ofItsOwn('b', 'Al').replace('100k_mau', '5k_mau')}`,
    'envs/c/chat.yaml': ofItsOwn('c', 'envs/c'),
    'envs/d/chat.yaml': ofItsOwn('d', 'envs/d'),
  });
  const env = { GITHUB_STEP_SUMMARY: 'summary' };
  const command = 'plan --each envs/a envs/b envs/c envs/d --write markdown=plan.md';
  const { stdout } = await at.with({ env }).does(command);
  expect([...stdout.matchAll(/^=== .*$/gmu)].join()).toBe('=== envs/a, envs/b,=== envs/c,=== envs/d');
  expect(stdout).toMatch(
    /shown with the places of envs\/a\. The others:\n {2}envs\/b: emulator:\.chatform\/b, takes [^,]+, state file:\.chatform\/state\/envs-b, plan hash [0-9a-f]{64}\n\n/u,
  );
  expect(stdout.match(/user\.al /gu)).toHaveLength(3);
  const comment = await at.read('plan.md');
  expect([...comment.matchAll(/^# .*$/gmu)].join()).toBe('# envs/a, envs/b,# envs/c,# envs/d');
  expect(comment).toMatch(
    /^- `envs\/b`: `emulator:\.chatform\/b` · takes [^·]+ · state `file:\.chatform\/state\/envs-b` · plan hash `[0-9a-f]{64}`$/mu,
  );
  expect((await at.read('summary')).replaceAll(/\n+/gu, '\n')).toBe(comment.replaceAll(/\n+/gu, '\n'));
  // The same words of two plans are one annotation in a list of the run.
  const { stdout: annotations } = await at.does(`${command} --format github`);
  expect(annotations.trim().split('\n')).toHaveLength(3);
  await at.write({ 'base/chat.yaml': 'version: 1\nusers: { alice: 5 }\n' });
  await at.write({ 'envs/a/chat.yaml': environmentOf('a'), 'envs/b/chat.yaml': environmentOf('b') });
  const broken = await at.run(command);
  expect(broken.stderr.match(/error\[manifest\.wrong-type\]/gu)).toHaveLength(1);
  expect(broken.stderr).toContain('envs/a, envs/b:\n');
  const failed = await at.read('plan.md');
  expect(failed.match(/\| ⛔ no plan \(exit code 65\) \|/gu)).toHaveLength(2);
  expect(failed.match(/### .*no plan/gu)).toHaveLength(1);
});

test('gives each application its own token, and no other', async () => {
  const servers = await Promise.all(['a', 'b'].map(() => startPlatform()));
  const manifest = (url: string) =>
    `version: 1\napplication: { base_url: ${url}, rate_plan: 5k_mau }\nusers: { al: { nickname: Al } }\n`;
  const at = await place(Object.fromEntries(servers.map(({ url }, at) => [`apps/${at}/chat.yaml`, manifest(url)])));
  const tokens = Object.fromEntries(servers.map(({ token }, at) => [`CHATFORM_API_TOKEN_APPS_${at}`, token]));
  const args = ['apply', '--each', 'apps/0', 'apps/1', '--auto-approve'];
  const env = { CHATFORM_ALLOWED_HOSTS: servers.map(({ url }) => new URL(url).host).join(',') };
  await at.with({ env: { ...env, ...tokens } }).does(args);
  await at.with({ env: { ...env, CHATFORM_API_TOKEN: 'x' } }).ends([...args, '--state', 'file:other'], 3);
});

test('keeps the first state where it is, whether a run began in the folder or beside it', async () => {
  const at = await place({
    'app/chat.yaml': environmentOf('a').replace('extends: ../../base\n', 'users: { al: { nickname: Al } }\n'),
  });
  await new Place(at.path('app')).does('apply --auto-approve');
  expect((await at.does('plan --each app')).stdout).toContain('Nothing to do');
});
