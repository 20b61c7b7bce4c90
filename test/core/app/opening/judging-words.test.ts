// Tests that a search for words in a folder misses no policy and no limits that the loader of manifests finds.
import { rm, symlink, writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stricterLimits } from '../../../../src/core/app/opening/judging-rules.ts';
import { mayJudge } from '../../../../src/core/app/opening/judging-words.ts';
import { loadDeclared } from '../../../../src/core/app/opening/load-declared.ts';
import type { LoadedManifest } from '../../../../src/core/manifest/passes/loaded-manifest.ts';
import { startRepository } from '../../../support/git.ts';
import { Place } from '../../../support/place.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { testPorts } from '../support/ports.ts';

type Files = Readonly<Record<string, string>>;

const app = 'version: 1\napplication:\n  base_url: "emulator:e"\n  rate_plan: 100k_mau\n';
const planned = { rate_plan: '100k_mau', rate_share: 1 };

async function folderOf(files: Files): Promise<Place> {
  const at = new Place(await temporaryFolder());
  await at.write(files);
  return at;
}

const policy = 'version: 1\npolicy: { refresh: all }\n';

async function settingsIn(cwd: string): Promise<LoadedManifest> {
  return loadDeclared([], { ...(await testPorts({})), cwd }, { isForSettings: true });
}

const policies: readonly { readonly what: string; readonly files: Files }[] = [
  { what: 'a plain key', files: { 'a.yaml': policy } },
  { what: 'a key in double quotes', files: { 'a.yaml': 'version: 1\n"policy": { refresh: all }\n' } },
  { what: 'a key in single quotes', files: { 'a.yaml': "version: 1\n'policy': { refresh: all }\n" } },
  { what: 'JSON', files: { 'a.yaml': '{"version":1,"policy":{"refresh":"always"}}' } },
  { what: 'an escape of four digits', files: { 'a.yaml': 'version: 1\n"pol\\u0069cy": { refresh: all }\n' } },
  { what: 'an escape of eight digits', files: { 'a.yaml': 'version: 1\n"\\U00000070olicy": { refresh: all }\n' } },
  { what: 'an escape of two digits', files: { 'a.yaml': 'version: 1\n"polic\\x79": { refresh: all }\n' } },
  { what: 'an escaped line end', files: { 'a.yaml': '{"version": 1, "pol\\\n   icy": {refresh: all}}\n' } },
  {
    what: 'an escaped line end of Windows',
    files: { 'a.yaml': '{"version": 1, "pol\\\r\n  icy": {refresh: all}}\n' },
  },
  { what: 'an explicit key', files: { 'a.yaml': 'version: 1\n? policy\n: { refresh: all }\n' } },
  {
    what: 'an alias as key',
    files: { 'a.yaml': 'version: 1\nusers: { &key policy: { nickname: A } }\n*key : { refresh: all }\n' },
  },
  {
    what: 'a merge key',
    files: { 'a.yaml': 'version: 1\nusers: &all { policy: { refresh: all } }\n<<: *all\n' },
  },
  { what: 'a second document', files: { 'a.yaml': `${app}---\nversion: 1\npolicy: { refresh: all }\n` } },
  { what: 'a file in a folder', files: { 'a.yaml': app, 'b/c/d.yml': policy } },
  { what: 'a name in capitals', files: { 'A.YAML': policy } },
  {
    what: 'a key over the border of two pieces',
    files: { 'a.yaml': `version: 1\n#${'x'.repeat((1 << 20) - 15)}\npolicy: { refresh: all }\n` },
  },
  { what: 'UTF-8 with a mark', files: { 'a.yaml': '\ufeffversion: 1\npolicy: { refresh: all }\n' } },
  { what: 'a file that cannot be parsed', files: { 'a.yaml': 'version: 1\n"pol\\u0069cy": {\n' } },
];

describe('a policy is found as', () => {
  test.for(policies)('$what', async ({ files }) => {
    const { cwd } = await folderOf({ ...files });
    const settings = await settingsIn(cwd);
    const isError = settings.diagnostics.some(({ severity }) => severity === 'error');
    expect(settings.policy.source !== undefined || isError, 'the loader finds it, or cannot tell').toBe(true);
    expect(await mayJudge(cwd, planned)).toBe(true);
  });

  test('a text in another encoding, which the loader refuses', async () => {
    const at = await folderOf({ 'app.yaml': app });
    await writeFile(at.path('a.yaml'), Buffer.from('\ufeffversion: 1\npolicy: { refresh: all }\n', 'utf16le'));
    expect(await mayJudge(at.cwd, planned)).toBe(true);
  });

  test('the base of an overlay, in another folder', async () => {
    const at = await folderOf({
      'base/policy.yaml': 'version: 1\npolicy: { refresh: all }\n',
      'own/app.yaml': `${app}extends: ../base\n`,
    });
    startRepository(at.cwd);
    const cwd = at.path('own');
    expect((await settingsIn(cwd)).policy.refresh).toBe('all');
    expect(await mayJudge(cwd, planned)).toBe(true);
  });

  test.for(['file.yaml', 'folder'])('the target of a link: %s', async (name) => {
    const at = await folderOf({ 'app.yaml': app, 'node_modules/file.yaml': policy });
    await symlink(at.path(name === 'folder' ? 'node_modules' : 'node_modules/file.yaml'), at.path(name));
    expect((await settingsIn(at.cwd)).policy.refresh).toBe('all');
    expect(await mayJudge(at.cwd, planned)).toBe(true);
  });
});

