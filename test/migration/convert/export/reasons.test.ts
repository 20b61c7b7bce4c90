// Tests every reason of the ledger: for each, an export that produces it, and its place.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  decidedReasons,
  type ReasonCode,
  reasonCodes,
  reasons,
} from '../../../../src/migration/convert/export/reasons.ts';
import { writeFiles } from '../../../support/folders.ts';
import { convertFiles, convertInto, convertTables } from '../support/converted.ts';
import { decided } from '../support/series.ts';
import {
  ann,
  bob,
  discordFile,
  discordMessage,
  jsonl,
  room,
  said,
  saidAt,
  sendbirdFile,
  sendbirdMessage,
  slackFiles,
  streamRows,
} from '../support/small-exports.ts';

type Objects = readonly object[];

interface Workspace {
  readonly users?: Objects;
  readonly channels?: Objects;
  readonly dms?: Objects;
  readonly messages?: readonly unknown[];
  /** Other files, by name. */
  readonly more?: Readonly<Record<string, string>>;
  /** Symbolic links, with what they point to. */
  readonly links?: Readonly<Record<string, string>>;
  /** Files whose checksum in the archive is wrong, by name. */
  readonly broken?: Readonly<Record<string, string>>;
  /** The text of conversion/file-urls.ndjson. */
  readonly copies?: string;
  /** Below the head of decisions.yaml. */
  readonly decisions?: string;
}

interface Example extends Workspace {
  /** The ledger line that gets the reason. */
  readonly id: string;
  /** A channel of the platform's own export. */
  readonly sendbird?: object;
  /** An export that is converted into the same folder first. */
  readonly before?: Omit<Example, 'id' | 'before'>;
  /** A channel of DiscordChatExporter. */
  readonly discord?: object;
  /** Rows that follow the first two in the table of messages, and the rows of the table of rooms. */
  readonly rows?: Objects;
  readonly rooms?: Objects;
  /** The rows beside them that the mapping does not name. */
  readonly archive?: Objects;
  readonly people?: Objects;
  /** The rows of a Stream export, instead of a Slack workspace. */
  readonly stream?: Objects;
}

const robot = { id: 'B000001', name: 'robot', is_bot: true };
const direct = { id: 'D000001', members: ['U000001', 'U000002'] };
const { ts } = said;
const id = `slack:C000001:${ts}`;
const file = { id: 'F1', name: 'plan.pdf', mimetype: 'application/pdf', size: 12 };
const url = 'https://files.slack.com/plan.pdf';
const local = { ...file, url_private: 'plan.pdf' };
const long = 'many words '.repeat(1_000);
const banned = { type: 'user', item: { id: 'u2', banned: true } };
const deletedRoom = {
  type: 'channel',
  item: { id: 'c2', type: 'messaging', member_ids: ['u1'], deleted_at: '2024-05-06T08:00:00Z' },
};
const whispered = { created_at: '2024-05-06T08:00:00Z', restricted_visibility: ['u1'] };
const crowd = Array.from({ length: 2_001 }, (_none, number) => `U${String(number).padStart(6, '0')}`);
const one = (more: object): Workspace => ({ messages: [{ ...said, ...more }] });

/** Reasons of a database and of revisions, whose tests are database.test.ts and latest.test.ts in test/migration/convert/sources/table. */
type OfTables = 'part.not-read' | 'table.since' | 'row.earlier';

