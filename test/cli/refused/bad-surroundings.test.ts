// Tests valid manifests with a wrong host, token or state: a code with advice, and nothing is changed.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countConnections } from '../../support/connections.ts';
import { desk, deskElsewhere, reaching } from '../../support/desk.ts';
import { contentOf } from '../../support/folders.ts';
import { freePort } from '../../support/free-port.ts';
import { startPlatform } from '../../support/platform.ts';
import { type CliEnd, expectEnd, fastClock, runCli, succeeded } from '../../support/run-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const token = 'a-secret-token-of-the-test';
const apply = ['apply', '--auto-approve'];

function expectRefusal(ended: CliEnd, exit: number, code: string, advice: RegExp): void {
  expect(ended.exit, ended.stderr).toBe(exit);
  expect(ended.stderr).toContain(code);
  // Long lines are wrapped.
  expect(ended.stderr.replace(/\s+/gu, ' ')).toMatch(advice);
  expect(ended.stdout + ended.stderr).not.toContain(token);
  expect(ended.stderr).not.toMatch(/\n\s+at .*\.ts:/u);
}

test.for(['https', 'http'])('a manifest cannot send the token to a host of its choice (%s)', async (scheme) => {
  const listener = await countConnections();
  // An address of this machine other than loopback, so that a connection would arrive.
  const host = `0.0.0.0:${listener.port}`;
  const text = (desk['chat.yaml'] ?? '').replace('emulator:.chatform/emulator', `${scheme}://${host}/v3`);
  const cwd = await temporaryFolder({ 'chat.yaml': text });
  const before = await contentOf(cwd);
  for (const args of [['plan'], apply]) {
    const ended = await runCli(args, { cwd, env: { CHATFORM_API_TOKEN: token } });
    expectRefusal(ended, 6, 'base-url.untrusted', /CHATFORM_ALLOWED_HOSTS|Use https/u);
    expect(ended.stderr).toContain(host);
  }
  expect(listener.connections).toBe(0);
  expect(await contentOf(cwd)).toEqual(before);
});

test('trusts a host that the environment allows', async () => {
  const text = (desk['chat.yaml'] ?? '').replace('emulator:.chatform/emulator', 'https://chat.example.com/v3');
  const cwd = await temporaryFolder({ 'chat.yaml': text });
  expect(await runCli(['plan'], { cwd })).toMatchObject({ exit: 6 });
  expect(await runCli(['plan'], { cwd, env: { CHATFORM_ALLOWED_HOSTS: 'chat.example.com' } })).toMatchObject({
    exit: 0,
  });
});

test('sends nothing without a token', async () => {
  const { url, stats } = await startPlatform();
  const cwd = await temporaryFolder(deskElsewhere);
  const before = await contentOf(cwd);
  const ended = await runCli(apply, { cwd, env: { CHATFORM_BASE_URL: url } });
  expectRefusal(ended, 3, 'token.missing', /CHATFORM_API_TOKEN.*--api-token-file/su);
  expect(stats.requests.size).toBe(0);
  expect(await contentOf(cwd)).toEqual(before);
});

test.for(['two\nlines', 'two words', 'ümlaut'])('does not send an impossible token: %j', async (text) => {
  const { url, stats } = await startPlatform();
  const cwd = await temporaryFolder({ ...deskElsewhere, 'token.txt': text });
  const env = { CHATFORM_BASE_URL: url };
  const fromFile = await runCli([...apply, '--api-token-file', 'token.txt'], { cwd, env });
  expectRefusal(fromFile, 3, 'token.malformed', /--api-token-file.*single word/u);
  const fromEnvironment = await runCli(apply, { cwd, env: { ...env, CHATFORM_API_TOKEN: text } });
  expectRefusal(fromEnvironment, 3, 'token.malformed', /CHATFORM_API_TOKEN.*single word/u);
  expect(stats.requests.size).toBe(0);
});

test('names a missing token file', async () => {
  const { url } = await startPlatform();
  const cwd = await temporaryFolder(deskElsewhere);
  const ended = await runCli([...apply, '--api-token-file', 'nowhere.txt'], { cwd, env: { CHATFORM_BASE_URL: url } });
  expectRefusal(ended, 3, 'token.unreadable', /nowhere\.txt/u);
});

test('plans without a token', async () => {
  const cwd = await temporaryFolder(deskElsewhere);
  await succeeded(runCli(['plan'], { cwd, env: { CHATFORM_BASE_URL: 'https://api-x.sendbird.com/v3' } }));
});

test('stops at once with a wrong token, and records nothing as done', async () => {
  const running = await startPlatform();
  const cwd = await temporaryFolder(deskElsewhere);
  const ended = await expectEnd(
    runCli([...apply, '--report', 'report.json'], {
      cwd,
      env: { ...reaching(running), CHATFORM_API_TOKEN: token },
    }),
    3,
    /token/iu,
  );
  expect(ended.stdout + ended.stderr).not.toContain(token);
  const content = await contentOf(cwd);
  expect(JSON.parse(content['report.json'] ?? '')).toMatchObject({ outcome: 'authentication', exit_code: 3 });
  expect(JSON.stringify(content)).not.toContain(token);
  await succeeded(runCli(apply, { cwd, env: reaching(running) }));
});

