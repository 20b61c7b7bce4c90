// Tests commands over several folders: separate states and tokens, one report, and no failure that stops another folder.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '../../support/folders.ts';
import { startPlatform } from '../../support/platform.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function environmentOf(name: string): string {
  return `version: 1\nextends: ../../base\napplication: { base_url: emulator:.chatform/${name}, rate_plan: 100k_mau }\n`;
}

const estate = {
  'base/chat.yaml': 'version: 1\nusers: { alice: { nickname: Alice } }\n',
  'envs/a/chat.yaml': environmentOf('a'),
  'envs/b/chat.yaml': `${environmentOf('b')}users: { bob: { nickname: Bob } }\n`,
  'envs/README.md': 'no folder',
};
const each = ['--each', 'envs/a', 'envs/b', 'envs/README.md'];

interface Joined {
  readonly each: readonly {
    readonly folder: string;
    readonly exit_code: number;
    readonly result: { readonly outcome?: string; readonly summary?: object } | null;
  }[];
}

test('plans and applies several folders, each with its own state', async () => {
  const cwd = await temporaryFolder(estate);
  const planned = await expectEnd(
    runCli(['plan', ...each, '--format', 'json', '--detailed-exitcode'], { cwd }),
    2,
    'envs/README.md is not a folder',
  );
  expect(JSON.parse(planned.stdout)).toMatchObject({
    each: [
      { folder: 'envs/a', exit_code: 2, result: { application: 'emulator:.chatform/a', summary: { create: 1 } } },
      { folder: 'envs/b', exit_code: 2, result: { application: 'emulator:.chatform/b', summary: { create: 2 } } },
    ],
  });
  await succeeded(runCli(['apply', ...each, '--auto-approve', '--report', 'report.json'], { cwd }));
  const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8')) as Joined;
  expect(report.each.map(({ folder, result }) => [folder, result?.outcome])).toEqual([
    ['envs/a', 'done'],
    ['envs/b', 'done'],
  ]);
  expect((await readdir(join(cwd, '.chatform/state'))).sort()).toEqual(['envs-a', 'envs-b']);
  const again = await succeeded(runCli(['plan', ...each, '--detailed-exitcode'], { cwd }));
  expect(again.stdout.match(/Nothing to do/gu)).toHaveLength(2);
});

test('continues after the failure of a folder, and shows it in the comment', async () => {
  const cwd = await temporaryFolder({ ...estate, 'envs/a/chat.yaml': 'version: 1\nusers: { alice: 5 }\n' });
  const planned = await expectEnd(
    runCli(['plan', ...each, '--write', 'markdown=plan.md'], { cwd }),
    65,
    /envs\/a:\nerror\[manifest\.wrong-type\][\s\S]*envs\/a ended with exit code 65\.\n1 of 2 environments succeeded\./u,
  );
  expect(planned.stdout).toContain('+ user.bob');
  const comment = await readFile(join(cwd, 'plan.md'), 'utf8');
  expect(comment).toMatch(
    /^<!-- chatform:plan each=envs-a,envs-b -->\n# envs\/a\n\nNo plan was made: the command ended with exit code 65[\s\S]*# envs\/b\n[\s\S]*user\.bob/u,
  );
  await expectEnd(runCli(['apply', ...each, '--auto-approve'], { cwd }), 65, 'Done. 2 steps succeeded.');
});

test.for<[string, readonly string[]]>([
  ['a path beside it', ['plan', 'base', ...each]],
  ['a view of one plan', ['plan', ...each, '--format', 'html']],
  ['one hash for several plans', ['apply', ...each, '--approved-hash', 'f'.repeat(64)]],
  ['no such folder', ['plan', '--each', 'envs/none']],
  ['files alone', ['plan', '--each', 'envs/README.md']],
  ['nobody to ask', ['apply', ...each]],
])('refuses %s', async ([, args]) => {
  const cwd = await temporaryFolder(estate);
  expect(await runCli(args, { cwd })).toMatchObject({ exit: 64 });
});

test('refuses two folders of one application', async () => {
  const cwd = await temporaryFolder({ ...estate, 'envs/b/chat.yaml': environmentOf('a') });
  await expectEnd(
    runCli(['apply', ...each, '--auto-approve'], { cwd }),
    64,
    'envs/a and envs/b are the same application',
  );
});

test('refuses an unnamed state in CI, as for one folder', async () => {
  const cwd = await temporaryFolder(estate);
  expect(await runCli(['apply', ...each, '--auto-approve'], { cwd, env: { CI: 'true' } })).toMatchObject({ exit: 64 });
  const named = ['apply', ...each, '--auto-approve', '--state', 'file:kept'];
  expect(await runCli(named, { cwd, env: { CI: 'true' } })).toMatchObject({ exit: 0 });
});

test('validate checks overlays of one base, which together would declare everything twice', async () => {
  const cwd = await temporaryFolder(estate);
  expect((await runCli(['validate'], { cwd })).stdout).toContain('declared-twice');
  const { exit, stdout, stderr } = await runCli(['validate'], { cwd, env: { CHATFORM_EACH: 'envs/a,envs/b' } });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '2 of 2 environments succeeded.\n' });
  expect(stdout).toBe('=== envs/a\nValid: 1 object in 2 files.\n\n=== envs/b\nValid: 2 objects in 2 files.\n\n');
  await writeFiles(cwd, { 'envs/b/chat.yaml': `${environmentOf('b')}users: { bob: { nick: Bob } }\n` });
  const wrong = await runCli(['validate', ...each, '--format', 'github'], { cwd });
  expect(wrong).toMatchObject({ exit: 65, stdout: expect.stringMatching(/^::error file=envs\/b\/chat.yaml/u) });
});