const examples: Readonly<Record<Exclude<ReasonCode, OfTables>, Example>> = {
  'user.new-id': { id: 'slack:u.1', users: [{ id: 'u.1', name: 'ann' }] },
  'user.profile-fields': { id: 'slack:U000001', users: [{ ...ann, profile: { title: 'Chief' } }] },
  'user.name-cut': { id: 'slack:U000001', users: [{ ...ann, name: 'x'.repeat(81) }] },
  'user.banned': { id: 'stream:u2', stream: [...streamRows(), banned] },
  'user.ban-lifted': { id: 'stream:u2', stream: [...streamRows(), banned], decisions: 'users: { banned: declare }' },
  'user.merged': { id: 'slack:U000002', decisions: 'merged: { U000002: U000001 }' },
  'user.left-out': { id: 'slack:U000002', decisions: 'left_out: { users: { U000002: asked } }' },
  'channel.name-cut': { id: 'slack:C000001', channels: [{ ...room, name: 'x'.repeat(192) }] },
  'channel.members-left-out': {
    id: 'slack:C000001',
    channels: [{ ...room, members: ['U000001', 'U000002'] }],
    decisions: 'left_out: { users: { U000002: asked } }',
  },
  'channel.members-from-senders': { id: 'slack:C000001', channels: [{ ...room, members: [] }] },
  'channel.members-kept': {
    id: 'stream:messaging:c1',
    stream: streamRows(),
    before: {
      stream: [
        { type: 'user', item: { id: 'u2' } },
        { type: 'channel', item: { id: 'c1', type: 'messaging', member_ids: ['u2'] } },
      ],
    },
  },
  'channel.not-public': { id: 'slack:C000001' },
  'channel.fields': { id: 'sendbird:own_url', sendbird: { created_at: 1_700_000_000 } },
  'channel.broadcast': { id: 'sendbird:own_url', sendbird: { is_broadcast: true } },
  'channel.parent': {
    id: 'discord:9:parent:7',
    discord: { id: '9', type: 'GuildPublicThread', categoryId: '7', category: 'room', name: 'a thread' },
  },
  'channel.partner': { id: 'discord:9:partner', discord: { id: '9', type: 'DirectTextChat', name: 'bob' } },
  'channel.open': { id: 'slack:C000001', channels: [{ ...room, members: crowd }] },
  'channel.same-members': { id: 'slack:D000002', dms: [direct, { ...direct, id: 'D000002' }] },
  'channel.one-sided': { id: 'discord:9', discord: { id: '9', type: 'DirectTextChat', name: 'bob' } },
  'channel.too-many-members': { id: 'slack:D000001', dms: [{ ...direct, members: crowd }] },
  'channel.nobody': {
    id: 'slack:C000001',
    channels: [{ ...room, members: ['U000002'] }],
    messages: [],
    decisions: 'left_out: { users: { U000002: asked } }',
  },
  'channel.deleted': { id: 'stream:messaging:c2', stream: [...streamRows(), deletedRoom] },
  'channel.was-deleted': {
    id: 'stream:messaging:c2',
    stream: [...streamRows(), deletedRoom],
    decisions: 'channels: { deleted: freeze }',
  },
  'channel.left-out': { id: 'slack:C000001', decisions: 'left_out: { channels: { C000001: asked } }' },
  'text.markup': { id, ...one({ text: 'a &lt;b&gt; c' }) },
  'text.characters': { id, ...one({ text: 'cut in half: \ud83d' }) },
  'text.split': { id, ...one({ text: long }) },
  'text.empty': { id, ...one({ text: '' }) },
  'thread.sent': {
    id,
    ...one({ thread_ts: '1600000000.000100' }),
    decisions: 'messages: { threads: send }',
  },
  'thread.enveloped': { id, ...one({ thread_ts: '1600000000.000100' }) },
  'reactions.enveloped': { id, ...one({ reactions: [{ name: '+1', users: ['U000001'], count: 1 }] }) },
  'reactions.sent': {
    id,
    ...one({ reactions: [{ name: '+1', users: ['U000001'], count: 1 }] }),
    decisions: 'messages: { reactions: send }',
  },
  'reactions.some-enveloped': {
    id,
    ...one({ reactions: [{ name: '+1', users: ['U000001'], count: 2 }] }),
    decisions: 'messages: { reactions: send }',
  },
  'edit.enveloped': { id, ...one({ edited: { user: 'U000001', ts } }) },
  'blocks.enveloped': { id, ...one({ blocks: [{ type: 'section' }] }) },
  'envelope.cut': { id, ...one({ blocks: [{ type: 'rich_text', text: long.repeat(20) }] }) },
  'token.removed': { id, ...one({ files: [{ ...file, url_private: `${url}?t=xoxe-1-2` }] }) },
  'file.listed': { id, ...one({ files: [{ ...file, url_private: url }] }), decisions: 'files: { urls: list }' },
  'file.omitted': { id, ...one({ files: [{ ...file, url_private: url }] }), decisions: 'files: { urls: omit }' },
  'file.no-url': { id, ...one({ files: [file] }) },
  'file.in-export': { id, ...one({ files: [local] }), more: { 'room/plan.pdf': 'bytes' } },
  'file.copied': {
    id,
    ...one({ files: [local] }),
    more: { 'room/plan.pdf': 'bytes' },
    copies: '{"from":"plan.pdf","to":"https://cdn.example/plan.pdf"}',
  },
  'file.not-copied': { id: 'slack:room/plan.pdf', ...one({ files: [local] }), more: { 'room/plan.pdf': 'bytes' } },
  'file.broken-bytes': { id: 'slack:room/plan.pdf', ...one({ files: [local] }), broken: { 'room/plan.pdf': 'bytes' } },
  'file.left-out': {
    id: 'slack:room/plan.pdf',
    ...one({ files: [local] }),
    more: { 'room/plan.pdf': 'bytes' },
    decisions: 'left_out: { channels: { C000001: asked } }',
  },
  'sender.unknown': { id, ...one({ user: 'U000009' }) },
  'sender.none': { id, ...one({ user: undefined }) },
  'sender.bot': { id, ...one({ user: 'B000001' }), decisions: 'users: { bots: admin_message }' },
  'sender.other-name': { id, ...one({ user: 'B000001', bot_id: 'B1', username: 'deploys' }) },
  'message.system': { id, ...one({ subtype: 'channel_topic' }) },
  'message.join': { id, ...one({ subtype: 'channel_join' }) },
  'message.join-left-out': { id, ...one({ subtype: 'channel_join' }), decisions: 'messages: { joins: leave_out }' },
  'message.sender-left-out': {
    id,
    decisions: 'left_out: { users: { U000001: asked } }',
    channels: [{ ...room, members: ['U000002'] }],
  },
  'message.channel-left-out': { id, decisions: 'left_out: { channels: { C000001: asked } }' },
  'message.unknown-channel': {
    id: 'slack:attic:1700000000.000100',
    more: { 'attic/2023-11-14.json': JSON.stringify([said]) },
  },
  'message.canvas': {
    id: `slack:FC:F000001:Plan:${ts}`,
    more: { 'FC:F000001:Plan/2023-11-14.json': JSON.stringify([said]) },
  },
  'message.too-long': { id, ...one({ text: long }), decisions: 'messages: { long_texts: leave_out }' },
  'message.time-given': { id: 'slack:C000001:', ...one({ ts: '' }), decisions: 'missing_time: 2024-01-01T00:00:00Z' },
  'message.no-time': { id: 'slack:C000001:', ...one({ ts: '' }) },
  'message.time-out-of-range': { id: 'slack:C000001:1.000100', ...one({ ts: '1.000100' }) },
  'field.private': { id: 'slack:message.own_ip', ...one({ own_ip: '203.0.113.7' }) },
  'message.event': { id, ...one({ subtype: 'message_changed' }) },
  'message.restricted': { id: 'stream:messaging:c1:m1', stream: streamRows(whispered) },
  'message.restriction-lost': {
    id: 'stream:messaging:c1:m1',
    stream: streamRows(whispered),
    decisions: 'messages: { restricted: show }',
  },
  'message.not-stored': { id: 'sendbird:own_url:1', sendbird: { is_ephemeral: true } },
  'message.deleted': { id: 'stream:m1', stream: streamRows({ created_at: '2024-05-06T08:00:00Z', type: 'deleted' }) },
  'message.repeated': { id, messages: [said, said] },
  'message.conflict': { id, messages: [said, { ...said, text: 'other' }] },
  'message.superseded': {
    id,
    before: { messages: ['1690000000.000100', '1710000000.000100'].map((time) => ({ ...said, ts: time })) },
  },
  'member.not-in-force': {
    id: 'stream:messaging:c1:u2',
    stream: [
      ...streamRows(),
      { type: 'member', item: { channel_type: 'messaging', channel_id: 'c1', user_id: 'u2', banned: true } },
    ],
  },
  'object.maybe-restricted': { id, ...one({ is_muted: true }) },
  'object.restricted': { id: 'slack:U000001', users: [{ ...ann, deleted: true }] },
  'field.unknown': { id: 'slack:message.own_field', ...one({ own_field: 1 }) },
  'field.decided': {
    id: 'slack:message.own_field',
    ...one({ own_field: 1 }),
    decisions: 'fields: { message.own_field: accepted }',
  },
  'part.orphan': {
    id: 'stream:m2:like:u1',
    stream: [...streamRows({}), { type: 'reaction', item: { message_id: 'm2', type: 'like', user_id: 'u1' } }],
  },
  'object.not-carried': { id: 'slack:integration_logs.json#1', more: { 'integration_logs.json': '[{}]' } },
  'object.repeated': { id: 'slack:U000001', users: [ann, { ...ann, name: 'another' }] },
  'object.broken': { id: 'slack:room/2023-11-14.json#1', messages: [7] },
  'file.broken-json': { id: 'slack:room/2023-11-15.json', more: { 'room/2023-11-15.json': '[{' } },
  'file.unknown': { id: 'slack:canvas.bin', more: { 'canvas.bin': 'x' } },
  'row.required': { id: 'acme:m.ndjson#3', rows: [{ channel: 'r1', time: 1_700_000_000_000 }] },
  'row.unreadable': { id: 'acme:r1:m2', rows: [{ id: 'm2', channel: 'r1', time: 0, gone: 'maybe' }] },
  'time.unreadable': { id: 'acme:r1:m2', rows: [{ id: 'm2', channel: 'r1', time: 'soon' }] },
  'time.ambiguous': { id: 'acme:r1:m2', rows: [{ id: 'm2', channel: 'r1', local: '2023-10-29 02:39' }] },
  'time.skipped': { id: 'acme:r1:m2', rows: [{ id: 'm2', channel: 'r1', local: '2023-03-26 02:30' }] },
  'row.repeated': { id: 'acme:r1', rooms: [{ id: 'r1' }, { id: 'r1' }] },
  'row.unmapped': { id: 'acme:m.ndjson#3', rows: [{ id: 'm2', skip: true }] },
  'table.unmapped': { id: 'acme:archive', archive: [{ id: 'm9' }] },
  'table.looked-up': { id: 'acme:people', people: [{ id: 'bob', user: 'u2', note: 'of nobody' }] },
  'row.lookup': { id: 'acme:people.ndjson#1' },
  'row.repeated-key': { id: 'acme:people.ndjson#2', people: [{ id: 'ann', user: 'u2' }] },
  'row.condition': { id: 'acme:m.ndjson#3', rows: [{ id: 'm2', many: 1 }] },
  'row.costly': { id: 'acme:m.ndjson#3', rows: [{ id: 'm2', many: Array.from({ length: 300 }, () => 0) }] },
  'row.value-dropped': {
    id: 'acme:r1:m2',
    rows: [{ id: 'm2', channel: 'r1', time: 1_700_000_000_000, text: { rich: true } }],
  },
  'file.empty': { id: 'slack:room/2023-11-15.json', more: { 'room/2023-11-15.json': '[]' } },
  'file.clutter': { id: 'slack:.DS_Store', more: { '.DS_Store': 'x' } },
  'file.link': { id: 'slack:room/2023-11-15.json', links: { 'room/2023-11-15.json': '/etc/hosts' } },
};

