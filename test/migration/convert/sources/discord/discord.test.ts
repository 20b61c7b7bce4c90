// Tests the peculiarities of Discord exports.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { convertFiles } from '../../support/converted.ts';
import { discordFile, discordMessage as message } from '../../support/small-exports.ts';

const file = (...messages: readonly object[]) => discordFile(messages);

test('joins the parts of a channel in the order of their numbers', async () => {
  const { ledger, historyFiles, result } = await convertFiles('discord', {
    'room [part 10].json': file(message('3')),
    'room [part 2].json': file(message('2')),
    'room.json': file(message('1')),
    'readme.json': '{"hello": 1}',
  });
  expect(result.channels).toBe(1);
  expect(Object.values(historyFiles)[0]?.map(({ message: text }) => text)).toEqual(['m1', 'm2', 'm3']);
  expect(ledger).toContainEqual(expect.objectContaining({ at: 'readme.json', reason: 'file.unknown' }));
});

test('reads names, times and emoji, and removes the signature of a URL', async () => {
  const url = 'https://cdn.discordapp.com/attachments/1/2/f.png?ex=66000000&is=65000000&hm=abc';
  const odd = message('1', {
    content: '<@100000000000000002> <:own:123456789012345678> <t:1714982400:R>',
    mentions: [{ id: '100000000000000002', name: 'bob', isBot: false }],
    attachments: [{ id: '5', url, fileName: 'f.png', fileSizeBytes: 3 }],
  });
  const { historyFiles, facts, ledger } = await convertFiles('discord', { 'room.json': file(odd) });
  expect(Object.values(historyFiles)[0]).toMatchObject([
    {
      message: '@bob :own: 2024-05-06T08:00:00.000Z',
      mentioned_user_ids: ['100000000000000002'],
      timestamp: 1_714_982_401_123,
    },
    { message_type: 'FILE', url: 'https://cdn.discordapp.com/attachments/1/2/f.png', file_name: 'f.png', file_size: 3 },
  ]);
  expect(facts[0]).toMatchObject({
    time: Date.parse('2024-05-06T08:00:01.123Z'),
    text: '<@100000000000000002> <:own:123456789012345678> <t:1714982400:R>',
  });
  expect([ledger.at(-1)?.reason, ...(ledger.at(-1)?.also ?? [])]).toContain('token.removed');
});

test('keeps the parent of a thread and the partner of a direct channel, with a line each', async () => {
  const channelOf = (channel: object) => discordFile([message('1')], channel);
  const { folder, ledger } = await convertFiles('discord', {
    'direct.json': channelOf({ id: '8', type: 'DirectTextChat', name: 'bob' }),
    'thread.json': channelOf({ id: '9', type: 'GuildPublicThread', categoryId: '7', category: 'room', name: 'about' }),
  });
  expect(ledger.map(({ at, reason, to }) => [at, reason, to])).toEqual(
    expect.arrayContaining([
      ['direct.json/channel/name', 'channel.partner', 'group_channel.discord_8'],
      ['thread.json/channel/category', 'channel.parent', 'group_channel.discord_9'],
    ]),
  );
  const declared = await readFile(join(folder, 'group_channels.yaml'), 'utf8');
  expect(declared).toContain(String.raw`\"partner\":\"bob\"`);
  expect(declared).toContain(String.raw`\"categoryId\":\"7\",\"category\":\"room\"`);
});

test('shows a forwarded message with its files, and says where an answered message is', async () => {
  const url = 'https://cdn.discordapp.com/attachments/1/2/f.png?ex=66000000&is=65000000&hm=abc';
  const attachments = [{ id: '5', url, fileName: 'f.png', fileSizeBytes: 3 }];
  const forwarded = message('1', {
    content: '',
    forwardedMessage: { content: 'see <:own:123456789012345678>', attachments, embeds: [], stickers: [] },
    reference: { messageId: '77', channelId: '88', guildId: '1' },
  });
  const { historyFiles, facts, folder } = await convertFiles('discord', { 'room.json': file(forwarded) });
  expect(Object.values(historyFiles)[0]).toMatchObject([
    { message: 'see :own:' },
    { message_type: 'FILE', file_name: 'f.png' },
  ]);
  expect(facts[0]).toMatchObject({ reply_to: '77', more: { reference: { channelId: '88', guildId: '1' } } });
  expect(await readFile(join(folder, 'conversion/files.ndjson'), 'utf8')).toContain('attachments/1/2/f.png');
});

test('keeps the name of a group, and no distinct channel of one person', async () => {
  const { folder, ledger } = await convertFiles('discord', {
    'group.json': discordFile([message('1')], { id: '8', type: 'DirectGroupTextChat', name: 'Weekend' }),
    'direct.json': discordFile([message('1')], { id: '9', type: 'DirectTextChat', name: 'bob' }),
  });
  const declared = await readFile(join(folder, 'group_channels.yaml'), 'utf8');
  expect(declared).toContain('name: Weekend');
  expect(declared).not.toContain('is_distinct');
  expect(ledger.find(({ id }) => id === 'discord:9')?.also).toContain('channel.one-sided');
});

test('keeps every name under which a webhook posted', async () => {
  const author = (name: string) => ({ author: { id: '300000000000000001', name, discriminator: '0000', isBot: true } });
  const { facts, ledger } = await convertFiles('discord', {
    'room.json': file(message('1', author('deploys')), message('2', author('alerts'))),
  });
  expect(facts.map(({ more }) => more)).toEqual([{ author: 'deploys' }, { author: 'alerts' }]);
  expect(ledger.slice(1).map(({ reason }) => reason)).toEqual([undefined, 'sender.other-name']);
});

test('reads a truncated file up to its end, which gets a line of its own', async () => {
  const { ledger } = await convertFiles('discord', { 'room.json': file(message('1'), message('2')).slice(0, -40) });
  expect(ledger.map(({ at, reason }) => [at, reason])).toEqual([
    ['room.json', 'channel.members-from-senders'],
    ['room.json#1', undefined],
    ['room.json#2', 'file.broken-json'],
  ]);
});
