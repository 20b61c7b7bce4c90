// Tests --refresh=changed: what is read before a plan, through the command line and over HTTP.
import { describe, expect, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import { deskElsewhere } from '../../support/desk.ts';
import { type Connected, connected } from '../../support/place.ts';

const chat = deskElsewhere['chat.yaml'] ?? '';
const caroline = chat.replace('Carol', 'Caroline');
const apply = 'apply --auto-approve --refresh=changed';

async function applied(): Promise<Connected> {
  const there = await connected(deskElsewhere);
  await there.at.does('apply --auto-approve');
  return there;
}

const reads = (running: RunningEmulator): number =>
  [...running.stats.requests].reduce((sum, [route, count]) => sum + (route.startsWith('GET') ? count : 0), 0);

async function readsOf({ running, at }: Connected, command: string): Promise<number> {
  const before = reads(running);
  await at.run(command);
  return reads(running) - before;
}

describe('--refresh=changed', () => {
  test('reads nothing if nothing would change', async () => {
    const there = await applied();
    await there.call('PUT', '/users/bob', { nickname: 'Robert' });
    expect(await readsOf(there, 'plan --refresh=changed')).toBe(0);
    expect(await readsOf(there, 'apply --refresh=changed')).toBe(0);
    expect((await there.at.does('plan --refresh=changed')).stdout).toContain('The platform was not read');
  });

  test('reads what the plan changes, and finds its drift, but not that of other objects', async () => {
    const there = await applied();
    const { at, call } = there;
    await call('PUT', '/users/bob', { nickname: 'Robert' });
    await call('PUT', '/users/carol', { nickname: 'Live' });
    await at.write({ 'chat.yaml': caroline });
    expect(await readsOf(there, 'plan --refresh=changed')).toBe(1);
    const plan = await at.json('plan --refresh=changed');
    expect(plan.refreshed).toMatchObject({ only: 'changed', objects: 1, requests: 1 });
    expect(plan.drift.map(({ address }: { address: string }) => address)).toEqual(['user.carol']);
    expect(plan.changes.map(({ address }: { address: string }) => address)).toEqual(['user.carol']);
    const { stdout } = await at.does('plan --refresh=changed');
    expect(stdout.split('\n')[0]).toBe('Plan: 1 to update. Of the live objects, only the 1 that it changes was read.');
  });

  test('sends nothing for a change that others have made already', async () => {
    const { at, call } = await applied();
    await call('PUT', '/users/carol', { nickname: 'Caroline' });
    await at.write({ 'chat.yaml': caroline });
    const { requests, changes } = await at.json('plan --refresh=changed');
    expect(requests).toEqual([]);
    expect(changes.map(({ address }: { address: string }) => address)).toEqual(['user.carol']);
    await at.does(apply);
    expect((await at.json('plan')).changes).toEqual([]);
  });

  test('shows that an object which would be created exists', async () => {
    const { at, call } = await applied();
    await call('POST', '/users', { user_id: 'dora', nickname: 'Dora', profile_url: '' });
    await at.write({ 'more.yaml': 'version: 1\nusers: { dora: { nickname: Other } }\n' });
    expect((await at.json('plan')).summary).toEqual({ create: 1 });
    expect((await at.json('plan --refresh=changed')).summary).toEqual({ conflict: 1 });
  });

  test('reads the channel of a history file, without which it is lost', async () => {
    const there = await applied();
    const { at, call } = there;
    const line = { message_type: 'MESG', user_id: 'alice', message: 'Hello', timestamp: 1_600_000_000_000 };
    const history = (lines: readonly object[]) => lines.map((one) => `${JSON.stringify(one)}\n`).join('');
    const declared = chat.replace('name: Support 42\n', 'name: Support 42\n    messages: { file: support.ndjson }\n');
    await at.write({ 'chat.yaml': declared, 'support.ndjson': history([line]) });
    await at.does('apply --auto-approve');
    await call('DELETE', '/group_channels/support-42');
    const late = { ...line, message: 'Again', timestamp: 1_600_000_100_000 };
    await at.write({ 'support.ndjson': history([line, late]) });
    const { changes } = await at.json('plan --refresh=changed');
    const created = changes.filter(({ actions }: { actions: string[] }) => actions.includes('create'));
    expect(created.map(({ address }: { address: string }) => address)).toEqual(['group_channel.support-42']);
  });

  test('reads what names an object that is gone, so that no membership is lost', async () => {
    const { at, call } = await applied();
    await call('DELETE', '/users/alice');
    await at.write({ 'chat.yaml': chat.replace('nickname: Alice', 'nickname: Alicia') });
    const changed = async (word: string) =>
      (await at.json(`plan --refresh=${word}`)).changes.map(({ address }: { address: string }) => address);
    expect(await changed('changed')).toEqual(await changed('all'));
    await at.does(apply);
    expect((await at.json('plan --refresh')).changes).toEqual([]);
  });

  test.for(['--refresh=changed', '--refresh'])(
    'finds the dangers of a history that is sent again: %s',
    async (flag) => {
      const { at, call } = await applied();
      const lines = { message_type: 'MESG', user_id: 'alice', message: 'Hello', timestamp: 1_600_000_000_000 };
      const history = chat.replace('name: Support 42\n', 'name: Support 42\n    messages: { file: support.ndjson }\n');
      await at.write({ 'chat.yaml': history, 'support.ndjson': `${JSON.stringify(lines)}\n` });
      const codes = async (command: string) =>
        (await at.json(command)).warnings.filter(({ dangerous }: { dangerous?: true }) => dangerous === true);
      const first = await codes(`plan ${flag}`);
      expect(first.length).toBeGreaterThan(0);
      await at.does('apply --auto-approve');
      await call('DELETE', '/group_channels/support-42');
      await at.write({ 'chat.yaml': history.replace('name: Support 42', 'name: Desk') });
      expect((await codes(`plan ${flag}`)).map(({ code }: { code: string }) => code)).toEqual(
        first.map(({ code }: { code: string }) => code),
      );
    },
  );

  test('is kept by a saved plan: an apply refuses what changed since', async () => {
    const { at, call } = await applied();
    await at.write({ 'chat.yaml': caroline });
    await at.does('plan --refresh=changed --out plan.chatform');
    await call('PUT', '/users/carol', { nickname: 'Live' });
    await at.ends('apply plan.chatform --auto-approve', 6, 'user.carol');
  });

  test('is what policy.refresh says, and flags overrule it', async () => {
    const there = await applied();
    const { at } = there;
    await at.write({ 'chat.yaml': caroline, 'policy.yaml': 'version: 1\npolicy: { refresh: changed }\n' });
    expect(await readsOf(there, 'plan')).toBe(1);
    expect(await readsOf(there, 'plan --no-refresh')).toBe(0);
    expect(await readsOf(there, 'plan --refresh')).toBeGreaterThan(1);
    const none = there.at.with({ env: { CHATFORM_REFRESH: 'none' } });
    expect(await readsOf({ ...there, at: none }, 'plan')).toBe(0);
  });
});
