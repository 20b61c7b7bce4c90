import { expect, test } from 'vitest';
import type { StateRecord } from '../../../src/model/record.ts';
import { pairsOfKind } from '../../../src/planner/diff/pairs.ts';
import { registry } from '../../../src/resources/index.ts';
import { resource } from '../../support/planning/planning.ts';
import { MadeSeries } from '../../support/series.ts';

test('pairs objects of one kind by address and skips other kinds', () => {
  const declared = [resource('open_channel', 'lobby', {}), resource('user', 'bob', { nickname: 'B' })];
  const records: StateRecord[] = (['open_channel.old', 'user.alice', 'user.bob', 'users.x'] as const).map(
    (address) => ({ address, attributes: {} }),
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

test('the registry lists the parts of a kind after the kind', () => {
  for (const [place, { children = {} }] of registry.entries()) {
    const described = registry.findIndex(
      ({ section, isChild }) => isChild === true && Object.hasOwn(children, section),
    );
    if (Object.keys(children).length > 0) expect(described).toBeGreaterThan(place);
  }
});

test('reads each record once', () => {
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
  // The binary search for the first record of the kind reads a few of them.
  expect(read).toBeLessThan(records.length + 12);
});
