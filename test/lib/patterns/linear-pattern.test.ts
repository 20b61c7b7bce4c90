// Tests that patterns mean the same as a reference matcher that uses nothing of V8's RegExp, and are never slow.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linearPattern, withoutPrefix } from '../../../src/lib/patterns/linear-pattern.ts';

/** The ends of all matches of a part of an expression that begin at a place. */
type Matcher = (text: readonly string[], at: number) => ReadonlySet<number>;

interface Part {
  readonly source: string;
  /** `ignoresCase` as in (?i:…). */
  match(ignoresCase: boolean): Matcher;
}

// Texts consist of these characters alone, so the tables of the reference can be written down.
const letters = ['a', 'A', 'b', 'k', 'K', '\u212a', 's', '\u017f', 'ä', 'Ä', 'σ', 'ς', 'ⅷ'];
const others = ['1', '\u0663', '_', '.', '-', ']', ' ', '\t', '\n', '\v', '\u00a0', '\u2028', '😀', '\ufffd'];
const characters = [...letters, ...others];
const folds = [
  ['a', 'A'],
  ['k', 'K', '\u212a'],
  ['s', '\u017f'],
  ['ä', 'Ä'],
  ['σ', 'ς'],
];

function folded(members: readonly string[]): readonly string[] {
  return characters.filter((one) =>
    members.some((member) => member === one || folds.some((fold) => fold.includes(one) && fold.includes(member))),
  );
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && 'aAbkKs1_'.includes(character);
}

function set(source: string, members: readonly string[], isNegated = false): Part {
  return {
    source,
    match: (ignoresCase) => {
      const listed = ignoresCase ? folded(members) : members;
      const meant = new Set(isNegated ? characters.filter((one) => !listed.includes(one)) : listed);
      return (text, at) => new Set(meant.has(text[at] ?? '') ? [at + 1] : []);
    },
  };
}

function assertion(source: string, holds: (text: readonly string[], at: number) => boolean): Part {
  return { source, match: () => (text, at) => new Set(holds(text, at) ? [at] : []) };
}

const isBoundary = (text: readonly string[], at: number) => isWord(text[at - 1]) !== isWord(text[at]);
const decimal = ['1'];
const word = characters.filter(isWord);
const space = ['\t', '\n', ' '];
const isLetter = (one: string) => letters.includes(one) && one !== 'ⅷ';

const atoms: readonly Part[] = [
  ...['a', 'A', 'k', 's', 'ä', 'σ', '😀', '-', ' '].map((one) => set(one, [one])),
  set('\\.', ['.']),
  set('\\x{1F600}', ['😀']),
  set('\\x41', ['A']),
  set('[{}_]', ['_']),
  set('\\Q.\\E', ['.']),
  set('\\t', ['\t']),
  set('.', ['\n'], true),
  set('\\d', decimal),
  set('\\D', decimal, true),
  set('\\w', word),
  set('\\W', word, true),
  set('\\s', space),
  set('\\S', space, true),
  set('\\pL', characters.filter(isLetter)),
  set('\\p{Greek}', ['σ', 'ς']),
  set('\\P{L}', characters.filter(isLetter), true),
  set('[ab]', ['a', 'b']),
  set('[^a\\d]', ['a', '1'], true),
  set('[\\]a-]', [']', 'a', '-']),
  set('[[:digit:]_]', ['1', '_']),
];
const assertions: readonly Part[] = [
  assertion('^', (_text, at) => at === 0),
  assertion('\\A', (_text, at) => at === 0),
  assertion('$', (text, at) => at === text.length),
  assertion('\\z', (text, at) => at === text.length),
  assertion('\\b', isBoundary),
  assertion('\\B', (text, at) => !isBoundary(text, at)),
];

function sequence(parts: readonly Part[]): Part {
  return {
    source: parts.map(({ source }) => source).join(''),
    match: (ignoresCase) => {
      const matchers = parts.map((part) => part.match(ignoresCase));
      return (text, at) => {
        let places = new Set([at]);
        for (const matcher of matchers) places = new Set([...places].flatMap((place) => [...matcher(text, place)]));
        return places;
      };
    },
  };
}

function repeated(part: Part, suffix: string, least: number, most: number): Part {
  return {
    source: part.source + suffix,
    match: (ignoresCase) => {
      const matcher = part.match(ignoresCase);
      return (text, at) => {
        const ends = new Set(least === 0 ? [at] : []);
        let places = new Set([at]);
        // More rounds than characters match nothing new.
        for (let round = 1; round <= Math.min(most, least + text.length + 1); round++) {
          places = new Set([...places].flatMap((place) => [...matcher(text, place)]));
          if (round >= least) for (const place of places) ends.add(place);
        }
        return ends;
      };
    },
  };
}

function group(opening: string, ways: readonly Part[]): Part {
  return {
    source: `${opening}${ways.map(({ source }) => source).join('|')})`,
    match: (ignoresCase) => {
      const matchers = ways.map((way) => way.match(ignoresCase || opening === '(?i:'));
      return (text, at) => new Set(matchers.flatMap((matcher) => [...matcher(text, at)]));
    },
  };
}

