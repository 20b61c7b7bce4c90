// Tests how plan, apply and drift handle changes that others made on the platform, through the command line and over HTTP.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import { startAltering } from '../../support/altered-answers.ts';
import { crowd, desk, deskElsewhere, reaching } from '../../support/desk.ts';
import { type Connected, connected, place } from '../../support/place.ts';
import { startPlatform } from '../../support/platform.ts';
import { publishedSchema } from '../../support/published-schema.ts';
import { fastClock } from '../../support/run-cli.ts';
import { fastTest, inSuite } from '../../support/suite.ts';

const chat = deskElsewhere['chat.yaml'] ?? '';
const caroline = { 'chat.yaml': chat.replace('Carol', 'Caroline') };

/** The desk, applied on its own platform. */
async function applied(files = deskElsewhere): Promise<Connected> {
  const there = await connected(files);
  await there.at.does('apply --auto-approve');
  return there;
}

const written = (running: RunningEmulator): number =>
  [...running.stats.requests].reduce((sum, [route, count]) => sum + (route.startsWith('GET') ? 0 : count), 0);

describe('drift', () => {
  fastTest('refuses a state without objects, with an exit code that a nightly job notices', async () => {
    const says = 'error[state.empty]: The state file:.chatform/state contains no object of';
    const { stdout } = await (await place(desk)).ends('drift', 66, says);
    expect(stdout).toBe('');
  });

  fastTest('reads only applied objects, shows the cost, and ends with 0 if nothing was changed', async () => {
    const { at } = await applied();
    await at.write({ 'more.yaml': 'version: 1\nusers:\n  dora: { nickname: Dora }\n' });
    const { stdout } = await at.ends('drift --detailed-exitcode', 0, '3 users cost 1 request');
    expect(stdout).toContain('Read 5 live objects with 4 requests');
  });

  test.for(inSuite(['human'], ['human', 'human --plain', 'markdown', 'html', 'github']))(
    'says what is the same only where the platform was compared with the manifests: %s',
    async (format) => {
      const { at, call } = await applied();
      const text = async (command: string) => (await at.run(`${command} --format ${format}`)).stdout;
      expect(await text('plan --refresh')).toContain('No changes. 10 declared values are the same on the platform.');
      await at.write(caroline);
      const pending = await text('drift');
      expect(pending).toContain('No drift in 10 declared values.');
      expect(pending).not.toContain('the same');
      await at.write({ 'chat.yaml': chat });
      await call('DELETE', '/users/carol');
      const unread = await text('plan');
      expect(unread).toContain('Nothing to do since the last apply. The platform was not read (--refresh).');
      expect(unread).not.toContain('the same');
      expect(await text('plan --refresh')).not.toContain('the same');
    },
  );

  fastTest('says how many declared values the platform has in another form', async () => {
    const running = await startPlatform();
    const altering = await startAltering(running.url);
    onTestFinished(altering.close);
    const at = await place(desk, reaching({ url: altering.url, token: running.token }));
    altering.transit.change = (answer) => JSON.parse(JSON.stringify(answer).replaceAll('"Carol"', '"carol"'));
    await at.ends('apply --auto-approve', 0, 'stored 1 value in another form than sent');
    const says = async (command: string) => (await at.does(command)).stdout;
    const but = 'but 1 value has another form there.';
    expect(await says('plan --refresh')).toContain(`10 declared values are the same on the platform, ${but}`);
    expect(await says('plan --refresh --target user.carol')).toContain(
      `of the selected objects is the same on the platform, ${but}`,
    );
    expect((await at.json('plan --refresh')).refreshed).toMatchObject({ stored_otherwise: 1 });
    expect(await says('explain user.carol --refresh')).toContain('Nothing. The platform was read, and nothing needs');
  });

  fastTest('shows each change, ends with 2 on request, and writes nothing', async () => {
    const { at, call, running } = await applied();
    await call('PUT', '/users/bob', { nickname: 'Robert' });
    await call('DELETE', '/open_channels/lobby');
    await at.write(caroline);
    const [calls, state] = [written(running), await at.content()];
    const { stdout } = await at.ends('drift --detailed-exitcode', 2);
    expect(stdout).toMatch(/user\.bob.*\n.*nickname.*"Bob" → "Robert"/u);
    expect(stdout).toMatch(/open_channel\.lobby.*gone/u);
    // Pending changes of the manifests are not drift.
    expect(stdout).not.toContain('Caroline');
    await at.does('drift');
    expect(written(running)).toBe(calls);
    expect(await at.content()).toEqual(state);
  });

  fastTest('prints JSON that follows the schema', async () => {
    const { at, call } = await applied();
    await call('PUT', '/group_channels/support-42/leave', { user_ids: ['bob'] });
    const value = await at.json('drift');
    expect(publishedSchema('plan')(value)).toEqual([]);
    expect(value).toMatchObject({
      changes: [],
      drift: [{ address: 'group_channel.support-42', type: 'departed' }],
      refreshed: { objects: 5, requests: 4 },
    });
  });
});

