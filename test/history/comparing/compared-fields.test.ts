// Tests that an edit of any field of an archive's lines is found, or that the report lists the field as not compared.
import { describe, expect, test } from 'vitest';
import type { Readings } from '../../../src/emulator/api/readings.ts';
import { comparedFields } from '../../../src/history/comparing/compared-fields.ts';
import { type ArchiveLine, lineSchemas, messageTypes } from '../../../src/history/lines/line.ts';
import { Comparison } from '../../../src/history/verification.ts';
import type { JsonObject, JsonValue } from '../../../src/lib/json.ts';
import { call, startPlatform } from '../../support/platform.ts';

const time = 1_600_000_000_000;
/** For each field, the value that was sent and a later value in the archive. */
const values: Readonly<Record<string, readonly [JsonValue, JsonValue]>> = {
  timestamp: [time, time + 1],
  user_id: ['alice', 'bob'],
  message: ['Hello', 'Bye'],
  url: ['https://files.example/a.pdf', 'https://files.example/b.pdf'],
  data: ['{"a":1}', '{"a":2}'],
  custom_field: ['page 1', 'page 2'],
  custom_type: ['note', 'memo'],
  mentioned_user_ids: [
    ['bob', 'alice'],
    ['bob', 'carol'],
  ],
  sorted_metaarray: [[{ key: 'tags', value: ['a', 'b'] }], [{ key: 'tags', value: ['b', 'a'] }]],
  is_silent: [true, false],
  file_name: ['a.pdf', 'b.pdf'],
  file_size: [1024, 1025],
  file_type: ['application/pdf', 'text/plain'],
  thumbnails: [['https://files.example/a.png'], ['https://files.example/b.png']],
  require_auth: [true, false],
  reactions: [{ up: ['alice', 'bob'] }, { up: ['alice', 'carol'] }],
  pinned: [true, false],
  dedup_id: ['source-1', 'source-2'],
};
/** Fields that the emulator never shows. */
const hidden = ['dedup_id', 'require_auth', 'thumbnails'];
/** Fields that the platform may set by itself, so a line without one declares nothing. */
const ownOfPlatform = ['file_name', 'file_size', 'file_type', 'reactions', 'pinned'];

const fieldsOf = (type: ArchiveLine['message_type']) =>
  Object.keys(lineSchemas[type].properties ?? {}).filter((name) => name !== 'message_type');

const requiredOf = (type: ArchiveLine['message_type']) => lineSchemas[type].required as readonly string[];

function lineOf(type: ArchiveLine['message_type']): ArchiveLine {
  const fields = fieldsOf(type).map((name) => [name, values[name]?.[0] ?? null]);
  return { message_type: type, timestamp: time, ...Object.fromEntries(fields) };
}

const cases = messageTypes.flatMap((type) =>
  fieldsOf(type).flatMap((field) => {
    const { [field]: _removed, ...without } = lineOf(type);
    const edited = { ...lineOf(type), [field]: values[field]?.[1] ?? null };
    const isOptional = !requiredOf(type).includes(field);
    const removal = { type, field, edit: 'removed', line: without as ArchiveLine };
    return [{ type, field, edit: 'changed', line: edited }, ...(isOptional ? [removal] : [])];
  }),
);

/** The message that the emulator shows for a migrated line. */
async function migrated(line: ArchiveLine, readings: Partial<Readings>): Promise<JsonObject> {
  const emulator = await startPlatform({ readings });
  for (const user_id of ['alice', 'bob', 'carol']) {
    await call(emulator, 'POST', '/users', { user_id, nickname: user_id, profile_url: '' });
  }
  await call(emulator, 'POST', '/group_channels', { channel_url: 'room', user_ids: ['alice', 'bob', 'carol'] });
  const { reactions: _reactions, pinned: _pinned, ...sent } = line;
  await call(emulator, 'POST', '/migration/room', { messages: [sent] });
  const path = '/group_channels/room/messages';
  const parts = 'message_ts=0&with_sorted_meta_array=true&include_reactions=true';
  const [{ message_id: id = 0 } = {}] = (await call(emulator, 'GET', `${path}?${parts}`)).messages as JsonObject[];
  for (const user_id of ['bob', 'alice']) {
    await call(emulator, 'POST', `${path}/${String(id)}/reactions`, { user_id, reaction: 'up' });
  }
  const listed = await call(emulator, 'GET', `${path}?${parts}`);
  const [message] = listed.messages as JsonObject[];
  // `verify` reads from the channel which messages are pinned.
  return { ...message, pinned: true };
}

function compared(lines: readonly ArchiveLine[], there: readonly JsonObject[]) {
  const comparison = new Comparison();
  const times = new Set([...lines.map(({ timestamp }) => timestamp), ...there.map(({ created_at }) => created_at)]);
  for (const at of times) {
    comparison.instant(
      lines.filter(({ timestamp }) => timestamp === at),
      there.filter(({ created_at }) => created_at === at),
    );
  }
  return comparison.end();
}