test.for(['file.yaml', 'folder'])('leaves a link that is not followed to the loader: %s', async (name) => {
  const outside = await folderOf({ 'file.yaml': policy });
  const at = await folderOf({ 'app.yaml': app, '.hidden/file.yaml': policy });
  for (const target of [outside, new Place(at.path('.hidden'))]) {
    await rm(at.path(name), { force: true });
    await symlink(name === 'folder' ? target.cwd : target.path(name), at.path(name));
    const { policy: loaded, diagnostics } = await settingsIn(at.cwd);
    expect(loaded.source).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toEqual([expect.stringMatching(/leaves-folder|hidden-file/u)]);
    expect(await mayJudge(at.cwd, planned)).toBe(true);
  }
});

describe('limits are found as', () => {
  test.for<{ what: string; block: string; isFound: boolean }>([
    { what: 'those of the plan', block: '  rate_plan: 100k_mau\n', isFound: false },
    { what: 'those of the plan, and a comment behind', block: '  rate_plan: 100k_mau # ours\n', isFound: false },
    {
      what: 'those of the plan, and a comment with a colon before',
      block: '  # rate_plan: 5k_mau\n\n  rate_plan: 100k_mau\n',
      isFound: false,
    },
    { what: 'those of the plan, in a map of the block', block: '  x:\n    rate_plan: 100k_mau\n', isFound: true },
    { what: 'those of the plan, in a quoted text', block: '  state: ", rate_plan: 100k_mau"\n', isFound: true },
    { what: 'those of the plan, in a comment behind', block: '  state: x # rate_plan: 100k_mau\n', isFound: true },
    {
      what: 'those of the plan, in a text of several lines',
      block: '  state: "\n  rate_plan: 100k_mau\n  x: "\n',
      isFound: true,
    },
    { what: 'another plan', block: '  rate_plan: 5k_mau\n', isFound: true },
    { what: 'no plan, which is the strictest', block: '', isFound: true },
    { what: 'no plan, and a comment that names one', block: '  # rate_plan: 100k_mau\n', isFound: true },
    { what: 'a plan in quotes', block: '  rate_plan: "5k_mau"\n', isFound: true },
    { what: 'a plan on the next line', block: '  rate_plan:\n    5k_mau\n', isFound: true },
    { what: 'a plan of a variable', block: `  rate_plan: \${plan}\n`, isFound: true },
    { what: 'a share', block: '  rate_plan: 100k_mau\n  rate_share: 0.5\n', isFound: true },
    { what: 'the share of the plan', block: '  rate_plan: 100k_mau\n  rate_share: 1\n', isFound: false },
    { what: 'limits', block: '  rate_plan: 100k_mau\n  limits: { POST: 1 }\n', isFound: true },
  ])('$what', async ({ block, isFound }) => {
    const { cwd } = await folderOf({ 'a.yaml': `version: 1\napplication:\n  base_url: "emulator:e"\n${block}` });
    expect(await mayJudge(cwd, planned)).toBe(isFound);
  });

  test.for<[text: string, isFound: boolean]>([
    ['{ base_url: "http://127.0.0.1:9/v3", rate_plan: 100k_mau }', false],
    ["{base_url: 'emulator:#e', rate_plan: 100k_mau} # {x: y}", false],
    ['{ base_url: emulator:.chatform/production, rate_plan: 100k_mau, rate_share: 1 }', false],
    ['{ rate_plan: 100k_mau, base_url: "emulator:e", }', false],
    ['{ base_url: "emulator:e" }', true],
    ['{ base_url: "emulator:e", rate_plan: 5k_mau }', true],
    ['{ base_url: "emulator:e, rate_plan: 100k_mau" }', true],
    ['{ base_url: "emulator:e" } # rate_plan: 100k_mau', true],
    ['{ base_url: a"b, x: ", rate_plan: 100k_mau, y: ", z: c" }', true],
    ['{ base_url: "emulator:e", x: { rate_plan: 100k_mau } }', true],
    ['&a { base_url: "emulator:e", rate_plan: 100k_mau }', true],
    ['{ base_url: "emulator:e",\n  rate_plan: 100k_mau }', true],
  ])('in the block %j: %s', async ([text, isFound]) => {
    for (const end of ['\n', '\r\n']) {
      const { cwd } = await folderOf({ 'a.yaml': `version: 1\napplication: ${text}\n`.replaceAll('\n', end) });
      expect(await mayJudge(cwd, planned)).toBe(isFound);
    }
  });

  const strict = 'application: { base_url: "emulator:f" }\n';
  const named = 'users: { a: { nickname: A, metadata: { rate_plan: 100k_mau } } }\n';
  test.for<[what: string, files: Files]>([
    ['in one application, and none in another', { 'a.yaml': app, 'b/b.yaml': `version: 1\n${strict}` }],
    ['as metadata in the same file', { 'a.yaml': `version: 1\n${strict}${named}` }],
    ['as metadata in another file', { 'a.yaml': `version: 1\n${strict}`, 'b.yaml': `version: 1\n${named}` }],
    ['beside an application in JSON', { 'a.yaml': '{"version":1,"application":{"rate_plan":"100k_mau"}}' }],
    ['beside an application with an indent', { 'a.yaml': ` version: 1\n ${strict}` }],
    ['behind line ends that only YAML knows', { 'a.yaml': `version: 1\r${strict}` }],
  ])('those of the plan %s', async ([, files]) => {
    expect(await mayJudge((await folderOf(files)).cwd, planned)).toBe(true);
  });

  test('none, if the plan has the strictest as well', async () => {
    const { cwd } = await folderOf({ 'a.yaml': `version: 1\n${strict}` });
    expect(await mayJudge(cwd, { rate_plan: 'free_trial', rate_share: 1 })).toBe(false);
  });
});

