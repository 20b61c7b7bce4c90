// Tests that reactions and pins of a history file's lines reach the messages of the channel, and are verified and taken back.

import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { connected } from '../../support/place.ts';

const time = 1_600_000_000_000;
const manifest = (room = '') => `version: 1
application: { base_url: 'emulator:x' }
users: { alice: { nickname: Alice }, bob: { nickname: Bob, deactivated: true }, cat: { nickname: Cat } }
group_channels:
  room: { name: Room, frozen: true, members: { alice: , bob: }, messages: { file: room.ndjson }${room} }
policy:
  reopen: { deactivated: allow, frozen: allow }
  messages: { edited: update, deleted: delete, late: insert }
  removals: { max_share: 1, free_count: 100 }
`;

const line = (place: number, more: JsonObject = {}): JsonObject => {
  return { message_type: 'MESG', user_id: 'alice', message: `${place}`, timestamp: time + place, ...more };
};

async function room(behaviours: Partial<Behaviours> = {}) {
  const { at, call } = await connected({ 'chat.yaml': manifest() }, { rateLimits: false, behaviours });
  const write = (lines: readonly JsonObject[]) =>
    at.write({ 'room.ndjson': lines.map((one) => `${JSON.stringify(one)}\n`).join('') });
  const apply = async (lines: readonly JsonObject[]): Promise<string> => {
    await write(lines);
    const ended = await at.does('apply --auto-approve --settle-time 0s');
    await at.does('plan --detailed-exitcode');
    await at.does('verify --all');
    return ended.stdout;
  };
  const api = (method: string, path: string, body?: JsonObject) => call(method, `/group_channels/room${path}`, body);
  const messages = async () =>
    (await api('GET', '/messages?message_ts=0&include_reactions=true')).messages as unknown as readonly {
      readonly message_id: number;
      readonly message: string;
      readonly reactions: readonly {
        readonly key: string;
        readonly user_ids: readonly string[];
      }[];
    }[];
  /** By text of the message, its reactions, and whether it is pinned. */
  const shown = async () => {
    const { pinned_message_ids: ids = [] } = await api('GET', '');
    return Object.fromEntries(
      (await messages()).map(({ message_id: id, message, reactions }) => [
        message,
        [
          reactions.flatMap(({ key, user_ids }) => user_ids.map((user) => `${key}=${user}`)).sort(),
          (ids as readonly number[]).includes(id),
        ],
      ]),
    );
  };
  return { at, write, apply, shown, api, messages };
}

test('sends reactions and pins as the lines say, even of a deactivated member in a frozen channel', async () => {
  const { apply, shown } = await room();
  const said = await apply([
    line(0, { reactions: { '👍': ['alice', 'bob'], ok: ['bob'] } }),
    line(1, { pinned: true }),
  ]);
  expect(said).toContain('3 reactions are added, with a read and a call each');
  expect(said).toContain('1 message is pinned, with a read and a call each');
  expect(await shown()).toEqual({
    0: [['ok=bob', '👍=alice', '👍=bob'], false],
    1: [[], true],
  });
  await apply([line(0, { reactions: { '👍': ['alice'] }, pinned: true }), line(1, { reactions: { ok: ['bob'] } })]);
  expect(await shown()).toEqual({
    0: [['👍=alice'], true],
    1: [['ok=bob'], false],
  });
  // Without such a field in any line, nothing of the kind is managed.
  await apply([line(0), line(1)]);
  expect(await shown()).toEqual({
    0: [['👍=alice'], true],
    1: [['ok=bob'], false],
  });
  await apply([line(0, { reactions: {}, pinned: false }), line(1)]);
  expect(await shown()).toEqual({ 0: [[], false], 1: [[], false] });
});

test('keeps the marks of messages of one sender and millisecond when their order changes or one is edited', async () => {
  const { apply, shown } = await room();
  const twin = (message: string, more: JsonObject = {}) => line(0, { message, ...more });
  const marked = { reactions: { a: ['alice'] }, pinned: true };
  const [up, no] = [
    [['a=alice'], true],
    [[], false],
  ];
  await apply([twin('x', marked), twin('y', { reactions: {}, pinned: false })]);
  await apply([twin('y'), twin('x', marked)]);
  expect(await shown()).toEqual({ x: up, y: no });
  expect(await apply([twin('z'), twin('x', marked)])).toContain('4 of these reactions and pins are in doubt');
  expect(await shown()).toEqual({ x: up, z: no });
});

test('removes the last meta array from a message when the history file drops it', async () => {
  const { apply, messages } = await room();
  await apply([line(0, { sorted_metaarray: [{ key: 'k', value: ['v'] }] }), line(1)]);
  await apply([line(0), line(1)]);
  expect((await messages())[0]).not.toHaveProperty('sorted_metaarray');
});

test('works the same on a platform with the other behaviours', async () => {
  const { apply, shown } = await room({
    reactionOfNonMember: 'allowed',
    pinOfPinned: 'ignored',
    pinsInChannelView: 'absent',
  });
  await apply([line(0, { reactions: { a: ['alice'] }, pinned: true })]);
  await apply([line(0, { reactions: { b: ['alice'] }, pinned: false }), line(1, { pinned: true })]);
  expect(await shown()).toEqual({ 0: [['b=alice'], false], 1: [[], false] });
});

test('finds a removed reaction and pin with verify, and sends them again after a rebuild', async () => {
  const { at, apply, api, messages, shown } = await room();
  const lines = [line(0, { reactions: { a: ['alice', 'bob'] }, pinned: true })];
  await apply(lines);
  const id = (await messages())[0]?.message_id ?? 0;
  await api('PUT', '/freeze', { freeze: false });
  await api('DELETE', `/messages/${id}/pin`);
  await api('DELETE', `/messages/${id}/reactions?user_id=alice&reaction=a`);
  expect(await at.json('verify --all', 4)).toMatchObject({
    exit_code: 4,
    totals: { altered: 1, altered_fields: { reactions: 1, pinned: 1 } },
  });
  await rm(at.path('.chatform'), { recursive: true });
  await at.does('state rebuild');
  await apply(lines);
  expect(await shown()).toEqual({ 0: [['a=alice', 'a=bob'], true] });
});

test.for<{ name: string; lines: JsonObject[]; says: string; with?: string }>([
  { name: 'a stranger', lines: [line(0, { reactions: { a: ['nobody'] } })], says: '"nobody" reacted to this message' },
  {
    name: 'a user outside of the channel',
    lines: [line(0, { reactions: { a: ['cat'] } })],
    says: 'has reactions of "cat", who is not declared as a member of group_channel.room',
  },
  {
    name: 'an eleventh pin',
    lines: Array.from({ length: 11 }, (_, place) => line(place, { pinned: true })),
    says: 'pins 11 messages, but a channel has room for 10',
  },
  {
    name: 'a pin in a supergroup',
    lines: [line(0, { pinned: true })],
    says: 'a supergroup has no pinned messages',
    with: ', is_super: true',
  },
])('$name is refused before anything is sent', async ({ lines, says, with: more = '' }) => {
  const { at, write } = await room();
  await at.write({ 'chat.yaml': manifest(more) });
  await write(lines);
  const ended = await at.ends('validate', 65);
  expect(`${ended.stdout}${ended.stderr}`).toContain(says);
});