fastTest(
  'a member who left and is not invited again has no hidden status, so that an edit of it needs no refresh',
  async () => {
    const chatOf = (bob: string) => ({
      'chat.yaml': `version: 1
users: { alice: { nickname: Alice }, bob: { nickname: Bob } }
group_channels: { room: { members: { alice: , bob: ${bob} } } }
`,
    });
    const [prevents, allows] = ['prevent', 'allow'].map((word) => `{ hidden_status: hidden_${word}_auto_unhide }`);
    const { at, call } = await applied(chatOf(allows ?? ''));
    await call('PUT', '/group_channels/room/leave', { user_ids: ['bob'] });
    await at.does('apply --auto-approve --refresh');
    for (const status of [prevents, '', allows]) {
      await at.write(chatOf(status ?? ''));
      await at.does('apply --auto-approve');
      await at.does('plan --detailed-exitcode');
    }
    await at.does('plan --refresh --detailed-exitcode');
  },
);

describe('plan and apply with --refresh', () => {
  fastTest('accept the approved hash of a refreshed plan, and read only the selected objects', async () => {
    const { at, call } = await applied();
    await call('PUT', '/users/bob', { nickname: 'Robert' });
    expect(await at.json('plan --refresh --target user.carol')).toMatchObject({
      changes: [],
      drift: [],
      refreshed: { objects: 1, requests: 1 },
    });
    expect(await at.json('plan --refresh --exclude user.bob')).toMatchObject({ changes: [], drift: [] });
    const { hash } = await at.json('plan --refresh');
    await at.ends(`apply --auto-approve --approved-hash ${hash}`, 6);
    await at.does(`apply --refresh --auto-approve --approved-hash ${hash}`);
    await at.does('drift --detailed-exitcode');
  });

  fastTest('change nothing and end with 3 without a token or with a wrong one', async () => {
    const { at } = await applied();
    const [without, wrong] = ['', 'wrong'].map((token) => at.with({ env: { CHATFORM_API_TOKEN: token } }));
    const before = await at.content('.chatform');
    for (const command of ['plan --refresh', 'drift', 'apply --refresh --auto-approve']) {
      await without?.ends(command, 3);
      await wrong?.ends(command, 3, 'token.refused');
    }
    expect(await at.content('.chatform')).toEqual(before);
    await wrong?.ends('apply --refresh --auto-approve --report report.json', 3);
    expect(await at.readJson('report.json')).toMatchObject({ outcome: 'authentication', exit_code: 3 });
  });

  fastTest('take no next word for their value, and refuse other words', async () => {
    const at = await place(desk);
    await at.ends('plan --refresh=most', 64, "argument 'most' is invalid. Allowed choices are all, changed, none.");
    await at.ends('plan --refresh nosuch.yaml', 65, 'nosuch.yaml');
    await at.with({ env: { CHATFORM_REFRESH: 'true' } }).ends('plan', 64, 'It must be one of all, changed, none.');
  });
});

