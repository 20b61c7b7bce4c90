// Tests replies in threads from the manifest to the platform: what is planned, sent, corrected and verified (semantics §7).
import { expect, test } from 'vitest';
import type { Behaviours } from '../../../src/emulator/api/behaviours.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { connected } from '../../support/place.ts';

const start = 1_600_000_000_000;

const line = (id: string, second: number, more: JsonObject = {}): JsonObject => ({
  message_type: 'MESG',
  user_id: 'ann',
  message: id,
  timestamp: start + second * 1000,
  dedup_id: id,
  ...more,
});

const manifest = (threads: string, policy = '') => `version: 1
policy: { messages: { ${policy} }, removals: { max_share: 1, free_count: 100 }, history: { hidden: accept, expires: accept, unknown: accept } }
users: { ann: { nickname: Ann, profile_url: "" }, bob: { nickname: Bob, profile_url: "" } }
group_channels:
  room: { members: { ann: , bob: }, messages: { file: room.ndjson, threads: ${threads} } }
`;

const textOf = (lines: readonly JsonObject[]) => lines.map((each) => `${JSON.stringify(each)}\n`).join('');

const thread = [
  line('first', 1),
  line('reply', 2, { user_id: 'bob', parent: 'first', reactions: { up: ['ann'] } }),
  line('other', 3),
  line('file', 4, { message_type: 'FILE', message: null, url: 'https://example.com/a', parent: 'first' }),
  line('answer', 5, { parent: 'other' }),
].map(({ message, ...others }) => (message === null ? others : { ...others, message: message ?? '' }));

async function room(lines: readonly JsonObject[], threads = 'send', behaviours: Partial<Behaviours> = {}) {
  const files = { 'chat.yaml': manifest(threads), 'room.ndjson': textOf(lines) };
  const { at, running, call } = await connected(files, { rateLimits: false, behaviours });
  const shown = async () => {
    const query = 'message_ts=0&next_limit=100&include_reply_type=ALL&include_reactions=true';
    const { messages } = (await call('GET', `/group_channels/room/messages?${query}`)) as unknown as {
      messages: readonly { message_id: number; message: string; parent_message_id?: number; file?: { url?: string } }[];
    };
    const nameOf = new Map(messages.map(({ message_id: id, message, file }) => [id, message || (file?.url ?? '')]));
    return messages.map(({ message_id: id, parent_message_id: parent }) => {
      return parent === undefined ? nameOf.get(id) : `${nameOf.get(id)} < ${nameOf.get(parent)}`;
    });
  };
  return { at, running, call, shown };
}

const inThreads = ['first', 'reply < first', 'other', 'https://example.com/a < first', 'answer < other'];

test('sends replies after the other messages, each with a read, and finds them again', async () => {
  const { at, running, shown } = await room(thread);
  const planned = (await at.does('plan')).stdout;
  expect(planned).toContain('2 messages in 1 call');
  expect(planned).toContain('3 replies are sent into their threads, with one or two reads and a call each');
  expect(planned).toContain('POST /{channel_type}/{channel_url}/messages · user ann at 5/s');
  await at.does('apply --auto-approve --settle-time 0s');
  expect(await shown()).toEqual(inThreads);
  expect(running.stats.requests.get('POST /group_channels/{channel_url}/messages')).toBe(3);
  expect((await at.does('verify --all')).stdout).toContain('1 of 1 channel matched: 5 declared messages');
  expect((await at.does('plan --refresh')).stdout).toContain('No changes');
});

test('sends lines with a parent as other messages without threads: send', async () => {
  const { at, shown } = await room(thread, 'flat');
  await at.does('apply --auto-approve --settle-time 0s');
  expect(await shown()).toEqual(['first', 'reply', 'other', 'https://example.com/a', 'answer']);
  expect((await at.does('verify --all')).stdout).toContain('1 of 1 channel matched');
});

