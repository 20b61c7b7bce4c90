// Tests the bounds and the order of times: old and far ones, unsorted, in first and later conversions of every source.
import { describe, expect, test } from 'vitest';
import { maxTime, minTime, orderKey, timeOfLine } from '../../../src/core/model/migration/message-times.ts';
import { InternalError } from '../../../src/lib/errors.ts';
import { reasons } from '../../../src/migration/convert/export/reasons.ts';
import { writeFiles } from '../../support/folders.ts';
import { readConverted } from './support/converted.ts';
import { Series } from './support/series.ts';
import { systemsAndTable } from './support/systems.ts';

const user = 'U000001';
const room = 'C000001';
/** Beyond the bounds, at them, and on both sides of the last time of twelve digits. */
const outside = [0, minTime - 1, maxTime + 1];
const inside = [maxTime, minTime, 946_684_800_000, 999_999_999_999, 1_000_000_000_000, 1_700_000_000_000];
const later = [minTime + 1, 978_307_200_000, 1_700_000_000_001];

function inSomeOrder(times: readonly number[]) {
  const order = times.toSorted((left, right) => (left % 7919) - (right % 7919));
  return order.map((time) => ({ room, user, number: times.indexOf(time), time }));
}

describe.for(systemsAndTable)('$source', ({ source, list, mapping }) => {
  test('carries messages of all times within the bounds in their order, and names the others', async () => {
    const series = await Series.of(source);
    if (mapping !== undefined) await writeFiles(series.cwd, { 'mapping.yaml': mapping(true) });
    const flags = mapping === undefined ? [] : ['--mapping', 'mapping.yaml'];
    const rooms = [{ id: room, members: [user], operators: [] }];
    for (const times of [inside, [...inside, ...later]]) {
      const messages = inSomeOrder([...times, ...outside]);
      await series.converted(list({ users: [user], rooms, messages }), ...flags);
      const { ledger, historyFiles } = await readConverted(`${series.cwd}/chat`);
      const sent = Object.values(historyFiles).flatMap((lines) => lines.map(({ timestamp }) => timestamp));
      expect(sent).toEqual(times.toSorted((left, right) => left - right));
      const places = ledger.flatMap(({ to, line }) => (to?.startsWith('messages.') === true ? [line] : []));
      expect(places.toSorted()).toEqual(sent.map((_time, place) => place + 1).toSorted());
      const leftOut = ledger.filter(({ reason }) => reason === 'message.time-out-of-range');
      expect(leftOut).toHaveLength(outside.length);
      expect(ledger.filter(({ reason }) => reason === 'message.repeated')).toEqual([]);
    }
  });
});

test('names both bounds where messages are left out', () => {
  const { summary } = reasons['message.time-out-of-range'];
  for (const bound of [minTime, maxTime])
    expect(summary).toContain(new Date(bound).toISOString().replace('.000Z', 'Z'));
});

test('orders keys like their times, and takes no line or number without a time', () => {
  const times = [...inside, ...later];
  const keys = times.flatMap((time) => [orderKey(time, 2), orderKey(time, 10)]);
  const sorted = times.toSorted((left, right) => left - right);
  expect(keys.toSorted()).toEqual(sorted.flatMap((time) => [orderKey(time, 2), orderKey(time, 10)]));
  for (const time of times) expect(timeOfLine(`{"timestamp":${time},"dedup_id":"1"}`)).toBe(time);
  for (const text of [
    '',
    '{"timestamp":17,',
    '{"timestamp":null}',
    '{"timestamp":1700000000000000,',
    '{"message":"x"}',
  ])
    expect(() => timeOfLine(text)).toThrow(InternalError);
  for (const time of [Number.NaN, 1, maxTime + 1, 1.5]) expect(() => orderKey(time, 1)).toThrow(InternalError);
  expect(() => orderKey(minTime, Number.NaN)).toThrow(InternalError);
});
