// Tests that the value of a secret variable is in no output and reaches no name server, wherever manifests use it.
import diagnosticsChannel from 'node:diagnostics_channel';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { place } from '../../support/place.ts';
import { fastClock } from '../../support/run-cli.ts';
import { fastTest, inSuite } from '../../support/suite.ts';

const canary = 'canary7391';
const env = { CHATFORM_VAR_CODE: canary, CHATFORM_VAR_PLAIN: 'harmless', CHATFORM_API_TOKEN: 'token' };

/** The hosts and paths of connections opened since the last check. */
function connections(): () => string {
  const hosts: string[] = [];
  const onConnect = (message: unknown) => void hosts.push(JSON.stringify(message));
  diagnosticsChannel.subscribe('undici:client:beforeConnect', onConnect);
  onTestFinished(() => void diagnosticsChannel.unsubscribe('undici:client:beforeConnect', onConnect));
  return () => hosts.splice(0).join('\n');
}

/** The declarations of the secret, in separate files, valid or not. */
const secretFiles: Readonly<Record<string, string>> = {
  block:
    'group_channels:\n  den1:\n    members: { alice: }\n    is_public: true\n    access_code: { env: CODE, revision: 1 }\n',
  flow: 'group_channels: { den1: { members: { alice: }, is_public: true, access_code: { env: CODE, revision: 1 } } }\n',
  defaults: 'defaults: { group_channels: { access_code: { env: CODE, revision: 1 } } }\n',
  source: 'sources: [{ kind: group_channel, file: rooms.ndjson }]\n',
  refused: 'group_channels: { den1: { access_code: { env: CODE, revision: first } } }\n',
  twice:
    'group_channels:\n  den1: { members: { alice: } }\n  den1: { members: { alice: }, access_code: { env: CODE, revision: 1 } }\n',
  broken: 'group_channels: { den1: { access_code: { env: CODE, revision: 1 }\n',
};
const rooms = `{"channel_url": "den1", "members": {"alice": {}}, "is_public": true, "access_code": {"env": "CODE", "revision": 1}}\n`;

const uses: readonly string[] = [
  'base_url: "https://api-USE.sendbird.com/v3"',
  'base_url: "https://USE.example/v3"',
  'base_url: "http://USE.example/v3"',
  'base_url: "http://127.0.0.1:9/USE/v3"',
  'base_url: "http://127.0.0.1:9/v3?USE"',
  'base_url: "https://USE@127.0.0.1:9/v3"',
  'base_url: "emulator:.chatform/USE"',
  'base_url: "emulator:../USE"',
  'base_url: "USE"',
  'base_url: "emulator:.chatform/e", rate_plan: "USE"',
  'base_url: "emulator:.chatform/e", limits: { POST: "USE" }',
  'base_url: "emulator:.chatform/e", rate_share: "USE"',
];

const commands: readonly (readonly string[])[] = [
  ...['human', 'json', 'sarif', 'github'].map((format) => ['validate', '--format', format]),
  ['validate', '--online'],
  ...['human', 'json', 'markdown', 'html'].map((format) => ['plan', '--format', format]),
  ['plan', '--refresh'],
  ['explain', 'user.alice'],
  ['explain', 'user.alice', '--format', 'json'],
  ['apply', '--auto-approve'],
  ['rehearse'],
  ['drift'],
  ['verify'],
  ['state', 'list'],
  ['export', '--out-dir', 'copy'],
];

function manifest(use: string, variable: string): string {
  const application = use.replace('USE', `\${${variable}}`);
  return `version: 1\napplication: { ${application} }\nusers: { alice: { nickname: Alice } }\n`;
}

test('is neither shown nor looked up by any command', async () => {
  const connected = connections();
  const random = fc.record({
    secret: fc.constantFrom(...Object.keys(secretFiles)),
    isFirst: fc.boolean(),
    use: fc.constantFrom(...uses),
    command: fc.constantFrom(...commands),
  });
  await fc.assert(
    fc.asyncProperty(random, async ({ secret, isFirst, use, command }) => {
      const at = await place();
      const declared = `version: 1\n${secretFiles[secret]}`;
      await at.write({ 'm.yaml': manifest(use, 'CODE'), [isFirst ? 'a.yaml' : 'z.yaml']: declared });
      if (secret === 'source') await at.write({ 'rooms.ndjson': rooms });
      const { stdout, stderr } = await at.with({ env }).ends(command, 65);
      expect(`${stdout}${stderr}`).not.toContain(canary);
      expect(connected()).toBe('');
    }),
    { numRuns: inSuite(25, 100) },
  );
});

fastTest('values that break the rules of the application block are not repeated, secret or not', async () => {
  for (const use of uses.filter((one) => /, /u.test(one))) {
    const at = await place({ 'm.yaml': manifest(use, 'CODE') });
    const { stdout, stderr } = await at.with({ env }).ends('validate', 65);
    expect(`${stdout}${stderr}`).not.toContain(canary);
  }
});

fastTest('shows and uses a variable that is not secret, so the tests above can fail', async () => {
  const connected = connections();
  const local = `${manifest('base_url: "http://127.0.0.1:9/USE/v3"', 'PLAIN')}${secretFiles.block}`;
  const at = await place({ 'm.yaml': local });
  const planned = await at.with({ env }).does('plan');
  expect(planned.stdout).toContain('harmless');
  await at.with({ env, clock: fastClock(1000) }).run('validate --online');
  expect(connected()).toContain('127.0.0.1');
});
