// Tests the walk over declared objects and records side by side: pairs by address, kinds apart, each record read once.
import { expect, test } from 'vitest';
import type { StateRecord } from '../../../src/model/record.ts';
import { inWalkOrder, pairsOfKind } from '../../../src/planner/diff/walk.ts';
import { registry } from '../../../src/resources/index.ts';
import { resource } from '../../support/planning/planning.ts';
import { MadeSeries } from '../../support/series.ts';

test('pairs objects of one kind by address, and passes over neighbours of other kinds', () => {
  const declared = [resource('open_channel', 'lobby', {}), resource('user', 'bob', { nickname: 'B' })];
  const records: StateRecord[] = (['open_channel.old', 'user.alice', 'user.bob', 'users.x'] as const).map(
    (address) => ({
      address,
      attributes: {},
    }),
  );
  const pairs = Array.from(pairsOfKind('user', declared, records), ({ address, resource: is, record: was }) => [
    address,
    is?.address,
    was?.address,
  ]);
  expect(pairs).toEqual([
    ['user.alice', undefined, 'user.alice'],
    ['user.bob', 'user.bob', 'user.bob'],
  ]);
});

test('children are met before the objects that hold them', () => {
  const order = inWalkOrder(registry).map(({ kind }) => kind);
  expect(order.slice(0, 5)).toEqual(['messages', 'user', 'bot', 'open_channel', 'group_channel']);
  const others = registry.filter(({ isChild }) => isChild !== true).map(({ kind }) => kind);
  expect(order).toEqual(['messages', ...others]);
});

test('a record is read once', () => {
  const records: StateRecord[] = Array.from({ length: 100 }, (_none, place) => ({
    address: `user.a${1_000 + place}` as const,
    attributes: {},
  }));
  let read = 0;
  const at = (index: number): StateRecord | undefined => {
    read += 1;
    return records[index];
  };
  const series = new MadeSeries(records.length, at, () => records[Symbol.iterator]());
  expect(Array.from(pairsOfKind('user', [], series), ({ record }) => record)).toEqual(records);
  // The search for where the kind begins looks at some of them.
  expect(read).toBeLessThan(records.length + 12);
});
