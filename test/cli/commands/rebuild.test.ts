// Tests that lost state can be rebuilt: the next plan is right, and the output names what cannot be recovered.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import { writeFiles } from '../../support/folders.ts';
import { connected } from '../../support/place.ts';
import { type CliEnd, succeeded } from '../../support/run-cli.ts';
import { fastTest, inSuite } from '../../support/suite.ts';

const chat = `version: 1
users:
  alice: { nickname: Alice, metadata: { team: support }, issue_access_token: { revision: 3 } }
  bob: { nickname: Bob, deactivated: true }
  carol: { nickname: Carol, lifecycle: { protect: true } }
open_channels:
  lobby: { name: Lobby, operators: [alice], frozen: true }
group_channels:
  support-42:
    name: Support 42
    members:
      alice:
      carol: { hidden_status: hidden_prevent_auto_unhide }
    operators: [alice]
    is_public: true
    access_code: { env: CODE, revision: 2 }
    messages: { file: history.ndjson }
`;
const line = (timestamp: number) =>
  `${JSON.stringify({ message_type: 'MESG', user_id: 'alice', message: 'Hello', timestamp })}\n`;
const history = line(1_600_000_000_000) + line(1_600_000_000_001);

interface There {
  readonly cwd: string;
  readonly running: RunningEmulator;
  run(...args: readonly string[]): Promise<CliEnd>;
  edit(method: string, path: string, body?: object): Promise<unknown>;
}

/** An estate that was applied and whose state, returned as text, is lost. */
async function lost(): Promise<There & { readonly before: string }> {
  const { at: there, running, call } = await connected({ 'chat.yaml': chat, 'history.ndjson': history });
  const at = there.with({ env: { CHATFORM_VAR_CODE: 'geheim' } });

  const run = (...args: readonly string[]) => at.run(args);
  await succeeded(run('apply', '--auto-approve', '--tokens-out', 'tokens'));
  const before = await readFile(at.path('.chatform/state/state.ndjson'), 'utf8');
  await rm(at.path('.chatform'), { recursive: true });
  const edit: There['edit'] = (method, path, body) => call(method, path, body);
  return { cwd: at.cwd, running, run, edit, before };
}

const writes = ({ stats }: RunningEmulator): string[] =>
  [...stats.requests].flatMap(([route, count]) => (route.startsWith('GET') ? [] : [`${route} ${count}`])).sort();
const records = (text: string): string[] =>
  text.split('\n').filter((row) => row.includes('"address"') && !row.includes('"chatform.'));

fastTest('rebuilds the same records with reads only', async () => {
  const { cwd, run, running, before } = await lost();
  const written = writes(running);
  const ended = await succeeded(run('state', 'rebuild'));
  expect(ended.stdout).toContain('was rebuilt with 6 objects.');
  expect(ended.stdout).toContain('access_code (1) and issue_access_token (1)');
  expect(records(await readFile(join(cwd, '.chatform/state/state.ndjson'), 'utf8'))).toEqual(records(before));
  expect(await run('plan', '--refresh', '--detailed-exitcode')).toMatchObject({ exit: 0 });
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ exit: 0 });
  expect(writes(running)).toEqual(written);
});

fastTest('takes changed objects as they are, and the next plan shows the difference', async () => {
  const { run, edit } = await lost();
  await edit('PUT', '/users/alice', { nickname: 'Alicia' });
  await edit('PUT', '/open_channels/lobby/freeze', { freeze: false });
  await edit('DELETE', '/users/bob');
  const ended = await run('state', 'rebuild', 'chat.yaml');
  expect(ended.stdout).toContain('1 declared object is not on the platform');
  expect(ended.stdout).toContain('shows changes to 2 objects');
  const plan = await run('plan', '--format', 'json');
  const { changes } = JSON.parse(plan.stdout) as { changes: { address: string; actions: string[] }[] };
  expect(changes.map(({ address, actions }) => `${address} ${actions.join()}`).sort()).toEqual([
    'open_channel.lobby freeze',
    'user.alice update',
    'user.bob create,deactivate',
  ]);
  expect(await run('apply', '--auto-approve')).toMatchObject({ exit: 0 });
  expect(await run('plan', '--refresh', '--detailed-exitcode')).toMatchObject({ exit: 0 });
});

