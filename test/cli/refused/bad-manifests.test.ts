// Tests that plan and apply refuse invalid manifests with 65 and change nothing. test/core/manifest has each problem, its place and
// its advice.
import { expect, test } from 'vitest';
import { desk } from '../../support/desk.ts';
import { writeFiles } from '../../support/folders.ts';
import { Place, place } from '../../support/place.ts';
import { runCli } from '../../support/run-cli.ts';
import { copiesOf } from '../../support/temporary-folder.ts';

const chat = desk['chat.yaml'] ?? '';
const more = (text: string) => ({ 'more.yaml': `version: 1\n${text}` });

/** After an earlier run: a valid manifest, its state, its platform. */
const applied = copiesOf(async (cwd) => {
  await writeFiles(cwd, desk);
  await runCli(['apply', '--auto-approve'], { cwd });
});

test.for<{ name: string; files: Readonly<Record<string, string>>; says: readonly string[]; planned?: number }>([
  {
    name: 'an unknown key',
    files: more('users:\n  dave:\n    nickname: Dave\n    profil_url: ""\n'),
    says: ['manifest.unknown-key', 'more.yaml:5:5', 'profile_url'],
  },
  {
    name: 'a source that is not there',
    files: more('sources:\n  - { kind: user, file: data/users.ndjson }\n'),
    says: ['manifest.file-missing', 'more.yaml:3:25', 'data/users.ndjson'],
  },
  {
    name: 'an object that two files declare',
    files: more('users:\n  alice:\n    nickname: Alice\n'),
    says: ['manifest.duplicate-resource', 'more.yaml:3:3', 'chat.yaml:6:3'],
  },
  {
    // A plan sends nothing, so a missing variable is a warning there.
    name: 'an access code that no variable holds',
    files: more(
      'group_channels:\n  news-room: { is_public: true, access_code: { env: NEWS_CODE, revision: 1 }, members: { alice: } }\n',
    ),
    says: ['manifest.missing-variable', 'more.yaml:3:', 'CHATFORM_VAR_NEWS_CODE'],
    planned: 0,
  },
  {
    name: 'a base URL with a variable that is not set',
    files: { 'chat.yaml': chat.replace('emulator:.chatform/emulator', `https://api-\${APP_ID}.sendbird.com/v3`) },
    says: ['manifest.missing-variable', 'chat.yaml:3:', 'CHATFORM_VAR_APP_ID'],
    planned: 0,
  },
  { name: 'a file that is no YAML', files: more('users:\n  dave: [\n'), says: ['manifest.syntax', 'more.yaml:'] },
  {
    name: 'an edit that the platform cannot make',
    files: { 'chat.yaml': chat.replace('name: Lobby', 'name: Lobby\n    is_ephemeral: true') },
    says: ['plan.create-only', 'chat.yaml:16:5', 'creation'],
  },
])('refuses $name', async ({ files, says, planned = 65 }) => {
  const at = new Place(await applied());
  await at.write(files);
  const before = await at.content();
  for (const [command, exit] of [
    ['plan', planned],
    ['apply --auto-approve', 65],
  ] as const)
    expect((await at.ends(command, exit, ...says)).stderr).not.toMatch(/\n\s+at .*\.ts:/u);
  expect(await at.content()).toEqual(before);
});

test('reports all problems of all files in one run', async () => {
  const at = await place({
    ...desk,
    'one.yaml': 'version: 1\nusers:\n  dave: {}\n  erin: { nickname: 5 }\n',
    'two.yaml': 'version: 1\nopen_channels:\n  x: {}\n',
  });
  const { stdout } = await at.ends('validate --format json', 65);
  expect(stdout.match(/"manifest\.[a-z-]+"/gu)).toEqual(
    expect.arrayContaining(['"manifest.missing-key"', '"manifest.wrong-type"', '"manifest.too-short"']),
  );
});
