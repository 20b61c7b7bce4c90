// Tests how plan, apply and drift handle changes that others made on the platform, through the command line and over HTTP.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import { crowd, desk, deskElsewhere, reaching } from '../../support/desk.ts';
import { contentOf, writeFiles } from '../../support/folders.ts';
import { call, startPlatform } from '../../support/platform.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { type CliEnd, expectEnd, fastClock, runCli, succeeded } from '../../support/run-cli.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Applied {
  readonly cwd: string;
  readonly running: RunningEmulator;
  readonly chat: string;
  run(...args: readonly string[]): Promise<CliEnd>;
  /** A call of another client. */
  edit(method: string, path: string, body?: object): Promise<unknown>;
}

/** The desk, applied on its own platform. */
async function applied(files: Readonly<Record<string, string>> = deskElsewhere): Promise<Applied> {
  const running = await startPlatform();
  const cwd = await temporaryFolder(files);
  const run = (...args: readonly string[]) => runCli(args, { cwd, env: reaching(running) });
  await succeeded(run('apply', '--auto-approve'));
  return {
    cwd,
    running,
    chat: files['chat.yaml'] ?? '',
    run,
    edit: (method, path, body) => call(running, method, path, body),
  };
}

const written = (running: RunningEmulator): number =>
  [...running.stats.requests].reduce((sum, [route, count]) => sum + (route.startsWith('GET') ? 0 : count), 0);

const formats = inSuite([['human']], [['human'], ['human', '--plain'], ['markdown'], ['html'], ['github']]);

describe('drift', () => {
  fastTest('refuses a state without objects, with an exit code that a nightly job notices', async () => {
    const cwd = await temporaryFolder(desk);
    const ended = await runCli(['drift'], { cwd });
    expect(ended).toMatchObject({ exit: 1, stdout: '' });
    expect(ended.stderr).toContain('error[state.empty]: The state file:.chatform/state contains no object of');
  });

  fastTest('reads only applied objects, shows the cost, and ends with 0 if nothing was changed', async () => {
    const { cwd, run } = await applied();
    await writeFiles(cwd, { 'more.yaml': 'version: 1\nusers:\n  dora: { nickname: Dora }\n' });
    const ended = await succeeded(run('drift', '--detailed-exitcode'));
    expect(ended.stderr).toContain('3 users cost 1 request');
    expect(ended.stdout).toContain('Read 5 live objects with 4 requests');
  });

  test.for(formats)(
    'says "as declared" only where the platform was compared with the manifests: %j',
    async (format) => {
      const { cwd, run, edit, chat } = await applied();
      const text = async (...args: string[]) => (await run(...args, '--format', ...format)).stdout;
      expect(await text('plan', '--refresh')).toContain('No changes. The platform is as declared.');
      await writeFiles(cwd, { 'chat.yaml': chat.replace('Carol', 'Caroline') });
      const pending = await text('drift');
      expect(pending).toContain('No drift. No managed object was changed on the platform since the last apply.');
      expect(pending).not.toContain('as declared');
      await writeFiles(cwd, { 'chat.yaml': chat });
      await edit('DELETE', '/users/carol');
      const unread = await text('plan');
      expect(unread).toContain('Nothing to do since the last apply. The platform was not read (--refresh).');
      expect(unread).not.toContain('as declared');
      expect(await text('plan', '--refresh')).not.toContain('as declared');
    },
  );

  fastTest('shows each change, ends with 2 on request, and writes nothing', async () => {
    const { cwd, run, edit, running, chat } = await applied();
    await edit('PUT', '/users/bob', { nickname: 'Robert' });
    await edit('DELETE', '/open_channels/lobby');
    await writeFiles(cwd, { 'chat.yaml': chat.replace('Carol', 'Caroline') });
    const [calls, state] = [written(running), await contentOf(cwd)];
    const ended = await expectEnd(run('drift', '--detailed-exitcode'), 2);
    expect(ended.stdout).toMatch(/user\.bob.*\n.*nickname.*"Bob" → "Robert"/u);
    expect(ended.stdout).toMatch(/open_channel\.lobby.*gone/u);
    // Pending changes of the manifests are not drift.
    expect(ended.stdout).not.toContain('Caroline');
    expect(await run('drift')).toMatchObject({ exit: 0 });
    expect(written(running)).toBe(calls);
    expect(await contentOf(cwd)).toEqual(state);
  });

  fastTest('prints JSON that follows the schema', async () => {
    const { run, edit } = await applied();
    await edit('PUT', '/group_channels/support-42/leave', { user_ids: ['bob'] });
    const { stdout } = await run('drift', '--format', 'json');
    const value = JSON.parse(stdout);
    expect(publishedSchema('plan')(value)).toEqual([]);
    expect(value).toMatchObject({
      changes: [],
      drift: [{ address: 'group_channel.support-42', type: 'departed' }],
      refreshed: { objects: 5, requests: 4 },
    });
  });
});