fastTest.for([
  { name: 'with a hole', there: [0, 2, 5], known: 1 },
  { name: 'without its start', there: [4], known: 0 },
])('sends only the rest of an archive of which a part is there, $name', async ({ there, known }) => {
  const lines = Array.from({ length: 7 }, (_, place) => line(1_600_000_000_000 + place));
  const small = `application: { base_url: 'emulator:x', limits: { messages_per_migration: 2 } }\n`;
  const { cwd, run, edit } = await lost();
  await writeFiles(cwd, { 'chat.yaml': chat + small, 'history.ndjson': lines.join('') });
  await edit('DELETE', '/group_channels/support-42');
  const room = { channel_url: 'support-42', name: 'Support 42', user_ids: ['alice', 'carol'], operator_ids: ['alice'] };
  await edit('POST', '/group_channels', { ...room, is_public: true, access_code: 'geheim', strict: true });
  // With other dedup ids than chatform's, so that the platform would accept them twice.
  const messages = there.map((place) => ({ ...(JSON.parse(lines[place] ?? '') as object), dedup_id: `own-${place}` }));
  await edit('POST', '/migration/support-42', { messages });
  const ended = await succeeded(run('state', 'rebuild'));
  expect(ended.stdout).toContain(
    `! messages.support-42  ${there.length} of 7 messages are on the platform. An apply looks`,
  );
  const plan = JSON.parse((await run('plan', '--format', 'json')).stdout) as { changes: { notes?: string[] }[] };
  expect(JSON.stringify(plan.changes)).toContain(`${7 - known} messages in`);
  await succeeded(run('apply', '--auto-approve'));
  const verified = await run('verify', '--all', '--format', 'json');
  expect(JSON.parse(verified.stdout)).toMatchObject({ exit_code: 0, channels: [{ there: 7, doubled: 0, missing: 0 }] });
  expect(await run('plan', '--refresh', '--detailed-exitcode')).toMatchObject({ exit: 0 });
});

fastTest('records nothing if nothing was applied', async () => {
  const { at } = await connected({ 'chat.yaml': chat, 'history.ndjson': history });

  const ended = await at.does('state rebuild');
  expect(ended.stdout).toContain('was rebuilt with 0 objects. 5 declared objects are not on the platform');
});

fastTest('refuses a state with objects', async () => {
  const { run, running } = await lost();
  expect(await run('state', 'rebuild')).toMatchObject({ exit: 0 });
  const asked = [...running.stats.requests.values()].reduce((sum, count) => sum + count, 0);
  const ended = await run('state', 'rebuild');
  expect(ended).toMatchObject({ exit: 6, stdout: '' });
  expect(ended.stderr).toContain('state.occupied');
  expect([...running.stats.requests.values()].reduce((sum, count) => sum + count, 0)).toBe(asked);
});

fastTest('completes an interrupted rebuild with --force', async () => {
  const { run, edit } = await lost();
  expect(await run('state', 'rebuild')).toMatchObject({ exit: 0 });
  expect(await run('state', 'forget', 'user.carol', 'messages.support-42', '--force')).toMatchObject({ exit: 0 });
  await edit('PUT', '/users/alice', { nickname: 'Alicia' });
  await succeeded(run('state', 'rebuild', '--force'));
  expect(await run('state', 'list')).toMatchObject({ stdout: expect.stringContaining('messages.support-42') });
  const plan = await run('plan', '--format', 'json');
  expect(JSON.parse(plan.stdout)).toMatchObject({
    changes: [{ address: 'user.alice', attributes: [{ path: 'nickname', before: 'Alicia', after: 'Alice' }] }],
  });
});