const mapping = `version: 1
name: acme
tables:
  people: { files: people.ndjson, key: "\${id}" }
  rooms: { files: r.json, path: rooms.* }
  messages: { files: m.ndjson }
channels: { from: rooms, id: "\${id}" }
messages:
  - from: messages
    where: "!has(row.local) && !has(row.skip) && (!has(row.many) || row.many.all(a, row.many.all(b, row.many.all(c, a + b + c == 0))))"
    id: \${id}
    channel: \${channel}
    sender: { in: people, key: "\${by}", get: "\${user}" }
    time: { of: "\${time}", unit: milliseconds }
    text: \${text}
    deleted: { cel: "has(row.gone) ? row.gone : ''" }
  - from: messages
    where: has(row.local)
    id: \${id}
    channel: \${channel}
    time: { of: "\${local}", zone: Europe/Berlin }
`;

function tablesOf({ rows = [], rooms = [{ id: 'r1' }], archive = [], people = [] }: Example) {
  const time = saidAt;
  const messages = [
    { id: 'm0', channel: 'r1', time, text: 'hi', by: 'ann' },
    { id: 'm1', channel: 'r1', time },
  ];
  return {
    'people.ndjson': jsonl({ id: 'ann', user: 'u1' }, ...people),
    'r.json': JSON.stringify({ rooms, archive }),
    'm.ndjson': jsonl(...messages, ...rows),
  };
}

