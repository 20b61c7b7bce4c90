// Tests the peculiarities of Discord exports.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { convertFiles } from '../../support/converted.ts';
import { discordFile, discordMessage as message } from '../../support/small-exports.ts';

const file = (...messages: readonly object[]) => discordFile(messages);

test('joins the parts of a channel in the order of their numbers', async () => {
  const { ledger, archives, result } = await convertFiles('discord', {
    'room [part 10].json': file(message('3')),
    'room [part 2].json': file(message('2')),
    'room.json': file(message('1')),
    'readme.json': '{"hello": 1}',
  });
  expect(result.channels).toBe(1);
  expect(Object.values(archives)[0]?.map(({ message: text }) => text)).toEqual(['m1', 'm2', 'm3']);
  expect(ledger).toContainEqual(expect.objectContaining({ at: 'readme.json', reason: 'file.unknown' }));
});

test('reads names, times and emoji, and removes the signature of a URL', async () => {
  const url = 'https://cdn.discordapp.com/attachments/1/2/f.png?ex=66000000&is=65000000&hm=abc';
  const odd = message('1', {
    content: '<@100000000000000002> <:own:123456789012345678> <t:1714982400:R>',
    mentions: [{ id: '100000000000000002', name: 'bob', isBot: false }],
    attachments: [{ id: '5', url, fileName: 'f.png', fileSizeBytes: 3 }],
  });
  const { archives, facts, ledger } = await convertFiles('discord', { 'room.json': file(odd) });
  expect(Object.values(archives)[0]).toMatchObject([
    {
      message: '@bob :own: 2024-05-06T08:00:00.000Z',
      mentioned_user_ids: ['100000000000000002'],
      timestamp: 1_714_982_401_123,
    },
    { message_type: 'FILE', url: 'https://cdn.discordapp.com/attachments/1/2/f.png', file_name: 'f.png', file_size: 3 },
  ]);
  expect(facts[0]).toMatchObject({
    time: '2024-05-06T10:00:01.123+02:00',
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

test('reads a truncated file up to its end, which gets a line of its own', async () => {
  const { ledger } = await convertFiles('discord', { 'room.json': file(message('1'), message('2')).slice(0, -40) });
  expect(ledger.map(({ at, reason }) => [at, reason])).toEqual([
    ['room.json', 'channel.members-from-senders'],
    ['room.json#1', undefined],
    ['room.json#2', 'file.broken-json'],
  ]);
});
