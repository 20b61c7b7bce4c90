// Tests that globs mean the same as a reference matcher, are never slow, and that forms of other globs are refused with a rewriting.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { globMatcher } from '../../../src/lib/patterns/glob.ts';

const maxRuns = 1_000;

/** Tries every length of what the first part of the glob may stand for. */
function matches(glob: readonly string[], text: readonly string[], isPath: boolean): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return text.length === 0;
  if (first === '/**') return text.length === 0 || text[0] === '/';
  const standsFor = (isMeant: (part: readonly string[]) => boolean) =>
    [...text, ''].some((_one, length) => isMeant(text.slice(0, length)) && matches(rest, text.slice(length), isPath));
  if (first === '**/') return standsFor((part) => part.length === 0 || part.at(-1) === '/');
  if (first === '*') return standsFor((part) => !isPath || !part.includes('/'));
  if (first === '{a,bc/d}') return standsFor((part) => ['a', 'bc/d'].includes(part.join('')));
  const [one] = text;
  return one !== undefined && isOne(first, one, isPath) && matches(rest, text.slice(1), isPath);
}

function isOne(part: string, one: string, isPath: boolean): boolean {
  if (part === '?') return !isPath || one !== '/';
  if (part === '[ab]') return 'ab'.includes(one);
  if (part === '[!a-b]') return !'ab'.includes(one) && !(isPath && one === '/');
  return part === (one === '*' ? '\\*' : one);
}

const parts = fc.array(fc.constantFrom('a', 'b', '.', '/', '*', '?', '[ab]', '[!a-b]', '{a,bc/d}', '\\*'), {
  maxLength: 7,
});
const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '/', '.', '*', '😀', '\n'), { maxLength: 8 });

test('a glob over texts finds the same as the reference', () => {
  fc.assert(
    fc.property(parts, text, (glob, whole) => {
      expect(globMatcher(glob.join(''), 'text')(whole.join(''))).toBe(matches(glob, whole, false));
    }),
    { numRuns: maxRuns },
  );
});

test('a glob over paths finds the same as the reference', () => {
  const inside = fc.tuple(fc.boolean(), parts, fc.boolean()).map(([before, glob, after]) => {
    // ** is a part of its own only beside slashes, and two stars in a row are one.
    const plain = glob.filter((part, at) => part !== '*' || glob[at - 1] !== '*');
    const start = before && plain[0] !== '*' ? ['**/'] : [];
    const end = after && plain.length > 0 && plain.at(-1) !== '*' ? ['/**'] : [];
    return [...start, ...plain, ...end];
  });
  fc.assert(
    fc.property(inside, text, (glob, whole) => {
      fc.pre(!glob.join('').startsWith('./') && !whole.includes('\n'));
      expect(globMatcher(glob.join(''), 'path')(whole.join(''))).toBe(matches(glob, whole, true));
    }),
    { numRuns: maxRuns },
  );
});

test.for<[glob: string, path: string, expected: boolean]>([
  ['teams/**', 'teams/support/.hidden/a.yaml', true],
  ['teams/**', 'teamsters/a.yaml', false],
  ['teams/**/*.yaml', 'teams/a.yaml', true],
  ['**/*.{yaml,yml}', 'a.yml', true],
  ['**', 'a/b', true],
  ['a**', 'a/b', false],
  ['./teams/*', 'teams/a', true],
  ['[+-9]', '/', false],
  ['[+-9]', '5', true],
  ['a[b', 'a[b', true],
  ['a{b', 'a{b', true],
  ['a{b}', 'a{b}', true],
  ['{a,{b,c}d}', 'cd', true],
  ['teams (old)/*', 'teams (old)/a', true],
  ['\\!a', '!a', true],
  ['a[]]', 'a]', true],
])('the path glob %s and %s: %s', ([glob, path, expected]) => {
  expect(globMatcher(glob, 'path')(path)).toBe(expected);
});

describe('finishes', () => {
  test.for(['*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b', '{a,aa}'.repeat(40), `${'[a-z]*'.repeat(40)}b`])(
    '%s',
    (glob) => {
      expect(globMatcher(glob, 'text')(`${'a'.repeat(200)}!`)).toBe(false);
    },
  );
});

describe('refuses', () => {
  test.for<[string, string]>([
    ['*(*a)b', 'Write {a,b}'],
    ['+(a|b)', 'Write {a,b}'],
    ['teams/(a|b)', 'Write {a,b}'],
    ['!teams/**', 'list the exceptions before it'],
    ['a{1..3}', 'Write {1,2,3} or [1-3]'],
    ['[[:alpha:]]', 'Write [a-z]'],
    ['[z-a]', 'Write [a-z]'],
    ['{'.repeat(2_001), 'longer than 2,000'],
  ])('%s', ([glob, advice]) => {
    expect(() => globMatcher(glob, 'path')).toThrow(advice);
  });
});
