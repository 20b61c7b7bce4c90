// Tests that a table numbers names like a Map.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NameTable } from '../../src/lib/name-table.ts';

test('numbers names in the order in which they are added', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), (names, other) => {
      const table = new NameTable();
      const map = new Map<string, number>();
      for (const name of names) {
        if (!map.has(name)) map.set(name, map.size);
        expect(table.add(name)).toBe(map.get(name));
      }
      expect(table.size).toBe(map.size);
      for (const name of [...names, other]) expect(table.find(name)).toBe(map.get(name));
    }),
  );
});

test('distinguishes a hundred thousand similar names', () => {
  const table = new NameTable();
  for (let place = 0; place < 100_000; place++) table.add(`user.u${place}#1`);
  expect(table.size).toBe(100_000);
  expect(table.find('user.u77777#1')).toBe(77_777);
  expect(table.find('user.u77777#2')).toBeUndefined();
});

test('finds names over several blocks', () => {
  const table = new NameTable();
  for (let place = 0; place < 10_000; place++) {
    expect(table.add(`n${place}`)).toBe(place);
  }
  expect([table.find('n9999'), table.find('n4095'), table.find('n4096'), table.find('n10000')]).toEqual([
    9_999,
    4_095,
    4_096,
    undefined,
  ]);
  expect(table.add('n1234')).toBe(1_234);
});
