// Support: texts that try to do something when printed, and a check that an output is harmless.
import fc from 'fast-check';
import { codePoint } from '../../support/code-point.ts';

/** Strings of ordinary characters and of everything that a terminal or a CI log interprets. */
const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        '\u{1b}[31m',
        '\u{1b}]0;title\u{7}',
        '\u{9b}2J',
        '\r',
        '\n',
        '\t',
        '\u{8}',
        '\u{7f}',
        '\u{202e}',
        '\u{2066}',
        '\u{200b}',
        '\u{200d}',
        '\u{feff}',
        '\u{2028}',
        '\u{a0}',
        '\u{3164}',
        '\u{d800}',
        '::error::',
        '\n::set-output name=x::',
        '##[group]',
        '##vso[task.setvariable]',
        '##teamcity[x',
        '👩‍💻',
        'e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}',
        ' ',
        '"',
        '\\',
        '{',
        'フランク',
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** Hostile texts and names that every object inherits. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 9, arbitrary: hostileText },
  { weight: 1, arbitrary: fc.constantFrom('valueOf', 'toString', 'hasOwnProperty', 'constructor') },
);

const invisible =
  /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u{ad}\u{200b}\u{200c}\u{feff}\u{3164}\u{a0}\u{e0001}-\u{e007f}]/u;
const joinerWithoutEmoji =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f})\u{200d}|\u{200d}(?!\p{Extended_Pictographic})/u;

/** The fault of an output, or undefined. Line ends are the only control characters that a view may write. */
export function harmIn(output: string): string | undefined {
  const found = invisible.exec(output) ?? joinerWithoutEmoji.exec(output);
  if (found !== null) return `U+${found[0].codePointAt(0)?.toString(16)} at ${found.index}`;
  if (/##\w*\[/u.test(output)) return 'a command of a log reader';
  const command = output.split('\n').find((line) => line.trimStart().startsWith('::'));
  return command === undefined ? undefined : `a workflow command: ${command}`;
}