/** Mostly the first one, so that many folders are valid. */
function mostly(usual: string, ...rare: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 6, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) });
}

const values = {
  rate_plan: mostly('100k_mau', '5k_mau'),
  rate_share: mostly('1', '0.5'),
  state: mostly('file:a', ', rate_plan: 100k_mau', '#'),
};
const pairs = fc.constantFrom(...(['rate_plan', 'rate_plan', 'rate_share', 'state'] as const)).chain((name) => {
  const quote = mostly('', '"', "'");
  const key = mostly(name, `"${name}"`, `? ${name}\n  `);
  return fc
    .tuple(key, mostly(' ', '\n    ', ' # \n    '), quote, values[name])
    .map(([written, gap, mark, value]) => `${written}:${gap}${mark}${value}${mark}`);
});
const entries = fc
  .uniqueArray(pairs, { maxLength: 2, selector: (pair) => /\w+/u.exec(pair)?.[0] })
  .map((list) => ['base_url: "emulator:e"', ...list]);
const blocks = fc.tuple(
  mostly('application', '"application"', '? application\n', ' application'),
  fc.oneof(
    entries.map((list) => ` { ${list.join(', ')} }`),
    entries.map((list) => list.map((pair) => `\n  ${pair}`).join('')),
    entries.map((list) => list.map((pair) => `\r\n # rate_plan: 5k_mau\r\n  ${pair} # x: y`).join('')),
    fc.constantFrom(' *a', '\n  <<: *a\n  base_url: emulator:e'),
  ),
);
const others = (section: string) =>
  mostly(
    `${section}: { a: { data: A } }`,
    `${section}: { a: { metadata: { rate_plan: 100k_mau } } }`,
    `${section}: { a: { data: "application" } }`,
    `${section}: { a: { metadata: &a { rate_plan: 5k_mau } } }`,
    '# application: { rate_plan: 100k_mau }',
    'policy: { refresh: all }',
  );
const texts = fc
  .tuple(
    fc.array(others('open_channels'), { maxLength: 1 }),
    fc.option(blocks),
    fc.array(others('group_channels'), { maxLength: 1 }),
  )
  .map(([before, block, behind]) =>
    ['version: 1', ...before, ...(block === null ? [] : [`${block[0]}:${block[1]}`]), ...behind, ''].join('\n'),
  );

test('whatever the loader finds of a policy or of stricter limits, the search does not miss', async () => {
  const counts = { settled: 0, found: 0 };
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 2 }), async (list) => {
      const at = await folderOf(Object.fromEntries(list.map((text, place) => [`${place}.yaml`, text])));
      const isFound = await mayJudge(at.cwd, planned);
      runs += 1;
      // Loading takes long, and only a search that finds nothing can miss something.
      if (isFound && runs % 4 > 0) return;
      const { policy: loaded, application } = await settingsIn(at.cwd);
      const limits = application === undefined ? planned : { ...planned, ...stricterLimits(planned, application) };
      const adds = loaded.source !== undefined || limits.rate_plan !== '100k_mau' || limits.rate_share !== 1;
      if (adds) expect(isFound).toBe(true);
      counts.found += Number(adds);
      counts.settled += Number(application !== undefined && !isFound);
    }),
    { numRuns: 400 },
  );
  expect(counts.found).toBeGreaterThan(10);
  expect(counts.settled).toBeGreaterThan(5);
});

test('nothing is found in a folder without either, nor in hidden folders and files of other programs', async () => {
  const files = { 'app.yaml': app, '.chatform/a.yaml': policy, 'node_modules/b.yaml': policy, 'c.json': policy };
  expect(await mayJudge((await folderOf(files)).cwd, planned)).toBe(false);
});
