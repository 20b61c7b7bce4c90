// Tests that patterns match like RegExp and are never slow.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearPattern } from '../../src/lib/linear-pattern.ts';

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\w',
    '\\d',
    '\\p{L}',
    'ä',
    '\\u{1F600}',
    '\\.',
    '[\\]a-]',
    '^',
    '$',
    '\\b',
    '\\B',
  ],
);
const suffix = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?');
const { pattern } = fc.letrec<{ pattern: string; part: string; group: string }>((tie) => ({
  pattern: fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.tuple(atom, suffix).map(([one, times]) => (/^(?:\^|\$|\\[bB])$/u.test(one) ? one : one + times)),
    tie('group'),
  ),
  group: fc
    .tuple(fc.constantFrom('(', '(?:', '(?<n>'), fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }), suffix)
    .map(([opening, ways, times]) => `${opening}${ways.join('|')})${times}`),
}));
const text = fc.array(fc.constantFrom('a', 'b', '1', '.', 'ä', '😀', ']', ' ', '-'), { maxLength: 8 });

test('finds the same as RegExp for every pattern', () => {
  fc.assert(
    fc.property(pattern, text, (source, points) => {
      let native: RegExp;
      try {
        native = new RegExp(source, 'u');
      } catch {
        // The name of a group occurs twice.
        return;
      }
      const whole = points.join('');
      const found = native.exec(whole);
      // V8 looks for \B also within a surrogate pair, where the specification does not.
      if (found !== null && /^[\udc00-\udfff]/.test(whole.slice(found.index))) return;
      expect(linearPattern(source).test(whole)).toBe(found !== null);
    }),
    { numRuns: 2_000 },
  );
});

describe('finishes for texts on which RegExp does not', () => {
  test.for(['^(a+)+$', '^(a|aa)+$', '(a*)*b', '^(?:a?){40}a{40}$', '([a-z]+)*[0-9]', '^(.*a){20}$', 'a*a*a*a*a*a*a*b'])(
    '%s',
    (source) => {
      expect(linearPattern(source).test(`${'a'.repeat(190)}!`)).toBe(false);
    },
  );
});

test.for<[string, string]>([
  ['(?=a)(b+)+', '(?='],
  ['(a+)+\\1', '\\1'],
  ['(?:a{1000}){1000}', 'repeat'],
  ['(', 'Unterminated group'],
])('refuses %s with the reason', ([source, reason]) => {
  expect(() => linearPattern(source)).toThrow(reason);
});

test('leaves a lookaround beside few repetitions to RegExp', () => {
  expect(linearPattern('^(?!admin)[a-z]+$').test('alice')).toBe(true);
  expect(linearPattern('^(?!admin)[a-z]+$').test('administrator')).toBe(false);
});