test('sends new replies to old messages, edits and deletes replies, and none of them is late', async () => {
  const { at, shown } = await room(thread);
  await at.does('apply --auto-approve --settle-time 0s');
  const [first = {}, reply = {}, other = {}, , answer = {}] = thread;
  const later = [
    first,
    line('new', 1.5, { parent: 'first' }),
    { ...reply, message: 'edited' },
    other,
    answer,
    line('last', 9, { parent: 'other' }),
  ];
  await at.write({
    'chat.yaml': manifest('send', 'edited: update, deleted: delete'),
    'room.ndjson': textOf(later),
  });
  const planned = (await at.does('plan')).stdout;
  expect(planned).toContain('2 replies are sent into their threads');
  expect(planned).not.toContain('late');
  await at.does('rehearse');
  await at.does('apply --auto-approve --settle-time 0s');
  expect(await shown()).toEqual(['first', 'new < first', 'edited < first', 'other', 'answer < other', 'last < other']);
  expect((await at.does('verify --all')).stdout).toContain('1 of 1 channel matched: 6 declared messages');
});

test('verify reports a message that is no reply, and a reply of another thread', async () => {
  const { at } = await room(thread, 'flat');
  await at.does('apply --auto-approve --settle-time 0s');
  await at.write({ 'chat.yaml': manifest('send') });
  const { stdout } = await at.run('verify --all');
  expect(stdout).toContain('parent');
  expect(stdout).toContain('3');
  const moved = await room(thread);
  await moved.at.does('apply --auto-approve --settle-time 0s');
  await moved.at.write({
    'room.ndjson': textOf(thread.map((each) => (each.parent === 'other' ? { ...each, parent: 'first' } : each))),
  });
  expect((await moved.at.run('verify --all')).stdout).toContain('parent');
});

test('refuses to turn sent messages into replies unless they may be deleted', async () => {
  const { at, shown } = await room(thread, 'flat');
  await at.does('apply --auto-approve --settle-time 0s');
  await at.write({ 'chat.yaml': manifest('send') });
  await at.ends('plan', 65, 'messages.sent-part-changed', '3 sent lines that are gone');
  await at.write({ 'chat.yaml': manifest('send', 'deleted: delete') });
  await at.does('apply --auto-approve --settle-time 0s');
  expect(await shown()).toEqual(inThreads);
});

test('names an application whose replies may not keep their times, and refuses one that is known for it', async () => {
  const { at } = await room(thread);
  const { application, warnings } = await at.json('plan');
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'messages.reply-times', severity: 'warning' }));
  const know = (value: string) =>
    at.write({
      'chatform-behaviours.json': JSON.stringify({
        format_version: '1.0',
        application,
        date: '2026-11-01T00:00:00Z',
        chatform: '0.3.0',
        behaviours: { replyTime: { value, evidence: 'a reply' } },
      }),
    });
  await know('ignored');
  await at.ends('apply --auto-approve --settle-time 0s', 5, 'error[messages.reply-times]', 'the time of their arrival');
  await know('refused');
  await at.ends(
    'apply --auto-approve --settle-time 0s',
    5,
    'error[messages.reply-times]',
    'refuses a reply with a time',
  );
  await know('honoured');
  expect((await at.json('plan')).warnings).toEqual([]);
  await at.does('apply --auto-approve --settle-time 0s');
});

test('a first message that was deleted since it was sent leaves its replies unsent', async () => {
  const { at, call, shown } = await room(thread.slice(0, 1));
  await at.does('apply --auto-approve --settle-time 0s');
  const { messages } = (await call('GET', '/group_channels/room/messages?message_ts=0')) as unknown as {
    messages: readonly { message_id: number }[];
  };
  await call('DELETE', `/group_channels/room/messages/${messages[0]?.message_id}`);
  await at.write({ 'room.ndjson': textOf([thread[0] ?? {}, line('late', 2, { parent: 'first' }), line('end', 3)]) });
  await at.does('apply --auto-approve --settle-time 0s');
  expect(await shown()).toEqual(['end']);
});
