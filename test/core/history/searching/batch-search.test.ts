// Tests the walk over a channel's messages: each once and in order, for any number of equal times and any page size.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HistoryFileLine } from '../../../../src/core/history/lines/line.ts';
import type { PlannedLines } from '../../../../src/core/history/lines/range.ts';
import { BatchSearch, MessageWalk } from '../../../../src/core/history/searching/batch-search.ts';
import { listQuery, searchOf } from '../../../../src/core/history/sending/requests.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';

const pageSize = 200;

/** Messages at the anchor are returned beyond the limit or within it; the documents do not say which (platform §6.3). */
function page(all: readonly JsonObject[], { query = {} }: ApiRequest, onTop: boolean): JsonObject {
  const { message_ts: ts, message_id: id, include } = query;
  const isAt = ({ created_at: time, message_id: own }: JsonObject) =>
    id === undefined ? String(time) === ts : String(own) === id;
  const anchor = all.find(({ message_id: own }) => String(own) === id);
  const from = id === undefined ? Number(ts) : Number(anchor?.created_at);
  const isAfter = ({ created_at: time, message_id: own }: JsonObject) =>
    Number(time) > from || (id !== undefined && Number(time) === from && Number(own) > Number(id));
  const at = include === 'true' ? all.filter(isAt) : [];
  const after = all.filter((one) => isAfter(one) && !isAt(one));
  const messages = onTop ? [...at, ...after.slice(0, pageSize)] : [...at, ...after].slice(0, pageSize);
  return { messages };
}

test.for([
  { name: 'on top of the limit', onTop: true },
  { name: 'within the limit', onTop: false },
])('messages at the anchor $name', ({ onTop }) => {
  const runs = fc.array(fc.tuple(fc.integer({ min: 1, max: 450 }), fc.integer({ min: 1, max: 3 })), { maxLength: 6 });
  fc.assert(
    fc.property(runs, fc.nat({ max: 12 }), (groups, until) => {
      const all: JsonObject[] = [];
      let time = 0;
      for (const [count, later] of groups) {
        time += later;
        for (let place = 0; place < count; place++) all.push({ message_id: all.length + 1, created_at: time });
      }
      const first: ApiRequest = {
        method: 'GET',
        route: '/open_channels/{channel_url}/messages',
        query: listQuery({ message_ts: '0', include: 'true' }),
      };
      const walk = new MessageWalk(first, until);
      const found: JsonObject[] = [];
      let pages = 0;
      for (let request: ApiRequest | undefined = first; request !== undefined; pages++) {
        const { messages, next } = walk.take(page(all, request, onTop));
        found.push(...messages);
        request = next;
      }
      expect(found).toEqual(all.filter(({ created_at: at }) => Number(at) <= until));
      expect(pages).toBeLessThan(2 + all.length / 50);
    }),
    { numRuns: 100 },
  );
});

test.each([
  ['every anchor', () => true],
  ['anchors by message_id', ({ query }: ApiRequest) => query?.message_id !== undefined],
])('a list of messages that ignores %s is circular', (_name, ignores) => {
  const all = Array.from({ length: 500 }, (_none, at) => ({
    message_id: at + 1,
    created_at: 1 + Math.floor(at / 300),
  }));
  const first: ApiRequest = {
    method: 'GET',
    route: '/open_channels/{channel_url}/messages',
    query: listQuery({ message_ts: '0', include: 'true' }),
  };
  const walk = new MessageWalk(first, 2);
  let request: ApiRequest = first;
  for (let pages = 0; pages < 10; pages++) {
    const { next, isCircular } = walk.take(page(all, ignores(request) ? first : request, false));
    if (isCircular === true) return;
    if (next === undefined) break;
    request = next;
  }
  expect.fail('the walk ended as if the list was complete, or did not end');
});

describe('an unresolved call', () => {
  const lineOf = (data: string): HistoryFileLine => ({
    message_type: 'MESG',
    timestamp: 1,
    user_id: 'a',
    message: 'x',
    data,
  });
  const messageOf = (data: string, id: number): JsonObject => {
    return { message_id: id, type: 'MESG', created_at: 1, user: { user_id: 'a' }, message: 'x', data };
  };

  type Case = readonly [
    name: string,
    lines: readonly string[],
    there: readonly string[],
    missing: readonly number[],
    only?: readonly number[] | undefined,
    repeats?: Readonly<Record<string, number>>,
  ];

  test.for<Case>([
    ['nothing is there', ['1', '2'], [], [0, 1]],
    ['all is there', ['1', '2'], ['1', '2'], []],
    ['the second of two is there', ['1', '2'], ['2'], [0]],
    ['the first of two is there', ['1', '2'], ['1'], [1]],
    ['one of two that are the same is there', ['1', '1'], ['1'], [1]],
    ['the platform shows other data', ['1', '2'], ['?'], [1]],
    ['what is there is another line', ['1', '2'], ['1'], [1], [1]],
    ['what is there besides is the last of three', ['1', '2', '3'], ['1', '3'], [1], [1, 2]],
    ['what is there is an earlier line that is the same', ['1'], ['1'], [0], undefined, { '0': 1 }],
    ['more is there than lines', ['1', '2'], ['?', '2', '3'], []],
  ])('%s', ([, lines, there, missing, only, repeats]) => {
    const planned: PlannedLines = {
      ...{ file: 'a', channel: 'c', offset: 0, bytes: 0, skip: 0, digest: '' },
      count: lines.length,
      ...(only === undefined ? {} : { only }),
      ...(repeats === undefined ? {} : { repeats }),
    };
    const search = searchOf({ first: 1, last: 1 }, 'group_channel', { channel_url: 'c' });
    const batch = new BatchSearch(lines.map(lineOf), planned, search, false);
    const first = batch.take({ messages: there.map(messageOf) });
    const last = first.type === 'page' ? batch.take({ messages: [] }) : first;
    expect(last).toEqual({ type: 'missing', places: missing });
  });
});
