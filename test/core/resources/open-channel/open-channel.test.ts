// Tests the exact calls for open channels: every attribute added, edited and removed, frozen, deleted.
import { describe, expect, test } from 'vitest';
import { openChannel } from '../../../../src/core/resources/open-channel/open-channel.ts';
import { strictAjv } from '../support/blocks.ts';
import { type Case, edit, image, sendsExactCalls, stepsOf } from '../support/cases.ts';

const creations: readonly Case[] = [
  { name: 'the least', after: {} },
  {
    name: 'all of it, frozen by a call of its own',
    after: {
      name: 'Lobby',
      cover_url: 'https://example.com/c.png',
      custom_type: 'hall',
      data: '{}',
      is_ephemeral: false,
      is_dynamic_partitioned: true,
      operators: ['bob', 'alice'],
      frozen: true,
    },
  },
  {
    name: "a file, and the platform's name of operators",
    after: { cover_file: image('a'), operators: ['bob', 'alice', 'bob'] },
  },
];

const updates: readonly Case[] = [
  edit('nothing', { name: 'Lobby', operators: ['alice'] }, {}, {}),
  edit('several, one call', {}, { name: 'A', data: 'x' }, { name: 'B', data: 'y', custom_type: 'z' }),
  edit('neutral values come back', {}, { custom_type: 'a', data: 'b' }, {}),
  edit('what the platform assigns stays', {}, { name: 'A', cover_url: 'c' }, {}),
  edit('what is fixed is kept', {}, { is_ephemeral: true, is_dynamic_partitioned: false }, {}),
  edit('a fixed value that it has', {}, {}, { is_ephemeral: false, is_dynamic_partitioned: true }),
  edit('a fixed value that it has not', {}, {}, { is_dynamic_partitioned: false }),
  edit('a file for the URL', {}, { cover_url: 'c' }, { cover_file: image('a') }),
  edit(
    'operators: who goes, goes one by one and first',
    {},
    { operators: ['a', 'b', 'c'] },
    { operators: ['c', 'd', 'e'] },
  ),
  edit('operators removed', {}, { operators: ['a b'] }, {}),
  edit('operators in another order', {}, { operators: ['a', 'b'] }, { operators: ['b', 'a'] }),
  edit('frozen', {}, {}, { frozen: true }),
  edit('unfrozen', {}, { frozen: true }, { frozen: false }),
  edit('unfrozen since the line is gone', {}, { frozen: true }, {}),
  edit('declared open what is open', {}, {}, { frozen: false }),
  edit('work on a frozen one needs no bracket', { frozen: true }, { name: 'A' }, { name: 'B' }),
  edit('work and unfreeze: rights go first, it opens last', {}, { operators: ['a'], frozen: true }, { name: 'B' }),
];

const removals: readonly Case[] = [
  { name: 'by default', before: {} },
  { name: 'frozen already', before: { frozen: true } },
  { name: 'delete', before: { operators: ['a'] }, on_remove: 'delete' },
  { name: 'forget', before: {}, on_remove: 'forget' },
];

describe('open_channel', () => {
  sendsExactCalls('open_channel', 'lobby', { creation: creations, update: updates, removal: removals });

  test('resolves a creation by a read with operators', () => {
    const [create] = stepsOf('open_channel', 'lobby', { after: { operators: ['a'] } });
    expect(create).toMatchObject({
      begin: true,
      resolve: {
        request: { method: 'GET', params: { channel_url: 'lobby' }, query: { include_operators: 'true' } },
        absentOn: [400201],
        expect: [
          { path: ['channel_url'], is: 'lobby' },
          { path: ['operators'], includes: ['a'], by: 'user_id' },
        ],
      },
    });
  });

  test('keeps an operator such as 00123 as text', () => {
    const limits = { type: 'string', minLength: 1, maxLength: 80 };
    expect(openChannel.attributes.operators?.schema.items).toMatchObject(limits);
    expect(openChannel.attributes.operators?.schema.items).not.toHaveProperty('pattern');
  });

  test('refuses an operator whose id contains a comma', () => {
    const check = strictAjv.compile(openChannel.attributes.operators?.schema ?? false);
    expect([check(['a,b']), check(['a', 'b'])]).toEqual([false, true]);
  });
});
