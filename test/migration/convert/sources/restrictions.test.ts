// Tests that no source shows to everybody what only some could see: each field that restricts is planted in an export of its
// source, and the object is left out, deactivated, frozen or private, and never called carried.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { sources } from '../../../../src/migration/convert/sources/index.ts';
import { writeFiles } from '../../../support/folders.ts';
import { convertFiles, convertInto, convertTables } from '../support/converted.ts';
import { decided } from '../support/series.ts';
import type { Planted, RestrictedObject } from '../support/source-sample.ts';
import { systems } from '../support/systems.ts';
import { sample as stream } from './stream/sample.ts';

const samples = new Map(systems.map(({ source, restricted }) => [source, restricted]));

const decisions = 'users: { guests: leave_out }\nchannels: { public: everybody }';

async function converted(source: string, planted: Planted, decisionLines = decisions) {
  const sample = samples.get(source);
  if (sample === undefined) throw new Error(`There is no sample of ${source}.`);
  const { folder, ledger, historyFiles } = await convertFiles(
    source,
    sample.files(planted),
    decided(decisionLines, source),
  );
  const read = async (section: string) =>
    parse(await readFile(join(folder, `${section}.yaml`), 'utf8').catch(() => '{}'))[section] ?? {};
  const user = (await read('users'))[sample.user];
  const channel = (await read('group_channels'))[sample.room];
  const texts = Object.values(historyFiles).flatMap((lines) => lines.map(({ message }) => message));
  const lineOf = (kind: RestrictedObject) => {
    const found = ledger.filter(({ id }) => sample.ids[kind] !== undefined && id.includes(sample.ids[kind]));
    // The lines of messages begin with the id of their channel.
    const line = kind === 'message' ? found[0] : found.find(({ id }) => id === sample.ids[kind]);
    if (line === undefined) throw new Error(`${source} has no line of the ${kind}.`);
    return line;
  };
  return { user, channel, texts, lineOf };
}

const openConversions = new Map<string, ReturnType<typeof converted>>();

/** The export without anything planted, which is converted once. */
function openConversion(source: string): ReturnType<typeof converted> {
  const known = openConversions.get(source) ?? converted(source, {});
  openConversions.set(source, known);
  return known;
}

/** The rows with a field, by the kind of its table. A profile is a part of a user. */
const rowsWith: Readonly<Record<string, (fields: object) => readonly [RestrictedObject, Planted]>> = {
  user: (user) => ['user', { user }],
  profile: (profile) => ['user', { user: { profile } }],
  channel: (channel) => ['channel', { channel }],
  member: (member) => ['member', { member }],
  message: (message) => ['message', { message }],
};

const restricting = sources.flatMap(({ name, fields }) =>
  Object.entries(fields).flatMap(([table, ofKind]) =>
    Object.entries(ofKind).flatMap(([field, { restriction }]) => {
      if (restriction === undefined) return [];
      const [kind, planted] = rowsWith[table]?.({ [field]: restriction.example }) ?? [];
      if (kind === undefined || planted === undefined) throw new Error(`${table} of ${name} is not planted.`);
      return [{ name, table, kind, field, planted, becomes: restriction.becomes }];
    }),
  ),
);

test('samples are open to everybody without a restriction', async () => {
  for (const { name } of sources) {
    const { user, channel, texts, lineOf } = await openConversion(name);
    expect(texts).toEqual(['whisper']);
    expect(lineOf('message').outcome).not.toBe('left_out');
    expect(user?.deactivated ?? channel?.frozen).toBeUndefined();
    if (samples.get(name)?.hasPublicRooms === true) expect(channel.is_public).toBe(true);
  }
});

test.for(restricting)('$name: $table $field', async ({ name, kind, planted, becomes }) => {
  const { user, channel, texts, lineOf } = await converted(name, planted);
  const { outcome, reason, also = [] } = lineOf(kind);
  expect(outcome).not.toBe('carried');
  if (becomes === 'kept') {
    const open = await openConversion(name);
    expect({ user, channel }).not.toEqual({ user: open.user, channel: open.channel });
    return;
  }
  if (becomes === 'doubtful') {
    expect([reason, ...also]).toContain('object.maybe-restricted');
    return;
  }
  expect(outcome).toBe(becomes === 'banned' ? 'changed' : 'left_out');
  if (becomes === 'banned') expect(user).toMatchObject({ deactivated: true });
  if (becomes === 'deleted' && kind === 'channel') expect(channel).toBeUndefined();
  if (becomes === 'no_member') expect(Object.keys(channel.members)).not.toContain(samples.get(name)?.user);
  if (kind !== 'message') return;
  expect(texts).toEqual([]);
  if (becomes !== 'restricted') return;
  expect(reason).toBe('message.restricted');
  const shown = await converted(name, planted, 'messages: { restricted: show }');
  expect(shown.texts).toEqual(['whisper']);
  expect(shown.lineOf('message')).toMatchObject({ outcome: 'changed', reason: 'message.restriction-lost' });
});

describe('a field that no source knows, but whose name is that of a restriction', () => {
  test.for(sources.map(({ name }) => name))('%s: has a line in the ledger', async (name) => {
    for (const kind of ['user', 'channel', 'member', 'message'] as const) {
      if (samples.get(name)?.ids[kind] === undefined) continue;
      const { lineOf } = await converted(name, { [kind]: { is_hidden_by_moderator: true } });
      const { outcome, reason, also = [] } = lineOf(kind);
      expect({ kind, outcome }).toEqual({ kind, outcome: 'changed' });
      expect([reason, ...also]).toContain('object.maybe-restricted');
      const harmless = await converted(name, { [kind]: { is_hidden_by_moderator: false, deleted_by: null } });
      expect([harmless.lineOf(kind).reason, ...(harmless.lineOf(kind).also ?? [])]).not.toContain(
        'object.maybe-restricted',
      );
    }
  });
});

