// Tests the peculiarities of a Sendbird Data Export.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../../../../support/run-cli.ts';
import { convertFiles } from '../../support/converted.ts';
import { decided } from '../../support/series.ts';
import { sendbirdFile, sendbirdMessage, sendbirdUsers as users } from '../../support/small-exports.ts';

test('keeps ids, data and files, and leaves out removed messages', async () => {
  const url = 'https://file.example.com/f.png';
  const { historyFiles, ledger, facts } = await convertFiles('sendbird', {
    'own_url.json': sendbirdFile([
      sendbirdMessage(1, { data: '{"own":1}', sorted_metaarray: [{ key: 'k', value: ['v'] }] }),
      sendbirdMessage(2, {
        type: 'FILE',
        message: '',
        file: { url, name: 'f.png', type: 'image/png', size: 3, data: '' },
      }),
      sendbirdMessage(3, { is_removed: true }),
      sendbirdMessage(4, { type: 'ADMM', user: null }),
    ]),
  });
  expect(historyFiles.own_url).toMatchObject([
    { user_id: 'ann-1', data: '{"own":1}', sorted_metaarray: [{ key: 'k', value: ['v'] }, { key: 'chatform' }] },
    { message_type: 'FILE', url, file_name: 'f.png', file_size: 3, file_type: 'image/png' },
    { message_type: 'ADMM', message: 'm4' },
  ]);
  expect(ledger.at(-2)).toMatchObject({ outcome: 'left_out', reason: 'message.deleted' });
  expect(facts.map(({ id }) => id)).toEqual(['sendbird:own_url:1', 'sendbird:own_url:2', 'sendbird:own_url:4']);
});

test('keeps unsupported fields in the envelope, and leaves out a message without an id', async () => {
  const wrong = {
    custom_type: 'x'.repeat(129),
    data: { own: 1 },
    sorted_metaarray: [{ key: 'k', value: ['v'], more: 1 }],
  };
  const { historyFiles, ledger, facts } = await convertFiles('sendbird', {
    'own_url.json': sendbirdFile([sendbirdMessage(1, wrong), sendbirdMessage(2, { message_id: undefined })]),
  });
  expect(historyFiles.own_url).toHaveLength(1);
  expect(Object.keys(historyFiles.own_url?.[0] ?? {})).not.toContain('custom_type');
  expect(facts).toMatchObject([{ id: 'sendbird:own_url:1', more: wrong }]);
  expect(ledger.at(-1)).toMatchObject({ outcome: 'left_out', reason: 'object.broken' });
});

test('declares channels and users that are listed in separate files, even those without messages', async () => {
  const silent = { channel_url: 'silent', name: 'Silent', members: [users[0], { ...users[1], state: 'invited' }] };
  const { ledger, folder, result } = await convertFiles('sendbird', {
    'channels/1.json': JSON.stringify([silent]),
    'users/1.json': JSON.stringify({ users: [{ user_id: 'cem-3', nickname: 'Cem' }, users[0]] }),
    'own_url.json': sendbirdFile([sendbirdMessage(1)]),
  });
  expect(result).toMatchObject({ users: 3, channels: 2 });
  expect(ledger.map(({ at, to }) => [at, to])).toEqual(
    expect.arrayContaining([
      ['channels/1.json#1', 'group_channel.silent'],
      ['users/1.json#1', 'user.cem-3'],
    ]),
  );
  expect(ledger.some(({ reason }) => reason === 'file.unknown')).toBe(false);
  expect(await readFile(join(folder, 'group_channels.yaml'), 'utf8')).toContain('invitation_status: invited_by_friend');
});

test('keeps open channels open, flags, mutes and bans, and freezes broadcast channels', async () => {
  const [ann, bob] = users;
  const until = 1_900_000_000_000;
  const { folder, ledger } = await convertFiles('sendbird', {
    'a.json': sendbirdFile([sendbirdMessage(1)], {
      channel_url: 'open_lobby',
      channel_type: 'open',
      members: undefined,
      operators: [ann, { user_id: 'dee-4', nickname: 'Dee' }],
      is_ephemeral: true,
    }),
    'b.json': sendbirdFile([sendbirdMessage(2)], {
      channel_url: 'news_room',
      is_super: true,
      is_broadcast: true,
      members: [ann, { ...bob, is_muted: true, muted_end_at: until }],
      banned_list: [{ user: { user_id: 'cem-3', nickname: 'Cem' }, end_at: -1, description: 'spam' }],
    }),
  });
  const read = async (name: string) => parse(await readFile(join(folder, `${name}.yaml`), 'utf8'))[name];
  expect(await read('open_channels')).toMatchObject({
    open_lobby: { operators: ['ann-1', 'dee-4'], is_ephemeral: true },
  });
  expect((await read('group_channels')).news_room).toMatchObject({
    is_super: true,
    frozen: true,
    muted: { 'bob-2': { until: new Date(until).toISOString() } },
    banned: { 'cem-3': { description: 'spam' } },
  });
  expect(ledger.filter(({ outcome }) => outcome === 'carried').map(({ at }) => at)).toEqual([
    ...['b.json/channel/members#1', 'b.json#1'],
  ]);
  expect(await runCli(['validate'], { cwd: folder })).toMatchObject({ exit: 0, stderr: '' });
});

test('keeps the id of a sender whom no list has', async () => {
  const message = sendbirdMessage(1, { user: undefined, user_id: 'gone-3' });
  const { historyFiles } = await convertFiles('sendbird', { 'own_url.json': sendbirdFile([message]) });
  expect(historyFiles.own_url?.[0]?.user_id).toBe('gone-3');
});

test('takes a channel and its members from the export with the latest message', async () => {
  const cover = 'https://example.com/c.png';
  const windowOf = (name: string, members: readonly object[], id: number) =>
    sendbirdFile([sendbirdMessage(id)], { name, members, cover_url: cover, metadata: { team: name } });
  const { folder } = await convertFiles('sendbird', {
    'a.json': windowOf('now', users.slice(0, 1), 9),
    'b.json': windowOf('then', users, 1),
  });
  const declared = await readFile(join(folder, 'group_channels.yaml'), 'utf8');
  expect(declared).toContain('name: now');
  expect(declared).toContain(`cover_url: ${cover}`);
  expect(declared).toContain('team: now');
  expect(declared).not.toContain('bob-2');
});

test('sends the reactions of members if decisions.yaml says so, and keeps all of them in the envelope', async () => {
  const reactions = [
    { key: '👍', user_ids: ['bob-2', 'ann-1', 'gone-3'], updated_at: 1 },
    { key: '', user_ids: ['ann-1'], updated_at: 1 },
  ];
  const files = { 'own_url.json': sendbirdFile([sendbirdMessage(1, { reactions }), sendbirdMessage(2)]) };
  const sent = await convertFiles('sendbird', files, decided('messages: { reactions: send }', 'sendbird'));
  expect(sent.historyFiles.own_url?.map((line) => line.reactions)).toEqual([{ '👍': ['ann-1', 'bob-2'] }, undefined]);
  const kept = await convertFiles('sendbird', files);
  expect(kept.historyFiles.own_url?.[0]).not.toHaveProperty('reactions');
  expect(sent.facts).toEqual(kept.facts);
});
