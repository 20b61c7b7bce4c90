// Tests that lost state can be rebuilt: the next plan is right, and the output names what cannot be recovered.
import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { RunningEmulator } from '../../../src/emulator/server.ts';
import { connected } from '../../support/place.ts';
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

/** An estate that was applied and whose state, returned as text, is lost. */
async function lost() {
  const { at: there, running, call } = await connected({ 'chat.yaml': chat, 'history.ndjson': history });
  const at = there.with({ env: { CHATFORM_VAR_CODE: 'geheim' } });
  await at.does('apply --auto-approve --tokens-out tokens');
  const before = await at.read('.chatform/state/state.ndjson');
  await rm(at.path('.chatform'), { recursive: true });
  return { at, running, edit: call, before };
}

const writes = ({ stats }: RunningEmulator): string[] =>
  [...stats.requests].flatMap(([route, count]) => (route.startsWith('GET') ? [] : [`${route} ${count}`])).sort();
const records = (text: string): string[] =>
  text.split('\n').filter((row) => row.includes('"address"') && !row.includes('"chatform.'));

fastTest('rebuilds the same records with reads only', async () => {
  const { at, running, before } = await lost();
  const written = writes(running);
  const ended = await at.does('state rebuild');
  expect(ended.stdout).toContain('was rebuilt with 6 objects.');
  const others =
    'access_code (1, only whether one is set), members.*.hidden_status (1, not read, one request for each user), issue_access_token (1, only whether another one was issued)';
  expect(ended.stdout).toContain(`Not compared: ${others}.`);
  expect(records(await at.read('.chatform/state/state.ndjson'))).toEqual(records(before));
  await at.does('plan --refresh --detailed-exitcode');
  await at.does('plan --detailed-exitcode');
  expect(writes(running)).toEqual(written);
});

fastTest('takes changed objects as they are, and the next plan shows the difference', async () => {
  const { at, edit } = await lost();
  await edit('PUT', '/users/alice', { nickname: 'Alicia' });
  await edit('PUT', '/open_channels/lobby/freeze', { freeze: false });
  await edit('DELETE', '/users/bob');
  const ended = await at.run('state rebuild chat.yaml');
  expect(ended.stdout).toContain('1 declared object is not on the platform');
  expect(ended.stdout).toContain('shows changes to 2 objects');
  const { changes } = (await at.json('plan')) as { changes: { address: string; actions: string[] }[] };
  expect(changes.map(({ address, actions }) => `${address} ${actions.join()}`).sort()).toEqual([
    'open_channel.lobby freeze',
    'user.alice update',
    'user.bob create,deactivate',
  ]);
  await at.does('apply --auto-approve');
  await at.does('plan --refresh --detailed-exitcode');
});

fastTest.for([
  { name: 'with a hole', there: [0, 2, 5], known: 1 },
  { name: 'without its start', there: [4], known: 0 },
])('sends only the rest of a history file of which a part is there, $name', async ({ there, known }) => {
  const lines = Array.from({ length: 7 }, (_, place) => line(1_600_000_000_000 + place));
  const small = `application: { base_url: 'emulator:x', limits: { messages_per_migration: 2 } }\n`;
  const { at, edit } = await lost();
  await at.write({ 'chat.yaml': chat + small, 'history.ndjson': lines.join('') });
  await edit('DELETE', '/group_channels/support-42');
  const room = { channel_url: 'support-42', name: 'Support 42', user_ids: ['alice', 'carol'], operator_ids: ['alice'] };
  await edit('POST', '/group_channels', { ...room, is_public: true, access_code: 'geheim', strict: true });
  // With other dedup ids than chatform's, so that the platform would accept them twice.
  const messages = there.map((place) => ({ ...(JSON.parse(lines[place] ?? '') as object), dedup_id: `own-${place}` }));
  await edit('POST', '/migration/support-42', { messages });
  const ended = await at.does('state rebuild');
  expect(ended.stdout).toContain(
    `! messages.support-42  ${there.length} of 7 messages are on the platform. An apply looks`,
  );
  expect(JSON.stringify((await at.json('plan')).changes)).toContain(`${7 - known} messages in`);
  await at.does('apply --auto-approve');
  expect(await at.json('verify --all')).toMatchObject({
    exit_code: 0,
    channels: [{ there: 7, doubled: 0, missing: 0 }],
  });
  await at.does('plan --refresh --detailed-exitcode');
});

