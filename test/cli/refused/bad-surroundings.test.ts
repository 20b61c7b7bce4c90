// Tests valid manifests with a wrong host, token or state: a code with advice, and nothing is changed.
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { countConnections } from '../../support/connections.ts';
import { desk, deskElsewhere, reaching } from '../../support/desk.ts';
import { freePort } from '../../support/free-port.ts';
import { type Command, connected, type Place, place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { fastClock } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const chat = desk['chat.yaml'] ?? '';
const deskAt = (url: string) => ({ 'chat.yaml': chat.replace('emulator:.chatform/emulator', url) });
const token = 'a-secret-token-of-the-test';
const apply = 'apply --auto-approve';

/** The token and a trace of the program are never shown. */
async function refuses(at: Place, command: Command, exit: number, ...says: readonly string[]): Promise<void> {
  const { stdout, stderr } = await at.ends(command, exit, ...says);
  expect(stdout + stderr).not.toContain(token);
  expect(stderr).not.toMatch(/\n\s+at .*\.ts:/u);
}

test.for([
  ['https', 'CHATFORM_ALLOWED_HOSTS'],
  ['http', 'Use https'],
])('a manifest cannot send the token to a host of its choice (%s)', async ([scheme, advice = '']) => {
  const listener = await countConnections();
  // An address of this machine other than loopback, so that a connection would arrive.
  const host = `0.0.0.0:${listener.port}`;
  const at = await place(deskAt(`${scheme}://${host}/v3`), { CHATFORM_API_TOKEN: token });
  const before = await at.content();
  for (const command of ['plan', apply]) await refuses(at, command, 65, 'base-url.untrusted', host, advice);
  expect(listener.connections).toBe(0);
  expect(await at.content()).toEqual(before);
});

test('trusts a host that the environment allows, and plans without a token', async () => {
  const at = await place(deskAt('https://chat.example.com/v3'));
  await at.ends('plan', 65);
  await at.with({ env: { CHATFORM_ALLOWED_HOSTS: 'chat.example.com' } }).does('plan');
  await at.does('plan --base-url https://api-x.sendbird.com/v3');
});

describe('an apply on a platform', () => {
  async function withoutToken(files: Readonly<Record<string, string>> = {}) {
    const { url, stats } = await startPlatform();
    return { at: await place({ ...deskElsewhere, ...files }, { CHATFORM_BASE_URL: url }), stats };
  }

  test('sends nothing without a token, or with a file of a token that is not there', async () => {
    const { at, stats } = await withoutToken();
    const before = await at.content();
    await refuses(at, apply, 3, 'token.missing', 'CHATFORM_API_TOKEN', '--api-token-file');
    await refuses(at, `${apply} --api-token-file nowhere.txt`, 3, 'token.unreadable', 'nowhere.txt');
    expect(stats.requests.size).toBe(0);
    expect(await at.content()).toEqual(before);
  });

  test.for(['two\nlines', 'two words', 'ümlaut'])('does not send an impossible token: %j', async (text) => {
    const { at, stats } = await withoutToken({ 'token.txt': text });
    const fromFile = `${apply} --api-token-file token.txt`;
    await refuses(at, fromFile, 3, 'token.malformed', '--api-token-file', 'single word');
    const inVariable = at.with({ env: { CHATFORM_API_TOKEN: text } });
    await refuses(inVariable, apply, 3, 'token.malformed', 'CHATFORM_API_TOKEN', 'single word');
    expect(stats.requests.size).toBe(0);
  });

  test('stops at once with a wrong token, and records nothing as done', async () => {
    const { at } = await connected(deskElsewhere);
    const wrong = at.with({ env: { CHATFORM_API_TOKEN: token } });
    await refuses(wrong, `${apply} --report report.json`, 3, 'token');
    expect(await at.readJson('report.json')).toMatchObject({ outcome: 'authentication', exit_code: 3 });
    expect(JSON.stringify(await at.content())).not.toContain(token);
    await at.does(apply);
  });

  test('takes over a state that knows nothing of its application once the address is right', async () => {
    const { at } = await connected(deskElsewhere);
    const wrong = at.with({ env: { ...reaching(await startPlatform()), CHATFORM_API_TOKEN: token } });
    await wrong.ends(apply, 3);
    await at.ends('plan --detailed-exitcode', 2);
    await at.does(apply);
    const log = await at.does('state log --verify');
    expect(log.stdout).toMatch(/apply {2}authentication.*\n.*state rebind {2}done.*from 127.*\n.*apply {2}done/u);
    await refuses(wrong, apply, 6, 'state.other-application', '--state');
  });

  test('says that a run can be resumed where no host answers', async () => {
    const env = { CHATFORM_BASE_URL: `http://127.0.0.1:${await freePort()}/v3`, CHATFORM_API_TOKEN: token };
    const at = await place(deskElsewhere, env);
    const silent = at.with({ clock: fastClock(30) });
    await silent.ends(`${apply} --report report.json`, 4, /refused|reached|connect/iu);
    const report = { outcome: 'incomplete', exit_code: 4, steps: { succeeded: 0 } };
    expect(await at.readJson('report.json')).toMatchObject(report);
    await at.ends('plan --detailed-exitcode', 2);
  });
});

test('refuses the state of another application', async () => {
  const at = await place(desk);
  await at.does(apply);
  const before = await at.content();
  const other = 'emulator:.chatform/other';
  for (const command of ['plan', apply])
    await refuses(at, `${command} --base-url ${other}`, 6, 'state.other-application', other, '--state');
  expect(await at.content()).toEqual(before);
});

test('prints the command with which the application follows a trial', async () => {
  const { at } = await connected(deskElsewhere);
  await at.does(`${apply} --base-url emulator:.chatform/emulator`);
  const { stderr } = await at.ends(apply, 6, 'state.other-application', 'state of a trial');
  const [command = ''] = /rm -r \S+/u.exec(stderr) ?? [];
  expect(spawnSync('sh', ['-c', command], { cwd: at.cwd }).status).toBe(0);
  await at.does(apply);
});

test('refuses a damaged state, and leaves it alone', async () => {
  const at = await place(desk);
  await at.does(apply);
  const file = '.chatform/state/state.ndjson';
  const text = await at.read(file);
  await at.write({ [file]: text.replace('"nickname":"Alice"', '"nickname":"Ali') });
  const before = await at.content();
  expect(before[file]).not.toBe(text);
  for (const command of ['plan', apply]) {
    await refuses(at, command, 1, 'state.corrupt', 'backup');
    await at.ends(command, 1, /the snapshot .* was changed/u);
  }
  expect(await at.content()).toEqual(before);
});

test('refuses to plan without an application, without manifests, and for a path that is not there', async () => {
  await refuses(await place(deskElsewhere), 'plan', 64, 'application.missing', 'base_url', '--base-url');
  const at = await place({ 'notes.txt': 'nothing' });
  await refuses(at, 'plan', 65, 'manifest.no-manifests', '.yaml');
  await refuses(at, 'plan nowhere', 65, 'manifest.not-found', 'nowhere');
});

test('refuses a variable that contains the API token before it shows it', async () => {
  const at = await place(deskAt(`https://api-\${KEY}.sendbird.com/v3`), { CHATFORM_API_TOKEN: token });
  for (const key of [token, ` ${token}\n`])
    await refuses(at.with({ env: { CHATFORM_VAR_KEY: key } }), 'plan', 65, 'manifest.secret-variable');
  await at.with({ env: { CHATFORM_VAR_KEY: 'app' } }).does('plan');
});

test('applies a plan for an emulator elsewhere only with the flag that allows it', async () => {
  const at = await place(desk);
  const elsewhere = ['--base-url', `emulator:${await temporaryFolder()}/data`];
  await at.does(['plan', ...elsewhere, '--out', 'plan.chatform']);
  await at.ends('apply plan.chatform', 6, 'outside the working folder');
  await at.does(['apply', 'plan.chatform', ...elsewhere]);
});