describe('without --refresh', () => {
  fastTest('reads nothing, and says what a refresh would cost if there is a token', async () => {
    const { at, running } = await applied();
    const before = new Map(running.stats.requests);
    await at.ends('plan', 0, 'The platform was not read. --refresh would read 5 objects with 3 requests.');
    await at.ends('plan --target user.carol', 0, 'would read 1 object with 1 request.');
    expect(running.stats.requests).toEqual(before);
    const withoutToken = await at.with({ env: { CHATFORM_API_TOKEN: '' } }).does('plan');
    expect(withoutToken.stderr).not.toContain('--refresh would');
  });

  fastTest('reads as policy.refresh says, unless a flag overrides it', async () => {
    const { at } = await applied();
    const isRead = async (command: string) => (await at.run(command)).stderr.includes('Refresh: ');
    for (const { refresh, plan, save, apply } of [
      { refresh: 'none', plan: false, save: false, apply: false },
      { refresh: '{ apply: all }', plan: false, save: true, apply: true },
      { refresh: '{ plan: all, apply: none }', plan: true, save: false, apply: false },
      { refresh: 'all', plan: true, save: true, apply: true },
      // Nothing differs from the state, so nothing is read.
      { refresh: 'changed', plan: false, save: false, apply: false },
    ]) {
      await at.write({ 'policy.yaml': `version: 1\npolicy: { refresh: ${refresh} }\n` });
      expect(await isRead('plan'), refresh).toBe(plan);
      expect(await isRead('plan --out plan.chatform'), refresh).toBe(save);
      expect(await isRead('apply --auto-approve'), refresh).toBe(apply);
      if (!plan) expect(await isRead('plan --refresh'), refresh).toBe(true);
    }
    expect(await isRead('apply --auto-approve --no-refresh')).toBe(false);
    expect((await at.run('plan --no-refresh')).stderr).not.toMatch(/Refresh: |would read/u);
  });
});

describe('a saved plan', () => {
  async function saved(): Promise<Connected> {
    const there = await applied();
    await there.at.write({ 'chat.yaml': chat.replace('Carol', 'Caroline').replace('name: Lobby', 'name: Hall') });
    await there.at.does('plan --refresh --out plan.chatform');
    return there;
  }

  fastTest('is compared with the platform again before its first write, at a cost that is shown', async () => {
    const { at, running } = await saved();
    const before = running.stats.requests.get('GET /users') ?? 0;
    await at.ends('apply plan.chatform', 0, 'Refresh: 1 open channel costs 1 request, 1 user costs 1 request.');
    expect(running.stats.requests.get('GET /users')).toBe(before + 1);
    expect((await at.run('apply plan.chatform')).stdout).toContain('nothing left to do');
  });

  fastTest('is refused after a conflicting change, and --skip-conflicts applies the rest', async () => {
    const { at, call, running } = await saved();
    await call('PUT', '/users/carol', { nickname: 'Karoline' });
    const [calls, state] = [written(running), await at.content('.chatform')];
    const says = 'The platform changed since the plan was made: user.carol (nickname)';
    await at.ends('apply plan.chatform', 6, says);
    expect(written(running)).toBe(calls);
    expect(await at.content('.chatform')).toEqual(state);
    await at.does('apply plan.chatform --skip-conflicts');
    expect(written(running)).toBe(calls + 1);
  });

  fastTest(
    'does not conflict with changes of other attributes, of other objects, or to the value that it sets',
    async () => {
      const { at, call } = await saved();
      await call('PUT', '/users/carol', { profile_url: 'https://x', nickname: 'Caroline' });
      await call('PUT', '/users/bob', { nickname: 'Robert' });
      await at.does('apply plan.chatform');
    },
  );

  fastTest('conflicts with the deletion of an object that it changes', async () => {
    const { at, call } = await saved();
    await call('DELETE', '/open_channels/lobby');
    await at.ends('apply plan.chatform', 6, 'open_channel.lobby (is gone)');
  });

  fastTest('checks nothing if it was made without a refresh, and says so', async () => {
    const { at, call, running } = await applied();
    await at.write(caroline);
    await at.ends('plan --out plan.chatform', 0, 'will not check for live changes');
    await call('PUT', '/users/carol', { nickname: 'Karoline' });
    const reads = running.stats.requests.get('GET /users');
    await at.does('apply plan.chatform');
    expect(running.stats.requests.get('GET /users')).toBe(reads);
  });

  fastTest('conflicts with objects that others created, not with those of its own interrupted run', async () => {
    const { at, call, running } = await connected(crowd(60));
    const slow = at.with({ env: { CHATFORM_RATE_PLAN: '10k_mau' }, clock: fastClock(10) });
    await slow.does('plan --refresh --out plan.chatform');
    await slow.ends('apply plan.chatform --max-duration 2s', 9);
    await call('POST', '/users', { user_id: 'user-59', nickname: 'X', profile_url: '' });
    await at.ends('apply plan.chatform', 6, 'user.user-59 (is there)');
    await at.does('apply plan.chatform --skip-conflicts');
    expect(running.stats.requests.get('POST /users')).toBe(60);
  });
});