fastTest.for(['state rebuild', 'adopt user.alice user.bob user.carol open_channel.lobby group_channel.support-42'])(
  '%s leaves a ban or mute that others imposed after the end of the declared one',
  async (command) => {
    const { at, edit } = await lost();
    const over = '{ until: 2020-01-01T00:00:00Z }';
    await at.write({
      'chat.yaml': chat
        .replace('frozen: true', `frozen: true, banned: { bob: ${over}, carol: ${over} }`)
        .replace(
          '    is_public',
          `    muted: { alice: ${over}, carol: { until: 2100-01-01T00:00:00Z } }\n    is_public`,
        ),
    });
    await edit('POST', '/open_channels/lobby/ban', { user_id: 'carol', seconds: -1 });
    await edit('POST', '/group_channels/support-42/mute', { user_id: 'alice', seconds: -1 });
    await at.does(command);
    for (const flag of ['', '--refresh']) {
      const { changes } = (await at.json(`plan ${flag} --target *_channel.*`.replace('  ', ' '))) as {
        changes: unknown;
      };
      const mute = [expect.objectContaining({ address: 'group_channel.support-42', actions: ['mute'] })];
      expect(changes).toEqual(mute);
    }
  },
);

fastTest('records nothing if nothing was applied', async () => {
  const { at } = await connected({ 'chat.yaml': chat, 'history.ndjson': history });

  const ended = await at.does('state rebuild');
  expect(ended.stdout).toContain('was rebuilt with 0 objects. 5 declared objects are not on the platform');
});

fastTest('refuses a state with objects', async () => {
  const { at, running } = await lost();
  await at.does('state rebuild');
  const asked = [...running.stats.requests.values()].reduce((sum, count) => sum + count, 0);
  const ended = await at.run('state rebuild');
  expect(ended).toMatchObject({ exit: 6, stdout: '' });
  expect(ended.stderr).toContain('state.occupied');
  expect([...running.stats.requests.values()].reduce((sum, count) => sum + count, 0)).toBe(asked);
});

fastTest('completes an interrupted rebuild with --force', async () => {
  const { at, edit } = await lost();
  await at.does('state rebuild');
  await at.does('state forget user.carol messages.support-42 --auto-approve');
  await edit('PUT', '/users/alice', { nickname: 'Alicia' });
  await at.does('state rebuild --force');
  expect(await at.run('state list')).toMatchObject({ stdout: expect.stringContaining('messages.support-42') });
  expect(await at.json('plan')).toMatchObject({
    changes: [{ address: 'user.alice', attributes: [{ path: 'nickname', before: 'Alicia', after: 'Alice' }] }],
  });
});

fastTest('refuses manifests with an error, and a missing path', async () => {
  const { at } = await lost();
  await at.write({ 'chat.yaml': 'version: 1\nusers: { alice: { nick: A } }\n' });
  await at.ends('state rebuild', 65);
  await at.ends('state rebuild nowhere', 65);
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
      at,
      declare: (channel: string) => at.write({ 'chat.yaml': chat(channel) }),
    };
  }

  const refusal = { exit: 65, stderr: expect.stringContaining('messages.ephemeral') };

  fastTest('accepts no history file when it is adopted with one', async () => {
    const { at } = await withLobby(archived);
    expect(await at.run('state rebuild')).toMatchObject(refusal);
    expect(await at.run('adopt open_channel.lobby')).toMatchObject(refusal);
    expect((await at.run('state list')).stdout).not.toContain('lobby');
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
    'accepts no history file that is added after it was $name',
    async ({ args, policy }) => {
      const { at, declare } = await withLobby('lobby: {}', policy);
      await at.does(args);
      expect((await at.run('state list')).stdout).toContain('lobby');
      await at.does('plan --refresh --target open_channel.lobby --detailed-exitcode');
      await declare(archived);
      expect(await at.run('plan')).toMatchObject(refusal);
      expect(await at.run('apply --auto-approve')).toMatchObject(refusal);
    },
  );

  fastTest('accepts no history file together with a refresh that would adopt it', async () => {
    const { at } = await withLobby(archived, 'policy: { existing: adopt }\n');
    expect(await at.run('plan --refresh')).toMatchObject(refusal);
  });

  fastTest('is not adopted by a run that has a history file for it', async () => {
    const { at } = await withLobby(archived, 'policy: { existing: adopt }\n');
    const { exit, stdout, stderr } = await at.run('apply --auto-approve');
    expect({ exit, text: stdout + stderr }).toEqual({ exit: 4, text: expect.stringContaining('open_channel.lobby') });
    expect((await at.run('state list')).stdout).not.toContain('lobby');
  });

  fastTest('accepts no history file after is_ephemeral was removed', async () => {
    const { at, declare } = await withLobby('hall: { is_ephemeral: true }');
    await at.does('apply --auto-approve');
    await declare('hall: { name: Hall }');
    await at.does('apply --auto-approve');
    await declare('hall: { name: Hall, messages: { file: history.ndjson } }');
    expect(await at.run('plan')).toMatchObject(refusal);
  });
});