const suffixes: readonly (readonly [suffix: string, least: number, most: number])[] = [
  ['*', 0, 99],
  ['+', 1, 99],
  ['?', 0, 1],
  ['{2}', 2, 2],
  ['{1,}', 1, 99],
  ['{0,2}', 0, 2],
  ['*?', 0, 99],
  ['+?', 1, 99],
];
const { pattern } = fc.letrec<{ pattern: Part; part: Part; group: Part }>((tie) => {
  const suffix = fc.option(fc.constantFrom(...suffixes), { freq: 2 });
  const withSuffix = (one: Part, times: (typeof suffixes)[number] | null) =>
    times === null ? one : repeated(one, ...times);
  return {
    pattern: fc.array(tie('part'), { maxLength: 4 }).map(sequence),
    part: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      fc.tuple(fc.constantFrom(...atoms), suffix).map(([one, times]) => withSuffix(one, times)),
      fc.constantFrom(...assertions),
      tie('group'),
    ),
    group: fc
      .tuple(fc.constantFrom('(', '(?:', '(?i:'), fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }), suffix)
      .map(([opening, ways, times]) => withSuffix(group(opening, ways), times)),
  };
});

test('finds the same as the reference for every pattern', () => {
  // An unpaired surrogate counts as U+FFFD.
  const text = fc.array(fc.constantFrom(...characters, '\ud83d', '\ude00'), { maxLength: 8 });
  fc.assert(
    fc.property(pattern, text, ({ source, match }, points) => {
      const whole = points.join('');
      const read = [...whole.toWellFormed()];
      const matcher = match(false);
      const expected = [...read, ''].some((_one, at) => matcher(read, at).size > 0);
      expect(linearPattern(source).test(whole)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

describe('finishes for texts on which RegExp does not', () => {
  test.for([
    '^(a+)+$',
    '^(a|aa)+$',
    '(a*)*b',
    '^(?:a?){40}a{40}$',
    '([a-z]+)*[0-9]',
    '^(.*a){20}$',
    'a*a*a*a*a*a*a*b',
    '(?i:\\p{L}{1000})',
  ])('%s', (source) => {
    expect(linearPattern(source).test(`${'a'.repeat(190)}!`)).toBe(false);
  });
});

test.for<[string, string]>([
  ['(?=a)(b+)+', 'RE2 has no look-around. List the texts that may match'],
  ['(?<=a)b', 'RE2 has no look-around'],
  ['^(?!admin)[a-z]+$', 'RE2 has no look-around. List the texts that may match'],
  ['(a+)+\\1', 'RE2 has no backreferences'],
  ['(?<n>a)|(?<n>b)', 'Names of groups may not repeat'],
  ['\\u{1F600}', String.raw`Write a code point as \x{1F600}`],
  ['\\cA', String.raw`Write a control character as \x01`],
  ['\\p{Script=Greek}', String.raw`\p{Greek}`],
  ['\\p{Letter}', String.raw`\p{L}`],
  ['a++', 'possessive'],
  ['[]', 'A set may not be empty'],
  ['(?:a{1000}){1000}', 'repeat'],
  [`^$${'{var.region}'}$`, 'Variables are not inserted here'],
  ['a{,2}', String.raw`Write \{ and \} for braces`],
  ['(', 'missing closing )'],
])('refuses %s with the reason', ([source, reason]) => {
  expect(() => linearPattern(source)).toThrow(reason);
});

test('refuses an expression that is too long or too large', () => {
  expect(() => linearPattern('a'.repeat(10_001))).toThrow('longer than 10,000');
  expect(() => linearPattern('a{1000}'.repeat(101))).toThrow('too large');
});

test('suggests an expression for texts without a prefix', () => {
  expect(() => linearPattern('^(?!sys-)')).toThrow(`Write ${withoutPrefix('sys-')}`);
  const text = fc.array(fc.constantFrom('s', 'y', '-', 'x'), { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.constantFrom('sys-', 's', '-', 'ss'), text, (prefix, whole) => {
      expect(linearPattern(withoutPrefix(prefix)).test(whole)).toBe(!whole.startsWith(prefix));
    }),
  );
});

test.for<
  readonly [claim: string, source: string, text: string, parts: readonly (readonly [part: string, end: number])[]]
>([
  [
    'the first group of each match',
    String.raw`#(\d+)`,
    '#1 and #22',
    [
      ['1', 2],
      ['22', 10],
    ],
  ],
  [
    'whole matches without a group',
    String.raw`\d+`,
    '1 and 22',
    [
      ['1', 1],
      ['22', 8],
    ],
  ],
  [
    'an empty text for a group that takes no part',
    'a(b)?',
    'ab a',
    [
      ['b', 2],
      ['', 4],
    ],
  ],
  ['nothing without a match', 'x(y)', 'abc', []],
  [
    'empty matches once each',
    'x*',
    'ab',
    [
      ['', 0],
      ['', 1],
      ['', 2],
    ],
  ],
])('parts are %s', ([, source, text, parts]) => {
  expect([...linearPattern(source).parts(text)].map(({ part, end }) => [part, end])).toEqual(parts);
});
