// Tests that init writes the necessary files, overwrites nothing, and gives instructions that work.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { schemaText } from '../../../src/app/package-files.ts';
import { commands } from '../../../src/cli/commands/index.ts';
import { version } from '../../../src/version.ts';
import type { Workflow } from '../../examples/support/workflow.ts';
import { deskElsewhere } from '../../support/desk.ts';
import { contentOf } from '../../support/folders.ts';
import { place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const workflows = ['chatform-apply.yml', 'chatform-drift.yml', 'chatform-pull-request.yml'];
const files = [
  '.chatform/manifest.schema.json',
  '.chatform/test.schema.json',
  ...workflows.map((name) => `.github/workflows/${name}`),
  '.gitignore',
  'chatform.test.yaml',
  'chatform.yaml',
];
const examples = new URL('../../../examples/ci/github/', import.meta.url);

async function filesIn(folder: string): Promise<string[]> {
  return Object.entries(await contentOf(folder))
    .filter(([, content]) => content !== 'folder')
    .map(([name]) => name)
    .sort();
}

test('names next commands that work', async () => {
  const at = await place();
  const { stdout } = await at.does('init');
  expect(await filesIn(at.cwd)).toEqual(files);
  const next = [...stdout.matchAll(/^ {2}npx --no-install chatform (\w+) {2}/gmu)].map(([, command]) => command ?? '');
  expect(next).toEqual(['validate', 'plan', 'apply']);
  for (const command of next) {
    const end = await at.with({ answers: ['yes'] }).run([command]);
    expect({ command, exit: end.exit, stderr: end.exit === 0 ? '' : end.stderr }).toEqual({
      command,
      exit: 0,
      stderr: '',
    });
  }
  await at.does('plan --detailed-exitcode');
  await at.does('fmt --check');
});

test('writes the schema of this version where the manifest names it', async () => {
  const at = await place();
  await at.run('init chat');
  const manifest = await readFile(at.path('chat/chatform.yaml'), 'utf8');
  const path = /\$schema=(\S+)/u.exec(manifest)?.[1] ?? '';
  expect(await readFile(at.path('chat', path), 'utf8')).toBe(schemaText('manifest'));
});

test('changes nothing the second time', async () => {
  const at = await place();
  await at.run('init');
  const before = await at.content();
  const { stdout } = await at.run('init');
  expect(await at.content()).toEqual(before);
  expect(stdout.match(/^ {2}kept/gmu)).toHaveLength(files.length);
});

test('keeps existing files, and completes .gitignore', async () => {
  const at = await place({
    'chatform.yaml': 'version: 1\nusers: {}\n',
    '.gitignore': 'plan*.chatform\nnode_modules',
  });
  const { stdout } = await at.run('init');
  expect(await readFile(at.path('chatform.yaml'), 'utf8')).toBe('version: 1\nusers: {}\n');
  expect(await readFile(at.path('.gitignore'), 'utf8')).toBe(
    'plan*.chatform\nnode_modules\n.chatform/*\n!.chatform/manifest.schema.json\n!.chatform/test.schema.json\n',
  );
  expect(stdout).toContain('kept      chatform.yaml  (it already exists)');
  expect(stdout).toContain('added to  .gitignore');
});

test('writes no manifest beside others', async () => {
  const at = await place({ 'teams/a.yaml': 'version: 1\nusers: {}\n' });
  const { stdout } = await at.run('init');
  expect(stdout).toContain('left out  chatform.yaml  (the folder already contains manifests)');
  expect(await filesIn(at.cwd)).not.toContain('chatform.yaml');
});

test('writes the example workflows, which run what npm ci installed', async () => {
  const at = await place();
  await at.run('init');
  for (const name of workflows) {
    const text = await readFile(at.path('.github/workflows', name), 'utf8');
    const example = await readFile(new URL(name.slice('chatform-'.length), examples), 'utf8');
    expect(text).toBe(example.replace(' Copy to .github/workflows/.', ''));
    expect(text).not.toMatch(/install (?:--global|-g)|npx (?!--no-install chatform)/u);
    expect(text).toContain('npm ci --ignore-scripts\n');
    for (const [, command = '', words = ''] of text.matchAll(/chatform (\w+)((?: [^\n]*\\\n)*[^\n]*)/gu)) {
      if (!Object.hasOwn(commands, command)) continue;
      const known = (await commands[command]?.())?.options.map(({ flags }) => flags.split(' ')[0]) ?? [];
      expect(known).toEqual(expect.arrayContaining(words.match(/--[\w-]+/gu) ?? []));
    }
  }
});

test.for(['', 'infra'])(
  'in a folder of a repository the workflows run where chatform is installed (%j)',
  async (packages) => {
    const at = await place({
      '.git/HEAD': 'ref: refs/heads/main\n',
      'package.json': '{}',
      [join(packages, 'package.json')]: '{"devDependencies":{"chatform":"file:chatform-0.3.0.tgz"}}',
    });
    const { stdout } = await at.run('init infra/chat');
    expect(stdout).toContain('  cd infra/chat\n');
    expect(stdout).not.toContain('npm install');
    expect(await readFile(at.path(packages, '.gitignore'), 'utf8')).toMatch(/^\.chatform[\s\S]*^node_modules\/$/mu);
    const folder = packages === '' ? 'infra/chat' : 'chat';
    for (const name of workflows) {
      const text = await readFile(at.path('.github/workflows', name), 'utf8');
      const { defaults, jobs } = parse(text) as Workflow;
      expect(defaults).toEqual(packages === '' ? undefined : { run: { 'working-directory': packages } });
      for (const step of Object.values(jobs).flatMap(({ steps }) => steps)) {
        const paths = String(step.with?.path ?? packages)
          .trim()
          .split('\n');
        for (const path of paths) expect(path.startsWith(packages), path).toBe(true);
        if (step.uses?.includes('download-artifact') === true && packages !== '')
          expect(step.with?.path).toBe(packages);
      }
      for (const [, path = ''] of text.matchAll(/(?:hashFiles|readFileSync)\('([^']*)'/gu))
        expect(path.startsWith(packages), path).toBe(true);
      expect(text).toMatch(new RegExp(`CHATFORM_EACH: ${folder}$|folder: ${folder}, environment: drift-`, 'mu'));
    }
  },
);

/** The folders that the workflows name, and the environments of drift. */
async function applicationsIn(cwd: string): Promise<readonly string[]> {
  const texts = await Promise.all(workflows.map((name) => readFile(join(cwd, '.github/workflows', name), 'utf8')));
  return texts.join('').match(/(?<=CHATFORM_EACH: )[^$\s]+|(?<=- \{ ).*(?= \})/gu) ?? [];
}

test('adds a further application to the workflows, and keeps what people changed there', async () => {
  const at = await place({ '.git/HEAD': 'ref: refs/heads/main\n' });
  await at.run('init apps/support');
  const drift = at.path('.github/workflows/chatform-drift.yml');
  await writeFile(drift, (await readFile(drift, 'utf8')).replace('17 3 * * *', '5 5 * * *'));
  const { stdout } = await at.run('init apps/sales');
  expect(stdout).toContain('added to  .github/workflows/chatform-drift.yml');
  expect(stdout).toMatch(/environment production-apps-sales\n.*required reviewers/u);
  expect(await applicationsIn(at.cwd)).toEqual([
    'apps/support,apps/sales',
    'folder: apps/support, environment: drift-apps-support',
    'folder: apps/sales, environment: drift-apps-sales',
    'apps/support,apps/sales',
  ]);
  expect(await readFile(drift, 'utf8')).toContain('5 5 * * *');
  const before = await at.content();
  expect((await at.run('init apps/sales')).stdout).not.toMatch(/written|added/u);
  expect((await at.run('init')).stdout).not.toContain('added to  .github');
  expect(await at.content()).toMatchObject(before);
  const each = { CHATFORM_EACH: 'apps/sales,apps/support' };
  await at.with({ env: each }).does('plan');
});

test('refuses a folder whose files another application would read, unless they are ignored', async () => {
  const at = await place();
  await at.does('init');
  const before = await at.content();
  const refused = await at.run('init apps/support');
  expect(refused).toMatchObject({ exit: 64, stdout: '' });
  expect(refused.stderr).toMatch(/chatform\.yaml declares an application.*apps\/support/u);
  expect(await at.content()).toEqual(before);
  await writeFile(at.path('.chatformignore'), 'apps/\n');
  await at.does('init apps/support');
  for (const folder of ['.', 'apps/support']) await at.does(['validate', folder]);
  await at.does('init apps/support');
});

test('names each environment of overlays, which cannot be read together', async () => {
  const overlay = (name: string) =>
    `version: 1\nextends: ../../base\napplication: { base_url: emulator:.chatform/${name}, rate_plan: 5k_mau }\n`;
  const at = await place({
    'base/chat.yaml': 'version: 1\nusers: { alice: { nickname: Alice } }\n',
    'envs/production/chat.yaml': overlay('production'),
    'envs/staging/chat.yaml': overlay('staging'),
  });
  await at.run('init');
  expect((await applicationsIn(at.cwd))[0]).toBe('envs/production,envs/staging');
  const env = { CHATFORM_EACH: 'envs/production,envs/staging' };
  await at.with({ env }).does('validate');
});

test.for([
  ['below an application', ['.', 'apps/support'], 'the application in . would include another'],
  ['above an application', ['apps/support', 'apps'], 'the application in apps would include another'],
] as const)('does not add an application %s', async ([, [first, second], why]) => {
  const at = await place({ '.git/HEAD': 'ref: refs/heads/main\n', 'package.json': '{}' });
  await at.run(['init', first]);
  await rm(at.path(first, 'chatform.yaml'));
  const { stdout } = await at.run(['init', second]);
  expect(stdout).toContain(`left out  .github/workflows/chatform-apply.yml  (it exists, and ${why}`);
});

test('writes the pipeline of GitLab, and adds a further application to it', async () => {
  const at = await place({ '.git/HEAD': 'ref: refs/heads/main\n' });
  await at.run('init a --pipeline gitlab');
  await at.run('init b --pipeline gitlab');
  const pipeline = parse(await readFile(at.path('.gitlab-ci.yml'), 'utf8'));
  expect(pipeline.variables.CHATFORM_EACH).toBe('a,b');
  expect(pipeline.apply.parallel.matrix).toEqual([
    { FOLDER: 'a', PLAN: 'plan.a.chatform', ENVIRONMENT: 'production-a' },
    { FOLDER: 'b', PLAN: 'plan.b.chatform', ENVIRONMENT: 'production-b' },
  ]);
  expect(pipeline.drift.parallel.matrix.map(({ ENVIRONMENT: name }: { ENVIRONMENT: string }) => name)).toEqual([
    'drift-a',
    'drift-b',
  ]);
});

describe('of an application with content', () => {
  async function lived() {
    const platform = await startPlatform();
    const reach = {
      CHATFORM_BASE_URL: platform.url,
      CHATFORM_API_TOKEN: platform.token,
      CHATFORM_RATE_PLAN: '100k_mau',
    };
    const other = await temporaryFolder(deskElsewhere);
    await succeeded(runCli(['apply', '--auto-approve'], { cwd: other, env: reach }));
    const env = { CHATFORM_API_TOKEN: platform.token, CHATFORM_ALLOWED_HOSTS: new URL(platform.url).host };
    return { url: platform.url, env, flags: ['--base-url', platform.url, '--rate-plan', '100k_mau'] };
  }

  test('shows what exists and begins empty', async () => {
    const { flags, env } = await lived();
    const at = await place();
    const { stderr } = await at.with({ env }).does(['init', ...flags]);
    expect(stderr).toContain('contains 3 users, 1 open channel and 1 group channel.');
    const planned = await at.with({ env }).does('plan');
    expect(planned.stdout).toContain('Nothing');
    expect(JSON.stringify(await at.content())).not.toContain(env.CHATFORM_API_TOKEN);
  });

  test('exports it, and the next plan is empty', async () => {
    const { url, flags, env } = await lived();
    const bot = {
      bot_userid: 'helper',
      bot_nickname: 'Helper',
      bot_type: 'builtin',
      is_privacy_mode: false,
      bot_profile_url: '',
    };
    const made = await fetch(`${url}/bots`, {
      method: 'POST',
      headers: { 'Api-Token': env.CHATFORM_API_TOKEN, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...bot, bot_callback_url: 'https://bots.acme.com/helper' }),
    });
    expect(made.status, await made.text()).toBe(200);
    const at = await place({ 'package.json': '{"devDependencies":{"chatform":"file:x.tgz"}}' });
    const { stdout } = await at.with({ env }).does(['init', ...flags, '--export']);
    expect(stdout).toContain('written   estate/users.yaml');
    expect(stdout).toContain('variable CHATFORM_ALLOWED_HOSTS   bots.acme.com: bots and webhooks');
    env.CHATFORM_ALLOWED_HOSTS += ',bots.acme.com';
    expect((await at.with({ env }).does('plan --detailed-exitcode')).stdout).toContain('Nothing to do');
    expect((await at.with({ env }).does('drift --detailed-exitcode')).stdout).toContain('No drift');
    expect(JSON.stringify(await at.content())).not.toContain(env.CHATFORM_API_TOKEN);
    // A second export would declare everything twice.
    await at.with({ env }).ends(['init', ...flags, '--export', '--state', 'file:b'], 64);
  });

  test('asks on a terminal, and in CI never', async () => {
    const { url, env } = await lived();
    const at = await place();
    const answers = [url, '100k_mau', '', 'yes'];
    const end = await at.with({ env, answers }).does('init chat');
    expect(end.stdout).toContain('written   chat/estate/users.yaml');
    await at.with({ env: { ...env, CI: 'true' }, answers: [] }).does('init other');
  });

  test('refuses a wrong token before anything is written, and goes on without one', async () => {
    const { flags, env } = await lived();
    const at = await place();
    await at.with({ env: { ...env, CHATFORM_API_TOKEN: 'wrong' } }).ends(['init', ...flags], 3, 'token.refused');
    expect(await at.content()).toEqual({});
    const none = await at.does(['init', ...flags]);
    expect(none.stderr).toContain('No API token is set');
  });
});

test('writes no workflow for a folder name that would need quotes', async () => {
  const at = await place({ '.git/HEAD': 'ref: refs/heads/main\n' });
  const { stdout } = await at.run(['init', "it's"]);
  expect(stdout).toContain('left out  .github/workflows/chatform-apply.yml  (the folder name');
});

test('names the exact package where no package.json names chatform', async () => {
  const at = await place({ 'package.json': '{"dependencies":{"other":"1.0.0"}}' });
  const { stdout } = await at.run('init');
  expect(stdout).toContain(`Next:\n  npm install --save-dev ./chatform-${version}.tgz\n`);
  expect(stdout).toContain('Commit the tarball, package.json and its lock file');
  expect(stdout).not.toMatch(/(?<!--no-)install (?!--save-dev \.\/)|npx chatform/u);
});

test('names a workflow of an earlier version, which installs by a name', async () => {
  const former = 'jobs:\n  plan:\n    steps:\n      - run: npm install --global chatform@0.2.0\n';
  const at = await place({ '.github/workflows/chatform.yaml': former });
  const { stdout } = await at.run('init');
  expect(stdout).toContain('kept      .github/workflows/chatform.yaml  (delete it:');
});

test('quotes a folder for the shell', async () => {
  const { stdout } = await runCli(['init', "we ird/it's"], { cwd: await temporaryFolder() });
  expect(stdout).toContain("cd 'we ird/it'\\''s'\n");
});