fastTest('refuses manifests with an error, and a missing path', async () => {
  const { cwd, run } = await lost();
  await writeFiles(cwd, { 'chat.yaml': 'version: 1\nusers: { alice: { nick: A } }\n' });
  expect(await run('state', 'rebuild')).toMatchObject({ exit: 65 });
  expect(await run('state', 'rebuild', 'nowhere')).toMatchObject({ exit: 65 });
});

describe('a channel that stores no message', () => {
  const archived = 'lobby: { messages: { file: history.ndjson } }';

  /** The channel is on the platform, but not in state. */
  async function withLobby(lobby: string, policy = '') {
    const chat = (channel: string) =>
      `version: 1\n${policy}users: { alice: { nickname: A, profile_url: '' } }\nopen_channels: { ${channel} }\n`;
    const { at, call } = await connected({ 'chat.yaml': chat(lobby), 'history.ndjson': history });
    await call('POST', '/open_channels', { channel_url: 'lobby', is_ephemeral: true });
    return {
      run: (...args: string[]) => at.run(args),
      declare: (channel: string) => at.write({ 'chat.yaml': chat(channel) }),
    };
  }

  const refusal = { exit: 65, stderr: expect.stringContaining('messages.ephemeral') };

  fastTest('accepts no archive when it is adopted with one', async () => {
    const { run } = await withLobby(archived);
    expect(await run('state', 'rebuild')).toMatchObject(refusal);
    expect(await run('adopt', 'open_channel.lobby')).toMatchObject(refusal);
    expect((await run('state', 'list')).stdout).not.toContain('lobby');
  });

  const ways: { name: string; args: string[]; policy?: string }[] = [
    { name: 'rebuilt', args: ['state', 'rebuild'] },
    { name: 'adopted', args: ['adopt', 'open_channel.lobby'] },
    { name: 'met by an apply', args: ['apply', '--auto-approve'], policy: 'policy: { existing: adopt }\n' },
    {
      name: 'seen by a refresh',
      args: ['apply', '--auto-approve', '--refresh'],
      policy: 'policy: { existing: adopt }\n',
    },
    {
      name: 'seen by a refresh and equal',
      args: ['apply', '--auto-approve', '--refresh'],
      policy: 'policy: { existing: adopt_equal }\n',
    },
  ];

  test.for(inSuite(ways.slice(0, 1), ways))(
    'accepts no archive that is added after it was $name',
    async ({ args, policy }) => {
      const { run, declare } = await withLobby('lobby: {}', policy);
      await succeeded(run(...args));
      expect((await run('state', 'list')).stdout).toContain('lobby');
      await succeeded(run('plan', '--refresh', '--target', 'open_channel.lobby', '--detailed-exitcode'));
      await declare(archived);
      expect(await run('plan')).toMatchObject(refusal);
      expect(await run('apply', '--auto-approve')).toMatchObject(refusal);
    },
  );

  fastTest('accepts no archive together with a refresh that would adopt it', async () => {
    const { run } = await withLobby(archived, 'policy: { existing: adopt }\n');
    expect(await run('plan', '--refresh')).toMatchObject(refusal);
  });

  fastTest('is not adopted by a run that has an archive for it', async () => {
    const { run } = await withLobby(archived, 'policy: { existing: adopt }\n');
    const { exit, stdout, stderr } = await run('apply', '--auto-approve');
    expect({ exit, text: stdout + stderr }).toEqual({ exit: 4, text: expect.stringContaining('open_channel.lobby') });
    expect((await run('state', 'list')).stdout).not.toContain('lobby');
  });

  fastTest('accepts no archive after is_ephemeral was removed', async () => {
    const { run, declare } = await withLobby('hall: { is_ephemeral: true }');
    expect(await run('apply', '--auto-approve')).toMatchObject({ exit: 0 });
    await declare('hall: { name: Hall }');
    expect(await run('apply', '--auto-approve')).toMatchObject({ exit: 0 });
    await declare('hall: { name: Hall, messages: { file: history.ndjson } }');
    expect(await run('plan')).toMatchObject(refusal);
  });
});
