// Tests that addresses can be printed and parsed, and that printed paths are unambiguous.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf, compareAddresses, keyOf, kindOf, parseAddress } from '../../../src/core/model/address.ts';
import { printPath } from '../../../src/core/model/change.ts';
import { codePoint } from '../../support/code-point.ts';

describe('an address', () => {
  test('prints and parses back, whatever the key', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('user', 'open_channel'),
        fc.string({ minLength: 1, unit: codePoint }),
        (kind, key) => {
          const address = addressOf(kind, key);
          expect([kindOf(address), keyOf(address)]).toEqual([kind, key]);
          expect(parseAddress(address)).toBe(address);
          expect(compareAddresses(address, addressOf(kind, `${key}.`))).toBe(-1);
        },
      ),
    );
  });

  test.for(['', 'user', 'user.', '.a', 'User.a', 'user a.b'])('%j is not an address', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});

test('quotes keys in a path unless they are plain words', () => {
  expect(printPath(['members', 'a.b', 'hidden_status'])).toBe('members."a.b".hidden_status');
});
