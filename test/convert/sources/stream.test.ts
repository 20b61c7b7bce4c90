// Tests the peculiarities of Stream exports.
import { expect, test } from 'vitest';
import { convertFiles } from '../support/converted.ts';

const message = (more: object): object => ({
  type: 'message',
  item: { id: 'm1', channel_type: 'messaging', user: 'u1', text: 'hi', ...more },
});
const people = ['u1', 'u2'].map((id) => ({ type: 'user', item: { id, role: 'user' } }));
const distinct = { type: 'channel', item: { type: 'messaging', member_ids: ['u2', 'u1'], created_by: 'u1' } };
const reaction = { type: 'reaction', item: { message_id: 'm1', type: 'like', user_id: 'u2' } };

test('finds a distinct channel without an id by its members in any order', async () => {
  const rows = [
    ...people,
    distinct,
    message({ channel_member_ids: ['u1', 'u2'], created_at: '2024-05-06T08:00:00.5Z' }),
    reaction,
  ];
  const { ledger, archives, facts } = await convertFiles('stream', { 'e.json': JSON.stringify(rows) });
  const [[url = '', lines = []] = []] = Object.entries(archives);
  expect(ledger.slice(2)).toEqual([
    expect.objectContaining({ at: 'e.json#3', to: `group_channel.${url}` }),
    expect.objectContaining({ at: 'e.json#4', to: `messages.${url}`, line: 1 }),
    expect.objectContaining({
      at: 'e.json#5',
      outcome: 'changed',
      reason: 'reactions.enveloped',
      to: `messages.${url}`,
      line: 1,
    }),
  ]);
  expect(lines).toHaveLength(1);
  expect(facts[0]).toMatchObject({ time: '2024-05-06T08:00:00.5Z', reactions: [{ name: 'like', users: ['u2'] }] });
});

test('leaves out messages without a time, or takes it from the decisions', async () => {
  const rows = [...people, distinct, message({ channel_member_ids: ['u1', 'u2'] }), reaction];
  const files = { 'e.jsonl': rows.map((row) => `${JSON.stringify(row)}\n`).join('') };
  const without = await convertFiles('stream', files);
  expect(without.ledger.slice(3).map(({ reason }) => reason)).toEqual(['message.no-time', 'part.orphan']);
  const decisions = 'format_version: 1\nsource: stream\nmissing_time: 2024-01-01T00:00:00Z\n';
  const given = await convertFiles('stream', files, decisions);
  expect(given.ledger[3]).toMatchObject({ outcome: 'changed', reason: 'message.time-given', line: 1 });
  expect(Object.values(given.archives)[0]?.[0]).toMatchObject({ timestamp: Date.UTC(2024, 0, 1) });
  expect(given.facts[0]).toMatchObject({ time: null });
});
