// Tests that any number of objects are returned sorted, each key once.
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Sorter } from '../../src/lib/sorter.ts';
import { Spool } from '../../src/lib/spool.ts';
import { fastTest, inSuite } from '../support/suite.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface One {
  readonly key: string;
  readonly place: number;
}

/** The last object of each key, sorted by code unit. */
function sortedByHand(all: readonly One[]): One[] {
  const last = new Map(all.map((one) => [one.key, one]));
  return [...last.values()].sort((left, right) => (left.key < right.key ? -1 : 1));
}

test('sorts any keys over several runs, in memory and on disk', async () => {
  const folder = await temporaryFolder();
  const odd = fc.constantFrom('', 'a', 'A', 'ä', '\u{1d4b3}', '\uffff', '10', '9', '__proto__', 'a.b', 'a\n');
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 13_000 }),
      fc.integer({ min: 1, max: 13_000 }),
      fc.array(odd, { maxLength: 8 }),
      fc.constantFrom(0, 100_000, 1_000_000),
      (count, different, others, inMemory) => {
        const spool = new Spool({ folder, inMemory });
        try {
          const keys = [...Array.from({ length: count }, (_none, at) => `k${(at * 7919) % different}`), ...others];
          const all = keys.map((key, place): One => ({ key, place }));
          const sorter = new Sorter<One>(spool.collect, ({ key }) => key);
          for (const one of all) sorter.push(one);
          const sorted = sorter.end();
          expect(sorter.count).toBe(all.length);
          expect([...sorted]).toEqual(sortedByHand(all));
          expect([...sorted]).toEqual(sortedByHand(all));
        } finally {
          spool.close();
        }
      },
    ),
    { numRuns: inSuite(6, 25) },
  );
});

fastTest('gives each reader its own position', async () => {
  const spool = new Spool({ folder: await temporaryFolder(), inMemory: 0 });
  onTestFinished(() => spool.close());
  const sorter = new Sorter<One>(spool.collect, ({ key }) => key);
  for (let place = 0; place < 9_000; place += 1) sorter.push({ key: `k${(place * 7) % 9_000}`, place });
  const sorted = sorter.end();
  const [one, other] = [sorted[Symbol.iterator](), sorted[Symbol.iterator]()];
  for (let at = 0; at < 4_500; at += 1) one.next();
  const rest = { [Symbol.iterator]: () => one };
  expect(Array.from({ length: 4_500 }, () => other.next().value)).toEqual([...sorted].slice(0, 4_500));
  expect([...rest]).toEqual([...sorted].slice(4_500));
});
