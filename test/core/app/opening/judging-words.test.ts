// Tests that a search for words in a folder misses no policy and no limits that the loader of manifests finds.
import { rm, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
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

test.for(['file.yaml', 'folder'])('no policy is found behind a link that is not followed: %s', async (name) => {
  const outside = await folderOf({ 'file.yaml': policy });
  const at = await folderOf({ 'app.yaml': app, '.hidden/file.yaml': policy });
  for (const target of [outside, new Place(at.path('.hidden'))]) {
    await rm(at.path(name), { force: true });
    await symlink(name === 'folder' ? target.cwd : target.path(name), at.path(name));
    expect((await settingsIn(at.cwd)).policy.source).toBeUndefined();
    expect(await mayJudge(at.cwd, planned)).toBe(false);
  }
});

describe('limits are found as', () => {
  test.for<{ what: string; block: string; isFound: boolean }>([
    { what: 'those of the plan', block: '  rate_plan: 100k_mau\n', isFound: false },
    { what: 'those of the plan, and a comment behind', block: '  rate_plan: 100k_mau # ours\n', isFound: false },
    { what: 'those of the plan, behind a quoted text', block: '  { x: "#", rate_plan: 100k_mau }\n', isFound: false },
    { what: 'those of the plan, in a quoted text', block: '  { x: " rate_plan: 100k_mau" }\n', isFound: true },
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

  test('those of the plan in one application, and none in another', async () => {
    const { cwd } = await folderOf({
      'a.yaml': app,
      'b/b.yaml': 'version: 1\napplication: { base_url: "emulator:f" }\n',
    });
    expect(await mayJudge(cwd, planned)).toBe(true);
  });
});

test('nothing is found in a folder without either, nor in hidden folders and files of other programs', async () => {
  const files = { 'app.yaml': app, '.chatform/a.yaml': policy, 'node_modules/b.yaml': policy, 'c.json': policy };
  expect(await mayJudge((await folderOf(files)).cwd, planned)).toBe(false);
});