test('names columns of tables that look like restrictions, until the mapping reads or omits them', async () => {
  const mapping = (omit: string) => `version: 1
name: acme
tables: { u: { files: u.csv${omit} }, r: { files: r.csv${omit} }, p: { files: p.csv${omit} }, m: { files: m.csv${omit} } }
users: { from: u, id: "\${id}" }
channels: { from: r, id: "\${id}" }
members: { from: p, channel: "\${room}", user: "\${user}" }
messages: { from: m, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: hi }
`;
  const files = {
    'u.csv': 'id,is_banned\nu1,1\nu2,\n',
    'r.csv': 'id,is_private\nr1,true\nr2,\n',
    'p.csv': 'room,user,muted_until\nr1,u1,2030-01-01\nr1,u2,\n',
    'm.csv': 'id,room,user,at,hidden\nm1,r1,u1,2024-01-01T00:00:00Z,yes\nm2,r1,u1,2024-01-01T00:00:01Z,\n',
  };
  const { ledger } = await convertTables(files, mapping(''));
  const doubtful = ledger.filter(({ reason, also = [] }) => [reason, ...also].includes('object.maybe-restricted'));
  expect(doubtful.map(({ at }) => at).sort()).toEqual(['m.csv#2', 'p.csv#2', 'r.csv#2', 'u.csv#2']);
  expect(doubtful.map(({ outcome }) => outcome)).not.toContain('carried');
  const { result } = await convertTables(files, mapping(', omit: [is_banned, is_private, muted_until, hidden]'));
  expect(result.reasons.map(({ code }) => code)).not.toContain('object.maybe-restricted');
});

test('removes a member who was banned since, although the export does not list everybody', async () => {
  const { files } = stream.restricted;
  const { folder } = await convertFiles('stream', files({}));
  await writeFiles(join(folder, '../later'), files({ member: { banned: true } }));
  await convertInto('stream', join(folder, '../later'), folder);
  const { group_channels: channels } = parse(await readFile(join(folder, 'group_channels.yaml'), 'utf8'));
  expect(Object.keys(channels.stream_team_c1.members)).toEqual(['u1']);
});

const own = `version: 1
name: own
tables: { u: { files: u.csv }, r: { files: r.csv }, p: { files: p.csv }, m: { files: m.csv } }
users: { from: u, id: "\${id}", name: "\${name}" }
channels: { from: r, id: "\${id}", name: "\${name}" }
members: { from: p, channel: "\${room}", user: "\${user}" }
messages: { from: m, id: "\${id}", channel: "\${room}", sender: "\${user}", time: "\${at}", text: "\${body}" }
`;
const ownTables = {
  'u.csv': 'id,name,fcm\n1,Ann,\n2,Bob,d3v1c3\n',
  'r.csv': 'id,name,join_password\n7,Desk,pl4nted\n',
  'p.csv': 'room,user,left_at\n7,1,\n7,2,2020-01-01\n',
  'm.csv':
    'id,room,user,at,body,is_internal,ip\n1,7,1,2024-01-01T00:00:00Z,staff,t,203.0.113.7\n2,7,1,2024-01-01T00:00:01Z,all,,\n',
};
const ownFields = ['user.fcm', 'channel.join_password', 'member.left_at', 'message.is_internal', 'message.ip'];

test('asks about each column of a table that the mapping neither reads nor omits, and publishes none before', async () => {
  const asked = await convertTables(ownTables, own);
  const lines = asked.ledger.filter(({ reason }) => reason === 'field.unknown');
  expect(lines.map(({ at }) => at).sort()).toEqual([...ownFields].sort());
  for (const line of lines) expect(line).toMatchObject({ rows: 1 });
  const named = lines.filter(({ also = [] }) => also.includes('field.private')).map(({ at }) => at);
  expect(named.sort()).toEqual(['channel.join_password', 'message.ip', 'user.fcm']);
  expect(asked.result.undecided.map(({ code }) => code)).toContain('field.unknown');
  const written = async (folder: string) => {
    const channels = await readFile(join(folder, 'group_channels.yaml'), 'utf8');
    return channels + (await readFile(join(folder, 'history/own_7.ndjson'), 'utf8'));
  };
  expect(await written(asked.folder)).not.toMatch(/pl4nted|203\.0\.113|is_internal/u);
  const accepted = await convertTables(ownTables, own, { isAccepted: true });
  expect(await written(accepted.folder)).toMatch(/pl4nted[\s\S]*203\.0\.113/u);
});

test('leaves out the rows of a table whose column restricts, as a person says', async () => {
  const fields = ownFields.map((name) => `${name}: ${/is_internal|left_at/u.test(name) ? 'restricts' : 'leave_out'}`);
  const { folder, historyFiles, ledger, result } = await convertTables(ownTables, own, {
    decisions: decided(`fields: { ${fields.join(', ')} }`, 'own'),
  });
  expect(historyFiles.own_7?.map(({ message }) => message)).toEqual(['all']);
  const channels = parse(await readFile(join(folder, 'group_channels.yaml'), 'utf8')).group_channels;
  expect(Object.keys(channels.own_7.members)).toEqual(['1']);
  expect(ledger.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['message.restricted', 'member.not-in-force']),
  );
  expect(result.undecided.map(({ code }) => code)).not.toContain('field.unknown');
});
