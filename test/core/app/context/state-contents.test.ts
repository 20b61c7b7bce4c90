// Tests that added records come out sorted with the others, each address once.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { putAmong } from '../../../../src/core/app/context/state-contents.ts';
import { recordOf } from '../../../support/state/fixtures.ts';

const keys = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 6 }).map((list) => list.toSorted());

test('merges records with others, sorted, each address once', () => {
  fc.assert(
    fc.property(keys, keys, (before, put) => {
      const records = before.map((key) => recordOf(key, { from: 'before' }));
      const others = put.map((key) => recordOf(key, { from: 'put' }));
      const expected = [...new Set([...before, ...put])]
        .toSorted()
        .map((key) => recordOf(key, { from: put.includes(key) ? 'put' : 'before' }));
      expect([...putAmong(records, others)]).toEqual(expected);
    }),
  );
});