function filesOf({
  sendbird,
  stream,
  discord,
  users = [ann, bob, robot],
  channels = [room],
  dms = [],
  messages = [said],
  more,
}: Example) {
  if (sendbird !== undefined) return { 'e.json': sendbirdFile([sendbirdMessage(1)], sendbird) };
  if (discord !== undefined) return { 'e.json': discordFile([discordMessage('1')], discord) };
  if (stream !== undefined) return { 'e.json': JSON.stringify(stream) };
  return { ...slackFiles({ users, channels, dms, 'room/2023-11-14': messages }), ...more };
}

const isShown = (code: ReasonCode): code is keyof typeof examples => code in examples;

test.for(reasonCodes.filter(isShown))('%s', async (code) => {
  const example = examples[code];
  const source = (['sendbird', 'stream', 'discord'] as const).find((name) => example[name] !== undefined) ?? 'slack';
  const { before, decisions } = example;
  const given = decisions === undefined ? undefined : decided(decisions, source);
  const convertExample = async () => {
    if (/^(?:row|time|table)\./u.test(code)) return convertTables(tablesOf(example), mapping);
    if (before === undefined) return convertFiles(source, filesOf(example), given, example);
    const { folder } = await convertFiles(source, filesOf({ id, ...before }), given);
    await writeFiles(join(folder, '../later'), filesOf(example));
    // Before the newest message of the export that was converted first.
    return convertInto(source, join(folder, '../later'), folder, { taken: '2024-01-01' });
  };
  const { ledger, result } = await convertExample();
  const lines = ledger.filter((line) => [line.reason, ...(line.also ?? [])].includes(code));
  expect(lines.map((line) => line.id)).toContain(example.id);
  for (const line of lines) if (line.reason === code) expect(line.outcome).toBe(reasons[code].outcome);
  expect(result.reasons).toContainEqual({ code, count: lines.length });
});

