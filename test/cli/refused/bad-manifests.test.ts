// Tests that plan and apply refuse invalid manifests with 65 and change nothing. test/manifest has each problem, its place and
// its advice.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { contentOf, copyFolder, makeFolder, removeFolder, writeFiles } from '../../support/folders.ts';
import { expectEnd, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface BadManifest {
  readonly name: string;
  /** Added to the valid chat.yaml, or in its place. */
  readonly files: Readonly<Record<string, string>>;
  readonly code: string;
  readonly place: string;
  /** Parts of the message and the advice. */
  readonly says: RegExp;
}

const more = (text: string): Readonly<Record<string, string>> => ({ 'more.yaml': `version: 1\n${text}` });

const cases: readonly BadManifest[] = [
  {
    name: 'an unknown key',
    files: more('users:\n  dave:\n    nickname: Dave\n    profil_url: ""\n'),
    code: 'manifest.unknown-key',
    place: 'more.yaml:5:5',
    says: /profile_url/u,
  },
  {
    name: 'a source that is not there',
    files: more('sources:\n  - { kind: user, file: data/users.ndjson }\n'),
    code: 'manifest.file-missing',
    place: 'more.yaml:3:25',
    says: /data\/users\.ndjson/u,
  },
  {
    name: 'an object that two files declare',
    files: more('users:\n  alice:\n    nickname: Alice\n'),
    code: 'manifest.duplicate-resource',
    place: 'more.yaml:3:3',
    says: /chat\.yaml:6:3/u,
  },
  {
    name: 'an access code that no variable holds',
    files: more(
      'group_channels:\n  news-room:\n    is_public: true\n    access_code: { env: NEWS_CODE, revision: 1 }\n    members:\n      alice:\n',
    ),
    code: 'manifest.missing-variable',
    place: 'more.yaml:5:',
    says: /CHATFORM_VAR_NEWS_CODE/u,
  },
  {
    name: 'a base URL with a variable that is not set',
    files: {
      'chat.yaml': (desk['chat.yaml'] ?? '').replace(
        'emulator:.chatform/emulator',
        `https://api-\${APP_ID}.sendbird.com/v3`,
      ),
    },
    code: 'manifest.missing-variable',
    place: 'chat.yaml:3:',
    says: /CHATFORM_VAR_APP_ID/u,
  },
  {
    name: 'a file that is no YAML',
    files: more('users:\n  dave: [\n'),
    code: 'manifest.syntax',
    place: 'more.yaml:',
    says: /./u,
  },
  {
    name: 'an edit that the platform cannot make',
    files: { 'chat.yaml': (desk['chat.yaml'] ?? '').replace('name: Lobby', 'name: Lobby\n    is_ephemeral: true') },
    code: 'plan.create-only',
    place: 'chat.yaml:16:5',
    says: /creation/u,
  },
];

/** An estate after an earlier run: a valid manifest, its state, its platform. */
let applied = '';
beforeAll(async () => {
  applied = await makeFolder(desk);
  await succeeded(runCli(['apply', '--auto-approve'], { cwd: applied }));
});
afterAll(() => removeFolder(applied));

test.for(cases)('refuses $name', async ({ files, code, place, says }) => {
  const cwd = await temporaryFolder();
  await copyFolder(applied, cwd);
  await writeFiles(cwd, files);
  const before = await contentOf(cwd);
  for (const args of [['plan'], ['apply', '--auto-approve']]) {
    const { exit, stderr } = await runCli(args, { cwd });
    expect(exit, stderr).toBe(args[0] === 'plan' && code === 'manifest.missing-variable' ? planExit(stderr) : 65);
    expect(stderr).toContain(code);
    expect(stderr).toContain(place);
    expect(stderr.replace(/\s+/gu, ' ')).toMatch(says);
    expect(stderr).not.toMatch(/\n\s+at .*\.ts:/u);
  }
  expect(await contentOf(cwd)).toEqual(before);
});

/** A plan sends nothing, so a missing variable is a warning there, unless the application would have no name. */
function planExit(stderr: string): number {
  return stderr.includes('application.missing') ? 64 : 0;
}

test('reports all problems of all files in one run', async () => {
  const cwd = await temporaryFolder({
    ...desk,
    'one.yaml': 'version: 1\nusers:\n  dave: {}\n  erin: { nickname: 5 }\n',
    'two.yaml': 'version: 1\nopen_channels:\n  x: {}\n',
  });
  const { stdout } = await expectEnd(runCli(['validate', '--format', 'json'], { cwd }), 65);
  expect(stdout.match(/"manifest\.[a-z-]+"/gu)).toEqual(
    expect.arrayContaining(['"manifest.missing-key"', '"manifest.wrong-type"', '"manifest.too-short"']),
  );
});
