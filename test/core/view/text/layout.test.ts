// Tests that text is measured and fitted as a terminal shows it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chop, clip, prefixThatFits } from '../../../../src/core/view/text/clipping.ts';
import { fold, foldToLine } from '../../../../src/core/view/text/folding.ts';
import { displayWidth, padEnd, padStart, wrap } from '../../../../src/core/view/text/layout.ts';
import { wrapLines } from '../../../../src/core/view/text/wrap-lines.ts';
import { listOf, plural, printDuration, printNumber } from '../../../../src/lib/words.ts';

test.for([
  ['', 0],
  ['abc', 3],
  ['Zoë', 3],
  ['e\u{301}', 1],
  ['フランク', 8],
  ['한글', 4],
  ['👩‍💻', 2],
  ['❤️', 2],
  ['👍🏽', 2],
  ['→ …', 3],
  ['“Zoë” – …', 9],
] as const)('%j is %i columns wide', ([text, expected]) => {
  expect(displayWidth(text)).toBe(expected);
});

test('a character that is measured without a segmenter is as wide with one', () => {
  const codes = Array.from({ length: 0x2213 }, (_, code) => code).filter(
    (code) => (code >= 0x20 && code < 0x7f) || (code > 0x9f && code < 0x300) || code > 0x200f,
  );
  // A segmenter measures all text beside a Chinese character, which is two columns wide and joins with no other.
  const texts = codes.map((code) => String.fromCodePoint(code)).filter((text) => displayWidth(text) === 1);
  expect(texts.filter((text) => displayWidth(`漢${text}`) !== 3)).toEqual([]);
});

describe('fitting', () => {
  test('is never too wide, and never cuts a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, columns) => {
        expect(displayWidth(prefixThatFits(text, columns))).toBeLessThanOrEqual(columns);
        expect(text.startsWith(prefixThatFits(text, columns))).toBe(true);
        expect(displayWidth(clip(text, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });

  test('cuts into pieces that join to the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 2, max: 12 }), (text, columns) => {
        expect([...chop(text, columns)].join('')).toBe(text);
      }),
    );
  });

  test('clip', () => {
    expect(clip('abcdef', 6)).toBe('abcdef');
    expect(clip('abcdef', 4)).toBe('abc…');
    expect(clip('フランク', 4)).toBe('フ…');
  });

  test.for([
    ['short  stays', 'short  stays'],
    ['    one two three four five', '    one two three\n    four five'],
    ['name    what it is about', 'name    what it is\nabout'],
    ['https://example.com/a/long/path and more', 'https://example.com/a/long/path\nand more'],
    ['\u{1b}[1mone two three four\u{1b}[22m five', '\u{1b}[1mone two three four\u{1b}[22m\nfive'],
    ['first line is long enough\nsecond: yes ', 'first line is long\nenough\nsecond: yes '],
    ['\r\u{1b}[Kone two three four five', '\r\u{1b}[Kone two three four five'],
  ] as const)('wraps the lines of a message at 18 columns: %j', ([text, expected]) => {
    expect(wrapLines(text, 18)).toBe(expected);
  });

  test('pads by columns', () => {
    expect(padEnd('ク', 4)).toBe('ク  ');
    expect(padStart('12', 4)).toBe('  12');
  });
});

test('breaks prose between words, and gives a longer word its own line', () => {
  expect([...wrap('one two  three https://example.com/long four', 9)]).toEqual([
    'one two',
    'three',
    'https://example.com/long',
    'four',
  ]);
});

test('folds lists without losing an item', () => {
  expect([...fold(['a', 'b', 'c', 'd'], 5)]).toEqual(['a, b,', 'c, d']);
  expect([...fold([], 5)]).toEqual([]);
});

test('counts the omitted items of a list on one line', () => {
  expect(foldToLine(['alice', 'bob', 'carol'], 20)).toBe('alice, bob, carol');
  expect(foldToLine(['alice', 'bob', 'carol', 'dave'], 20)).toBe('alice, … and 3 more');
  expect(foldToLine(['a-name-that-is-too-long', 'bob'], 10)).toBe('a-name-that-is-too-long, … and 1 more');
});

test.for([
  [0.04, '0 s'],
  [0.4, '0.4 s'],
  [9.96, '10 s'],
  [59.6, '1 min'],
  [2000, '33 min 20 s'],
  [3600, '1 h'],
  [7_260, '2 h 1 min'],
  [86_400 * 3 + 7_200, '3 d 2 h'],
  [86_400 + 59, '1 d'],
] as const)('%d seconds are %s', ([seconds, expected]) => {
  expect(printDuration(seconds)).toBe(expected);
});

test('numbers have at most one decimal, and their digits are grouped as English groups them', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(99), (whole, hundredths) => {
      const value = whole + hundredths / 100;
      const rounded = Math.round(value * 10) / 10;
      expect(printNumber(value)).toBe(rounded.toLocaleString('en-US'));
    }),
  );
});

test('numbers and counts', () => {
  expect(printNumber(1_234_567.89)).toBe('1,234,567.9');
  expect([plural(1, 'change'), plural(0, 'change'), plural(9_990, 'change'), plural(2, 'entry', 'entries')]).toEqual([
    '1 change',
    '0 changes',
    '9,990 changes',
    '2 entries',
  ]);
  expect([listOf([]), listOf(['a']), listOf(['a', 'b', 'c'])]).toEqual(['', 'a', 'a, b and c']);
});
