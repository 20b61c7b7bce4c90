// Tests that text from outside cannot do anything when printed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printId, printText, printValue, safe, safeJson, safeLines } from '../../../../src/core/view/text/text.ts';
import { anyText, harmIn } from '../support/hostile.ts';

describe('safe', () => {
  test.for([
    ['plain text stays', 'Support 42 (EU)', 'Support 42 (EU)'],
    ['other scripts stay', 'Zoë フランク مرحبا', 'Zoë フランク مرحبا'],
    ['an escape sequence is spelled out', '\u{1b}[2Jx', '\\u{1b}[2Jx'],
    ['line ends and tabs have their short names', 'a\r\n\tb', 'a\\r\\n\\tb'],
    ['text is not turned around', 'user\u{202e}gpj.exe', 'user\\u{202e}gpj.exe'],
    ['nothing is invisible', 'ad\u{200b}min\u{3164}', 'ad\\u{200b}min\\u{3164}'],
    ['a space that is none is shown', 'Alice\u{a0}', 'Alice\\u{a0}'],
    ['line separators', 'a\u{2028}b', 'a\\u{2028}b'],
    ['half a surrogate pair', '\u{d83d}', '\\u{d83d}'],
    ['emoji that are drawn together stay together', '👩‍💻 ❤️ 👍🏽', '👩‍💻 ❤️ 👍🏽'],
    ['a joiner without emoji is shown', 'a\u{200d}b', 'a\\u{200d}b'],
    ['accents do not pile up', 'e\u{301}\u{301}\u{301}\u{301}\u{301}', 'e\u{301}\u{301}\u{301}\u{301}\\u{301}'],
    ['no workflow command', '::set-output name=a::b', '\\u{3a}:set-output name=a::b'],
    ['an ordinary double colon stays', 'std::string', 'std::string'],
    ['no command of GitHub, Azure or TeamCity', '##[group] ##vso[x] # Title', '\\u{23}#[group] \\u{23}#vso[x] # Title'],
  ] as const)('%s', ([, given, expected]) => {
    expect(safe(given)).toBe(expected);
  });

  test('makes any string harmless and single-line, and is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const printed = safe(text);
        expect(harmIn(printed)).toBeUndefined();
        expect(printed).not.toContain('\n');
        expect(safe(printed)).toBe(printed);
      }),
    );
  });
});

test('distinguishes an escape from its spelling in quoted text', () => {
  expect(printText('a\nb')).toBe('"a\\nb"');
  expect(printText('a\\nb')).toBe('"a\\\\nb"');
  expect(printText('say "hi"')).toBe('"say \\"hi\\""');
});

test('quotes an id that could be ambiguous', () => {
  expect(
    ['alice', 'a.b@c', 'a, b', 'a b', '', 'x\u{200b}', "o'neil", 'a)', 'alice ', 'nobody', 'Every'].map(printId),
  ).toEqual([
    'alice',
    'a.b@c',
    '"a, b"',
    '"a b"',
    '""',
    '"x\\u{200b}"',
    '"o\'neil"',
    '"a)"',
    '"alice "',
    '"nobody"',
    '"Every"',
  ]);
});

test('values', () => {
  expect([null, true, 1.5, 'x', ['a', 1], { a: { b: '\u{1b}' } }].map(printValue)).toEqual([
    'null',
    'true',
    '1.5',
    '"x"',
    '["a",1]',
    '{"a":{"b":"\\u001b"}}',
  ]);
});

test('keeps several lines', () => {
  expect(safeLines('a\r\nb\u{1b}')).toEqual(['a', 'b\\u{1b}']);
});

test('writes harmless and exact JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(anyText, fc.array(anyText, { maxLength: 3 }), { maxKeys: 4 }), (value) => {
      for (const indent of [undefined, 2]) {
        const printed = safeJson(value, indent);
        expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(harmIn(printed)).toBeUndefined();
      }
    }),
  );
});
