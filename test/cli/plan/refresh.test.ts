// Tests what plan, apply and drift do about changes that others made on the platform. Through the command line, over HTTP.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type RunningEmulator, startEmulator } from '../../../src/emulator/server.ts';
import { crowd, desk, deskElsewhere, reaching } from '../../support/desk.ts';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { schemaOf } from '../../support/published-schema.ts';
import { type CliEnd, runCli } from '../../support/run-cli.ts';
import { inSuite } from '../../support/suite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Applied {
  readonly cwd: string;
  readonly running: RunningEmulator;
  readonly chat: string;
  run(...args: readonly string[]): Promise<CliEnd>;
  /** Somebody else's call. */
  edit(method: string, path: string, body?: object): Promise<void>;
}

/** The desk, applied on a platform of its own. */
async function applied(files: Readonly<Record<string, string>> = deskElsewhere): Promise<Applied> {
  const running = await startEmulator({ rateLimits: false });
  onTestFinished(() => running.close());
  const cwd = await temporaryFolder(files);
  const run = (...args: readonly string[]) => runCli(args, { cwd, env: reaching(running) });
  const first = await run('apply', '--auto-approve');
  expect(first, first.stderr).toMatchObject({ exit: 0 });
  return {
    cwd,
    running,
    chat: files['chat.yaml'] ?? '',
    run,
    edit: async (method, path, body) => {
      const response = await fetch(`${running.url}${path}`, {
        method,
        headers: { 'Api-Token': running.token, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      expect(response.status, await response.text()).toBe(200);
    },
  };
}

const written = (running: RunningEmulator): number =>
  [...running.stats.requests].reduce((sum, [route, count]) => sum + (route.startsWith('GET') ? 0 : count), 0);

const formats = inSuite([['human']], [['human'], ['human', '--plain'], ['markdown'], ['html'], ['github']]);

describe('drift', () => {
  test('refused before anything was applied, with an exit code that a nightly job notices', async () => {
    const cwd = await temporaryFolder(desk);
    const ended = await runCli(['drift'], { cwd });
    expect(ended).toMatchObject({ exit: 1, stdout: '' });
    expect(ended.stderr).toContain('error[state.empty]: The state file:.chatform/state contains no object of');
  });

  test('none: said, and 0', async () => {
    const { run } = await applied();
    const ended = await run('drift', '--detailed-exitcode');
    expect(ended).toMatchObject({ exit: 0 });
    expect(ended.stderr).toContain('3 users cost 1 request');
    expect(ended.stdout).toContain('Read 5 live objects with 4 requests');
  });

  test.for(formats)('an empty plan says whether it looked at the platform: %j', async (format) => {
    const { run, edit } = await applied();
    const text = async (...args: string[]) => (await run('plan', '--format', ...format, ...args)).stdout;
    expect(await text('--refresh')).toContain('No changes. The platform is as declared.');
    await edit('DELETE', '/users/carol');
    const unread = await text();
    expect(unread).toContain('Nothing to do since the last apply. The platform was not read (--refresh).');
    expect(unread).not.toContain('as declared');
    expect(await text('--refresh')).not.toContain('as declared');
  });

  test.for(formats)(
    'none, while something waits in the manifests: not "as declared", since that was not asked: %j',
    async (format) => {
      const { cwd, run, chat } = await applied();
      await writeFiles(cwd, { 'chat.yaml': chat.replace('Carol', 'Caroline') });
      const { exit, stdout } = await run('drift', '--format', ...format);
      expect(exit).toBe(0);
      expect(stdout).toContain('No drift. No managed object was changed on the platform since the last apply.');
      expect(stdout).not.toContain('as declared');
    },
  );

  test('some: shown, 2 when asked for, and nothing is written anywhere', async () => {
    const { cwd, run, edit, running, chat } = await applied();
    await edit('PUT', '/users/bob', { nickname: 'Robert' });
    await edit('DELETE', '/open_channels/lobby');
    await writeFiles(cwd, { 'chat.yaml': chat.replace('Carol', 'Caroline') });
    const [calls, state] = [written(running), await contentOf(cwd)];
    const ended = await run('drift', '--detailed-exitcode');
    expect(ended.exit).toBe(2);
    expect(ended.stdout).toMatch(/user\.bob.*\n.*nickname.*"Bob" → "Robert"/u);
    expect(ended.stdout).toMatch(/open_channel\.lobby.*gone/u);
    // What waits in the manifests is no drift.
    expect(ended.stdout).not.toContain('Caroline');
    expect(await run('drift')).toMatchObject({ exit: 0 });
    expect(written(running)).toBe(calls);
    expect(await contentOf(cwd)).toEqual(state);
  });

  test('as JSON that follows the schema', async () => {
    const { run, edit } = await applied();
    await edit('PUT', '/group_channels/support-42/leave', { user_ids: ['bob'] });
    const { stdout } = await run('drift', '--format', 'json');
    const validate = new Ajv2020({ strict: true, allErrors: true, strictRequired: false }).compile(schemaOf('plan'));
    const value = JSON.parse(stdout);
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
    expect(value).toMatchObject({
      changes: [],
      drift: [{ address: 'group_channel.support-42', type: 'departed' }],
      refreshed: { objects: 5, requests: 4 },
    });
  });

  test('objects that are declared and not applied yet are not read', async () => {
    const { cwd, run } = await applied();
    await writeFiles(cwd, { 'more.yaml': 'version: 1\nusers:\n  dora: { nickname: Dora }\n' });
    expect((await run('drift')).stdout).toContain('Read 5 live objects');
  });
});

describe('plan and apply with --refresh', () => {
  test('what others changed is set back, what they removed is made again, and then nothing is drift', async () => {
    const { run, edit } = await applied();
    await edit('PUT', '/users/bob', { nickname: 'Robert' });
    await edit('DELETE', '/open_channels/lobby');
    await edit('PUT', '/group_channels/support-42/freeze', { freeze: true });
    const planned = await run('plan', '--refresh', '--detailed-exitcode');
    expect(planned.exit).toBe(2);
    expect(planned.stdout).toContain('nickname changed on the platform since the last apply');
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
    const ended = await run('apply', '--refresh', '--auto-approve');
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    expect(await run('drift', '--detailed-exitcode')).toMatchObject({ exit: 0 });
    expect(await run('plan', '--refresh', '--detailed-exitcode')).toMatchObject({ exit: 0 });
  });

  test('an object that is there already is foreseen', async () => {
    const { cwd, run, edit } = await applied();
    await edit('POST', '/users', { user_id: 'dora', nickname: 'Dora', profile_url: '' });
    await writeFiles(cwd, { 'more.yaml': 'version: 1\nusers:\n  dora: { nickname: Dora }\n' });
    const planned = await run('plan', '--refresh', '--format', 'json');
    expect(JSON.parse(planned.stdout).warnings).toMatchObject([{ code: 'plan.exists', address: 'user.dora' }]);
    await writeFiles(cwd, { 'policy.yaml': 'version: 1\npolicy: { existing: adopt_equal }\n' });
    const ended = await run('apply', '--refresh', '--auto-approve');
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    expect(ended.stdout).toContain('1 to adopt');
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
  });

  test('the hash of a refreshed plan can be approved', async () => {
    const { run, edit } = await applied();
    await edit('PUT', '/users/bob', { nickname: 'Robert' });
    const { hash } = JSON.parse((await run('plan', '--refresh', '--format', 'json')).stdout);
    const other = await run('apply', '--auto-approve', '--approved-hash', hash);
    expect(other.exit).toBe(6);
    expect(await run('apply', '--refresh', '--auto-approve', '--approved-hash', hash)).toMatchObject({ exit: 0 });
    expect(await run('drift', '--detailed-exitcode')).toMatchObject({ exit: 0 });
  });

  test('only targets are read', async () => {
    const { run, edit } = await applied();
    await edit('PUT', '/users/bob', { nickname: 'Robert' });
    const planned = await run('plan', '--refresh', '--target', 'user.carol', '--format', 'json');
    expect(JSON.parse(planned.stdout)).toMatchObject({
      changes: [],
      drift: [],
      refreshed: { objects: 1, requests: 1 },
    });
  });
});

describe('without --refresh', () => {
  const reads = 'The platform was not read. --refresh would read 5 objects with 3 requests.';

  test('with a token, a line says what reading would cost; nothing is read', async () => {
    const { cwd, run, running } = await applied();
    const before = new Map(running.stats.requests);
    expect((await run('plan')).stderr).toContain(reads);
    expect(running.stats.requests).toEqual(before);
    expect((await run('plan', '--target', 'user.carol')).stderr).toContain('would read 1 object with 1 request.');
    const withoutToken = await runCli(['plan'], { cwd, env: { ...reaching(running), CHATFORM_API_TOKEN: '' } });
    expect(withoutToken).toMatchObject({ exit: 0 });
    expect(withoutToken.stderr).not.toContain('--refresh would');
  });

  test.for([
    { habit: 'always', look: true, save: true, apply: true },
    { habit: 'on_apply', look: false, save: true, apply: true },
    { habit: 'never', look: false, save: false, apply: false },
  ])('the policy $habit decides who reads', async ({ habit, look, save, apply }) => {
    const { cwd, run } = await applied();
    await writeFiles(cwd, { 'policy.yaml': `version: 1\npolicy: { refresh: ${habit} }\n` });
    const isRead = async (...args: string[]) => (await run(...args)).stderr.includes('Refresh: ');
    expect(await isRead('plan')).toBe(look);
    expect(await isRead('plan', '--out', 'plan.json')).toBe(save);
    expect(await isRead('apply', '--auto-approve')).toBe(apply);
    expect(await isRead('plan', '--skip-refresh')).toBe(false);
    expect(await isRead('apply', '--auto-approve', '--skip-refresh')).toBe(false);
    expect(await isRead('plan', '--refresh')).toBe(true);
    expect((await run('plan', '--skip-refresh')).stderr).not.toContain('would read');
  });

  test('asking for both is refused', async () => {
    const { run } = await applied();
    const ended = await run('plan', '--refresh', '--skip-refresh');
    expect(ended.exit).toBe(64);
    expect(ended.stderr).toContain('Both --refresh and --skip-refresh are given.');
  });
});

describe('a saved plan', () => {
  async function saved(): Promise<Applied> {
    const desk = await applied();
    const text = desk.chat.replace('Carol', 'Caroline').replace('name: Lobby', 'name: Hall');
    await writeFiles(desk.cwd, { 'chat.yaml': text });
    const planned = await desk.run('plan', '--refresh', '--out', 'plan.json');
    expect(planned, planned.stderr).toMatchObject({ exit: 0 });
    return desk;
  }

  test('reads what it changes again before the first write, and says what that costs', async () => {
    const { run, running } = await saved();
    const before = running.stats.requests.get('GET /users') ?? 0;
    const ended = await run('apply', 'plan.json');
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
    expect(ended.stderr).toContain('Refresh: 1 open channel costs 1 request, 1 user costs 1 request.');
    expect(running.stats.requests.get('GET /users')).toBe(before + 1);
    expect((await run('apply', 'plan.json')).stdout).toContain('Nothing is left to do');
  });

  test('a conflict on the platform: 6, nothing is written; the rest with --skip-conflicts', async () => {
    const { cwd, run, edit, running } = await saved();
    await edit('PUT', '/users/carol', { nickname: 'Karoline' });
    const [calls, state] = [written(running), await contentOf(join(cwd, '.chatform'))];
    const refused = await run('apply', 'plan.json');
    expect(refused.exit).toBe(6);
    expect(refused.stderr).toMatch(/The platform was changed since the plan was made:\s+user\.carol\s+\(nickname\)/u);
    expect(written(running)).toBe(calls);
    expect(await contentOf(join(cwd, '.chatform'))).toEqual(state);
    const rest = await run('apply', 'plan.json', '--skip-conflicts');
    expect(rest, rest.stderr).toMatchObject({ exit: 0 });
    expect(written(running)).toBe(calls + 1);
  });

  test.for([
    { name: 'an attribute that it does not change', path: '/users/carol', body: { profile_url: 'https://x' } },
    { name: 'an object that it does not change', path: '/users/bob', body: { nickname: 'Robert' } },
    { name: 'to what it would have made of it', path: '/users/carol', body: { nickname: 'Caroline' } },
  ])('no conflict: $name', async ({ path, body }) => {
    const { run, edit } = await saved();
    await edit('PUT', path, body);
    const ended = await run('apply', 'plan.json');
    expect(ended, ended.stderr).toMatchObject({ exit: 0 });
  });

  test('an object that is gone: a conflict', async () => {
    const { run, edit } = await saved();
    await edit('DELETE', '/open_channels/lobby');
    const refused = await run('apply', 'plan.json');
    expect(refused.exit).toBe(6);
    expect(refused.stderr).toMatch(/open_channel\.lobby\s+\(is\s+gone\)/u);
  });

  test('made without a refresh says so, and checks nothing', async () => {
    const { cwd, run, edit, chat, running } = await applied();
    await writeFiles(cwd, { 'chat.yaml': chat.replace('Carol', 'Caroline') });
    const planned = await run('plan', '--out', 'plan.json');
    expect(planned.stderr).toContain('will not check for live changes');
    await edit('PUT', '/users/carol', { nickname: 'Karoline' });
    const reads = running.stats.requests.get('GET /users');
    expect(await run('apply', 'plan.json')).toMatchObject({ exit: 0 });
    expect(running.stats.requests.get('GET /users')).toBe(reads);
  });

  test('of creations: what is there by now is a conflict, what an interrupted apply made is not', async () => {
    const running = await startEmulator({ rateLimits: false });
    onTestFinished(() => running.close());
    const cwd = await temporaryFolder(crowd(60));
    const env = { ...reaching(running), CHATFORM_RATE_PLAN: '10k_mau' };
    const planned = await runCli(['plan', '--refresh', '--out', 'plan.json'], { cwd, env });
    expect(planned, planned.stderr).toMatchObject({ exit: 0 });
    const first = await runCli(['apply', 'plan.json', '--max-duration', '2s'], { cwd, env });
    expect(first.exit, first.stderr).toBe(9);
    const theirs = { user_id: 'user-59', nickname: 'X', profile_url: '' };
    const response = await fetch(`${running.url}/users`, {
      method: 'POST',
      headers: { 'Api-Token': running.token, 'content-type': 'application/json' },
      body: JSON.stringify(theirs),
    });
    expect(response.status).toBe(200);
    const refused = await runCli(['apply', 'plan.json'], { cwd, env: reaching(running) });
    expect(refused.exit, refused.stderr).toBe(6);
    expect(refused.stderr).toMatch(/user\.user-59\s+\(is\s+there\)/u);
    const rest = await runCli(['apply', 'plan.json', '--skip-conflicts'], { cwd, env: reaching(running) });
    expect(rest, rest.stderr).toMatchObject({ exit: 0 });
    expect(running.stats.requests.get('POST /users')).toBe(60);
  });
});

describe('what goes wrong', () => {
  test.for([['plan', '--refresh'], ['drift'], ['apply', '--refresh', '--auto-approve']])(
    '%s: without a token, and with a wrong one: 3, nothing changed',
    async (args) => {
      const { cwd, running } = await applied();
      const { CHATFORM_API_TOKEN: _token, ...without } = reaching(running);
      const before = await contentOf(join(cwd, '.chatform'));
      const none = await runCli(args, { cwd, env: without });
      expect(none.exit, none.stderr).toBe(3);
      const wrong = await runCli(args, { cwd, env: { ...without, CHATFORM_API_TOKEN: 'wrong' } });
      expect(wrong.exit, wrong.stderr).toBe(3);
      expect(wrong.stderr).toContain('token.refused');
      expect(await contentOf(join(cwd, '.chatform'))).toEqual(before);
    },
  );

  test('a report is written when the look at the platform fails', async () => {
    const { cwd, running } = await applied();
    const env = { ...reaching(running), CHATFORM_API_TOKEN: 'wrong' };
    await runCli(['apply', '--refresh', '--auto-approve', '--report', 'report.json'], { cwd, env });
    const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
    expect(report).toMatchObject({ outcome: 'authentication', exit_code: 3 });
  });
});