test('takes over a state that knows nothing of its application once the address is right', async () => {
  const cwd = await temporaryFolder(deskElsewhere);
  const wrong = { ...reaching(await startPlatform()), CHATFORM_API_TOKEN: token };
  expect(await runCli(apply, { cwd, env: wrong })).toMatchObject({ exit: 3 });
  const env = reaching(await startPlatform());
  expect(await runCli(['plan', '--detailed-exitcode'], { cwd, env })).toMatchObject({ exit: 2 });
  await succeeded(runCli(apply, { cwd, env }));
  const log = await succeeded(runCli(['state', 'log', '--verify'], { cwd, env }));
  expect(log.stdout).toMatch(/apply {2}authentication.*\n.*state rebind {2}done.*from 127.*\n.*apply {2}done/u);
  expectRefusal(await runCli(apply, { cwd, env: wrong }), 6, 'state.other-application', /--state/u);
});

test('says that a run can be resumed where no host answers', async () => {
  const cwd = await temporaryFolder(deskElsewhere);
  const env = { CHATFORM_BASE_URL: `http://127.0.0.1:${await freePort()}/v3`, CHATFORM_API_TOKEN: token };
  await expectEnd(
    runCli([...apply, '--report', 'report.json'], { cwd, env, clock: fastClock(30) }),
    4,
    /refused|reached|connect/iu,
  );
  const report = JSON.parse((await contentOf(cwd))['report.json'] ?? '');
  expect(report).toMatchObject({ outcome: 'incomplete', exit_code: 4, steps: { succeeded: 0 } });
  await expectEnd(runCli(['plan', '--detailed-exitcode'], { cwd, env }), 2);
});

test('refuses the state of another application', async () => {
  const cwd = await temporaryFolder(desk);
  expect(await runCli(apply, { cwd })).toMatchObject({ exit: 0 });
  const before = await contentOf(cwd);
  for (const args of [['plan'], apply]) {
    const ended = await runCli([...args, '--base-url', 'emulator:.chatform/other'], { cwd });
    expectRefusal(ended, 6, 'state.other-application', /--state/u);
    expect(ended.stderr).toContain('emulator:.chatform/other');
  }
  expect(await contentOf(cwd)).toEqual(before);
});

test('refuses a damaged state, and leaves it alone', async () => {
  const cwd = await temporaryFolder(desk);
  expect(await runCli(apply, { cwd })).toMatchObject({ exit: 0 });
  const file = '.chatform/state/state.ndjson';
  const text = (await contentOf(cwd))[file] ?? '';
  await writeFile(join(cwd, file), text.replace('"nickname":"Alice"', '"nickname":"Ali'));
  const before = await contentOf(cwd);
  expect(before[file]).not.toBe(text);
  for (const args of [['plan'], apply]) {
    const ended = await runCli(args, { cwd });
    expectRefusal(ended, 1, 'state.corrupt', /backup/u);
    expect(ended.stderr).toMatch(/the snapshot .* was changed/u);
  }
  expect(await contentOf(cwd)).toEqual(before);
});

test('refuses to plan without an application', async () => {
  const cwd = await temporaryFolder(deskElsewhere);
  expectRefusal(await runCli(['plan'], { cwd }), 64, 'application.missing', /base_url.*--base-url/su);
});

test('refuses a folder without manifests and a missing one', async () => {
  const cwd = await temporaryFolder({ 'notes.txt': 'nothing' });
  expectRefusal(await runCli(['plan'], { cwd }), 65, 'manifest.no-manifests', /\.yaml/u);
  expectRefusal(await runCli(['plan', 'nowhere'], { cwd }), 65, 'manifest.not-found', /nowhere/u);
});

test('refuses a variable that contains the API token before it shows it', async () => {
  const files = {
    'chat.yaml': desk['chat.yaml']?.replace(/base_url: .*/u, `base_url: https://api-\${KEY}.sendbird.com/v3`) ?? '',
  };
  const cwd = await temporaryFolder({ ...desk, ...files });
  for (const key of ['s3cret-token', ' s3cret-token\n']) {
    const env = { CHATFORM_API_TOKEN: 's3cret-token', CHATFORM_VAR_KEY: key };
    const { exit, stdout, stderr } = await runCli(['plan'], { cwd, env });
    expect({ exit, stderr }).toEqual({ exit: 65, stderr: expect.stringContaining('manifest.secret-variable') });
    expect(stdout + stderr).not.toContain('s3cret');
  }
  const env = { CHATFORM_API_TOKEN: 's3cret-token', CHATFORM_VAR_KEY: 'app' };
  expect(await runCli(['plan'], { cwd, env })).toMatchObject({ exit: 0 });
});

test('applies a plan for an emulator elsewhere only with the flag that allows it', async () => {
  const cwd = await temporaryFolder(desk);
  const elsewhere = `emulator:${join(await temporaryFolder(), 'data')}`;
  await succeeded(runCli(['plan', '--base-url', elsewhere, '--out', 'plan.chatform'], { cwd }));
  await expectEnd(runCli(['apply', 'plan.chatform'], { cwd }), 6, 'outside the working folder');
  await succeeded(runCli(['apply', 'plan.chatform', '--base-url', elsewhere], { cwd }));
});
