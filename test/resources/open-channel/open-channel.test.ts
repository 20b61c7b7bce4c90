// Tests the exact calls for open channels: every attribute added, edited and removed, frozen, deleted.
import { describe, expect, test } from 'vitest';
import { openChannel } from '../../../src/resources/open-channel/open-channel.ts';
import { strictAjv } from '../support/blocks.ts';
import { type Case, edit, image, sendsExactCalls, stepsOf } from '../support/cases.ts';

const creations: readonly Case[] = [
  { name: 'the least', after: {}, expected: ['POST /open_channels {"channel_url":"lobby"}'] },
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
    expected: [
      'POST /open_channels {"channel_url":"lobby","name":"Lobby","cover_url":"https://example.com/c.png","custom_type":"hall","data":"{}","is_ephemeral":false,"is_dynamic_partitioned":true,"operator_ids":["alice","bob"]}',
      'PUT /open_channels/lobby/freeze {"freeze":true}',
    ],
  },
  {
    name: "a file, and the platform's name of operators",
    after: { cover_file: image('a'), operators: ['bob', 'alice', 'bob'] },
    expected: [
      'POST /open_channels {"channel_url":"lobby","operator_ids":["alice","bob"]}',
      'PUT /open_channels/lobby {} +file cover_file=a.png',
    ],
  },
];

const put = 'PUT /open_channels/lobby';

const updates: readonly Case[] = [
  edit('nothing', { name: 'Lobby', operators: ['alice'] }, {}, {}, []),
  edit('several, one call', {}, { name: 'A', data: 'x' }, { name: 'B', data: 'y', custom_type: 'z' }, [
    `${put} {"name":"B","custom_type":"z","data":"y"}`,
  ]),
  edit('neutral values come back', {}, { custom_type: 'a', data: 'b' }, {}, [`${put} {"custom_type":"","data":""}`]),
  edit('what the platform assigns stays', {}, { name: 'A', cover_url: 'c' }, {}, ['(update)']),
  edit('what is fixed is released', {}, { is_ephemeral: true, is_dynamic_partitioned: true }, {}, ['(update)']),
  edit('a file for the URL', {}, { cover_url: 'c' }, { cover_file: image('a') }, [`${put} {} +file cover_file=a.png`]),
  edit(
    'operators: who goes, goes one by one and first',
    {},
    { operators: ['a', 'b', 'c'] },
    { operators: ['c', 'd', 'e'] },
    [
      'DELETE /open_channels/lobby/operators?operator_ids=a%2Cb',
      'POST /open_channels/lobby/operators {"operator_ids":["d","e"]}',
    ],
  ),
  edit('operators removed', {}, { operators: ['a b'] }, {}, ['DELETE /open_channels/lobby/operators?operator_ids=a+b']),
  edit('operators in another order', {}, { operators: ['a', 'b'] }, { operators: ['b', 'a'] }, []),
  edit('frozen', {}, {}, { frozen: true }, [`${put}/freeze {"freeze":true}`]),
  edit('unfrozen', {}, { frozen: true }, { frozen: false }, [`${put}/freeze {"freeze":false}`]),
  edit('unfrozen since the line is gone', {}, { frozen: true }, {}, [`${put}/freeze {"freeze":false}`]),
  edit('declared open what is open', {}, {}, { frozen: false }, ['(update)']),
  edit('work on a frozen one needs no bracket', { frozen: true }, { name: 'A' }, { name: 'B' }, [
    `${put} {"name":"B"}`,
  ]),
  edit('work and unfreeze: rights go first, it opens last', {}, { operators: ['a'], frozen: true }, { name: 'B' }, [
    'DELETE /open_channels/lobby/operators?operator_ids=a',
    `${put} {"name":"B"}`,
    `${put}/freeze {"freeze":false}`,
  ]),
];

const removals: readonly Case[] = [
  { name: 'by default', before: {}, expected: [`${put}/freeze {"freeze":true}`] },
  { name: 'frozen already', before: { frozen: true }, expected: ['(update)'] },
  { name: 'delete', before: { operators: ['a'] }, on_remove: 'delete', expected: ['DELETE /open_channels/lobby'] },
  { name: 'forget', before: {}, on_remove: 'forget', expected: ['(forget)'] },
];

describe('open_channel', () => {
  sendsExactCalls('open_channel', 'lobby', { creation: creations, update: updates, removal: removals });

  test('resolves a creation by a read with operators, and checks the key', () => {
    const [create] = stepsOf('open_channel', 'lobby', { name: '', after: { operators: ['a'] }, expected: [] });
    expect(create).toMatchObject({
      begin: true,
      expect: [{ path: ['channel_url'], is: 'lobby' }],
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

  test('treats an already removed operator as done, by one call for each', () => {
    const [cancel] = stepsOf('open_channel', 'lobby', edit('', {}, { operators: ['a', 'b'] }, {}, []));
    expect(cancel).toMatchObject({
      doneOn: [],
      split: { in: 'query', field: 'operator_ids', ids: ['a', 'b'], on: [400111], doneOn: [400111] },
    });
  });

  test('keeps an operator such as 00123 as text', () => {
    const limits = { type: 'string', minLength: 1, maxLength: 80 };
    expect(openChannel.attributes.operators?.schema.items).toMatchObject(limits);
    expect(openChannel.attributes.operators?.schema.items).not.toHaveProperty('pattern');
  });

  test('refuses an operator whose id contains a comma', () => {
    const check = strictAjv().compile(openChannel.attributes.operators?.schema ?? false);
    expect([check(['a,b']), check(['a', 'b'])]).toEqual([false, true]);
  });
});
