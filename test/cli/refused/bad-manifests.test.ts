// Tests invalid manifests: exit 65, a stable code, the position and advice, and nothing is changed.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { contentOf, copyFolder, makeFolder, removeFolder, writeFiles } from '../../support/folders.ts';
import { runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface BadManifest {
  readonly name: string;
  /** Beside the good chat.yaml; or in its place. */
  readonly files: Readonly<Record<string, string>>;
  readonly code: string;
  readonly place: string;
  /** What the sentence names and advises. */
  readonly says: RegExp;
}

const more = (text: string): Readonly<Record<string, string>> => ({ 'more.yaml': `version: 1\n${text}` });
const long = (count: number): string => 'x'.repeat(count);

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
    name: 'a text where a flag belongs',
    files: more('open_channels:\n  news-room:\n    frozen: "yes"\n'),
    code: 'manifest.wrong-type',
    place: 'more.yaml:4:13',
    says: /true or false|boolean/u,
  },
  {
    name: 'a list where a map belongs',
    files: more('group_channels:\n  news-room:\n    members: [alice]\n'),
    code: 'manifest.wrong-type',
    place: 'more.yaml:4:5',
    says: /members/u,
  },
  {
    name: 'a nickname that is too long',
    files: more(`users:\n  dave:\n    nickname: ${long(81)}\n`),
    code: 'manifest.too-long',
    place: 'more.yaml:4:15',
    says: /81.*80|80.*81/su,
  },
  {
    name: 'a user_id that is too long',
    files: more(`users:\n  ${long(81)}:\n    nickname: Dave\n`),
    code: 'manifest.too-long',
    place: 'more.yaml:3:3',
    says: /80/u,
  },
  {
    name: 'a channel_url with characters that the platform refuses',
    files: more('open_channels:\n  news.room:\n    name: News\n'),
    code: 'manifest.bad-characters',
    place: 'more.yaml:3:3',
    says: /letters/u,
  },
  {
    name: 'a channel_url that is too short',
    files: more('open_channels:\n  new:\n    name: News\n'),
    code: 'manifest.too-short',
    place: 'more.yaml:3:3',
    says: /4/u,
  },
  {
    name: 'more metadata than the platform keeps',
    files: more('users:\n  dave:\n    nickname: Dave\n    metadata: { a: x, b: x, c: x, d: x, e: x, f: x }\n'),
    code: 'manifest.too-many',
    place: 'more.yaml:5:5',
    says: /5/u,
  },
  {
    name: 'an operator who is declared nowhere',
    files: more('open_channels:\n  news-room:\n    operators: [alicia]\n'),
    code: 'manifest.undeclared-user',
    place: 'more.yaml:4:17',
    says: /alice.*policy\.external\.users/su,
  },
  {
    name: 'an inviter who is declared nowhere',
    files: more('group_channels:\n  news-room:\n    members:\n      alice:\n    inviter_id: dave\n'),
    code: 'manifest.undeclared-user',
    place: 'more.yaml:6:17',
    says: /dave is named as inviter/u,
  },
  {
    name: 'a member who is declared nowhere',
    files: more('group_channels:\n  news-room:\n    members:\n      alice:\n      dave:\n'),
    code: 'manifest.undeclared-user',
    place: 'more.yaml:6:7',
    says: /dave is named as member/u,
  },
  {
    name: 'a new group channel without a member',
    files: more('group_channels:\n  news-room:\n    name: News\n'),
    code: 'group_channel.no-members',
    place: 'more.yaml:3:3',
    says: /members/u,
  },
  {
    name: 'an object that two files declare',
    files: more('users:\n  alice:\n    nickname: Alice\n'),
    code: 'manifest.duplicate-resource',
    place: 'more.yaml:3:3',
    says: /chat\.yaml:6:3/u,
  },
  {
    name: 'a key that stands twice in one map',
    files: more('users:\n  dave:\n    nickname: Dave\n  dave:\n    nickname: David\n'),
    code: 'manifest.duplicate-key',
    place: 'more.yaml:5:3',
    says: /dave/u,
  },
  {
    name: 'a channel_url of both kinds',
    files: more('open_channels:\n  support-42:\n    name: News\n'),
    code: 'manifest.shared-channel-url',
    place: 'chat.yaml:',
    says: /more\.yaml:3:3/u,
  },
  {
    name: 'a supergroup that is distinct',
    files: more(
      'group_channels:\n  news-room:\n    is_super: true\n    is_distinct: true\n    members:\n      alice:\n',
    ),
    code: 'manifest.combination',
    place: 'more.yaml:',
    says: /is_super/u,
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
    name: 'an e-mail address as user_id',
    files: more('users:\n  dave@example.com:\n    nickname: Dave\n'),
    code: 'manifest.personal-data',
    place: 'more.yaml:3:3',
    says: /dave@example\.com|e-mail/u,
  },
  {
    name: 'a file that is no YAML',
    files: more('users:\n  dave: [\n'),
    code: 'manifest.syntax',
    place: 'more.yaml:',
    says: /./u,
  },
  {
    name: 'a version that nobody knows',
    files: { 'more.yaml': 'version: 2\n' },
    code: 'manifest.wrong-value',
    place: 'more.yaml:1:10',
    says: /1/u,
  },
  {
    name: 'an edit that the platform cannot make',
    files: { 'chat.yaml': (desk['chat.yaml'] ?? '').replace('name: Lobby', 'name: Lobby\n    is_ephemeral: true') },
    code: 'plan.create-only',
    place: 'chat.yaml:16:5',
    says: /creation/u,
  },
];

/** The estate as an earlier run has left it: a good manifest, its state, its platform. */
let applied = '';
beforeAll(async () => {
  applied = await makeFolder(desk);
  await succeeded(runCli(['apply', '--auto-approve'], { cwd: applied }));
});
afterAll(() => removeFolder(applied));

test.for(cases)('$name', async ({ files, code, place, says }) => {
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

/** A plan sends nothing: a missing variable is a warning there, unless it leaves the application without a name. */
function planExit(stderr: string): number {
  return stderr.includes('application.missing') ? 64 : 0;
}

test('all problems of all files are told in one run', async () => {
  const cwd = await temporaryFolder({
    ...desk,
    'one.yaml': 'version: 1\nusers:\n  dave: {}\n  erin: { nickname: 5 }\n',
    'two.yaml': 'version: 1\nopen_channels:\n  x: {}\n',
  });
  const { exit, stdout } = await runCli(['validate', '--format', 'json'], { cwd });
  expect(exit).toBe(65);
  expect(stdout.match(/"manifest\.[a-z-]+"/gu)).toEqual(
    expect.arrayContaining(['"manifest.missing-key"', '"manifest.wrong-type"', '"manifest.too-short"']),
  );
});