test('demands no decision where there is nothing to do', () => {
  const needless = reasonCodes.filter((code) => {
    const { outcome, advice } = reasons[code];
    return outcome === 'left_out' && advice.startsWith('Nothing to do') && !decidedReasons.has(code);
  });
  expect(needless).toEqual([]);
});

test('leaves out the history file of a channel where only bots wrote', async () => {
  const beep = { ...said, user: 'B000001', text: 'beep' };
  const files = slackFiles({
    users: [ann, robot],
    channels: [
      { ...room, members: [] },
      { ...room, id: 'C000002', name: 'other' },
    ],
    'room/2023-11-14': [beep, { ...beep, ts: '1700000001.000100' }],
    'other/2023-11-14': [said],
  });
  const { ledger, historyFiles, result } = await convertFiles(
    'slack',
    files,
    decided('users: { bots: admin_message }'),
  );
  expect(ledger.filter(({ reason }) => reason !== undefined).map((line) => [line.id, line.reason])).toEqual([
    ['slack:B000001', 'user.left-out'],
    ['slack:C000001', 'channel.nobody'],
    ['slack:C000002', 'channel.not-public'],
    [id, 'message.channel-left-out'],
    ['slack:C000001:1700000001.000100', 'message.channel-left-out'],
  ]);
  expect(Object.keys(historyFiles)).toEqual(['slack_C000002']);
  expect(result).toMatchObject({ messages: 1, channels: 1 });
});
