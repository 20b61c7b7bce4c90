// Tests which message of a channel is changed or deleted for a line, among others with the same time and sender.
import { describe, expect, test } from 'vitest';
import { type HistoryFileLine, identityOfLine } from '../../../../src/core/history/lines/line.ts';
import type { PlannedLines } from '../../../../src/core/history/lines/range.ts';
import { TargetSearch } from '../../../../src/core/history/searching/target-search.ts';
import type { Target } from '../../../../src/core/history/sending/message-search.ts';
import type { Search } from '../../../../src/core/model/request.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

const time = 1_600_000_000_000;

function line(message: string, more: JsonObject = {}): HistoryFileLine {
  return { message_type: 'MESG', timestamp: time, user_id: 'alice', message, ...more };
}

function message(id: number, text: string, more: JsonObject = {}): JsonObject {
  const user = { user_id: 'alice' };
  const shown = { custom_type: '', data: '', mentioned_users: [], file: {} };
  return { message_id: id, type: 'MESG', created_at: time, user, message: text, ...shown, ...more };
}

const listing: Search = {
  read: { method: 'GET', route: '/group_channels/{channel_url}/messages', query: {} },
  until: time,
  unseenOn: [],
  nothingOn: [],
  content: {},
};

/** `own` is the place of the line to change. Without it a message is deleted. */
function search(
  lines: readonly HistoryFileLine[],
  there: readonly JsonObject[],
  own?: number,
  more: Partial<Target> = {},
) {
  const planned = { only: own === undefined ? undefined : [own] } as unknown as PlannedLines;
  const target: Target = { identity: identityOfLine(line('')), mark: 'mark', lines: planned, ...more };
  const look = new TargetSearch(lines, target, listing);
  const first = look.take({ messages: [...there] });
  return first.type === 'page' ? look.take({ messages: [] }) : first;
}

describe('the message of an edited line', () => {
  const body = { message: 'new', data: '', custom_type: '', mention_type: 'users', mentioned_user_ids: [] };

  test.for<{ name: string; lines: HistoryFileLine[]; there: JsonObject[]; found: object }>([
    { name: 'the only one', lines: [line('new')], there: [message(7, 'old')], found: { type: 'message', id: '7' } },
    { name: 'is as it should be', lines: [line('new')], there: [message(7, 'new')], found: { type: 'done' } },
    {
      name: 'has the text, and other data',
      lines: [line('new', { data: 'd' })],
      there: [message(7, 'new')],
      found: { type: 'message', id: '7', body: { ...body, message_type: 'MESG', data: 'd' } },
    },
    {
      name: 'is not one that another line stands for',
      lines: [line('new'), line('other')],
      there: [message(6, 'other'), message(7, 'old')],
      found: { type: 'message', id: '7' },
    },
    {
      name: 'another one has been as it is now all along',
      lines: [line('new'), line('new', { dedup_id: 'x' })],
      there: [message(6, 'new'), message(7, 'old')],
      found: { type: 'message', id: '7' },
    },
    {
      name: 'is not of another sender or time',
      lines: [line('new')],
      there: [message(5, 'old', { user: { user_id: 'bob' } }), message(6, 'old', { created_at: time - 1 })],
      found: { type: 'lost', why: expect.stringContaining('chatform verify') },
    },
    {
      name: 'was deleted on the platform',
      lines: [line('new')],
      there: [message(7, 'old', { is_removed: true })],
      found: { type: 'done', note: 'was deleted on the platform' },
    },
  ])('$name', ({ lines, there, found }) => {
    expect(search(lines, there, 0)).toMatchObject(found);
  });

  const [a, b] = [
    { key: 'a', value: ['1'] },
    { key: 'b', value: [] },
  ];
  const arrays = (...all: JsonObject[]) => ({ sorted_metaarray: all });

  test.for<[name: string, metaArrays: 'remove' | 'add', declared: JsonObject, there: JsonObject, found: object]>([
    [
      'removes every key before it adds others',
      'remove',
      arrays(a),
      arrays(a, b),
      { type: 'message', query: { keys: 'a,b' } },
    ],
    ['removes nothing if all are as declared', 'remove', arrays(a), arrays(a), { type: 'done' }],
    ['removes nothing from a message without any', 'remove', arrays(a), {}, { type: 'done' }],
    ['removes every key for a line without any', 'remove', {}, arrays(b), { type: 'message', query: { keys: 'b' } }],
    ['adds those of the line', 'add', arrays(b, a), arrays(), { type: 'message', body: arrays(b, a) }],
    ['adds nothing if all are there', 'add', arrays(b, a), arrays(b, a), { type: 'done' }],
  ])('meta arrays: %s', ([, metaArrays, declared, there, found]) => {
    expect(search([line('new', declared)], [message(7, 'old', there)], 0, { metaArrays })).toMatchObject(found);
  });

  test('may be absent if it was never known to exist', () => {
    expect(search([line('new')], [], 0, { mayBeAbsent: true })).toEqual({ type: 'done' });
  });

  const k = { sorted_metaarray: [{ key: 'k', value: [] }] };
  test.for<[name: string, lines: HistoryFileLine[], there: JsonObject[], more: Partial<Target>, found: object]>([
    [
      'is its own even if a line that has not arrived has its text',
      [line('new'), line('old')],
      [message(7, 'old', k)],
      { unsure: [1] },
      { id: '7' },
    ],
    [
      'is not that of a line that has arrived after all',
      [line('new'), line('same')],
      [message(6, 'same'), message(7, 'same', k)],
      { unsure: [1] },
      { id: '7' },
    ],
    [
      'is its own if the message of a removed line is there instead of one that has not arrived',
      [line('new'), line('old')],
      [message(6, 'gone'), message(7, 'old')],
      { unsure: [1], most: 1 },
      { id: '6' },
    ],
  ])('%s', ([, lines, there, more, found]) => {
    expect(search(lines, there, 0, more)).toMatchObject({ type: 'message', ...found });
  });

  test('is the same before and after its meta arrays are removed', () => {
    const lines = [line('new', { data: 'd' }), line('new')];
    const arrays = [k, k];
    const there = () => arrays.map((own, place) => message(place, 'new', own));
    const first = search(lines, there(), 0, { edited: [1], metaArrays: 'remove' });
    const id = first.type === 'message' ? Number(first.id) : -1;
    arrays[id] = { sorted_metaarray: [] };
    expect(search(lines, there(), 0, { edited: [1] })).toMatchObject({ type: 'message', id: String(id) });
  });

  test('gets its meta arrays after the old ones are removed, even if that makes it equal to the message of another line', () => {
    const [l, none] = [{ sorted_metaarray: [{ key: 'l', value: [] }] }, { sorted_metaarray: [] }];
    // Each text makes another order of the lines.
    for (const text of ['1', '2', '3', '4', '5', '6']) {
      const lines = [line(text, k), line('edited later'), line(text)];
      const arrays: JsonObject[] = [l, l, none];
      const there = () => arrays.map((own, place) => message(place, text, own));
      const removed = search(lines, there(), 0, { edited: [1], metaArrays: 'remove' });
      arrays[removed.type === 'message' ? Number(removed.id) : -1] = none;
      const added = search(lines, there(), 0, { edited: [1], metaArrays: 'add' });
      const id = added.type === 'message' ? Number(added.id) : -1;
      expect(arrays[id]).toBe(none);
      arrays[id] = k;
      expect(search(lines, there(), 0, { edited: [1] })).toEqual({ type: 'done' });
    }
  });

  test('is not searched for a line that was not sent yet', () => {
    expect(search([line('new'), line('old')], [message(7, 'old')], 0, { late: [1] })).toMatchObject({ id: '7' });
  });
});

