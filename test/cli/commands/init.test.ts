// Tests that init writes the necessary files, overwrites nothing, and gives instructions that work.
import { spawnSync } from 'node:child_process';
import { chmod, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { allCommands, commands } from '../../../src/cli/commands/index.ts';
import { withProgram } from '../../../src/tools/init/agent-files.ts';
import { npm } from '../../../src/tools/init/program.ts';
import { ignoredLines } from '../../../src/tools/init/texts.ts';
import { editWorkflow, workflowFiles } from '../../../src/tools/init/workflows.ts';
import { schemaText } from '../../../src/tools/package-files.ts';
import { version } from '../../../src/version.ts';
import type { Workflow } from '../../examples/support/workflow.ts';
import { deskElsewhere } from '../../support/desk.ts';
import { connected, type Place, place } from '../../support/place.ts';
import { call } from '../../support/platform.ts';

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
const repository = { '.git/HEAD': 'ref: refs/heads/main\n' };

async function filesIn(at: Place): Promise<string[]> {
  const written = Object.entries(await at.content()).filter(([, content]) => content !== 'folder');
  return written.map(([name]) => name).sort();
}

test('names next commands that work, writes the schema of this version, and changes nothing the second time', async () => {
  const at = await place();
  const { stdout } = await at.does('init');
  expect(await filesIn(at)).toEqual(files);
  const path = /\$schema=(\S+)/u.exec(await at.read('chatform.yaml'))?.[1] ?? '';
  expect(await at.read(path)).toBe(schemaText('manifest'));
  const before = await at.content();
  expect((await at.does('init')).stdout.match(/^ {2}kept/gmu)).toHaveLength(files.length);
  expect(await at.content()).toEqual(before);
  const next = [...stdout.matchAll(/^ {2}npx --no-install chatform (\w+) {2}/gmu)].map(([, command]) => command ?? '');
  expect(next).toEqual(['validate', 'plan', 'apply']);
  for (const command of next) await at.with({ answers: ['yes'] }).does(command);
  await at.does('plan --detailed-exitcode');
  await at.does('fmt --check');
});

test('keeps existing files, completes .gitignore, and writes no manifest beside others', async () => {
  const manifest = 'version: 1\nusers: {}\n';
  const at = await place({ 'chatform.yaml': manifest, '.gitignore': 'plan*.chatform\nnode_modules' });
  const { stdout } = await at.does('init');
  expect(await at.read('chatform.yaml')).toBe(manifest);
  expect(await at.read('.gitignore')).toBe(
    `plan*.chatform\nnode_modules\n${ignoredLines.filter((line) => line !== 'plan*.chatform').join('\n')}\n`,
  );
  expect(stdout).toContain('kept      chatform.yaml  (it already exists)');
  expect(stdout).toContain('added to  .gitignore');
  const other = await place({ 'teams/a.yaml': manifest });
  expect((await other.does('init')).stdout).toContain(
    'left out  chatform.yaml  (the folder already contains manifests: teams/a.yaml. Name files of other programs in .chatformignore)',
  );
  expect(await filesIn(other)).not.toContain('chatform.yaml');
});

test('starts a project beside and below files of other programs', async () => {
  const cases = new URL('../../core/manifest/cases/neighbours/', import.meta.url);
  const lock = await readFile(new URL('pnpm-lock.yaml', cases), 'utf8');
  const at = await place({
    'pnpm-lock.yaml': lock,
    'spring.yaml': 'application: { name: shop }\nserver: { port: 8080 }\n',
  });
  for (const folder of ['.', 'chat']) {
    expect((await at.does(`init ${folder}`)).stdout).toMatch(/^ {2}written +(?:chat\/)?chatform\.yaml$/mu);
    const { stderr } = await at.does(`validate ${folder}`);
    expect(stderr).not.toContain('pnpm-lock.yaml');
    if (folder === '.') await rm(at.path('chatform.yaml'));
  }
});

test('writes the example workflows, which run what npm ci installed', async () => {
  const at = await place();
  await at.does('init');
  for (const name of workflows) {
    const text = await at.read(`.github/workflows/${name}`);
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

const commit = 'git -c user.name=a -c user.email=a@b commit --quiet --allow-empty -m A';
const branchCases: readonly [commands: string, branch: string][] = [
  ['git init --quiet --initial-branch trunk', 'trunk'],
  [`git init --quiet --initial-branch master; ${commit}; git switch --quiet --create feature`, 'master'],
  ['git init --quiet; git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/release/next', 'release/next'],
  ['true', 'main'],
];
test.for(branchCases)('applies the branch that the repository has: %s', async ([commands, branch]) => {
  const at = await place();
  spawnSync('sh', ['-c', commands], { cwd: at.cwd });
  const { stdout } = await at.does('init');
  expect(stdout).toContain(`protection: required reviewers, only the branch ${branch}\n`);
  expect(stdout).toContain(
    `on the branch ${branch}\n    chatform in package.json and the lock file: the check of a pull request runs`,
  );
  const [apply = '', drift = ''] = await Promise.all(
    ['apply', 'drift'].map((name) => at.read(`.github/workflows/chatform-${name}.yml`)),
  );
  expect((parse(apply) as { on: { push: { branches: string[] } } }).on.push.branches).toEqual([branch]);
  for (const text of [apply, drift]) {
    expect(text).toContain(`if: \${{ github.ref == 'refs/heads/${branch}' }}`);
    expect(text.replaceAll(branch, 'BRANCH')).not.toMatch(/\bmain\b/u);
  }
});

test.for(['', 'infra'])(
  'in a folder of a repository the workflows run where chatform is installed (%j)',
  async (packages) => {
    const at = await place({
      ...repository,
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
      expect(text).toMatch(new RegExp(`CHATFORM_EACH: "${folder}"$|folder: "${folder}", environment: "drift-`, 'mu'));
    }
  },
);

/** The folders that the workflows name, and the environments of drift. */
async function applicationsIn(at: Place): Promise<readonly string[]> {
  const texts = await Promise.all(workflows.map((name) => at.read(`.github/workflows/${name}`)));
  return (
    texts
      .join('')
      .replaceAll('"', '')
      .match(/(?<=CHATFORM_EACH: )[^$\s]+|(?<=- \{ ).*(?= \})/gu) ?? []
  );
}

test('adds a further application to the workflows, and keeps what people changed there', async () => {
  const at = await place(repository);
  await at.does('init apps/support');
  const drift = '.github/workflows/chatform-drift.yml';
  await at.write({ [drift]: (await at.read(drift)).replace('17 3 * * *', '5 5 * * *') });
  const { stdout } = await at.does('init apps/sales');
  expect(stdout).toContain('added to  .github/workflows/chatform-drift.yml');
  expect(stdout).toMatch(/environment production-apps-sales\n.*required reviewers/u);
  expect(await applicationsIn(at)).toEqual([
    'apps/support,apps/sales',
    'folder: apps/support, environment: drift-apps-support',
    'folder: apps/sales, environment: drift-apps-sales',
    'apps/support,apps/sales',
  ]);
  expect(await at.read(drift)).toContain('5 5 * * *');
  const before = await at.content();
  expect((await at.does('init apps/sales')).stdout).not.toMatch(/written|added/u);
  expect((await at.does('init')).stdout).not.toContain('added to  .github');
  expect(await at.content()).toMatchObject(before);
  await at.does('plan --each apps/sales apps/support');
});

test('refuses a folder whose files another application would read, unless they are ignored', async () => {
  const at = await place();
  await at.does('init');
  const before = await at.content();
  const says = /chatform\.yaml declares an application.*apps\/support/u;
  expect(await at.ends('init apps/support', 64, says)).toMatchObject({ stdout: '' });
  expect(await at.content()).toEqual(before);
  await at.write({ '.chatformignore': 'apps/\n' });
  for (const command of ['init apps/support', 'validate .', 'validate apps/support', 'init apps/support'])
    await at.does(command);
});

test('names each environment of overlays, which cannot be read together', async () => {
  const overlay = (name: string) =>
    `version: 1\nextends: ../../base\napplication: { base_url: emulator:.chatform/${name}, rate_plan: 5k_mau }\n`;
  const at = await place({
    'base/chat.yaml': 'version: 1\nusers: { alice: { nickname: Alice } }\n',
    'envs/production/chat.yaml': overlay('production'),
    'envs/staging/chat.yaml': overlay('staging'),
  });
  await at.does('init');
  expect((await applicationsIn(at))[0]).toBe('envs/production,envs/staging');
  await at.does('validate --each envs/production envs/staging');
});

test.for([
  ['below an application', '.', 'apps/support', 'the application in . would include another'],
  ['above an application', 'apps/support', 'apps', 'the application in apps would include another'],
] as const)('does not add an application %s', async ([, first, second, why]) => {
  const at = await place({ ...repository, 'package.json': '{}' });
  await at.does(`init ${first}`);
  await rm(at.path(first, 'chatform.yaml'));
  const { stdout } = await at.does(`init ${second}`);
  expect(stdout).toContain(`left out  .github/workflows/chatform-apply.yml  (it exists, and ${why}`);
});

test('writes the pipeline of GitLab, and adds a further application to it', async () => {
  const at = await place(repository);
  for (const folder of ['a', 'b']) await at.does(`init ${folder} --pipeline gitlab`);
  const { variables, apply, drift } = parse(await at.read('.gitlab-ci.yml'));
  expect(variables.CHATFORM_EACH).toBe('a,b');
  expect(apply.parallel.matrix).toEqual([
    { FOLDER: 'a', PLAN: 'plan.a.chatform', ENVIRONMENT: 'production-a' },
    { FOLDER: 'b', PLAN: 'plan.b.chatform', ENVIRONMENT: 'production-b' },
  ]);
  expect(drift.parallel.matrix).toMatchObject([{ ENVIRONMENT: 'drift-a' }, { ENVIRONMENT: 'drift-b' }]);
});

/** Names that a reader of YAML takes for something else, and any others that a workflow may contain. */
const folderName = fc.oneof(
  fc.constantFrom(
    '1.10',
    '010',
    '1e3',
    '0x1f',
    'null',
    'Null',
    'true',
    'no',
    'on',
    '.inf',
    '.NaN',
    '2026-11-26',
    '1_000',
    'a b',
  ),
  fc.stringMatching(/^[\w.][\w. -]{0,8}[\w]$/u),
  fc.stringMatching(/^\d{1,4}$/u),
);

test('writes every name into the workflows as that text, for readers of YAML 1.1 and 1.2', async () => {
  const files = await Promise.all(
    (['github', 'gitlab'] as const).flatMap((pipeline) =>
      workflowFiles(pipeline).map(async ([, example]) => ({
        pipeline,
        example: await readFile(new URL(`../../../${example}`, import.meta.url), 'utf8'),
      })),
    ),
  );
  const property = fc.property(
    fc.constantFrom(...files),
    fc.uniqueArray(folderName, { minLength: 1, maxLength: 3, selector: (name) => name.replace(/[^\w.-]+/gu, '-') }),
    fc.oneof(fc.constant(''), folderName),
    fc.constantFrom('1.1' as const, '1.2' as const),
    ({ pipeline, example }, names, folder, version) => {
      const packageFolder = pipeline === 'gitlab' ? '' : folder;
      let text: string | undefined;
      // Each further run adds one.
      for (const name of names) {
        const place = { packageFolder, applications: [name], branch: 'main', manager: npm };
        const edit = editWorkflow(pipeline, example, place, text);
        if (edit.type !== 'write') throw new Error(`${name}: ${JSON.stringify(edit)}`);
        text = edit.text;
      }
      expect(namesIn(parse(text ?? '', { version }))).toEqual({
        lists: new Set([names.join(',')].slice(0, /CHATFORM_EACH: "/u.test(text ?? '') ? 1 : 0)),
        folders: new Set(/folder: "/iu.test(text ?? '') ? names : []),
        working: new Set(packageFolder === '' ? [] : [packageFolder]),
        others: new Set(),
      });
    },
  );
  fc.assert(property, { numRuns: 150 });
});

/** All values with these keys, and values of the rows and paths that are not texts. */
function namesIn(document: unknown) {
  const found = { lists: new Set(), folders: new Set(), working: new Set(), others: new Set() };
  const visit = (value: unknown, key: string): void => {
    if (typeof value === 'object' && value !== null)
      for (const [name, inner] of Object.entries(value)) visit(inner, name);
    else if (key === 'CHATFORM_EACH' && !String(value).startsWith('$')) found.lists.add(value);
    else if (/^folder$/iu.test(key)) found.folders.add(value);
    else if (key === 'working-directory') found.working.add(value);
    else if (/^(?:environment|plan|path)$/iu.test(key) && typeof value !== 'string') found.others.add(value);
  };
  visit(document, '');
  return found;
}

test.for([
  ['git+https://example.com/chatform.git#v1', true],
  ['git+ssh://git@example.com/chatform.git', true],
  ['git@example.com:acme/chatform.git', true],
  ['https://example.com/acme/chatform.git', true],
  ['github:acme/chatform', true],
  ['acme/chatform#main', true],
  ['file:chatform-0.3.0.tgz', false],
  ['https://example.com/chatform-0.3.0.tgz', false],
  ['npm:@acme/chatform@0.3.0', false],
  ['./packages/chatform-0.3.0.tgz', false],
  ['^0.3.0', false],
] as const)('warns of an address that npm ci does not build: %s', async ([version, isWarned]) => {
  const at = await place({ 'package.json': JSON.stringify({ devDependencies: { chatform: version } }) });
  const { stdout } = await at.does('init');
  expect(stdout.includes('! package.json takes chatform from a git address.')).toBe(isWarned);
  expect(await at.json('init')).toMatchObject({ installed: true, installed_from_git: isWarned });
});

describe('of an application with content', () => {
  async function lived() {
    const { at: other, running } = await connected(deskElsewhere);
    await other.does('apply --auto-approve');
    const { url, token } = running;
    const env = { CHATFORM_API_TOKEN: token, CHATFORM_ALLOWED_HOSTS: new URL(url).host };
    const init = `init --base-url ${url} --rate-plan 100k_mau`;
    const at = await place({ 'package.json': '{"devDependencies":{"chatform":"file:x.tgz"}}' }, env);
    const holdsNoToken = async () => expect(JSON.stringify(await at.content())).not.toContain(token);
    return { at, url, env, init, holdsNoToken };
  }

  test('shows what exists and begins empty', async () => {
    const { at, init, holdsNoToken } = await lived();
    await at.ends(init, 0, 'contains 3 users, 1 open channel and 1 group channel.');
    expect((await at.does('plan')).stdout).toContain('Nothing');
    await holdsNoToken();
  });

  test('exports it, and the next plan is empty', async () => {
    const { at, url, env, init, holdsNoToken } = await lived();
    const bot = {
      bot_userid: 'helper',
      bot_nickname: 'Helper',
      bot_type: 'builtin',
      is_privacy_mode: false,
      bot_profile_url: '',
      bot_callback_url: 'https://bots.acme.com/helper',
    };
    await call({ url, token: env.CHATFORM_API_TOKEN }, 'POST', '/bots', bot);
    const { stdout } = await at.does(`${init} --export`);
    expect(stdout).toContain('written   estate/users.yaml');
    expect(stdout).toContain('variable CHATFORM_ALLOWED_HOSTS   bots.acme.com: bots and webhooks');
    const allowing = at.with({ env: { CHATFORM_ALLOWED_HOSTS: `${env.CHATFORM_ALLOWED_HOSTS},bots.acme.com` } });
    expect((await allowing.does('plan --detailed-exitcode')).stdout).toContain('Nothing to do');
    expect((await allowing.does('drift --detailed-exitcode')).stdout).toContain('No drift');
    await holdsNoToken();
    // A second export would declare everything twice.
    await allowing.ends(`${init} --export --state file:b`, 64);
  });

  test('asks on a terminal, and in CI never', async () => {
    const { at, url } = await lived();
    const end = await at.with({ answers: [url, '100k_mau', '', 'yes'] }).does('init chat');
    expect(end.stdout).toContain('written   chat/estate/users.yaml');
    await at.with({ env: { CI: 'true' }, answers: [] }).does('init other');
  });

  test('asks again for a mistyped answer, and keeps the others', async () => {
    const { at, url } = await lived();
    const unnamed = at.with({
      env: { CHATFORM_API_TOKEN: '' },
      answers: ['htp://api', `${url}/v2`, url, '100k', '100k_mau', 'no-such-file', '', 's4://bucket', 'file:kept'],
    });
    const { stderr } = await unnamed.does('init chat');
    for (const said of [
      'not an http or https address',
      'version segment /v3',
      '100k is not a rate plan',
      'no-such-file',
      'is not a place for state',
    ])
      expect(stderr).toContain(said);
    expect(await at.read('chat/chatform.yaml')).toContain(`base_url: "${url}"`);
    expect(await at.read('chat/chatform.yaml')).toContain('rate_plan: 100k_mau');
  });

  test('refuses a wrong token before anything is written, and goes on without one', async () => {
    const { at, init } = await lived();
    const before = await at.content();
    await at.with({ env: { CHATFORM_API_TOKEN: 'wrong' } }).ends(init, 3, 'token.refused');
    expect(await at.content()).toEqual(before);
    await at.with({ env: { CHATFORM_API_TOKEN: '' } }).ends(init, 0, 'No API token is set');
  });
});

test('writes no workflow for a folder name that would need quotes, and quotes it for the shell', async () => {
  const { stdout } = await (await place(repository)).does(['init', "we ird/it's"]);
  expect(stdout).toContain('left out  .github/workflows/chatform-apply.yml  (the folder name');
  expect(stdout).toContain("cd 'we ird/it'\\''s'\n");
});

test('keeps no artifact for longer than its retention, redacts by a variable, and lists what people may set', async () => {
  const at = await place(repository);
  const { stdout } = await at.does('init');
  for (const name of ['CHATFORM_REDACT', 'NOTIFY_WEBHOOK'])
    expect(stdout).toMatch(new RegExp(`${name} +optional: `, 'u'));
  for (const name of workflows) {
    const { jobs } = parse(await at.read(`.github/workflows/${name}`)) as Workflow;
    for (const { env, steps } of Object.values(jobs)) {
      const kept = steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact@') === true);
      for (const step of kept) expect(step.with).toHaveProperty('retention-days');
      // A variable that is not set is an empty text, which chatform refuses.
      expect({ ...env, ...Object.assign({}, ...steps.map((step) => step.env)) }).toMatchObject({
        CHATFORM_REDACT: expect.stringContaining("vars.CHATFORM_REDACT || 'false'"),
      });
    }
  }
});

test('names the exact package where no package.json names chatform', async () => {
  const { stdout } = await (await place({ 'package.json': '{"dependencies":{"other":"1.0.0"}}' })).does('init');
  expect(stdout).toContain(`Next:\n  npm install --save-dev ./chatform-${version}.tgz\n`);
  expect(stdout.replaceAll(/\s+/gu, ' ')).toContain('Commit the tarball, package.json and its lock file');
  expect(stdout).not.toMatch(/(?<!--no-)install (?!--save-dev \.\/)|npx chatform/u);
});

const guide = await readFile(new URL('../../../examples/agents/guide.md', import.meta.url), 'utf8');

describe('the guide for agents', () => {
  const init = 'init --agents --pipeline none';

  /** The commands of the blocks of shell, without the name of the program. */
  function commandsOf(text: string): readonly string[] {
    const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gmu)].map(([, block = '']) => block);
    return blocks
      .flatMap((block) => block.trim().split('\n'))
      .map((line) => line.replace(/^(?:npx --no-install )?chatform /u, ''));
  }

  test('leads a script to a hash, and a person applies exactly that plan', async () => {
    const at = await place();
    await at.does(init);
    let hash = '';
    const played: string[] = [];
    for (const line of commandsOf(await at.read('AGENTS.md'))) {
      const [command = ''] = line.split(' ');
      if (command === 'apply') expect((await at.run(line.replace('HASH', '0'.repeat(64)))).exit).not.toBe(0);
      const { stdout } = await at.does(line.replace('HASH', hash));
      const document = line.includes('--format json') ? JSON.parse(stdout) : {};
      if (command === 'plan') hash = document.hash;
      if (command === 'show') expect(stdout.split('\n').slice(0, 5).join('\n')).toContain(hash);
      played.push(command);
    }
    expect(played).toEqual(['fmt', 'validate', 'test', 'plan', 'rehearse', 'explain', 'show', 'apply']);
    await at.does('plan --detailed-exitcode');
  });

  test.for([
    ['npm, which has no lock file yet', {}, 'npx --no-install chatform'],
    ['npm', { 'package-lock.json': '{}' }, 'npx --no-install chatform'],
    ['pnpm', { 'pnpm-lock.yaml': '' }, 'pnpm exec chatform'],
    ['Yarn', { 'yarn.lock': '' }, 'yarn run chatform'],
  ] as const)('writes commands as they run with %s', async ([, lock, program]) => {
    const at = await place({ ...repository, 'package.json': '{"devDependencies":{"chatform":"1"}}', ...lock });
    const { stdout } = await at.does('init chat --agents --pipeline none');
    expect(stdout).toContain(`  ${program} plan `);
    const written = await at.read('chat/AGENTS.md');
    expect(written).toContain(`as \`${program} …\``);
    expect(written).toContain(`\n${program} plan --refresh=none --out plan.chatform --format json\n`);
    expect(written).toContain(`\`${program} commands plan --format json\``);
    // Every command in a block has the form that runs.
    for (const [, block = ''] of written.matchAll(/```sh\n([^`]*)```/gu))
      for (const line of block.trim().split('\n')) expect(line.startsWith(`${program} `)).toBe(true);
    expect((await at.does('init chat --agents --pipeline none')).stdout).toMatch(/kept {6}chat\/AGENTS\.md\n/u);
  });

  test.for([
    ['pnpm', { 'pnpm-lock.yaml': '' }, 'npx --yes pnpm@10 install --frozen-lockfile --ignore-scripts'],
    [
      'Yarn 1',
      { 'yarn.lock': '# THIS IS AN AUTOGENERATED FILE.\n# yarn lockfile v1\n' },
      'npx --yes yarn@1 install --frozen-lockfile --ignore-scripts',
    ],
    [
      'Yarn with a folder of packages',
      { 'yarn.lock': '__metadata:\n', '.yarnrc.yml': 'nodeLinker: node-modules\n' },
      'npx --yes @yarnpkg/cli-dist@4 install --immutable --mode=skip-build',
    ],
    ['Bun', { 'bun.lock': '{}' }, 'npx --yes bun@1 install --frozen-lockfile --ignore-scripts'],
    ['an older Bun', { 'bun.lockb': '' }, 'npx --yes bun@1 install --frozen-lockfile --ignore-scripts'],
  ] as const)('writes workflows that install with %s', async ([, lock, install]) => {
    for (const [pipeline, files] of [
      ['github', workflows.map((name) => `.github/workflows/${name}`)],
      ['gitlab', ['.gitlab-ci.yml']],
    ] as const) {
      const at = await place({ ...repository, 'package.json': '{"devDependencies":{"chatform":"1"}}', ...lock });
      await at.does(`init --pipeline ${pipeline}`);
      for (const name of files) {
        const text = await at.read(name);
        expect(text).toContain(install);
        expect(text).not.toContain('npm ci');
        expect(text.includes('npx --no-install')).toBe(install.includes('bun') && !name.includes('pull-request'));
      }
    }
  });

  test("leaves out the workflow that Yarn's Plug'n'Play cannot run, and says why", async () => {
    const yarn = { 'yarn.lock': '__metadata:\n', 'package.json': '{"devDependencies":{"chatform":"1"}}' };
    const at = await place({ ...repository, ...yarn });
    const { stdout } = await at.does('init');
    expect(stdout.replaceAll(/\s+/gu, ' ')).toContain(
      'left out .github/workflows/chatform-pull-request.yml (it runs chatform of the base branch from node_modules/.bin',
    );
    expect(await at.read('.github/workflows/chatform-apply.yml')).toContain(
      'npx --yes @yarnpkg/cli-dist@4 run chatform apply "$PLAN"',
    );
  });

  test('writes the bare name where no package names chatform and the shell finds it', async () => {
    const at = await place({
      ...repository,
      'bin/chatform': '#!/bin/sh\n',
      'node_modules/.bin/chatform': '#!/bin/sh\n',
    });
    for (const name of ['bin/chatform', 'node_modules/.bin/chatform']) await chmod(at.path(name), 0o755);
    const run = async (bin: string, folder: string) => {
      await at.with({ env: { PATH: at.path(bin) } }).does(`init ${folder} --agents --pipeline none`);
      return at.read(`${folder}/AGENTS.md`);
    };
    expect(await run('bin', 'one')).toContain('\nchatform fmt\n');
    expect(await run('node_modules/.bin', 'two')).toContain('\nnpx --no-install chatform fmt\n');
  });

  test('names every command, and asks agents to run only permitted ones', async () => {
    const [before = '', never = ''] = guide.split(/^## (?:Never|Hand over)$/mu);
    const rule = /^- Never run .*?change the/msu.exec(never)?.[0] ?? '';
    const forbidden = [...rule.matchAll(/`(\w+)`/gu)].map(([, name]) => name ?? '');
    expect(forbidden).toEqual(expect.arrayContaining(['apply', 'destroy', 'undo', 'adopt', 'export']));
    for (const command of commandsOf(before)) expect(forbidden).not.toContain(command.split(' ')[0]);
    const names = (await allCommands()).map(({ name }) => name);
    expect(names.filter((name) => !new RegExp(`(?:\`|chatform )${name}\\b`, 'u').test(guide))).toEqual([]);
  });

  test.for([
    ['another AGENTS.md', (file: string) => writeFile(file, '# Our rules\n')],
    ['a link that leads nowhere', (file: string) => symlink('elsewhere.md', file)],
  ] as const)('is written beside %s', async ([, make]) => {
    const at = await place();
    await make(at.path('AGENTS.md'));
    const { stdout } = await at.does(init);
    expect(stdout).toContain('kept      AGENTS.md  (add to it: for chatform, read AGENTS.chatform.md first)');
    expect(await at.read('AGENTS.chatform.md')).toBe(withProgram('npx --no-install chatform', guide));
    expect(await at.read('AGENTS.md').catch(() => '')).not.toContain('chatform');
  });

  test('is kept as people edited it', async () => {
    const edited = `${guide}\nOur own line.\n`;
    const at = await place({ 'AGENTS.md': edited });
    const { stdout } = await at.does(init);
    expect(stdout).toContain('kept      AGENTS.md  (from another version, or edited)');
    expect(stdout).not.toContain('AGENTS.chatform.md');
    expect(await at.read('AGENTS.md')).toBe(edited);
  });
});
