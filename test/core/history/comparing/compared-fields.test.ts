// Tests that an edit of any field of a history file's lines is found, or that the report lists the field as not compared.
import { describe, expect, test } from 'vitest';
import { comparedFields } from '../../../../src/core/history/comparing/compared-fields.ts';
import { type HistoryFileLine, lineSchemas, messageTypes } from '../../../../src/core/history/lines/line.ts';
import { Comparison } from '../../../../src/core/history/verification.ts';
import type { Behaviours } from '../../../../src/emulator/api/behaviours.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import {
  fieldsOfLine,
  hiddenFields,
  lineOfType,
  lineTime,
  lineValues,
  ownFields,
  requiredOfLine,
} from '../../../support/line-rows.ts';
import { call, startPlatform } from '../../../support/platform.ts';

const cases = messageTypes.flatMap((type) =>
  fieldsOfLine(type).flatMap((field) => {
    const { [field]: _removed, ...without } = lineOfType(type);
    const edited = { ...lineOfType(type), [field]: lineValues[field]?.[1] ?? null };
    const isOptional = !requiredOfLine(type).includes(field);
    const removal = { type, field, edit: 'removed', line: without as HistoryFileLine };
    return [{ type, field, edit: 'changed', line: edited }, ...(isOptional ? [removal] : [])];
  }),
);

/** The message that the emulator shows for a migrated line. */
async function migrated(line: HistoryFileLine, behaviours: Partial<Behaviours>): Promise<JsonObject> {
  const emulator = await startPlatform({ behaviours });
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

function compared(lines: readonly HistoryFileLine[], there: readonly JsonObject[]) {
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
    ...{ message_type: 'MESG' as const, timestamp: lineTime, user_id: 'alice', message: 'Hello' },
    ...(reactions === undefined ? {} : { reactions }),
    ...more,
  });
  const message = (reactions: JsonObject, more: JsonObject = {}) => ({
    ...{ type: 'MESG', created_at: lineTime, user: { user_id: 'alice' }, message: 'Hello' },
    reactions: Object.entries(reactions).map(([key, user_ids]) => ({ key, user_ids })),
    ...more,
  });

  test.for<[name: string, lines: HistoryFileLine[], there: JsonObject[], altered: object]>([
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
  expect(new Set([...Object.keys(lineValues), 'message_type'])).toEqual(
    new Set(fields.filter((name) => comparedFields[name] !== 'linking')),
  );
});

describe.each<Partial<Behaviours>>([{ customFieldOfFile: 'data' }, { customFieldOfFile: 'file' }])(
  'on a platform with %o',
  (behaviours) => {
    test.each(messageTypes)(
      '%s: an unchanged message has no differences, and fields that are not shown are listed',
      async (type) => {
        const line = lineOfType(type);
        const figures = compared([line], [await migrated(line, behaviours)]);
        expect(figures).toMatchObject({ compared: 1, missing: 0, altered: 0, others: 0, altered_fields: {} });
        expect(figures.not_compared).toEqual(
          hiddenFields.filter((field) => field in line).map((field) => ({ field, why: 'not_shown', messages: 1 })),
        );
      },
    );

    test('finds each edit, or lists its field as not compared', async () => {
      const shown = new Map<string, JsonObject>();
      for (const type of messageTypes) shown.set(type, await migrated(lineOfType(type), behaviours));
      for (const { type, field, edit, line } of cases) {
        const { missing, moved, others, altered_fields, not_compared } = compared([line], [shown.get(type) ?? {}]);
        const what = `${type}.${field} ${edit}`;
        if (comparedFields[field] === 'identifying') {
          expect([missing + moved, others + moved], what).toEqual([1, 1]);
          continue;
        }
        expect([missing, moved, others], what).toEqual([0, 0, 0]);
        const isHidden = hiddenFields.includes(field);
        const isPlatforms = edit === 'removed' && ownFields.includes(field);
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
  const line = lineOfType('FILE');
  const { url, file_name: name, file_size: size, file_type: type, thumbnails, custom_field: data } = line;
  const message: JsonObject = {
    type: 'FILE',
    created_at: lineTime,
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
  for (const field of hiddenFields) {
    const edited = { ...line, [field]: lineValues[field]?.[1] ?? null };
    expect(compared([edited], [message]).altered_fields).toEqual({ [field]: 1 });
  }
});

test('does not report a field as altered if the platform never shows it', () => {
  const line = lineOfType('MESG');
  const { data, custom_type, message: text } = line;
  const message = {
    type: 'MESG',
    created_at: lineTime,
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