describe('the message of a reaction or pin', () => {
  const [one, two] = [line('a', { dedup_id: '1' }), line('a', { dedup_id: '2' })];
  const there = [message(6, 'a'), message(7, 'a')];
  const pinned = (lines: readonly HistoryFileLine[], own: HistoryFileLine, messages = there) =>
    search(lines, messages, lines.indexOf(own), { pin: 'add' });

  test('is the same for lines in another order, and not that of an equal message', () => {
    const found = [one, two].map((own) => pinned([one, two], own));
    expect([one, two].map((own) => pinned([two, one], own))).toEqual(found);
    expect(found.map((progress) => progress.type === 'message' && progress.id).sort()).toEqual(['6', '7']);
  });

  test('is told by a field that no call changes', () => {
    const file = (file_name: string) => line('', { message_type: 'FILE', url: 'u', file_name });
    const lines = [file('a.png'), file('b.png')];
    const shown = ['b.png', 'a.png'].map((name, place) => ({
      ...message(place, '', { type: 'FILE', file: { url: 'u', name } }),
    }));
    const of = lines.map((own) =>
      search(lines, shown, lines.indexOf(own), { pin: 'add', identity: identityOfLine(own) }),
    );
    expect(of).toMatchObject([{ id: '1' }, { id: '0' }]);
  });
});

describe('the message of a removed line', () => {
  test.for<[name: string, lines: HistoryFileLine[], there: JsonObject[]]>([
    [
      'is not that of a line that was sent, if an equal line has not arrived',
      [line('a'), line('a')],
      [message(6, 'a'), message(7, 'old')],
    ],
    [
      'is its own even if a line that has not arrived has its text',
      [line('b'), line('old')],
      [message(6, 'b'), message(7, 'old', { data: 'd' })],
    ],
  ])('%s', ([, lines, there]) => {
    expect(search(lines, there, undefined, { unsure: [1], most: 1 })).toMatchObject({ id: '7' });
  });

  test.for<{ name: string; lines: HistoryFileLine[]; there: JsonObject[]; found: object }>([
    { name: 'the only one', lines: [], there: [message(7, 'old')], found: { type: 'message', id: '7' } },
    { name: 'is gone already', lines: [], there: [], found: { type: 'done' } },
    {
      name: 'the one that no line stands for',
      lines: [line('kept'), line('edited')],
      there: [message(5, 'kept'), message(6, 'edited'), message(7, 'old')],
      found: { type: 'message', id: '7' },
    },
    {
      name: 'more than are to be deleted: somebody else may have written one',
      lines: [],
      there: [message(6, 'old'), message(7, 'a stranger')],
      found: { type: 'lost', why: expect.stringContaining('cannot tell which') },
    },
  ])('$name', ({ lines, there, found }) => {
    expect(search(lines, there, undefined, { most: 1 })).toMatchObject(found);
  });
});