describe('a member who left and is not invited again', () => {
  const chatOf = (bob: string) => `version: 1
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
group_channels: { room: { members: { alice: , bob: ${bob} } } }
`;
  const statuses = ['{ hidden_status: hidden_prevent_auto_unhide }', '', '{ hidden_status: hidden_allow_auto_unhide }'];

  fastTest('has no hidden status, so that an edit of it ends well without a refresh', async () => {
    const { cwd, run, edit } = await applied({ 'chat.yaml': chatOf(statuses[2] ?? '') });
    await edit('PUT', '/group_channels/room/leave', { user_ids: ['bob'] });
    await succeeded(run('apply', '--auto-approve', '--refresh'));
    for (const status of statuses) {
      await writeFiles(cwd, { 'chat.yaml': chatOf(status) });
      await succeeded(run('apply', '--auto-approve'));
      expect(await run('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
    }
    expect(await run('plan', '--refresh', '--detailed-exitcode')).toMatchObject({ exit: 0 });
  });
});

describe('plan and apply with --refresh', () => {
  fastTest('accept the approved hash of a refreshed plan', async () => {
    const { run, edit } = await applied();
    await edit('PUT', '/users/bob', { nickname: 'Robert' });
    const { hash } = JSON.parse((await run('plan', '--refresh', '--format', 'json')).stdout);
    await expectEnd(run('apply', '--auto-approve', '--approved-hash', hash), 6);
    expect(await run('apply', '--refresh', '--auto-approve', '--approved-hash', hash)).toMatchObject({ exit: 0 });
    expect(await run('drift', '--detailed-exitcode')).toMatchObject({ exit: 0 });
  });

  fastTest('read only the targets', async () => {
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

  fastTest('reads nothing, and says what a refresh would cost if there is a token', async () => {
    const { cwd, run, running } = await applied();
    const before = new Map(running.stats.requests);
    expect((await run('plan')).stderr).toContain(reads);
    expect(running.stats.requests).toEqual(before);
    expect((await run('plan', '--target', 'user.carol')).stderr).toContain('would read 1 object with 1 request.');
    const withoutToken = await succeeded(
      runCli(['plan'], { cwd, env: { ...reaching(running), CHATFORM_API_TOKEN: '' } }),
    );
    expect(withoutToken.stderr).not.toContain('--refresh would');
  });

  fastTest('reads as policy.refresh says, unless a flag overrides it', async () => {
    const { cwd, run } = await applied();
    const isRead = async (...args: string[]) => (await run(...args)).stderr.includes('Refresh: ');
    for (const { refresh, plan, save, apply } of [
      { refresh: 'never', plan: false, save: false, apply: false },
      { refresh: 'on_apply', plan: false, save: true, apply: true },
      { refresh: 'always', plan: true, save: true, apply: true },
    ]) {
      await writeFiles(cwd, { 'policy.yaml': `version: 1\npolicy: { refresh: ${refresh} }\n` });
      expect(await isRead('plan'), refresh).toBe(plan);
      expect(await isRead('plan', '--out', 'plan.chatform'), refresh).toBe(save);
      expect(await isRead('apply', '--auto-approve'), refresh).toBe(apply);
      if (!plan) expect(await isRead('plan', '--refresh'), refresh).toBe(true);
    }
    expect(await isRead('apply', '--auto-approve', '--skip-refresh')).toBe(false);
    const skipped = await run('plan', '--skip-refresh');
    expect(skipped.stderr).not.toMatch(/Refresh: |would read/u);
  });

  fastTest('refuses --refresh together with --skip-refresh', async () => {
    await expectEnd(
      runCli(['plan', '--refresh', '--skip-refresh'], { cwd: await temporaryFolder(desk) }),
      64,
      '--refresh and --skip-refresh cannot be combined.',
    );
  });
});

describe('a saved plan', () => {
  async function saved(): Promise<Applied> {
    const desk = await applied();
    const text = desk.chat.replace('Carol', 'Caroline').replace('name: Lobby', 'name: Hall');
    await writeFiles(desk.cwd, { 'chat.yaml': text });
    await succeeded(desk.run('plan', '--refresh', '--out', 'plan.chatform'));
    return desk;
  }

  fastTest('is compared with the platform again before its first write, at a cost that is shown', async () => {
    const { run, running } = await saved();
    const before = running.stats.requests.get('GET /users') ?? 0;
    const ended = await succeeded(run('apply', 'plan.chatform'));
    expect(ended.stderr).toContain('Refresh: 1 open channel costs 1 request, 1 user costs 1 request.');
    expect(running.stats.requests.get('GET /users')).toBe(before + 1);
    expect((await run('apply', 'plan.chatform')).stdout).toContain('nothing left to do');
  });

  fastTest('is refused after a conflicting change, and --skip-conflicts applies the rest', async () => {
    const { cwd, run, edit, running } = await saved();
    await edit('PUT', '/users/carol', { nickname: 'Karoline' });
    const [calls, state] = [written(running), await contentOf(join(cwd, '.chatform'))];
    await expectEnd(
      run('apply', 'plan.chatform'),
      6,
      /The platform changed since the plan was made:\s+user\.carol\s+\(nickname\)/u,
    );
    expect(written(running)).toBe(calls);
    expect(await contentOf(join(cwd, '.chatform'))).toEqual(state);
    await succeeded(run('apply', 'plan.chatform', '--skip-conflicts'));
    expect(written(running)).toBe(calls + 1);
  });

  fastTest(
    'does not conflict with changes of other attributes, of other objects, or to the value that it sets',
    async () => {
      const { run, edit } = await saved();
      await edit('PUT', '/users/carol', { profile_url: 'https://x', nickname: 'Caroline' });
      await edit('PUT', '/users/bob', { nickname: 'Robert' });
      await succeeded(run('apply', 'plan.chatform'));
    },
  );

  fastTest('conflicts with the deletion of an object that it changes', async () => {
    const { run, edit } = await saved();
    await edit('DELETE', '/open_channels/lobby');
    await expectEnd(run('apply', 'plan.chatform'), 6, /open_channel\.lobby\s+\(is\s+gone\)/u);
  });

  fastTest('checks nothing if it was made without a refresh, and says so', async () => {
    const { cwd, run, edit, chat, running } = await applied();
    await writeFiles(cwd, { 'chat.yaml': chat.replace('Carol', 'Caroline') });
    const planned = await run('plan', '--out', 'plan.chatform');
    expect(planned.stderr).toContain('will not check for live changes');
    await edit('PUT', '/users/carol', { nickname: 'Karoline' });
    const reads = running.stats.requests.get('GET /users');
    expect(await run('apply', 'plan.chatform')).toMatchObject({ exit: 0 });
    expect(running.stats.requests.get('GET /users')).toBe(reads);
  });

  fastTest('conflicts with objects that others created, not with those of its own interrupted run', async () => {
    const running = await startPlatform();
    const cwd = await temporaryFolder(crowd(60));
    const env = { ...reaching(running), CHATFORM_RATE_PLAN: '10k_mau' };
    await succeeded(runCli(['plan', '--refresh', '--out', 'plan.chatform'], { cwd, env }));
    await expectEnd(runCli(['apply', 'plan.chatform', '--max-duration', '2s'], { cwd, env, clock: fastClock(10) }), 9);
    await call(running, 'POST', '/users', { user_id: 'user-59', nickname: 'X', profile_url: '' });
    await expectEnd(
      runCli(['apply', 'plan.chatform'], { cwd, env: reaching(running) }),
      6,
      /user\.user-59\s+\(is\s+there\)/u,
    );
    await succeeded(runCli(['apply', 'plan.chatform', '--skip-conflicts'], { cwd, env: reaching(running) }));
    expect(running.stats.requests.get('POST /users')).toBe(60);
  });
});

describe('a refresh that fails', () => {
  fastTest('changes nothing and ends with 3 without a token or with a wrong one', async () => {
    const { cwd, running } = await applied();
    const { CHATFORM_API_TOKEN: _token, ...without } = reaching(running);
    const before = await contentOf(join(cwd, '.chatform'));
    for (const args of [['plan', '--refresh'], ['drift'], ['apply', '--refresh', '--auto-approve']]) {
      await expectEnd(runCli(args, { cwd, env: without }), 3);
      await expectEnd(runCli(args, { cwd, env: { ...without, CHATFORM_API_TOKEN: 'wrong' } }), 3, 'token.refused');
    }
    expect(await contentOf(join(cwd, '.chatform'))).toEqual(before);
    const env = { ...without, CHATFORM_API_TOKEN: 'wrong' };
    await runCli(['apply', '--refresh', '--auto-approve', '--report', 'report.json'], { cwd, env });
    const report = JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
    expect(report).toMatchObject({ outcome: 'authentication', exit_code: 3 });
  });
});