describe('lines of one text, sender and time are compared with messages in any order', () => {
  const [up, none, both] = [{ up: ['alice'] }, {}, { up: ['alice', 'bob'] }];
  const line = (reactions?: JsonObject, more: JsonObject = {}) => ({
    ...{ message_type: 'MESG' as const, timestamp: time, user_id: 'alice', message: 'Hello' },
    ...(reactions === undefined ? {} : { reactions }),
    ...more,
  });
  const message = (reactions: JsonObject, more: JsonObject = {}) => ({
    ...{ type: 'MESG', created_at: time, user: { user_id: 'alice' }, message: 'Hello' },
    reactions: Object.entries(reactions).map(([key, user_ids]) => ({ key, user_ids })),
    ...more,
  });

  test.for<[name: string, lines: ArchiveLine[], there: JsonObject[], altered: object]>([
    ['reactions', [line(none), line(up)], [message(up), message(none)], {}],
    ['reactions that others added', [line(none), line(up)], [message(up), message(both)], {}],
    ['more reactions than the other', [line(up), line(both)], [message(both), message(up)], {}],
    ['pins', [line(none), line(none, { pinned: true })], [message(none, { pinned: true }), message(none)], {}],
    ['data', [line(none, { data: 'a' }), line(none)], [message(none), message(none, { data: 'a' })], {}],
    ['a lost reaction', [line(up), line(up)], [message(none), message(up)], { reactions: 1 }],
    ['other data', [line(none, { data: 'a' }), line(none)], [message(none), message(none)], { data: 1 }],
  ])('%s', ([, lines, there, altered]) => {
    expect(compared(lines, there)).toMatchObject({ compared: 2, out_of_order: 0, altered_fields: altered });
  });
});

test('covers every field of a line', () => {
  const fields = messageTypes.flatMap((type) => Object.keys(lineSchemas[type].properties ?? {}));
  expect(new Set(fields)).toEqual(new Set(Object.keys(comparedFields)));
  expect(new Set([...Object.keys(values), 'message_type'])).toEqual(new Set(fields));
});

describe.each<Partial<Readings>>([{ customFieldOfFile: 'data' }, { customFieldOfFile: 'file' }])(
  'on a platform with %o',
  (readings) => {
    test.each(messageTypes)(
      '%s: an unchanged message has no differences, and fields that are not shown are listed',
      async (type) => {
        const line = lineOf(type);
        const figures = compared([line], [await migrated(line, readings)]);
        expect(figures).toMatchObject({ compared: 1, missing: 0, altered: 0, others: 0, altered_fields: {} });
        expect(figures.not_compared).toEqual(
          hidden.filter((field) => field in line).map((field) => ({ field, why: 'not_shown', messages: 1 })),
        );
      },
    );

    test('finds each edit, or lists its field as not compared', async () => {
      const shown = new Map<string, JsonObject>();
      for (const type of messageTypes) shown.set(type, await migrated(lineOf(type), readings));
      for (const { type, field, edit, line } of cases) {
        const { missing, moved, others, altered_fields, not_compared } = compared([line], [shown.get(type) ?? {}]);
        const what = `${type}.${field} ${edit}`;
        if (comparedFields[field] === 'identifying') {
          expect([missing + moved, others + moved], what).toEqual([1, 1]);
          continue;
        }
        expect([missing, moved, others], what).toEqual([0, 0, 0]);
        const isHidden = hidden.includes(field);
        const isPlatforms = edit === 'removed' && ownOfPlatform.includes(field);
        expect(altered_fields, what).toEqual(isHidden || isPlatforms ? {} : { [field]: 1 });
        const why = isPlatforms ? 'not_declared' : 'not_shown';
        // A field that is neither shown nor declared has no value on either side.
        const isNamed = isPlatforms || (isHidden && edit === 'changed' && line[field] !== false);
        expect(not_compared.filter((entry) => entry.field === field)).toEqual(
          isNamed ? [{ field, why, messages: 1 }] : [],
        );
      }
    });
  },
);

test('compares thumbnails, access and source ids if the platform shows them', () => {
  const line = lineOf('FILE');
  const { url, file_name: name, file_size: size, file_type: type, thumbnails, custom_field: data } = line;
  const message: JsonObject = {
    type: 'FILE',
    created_at: time,
    user: { user_id: 'alice' },
    custom_type: 'note',
    mentioned_users: ['alice', 'bob'],
    sorted_metaarray: line.sorted_metaarray ?? [],
    file: { url: url ?? '', name: name ?? '', size: size ?? 0, type: type ?? '', data: data ?? '', require_auth: true },
    thumbnails: (thumbnails as string[]).map((one) => ({ url: one, width: 100 })),
    dedup_id: 'source-1',
    reactions: [{ key: 'up', user_ids: ['carol', 'bob', 'alice'] }],
    pinned: true,
  };
  expect(compared([line], [message])).toMatchObject({ altered: 0, not_compared: [] });
  for (const field of hidden) {
    const edited = { ...line, [field]: values[field]?.[1] ?? null };
    expect(compared([edited], [message]).altered_fields).toEqual({ [field]: 1 });
  }
});

test('does not report a field as altered if the platform never shows it', () => {
  const line = lineOf('MESG');
  const { data, custom_type, message: text } = line;
  const message = {
    type: 'MESG',
    created_at: time,
    user: { user_id: 'alice' },
    message: text ?? '',
    data: data ?? '',
    custom_type: custom_type ?? '',
  };
  expect(compared([line], [message])).toMatchObject({
    altered: 0,
    not_compared: ['dedup_id', 'mentioned_user_ids', 'pinned', 'reactions', 'sorted_metaarray'].map((field) => ({
      field,
      why: 'not_shown',
      messages: 1,
    })),
  });
  const { data: _data, ...without } = message;
  expect(compared([line], [without]).altered_fields).toEqual({ data: 1 });
});