test('drift, verify and test report on each folder', async () => {
  const written = { 'tests.test.yaml': 'tests: [{ name: quiet, expect: { counts: {} } }]\n' };
  const cwd = await temporaryFolder({
    ...estate,
    'envs/a/a.test.yaml': written['tests.test.yaml'],
    'envs/b/b.test.yaml': written['tests.test.yaml'].replace('{}', '{ create: 5 }'),
  });
  // A state of nothing is not "no drift".
  await expectEnd(runCli(['drift', ...each], { cwd }), 1, '0 of 2 environments succeeded');
  await succeeded(runCli(['apply', ...each, '--auto-approve'], { cwd }));
  const drift = await runCli(['drift', ...each, '--detailed-exitcode'], { cwd });
  expect(drift, drift.stderr).toMatchObject({ exit: 0, stdout: expect.stringMatching(/=== envs\/a\nNo drift/u) });
  await succeeded(runCli(['verify', ...each, '--report', 'report.md'], { cwd }));
  const tested = await expectEnd(runCli(['test', ...each, '--junit', 'tests.xml'], { cwd }), 4);
  expect(tested.stderr).toBe(
    'envs/README.md is not a folder; skipped.\nenvs/b ended with exit code 4.\n1 of 2 environments succeeded.\n',
  );
  const names = ['report.envs-a.md', 'report.envs-b.md', 'tests.envs-a.xml', 'tests.envs-b.xml'];
  expect(await readdir(cwd)).toEqual(expect.arrayContaining(names));
});

test('saves a plan and a page for each folder, and publishes all to the job', async () => {
  const cwd = await temporaryFolder(estate);
  const env = { GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary' };
  await succeeded(runCli(['apply', '--each', 'envs/a', '--auto-approve'], { cwd }));
  const args = ['--out', 'plan.chatform', '--write', 'html=plan.html', 'markdown=plan.md'];
  await succeeded(runCli(['plan', ...each, ...args], { cwd, env }));
  const lines = (await readFile(join(cwd, 'output'), 'utf8')).trim().split('\n');
  const outputs = Object.fromEntries(lines.map((line) => line.split(/=(.*)/u).slice(0, 2))) as Record<string, string>;
  expect(outputs).toMatchObject({ has_changes: 'true', has_dangers: 'false', has_drift: 'false', exit_code: '0' });
  const changed = JSON.parse(outputs.changed ?? '') as { name: string; hash: string }[];
  expect(changed).toMatchObject([{ folder: 'envs/b', name: 'envs-b', has_changes: 'true' }]);
  expect(JSON.parse(outputs.each ?? '')).toHaveLength(2);
  expect(await readFile(join(cwd, 'summary'), 'utf8')).toMatch(/# envs\/a\n[\s\S]*# envs\/b\n[\s\S]*user\.bob/u);
  expect(await readdir(cwd)).toEqual(expect.arrayContaining(['plan.envs-a.html', 'plan.envs-b.html', 'plan.md']));
  const saved = ['apply', 'plan.envs-b.chatform', '--approved-hash', changed[0]?.hash ?? ''];
  await succeeded(runCli([...saved, '--state', 'file:.chatform/state/envs-b', '--auto-approve'], { cwd }));
});

test('gives each application its own token, and no other', async () => {
  const servers = await Promise.all(['a', 'b'].map(() => startPlatform()));
  const manifest = (url: string) =>
    `version: 1\napplication: { base_url: ${url}, rate_plan: 5k_mau }\nusers: { al: { nickname: Al } }\n`;
  const cwd = await temporaryFolder(
    Object.fromEntries(servers.map(({ url }, at) => [`apps/${at}/chat.yaml`, manifest(url)])),
  );
  const tokens = Object.fromEntries(servers.map(({ token }, at) => [`CHATFORM_API_TOKEN_APPS_${at}`, token]));
  const args = ['apply', '--each', 'apps/0', 'apps/1', '--auto-approve'];
  const env = { CHATFORM_ALLOWED_HOSTS: servers.map(({ url }) => new URL(url).host).join(',') };
  await succeeded(runCli(args, { cwd, env: { ...env, ...tokens } }));
  await expectEnd(runCli([...args, '--state', 'file:other'], { cwd, env: { ...env, CHATFORM_API_TOKEN: 'x' } }), 3);
});

test('keeps the first state where it is, whether a run began in the folder or beside it', async () => {
  const cwd = await temporaryFolder({
    'app/chat.yaml': environmentOf('a').replace('extends: ../../base\n', 'users: { al: { nickname: Al } }\n'),
  });
  await succeeded(runCli(['apply', '--auto-approve'], { cwd: join(cwd, 'app') }));
  const { stdout } = await succeeded(runCli(['plan', '--each', 'app'], { cwd }));
  expect(stdout).toContain('Nothing to do');
});
