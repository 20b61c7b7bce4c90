// Tests that two long texts of one line are shown with every difference, or with the number of those that do not fit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aroundDifferences } from '../../../../src/core/view/diff/value-diff.ts';
import { displayWidth } from '../../../../src/core/view/text/layout.ts';

const long = 'x'.repeat(500);

test.for<[string, string, string, readonly [string, string]]>([
  ['shows texts that fit whole', 'a b', 'a c', ['a b', 'a c']],
  [
    'shows a second edit behind a long part that is the same',
    `rev 1 ${long} https://good.example`,
    `rev 2 ${long} https://evil.example`,
    ['rev 1 xxxxxxxxx…x https://good.example', 'rev 2 xxxxxxxxx…x https://evil.example'],
  ],
  [
    'shows an edit inside a long word',
    `${long}1${long}`,
    `${long}2${long}`,
    ['…xxxxxxxxxx1xxxxxxxxxx…', '…xxxxxxxxxx2xxxxxxxxxx…'],
  ],
  [
    'counts the characters of an edit that does not fit',
    `a ${long}`,
    `a ${'y'.repeat(300)}`,
    [`a ${'x'.repeat(38)}… (462 more characters)`, `a ${'y'.repeat(38)}… (262 more characters)`],
  ],
])('%s', ([, before, after, expected]) => {
  expect(aroundDifferences(before, after, 63)).toEqual(expected);
});

test('shows or counts each difference within the line', () => {
  const part = fc.record({
    same: fc.string({ minLength: 1, maxLength: 200, unit: fc.constantFrom('same', ' ', '.') }),
    isEdited: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 50, max: 200 }),
      (parts, columns) => {
        const textWith = (word: string) =>
          parts.map(({ same, isEdited }) => `${same} ${isEdited ? word : 'kept'} `).join('');
        const edits = parts.filter(({ isEdited }) => isEdited).length;
        const [left, right] = aroundDifferences(textWith('OLD'), textWith('NEW'), columns);
        const omitted = Number(/\((\d+) more differences?\)$/u.exec(right)?.[1] ?? 0);
        expect([left, right].every((line) => displayWidth(line) <= columns)).toBe(true);
        if (edits > 0)
          expect([left.split('OLD').length - 1 + omitted, right.split('NEW').length - 1 + omitted]).toEqual([
            edits,
            edits,
          ]);
      },
    ),
  );
});
