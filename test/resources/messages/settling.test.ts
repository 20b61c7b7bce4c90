// Tests the walk over a channel's messages: every one once and in order, however many share a time, whatever a page holds.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/lib/json.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import { listQuery } from '../../../src/resources/messages/requests.ts';
import { MessageWalk } from '../../../src/resources/messages/settling.ts';

const pageSize = 200;

/** Messages at the anchor come on top of the limit, or within it: the documents do not say (platform §6.3). */
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
