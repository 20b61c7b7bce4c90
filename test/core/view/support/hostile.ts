// Support: texts that try to do something when printed, plans that are full of them, and a check that an output is harmless.
import fc from 'fast-check';
import type { AttributeChange, Change, Drift } from '../../../../src/core/model/change.ts';
import type { Plan } from '../../../../src/core/model/plan.ts';
import { codePoint } from '../../../support/code-point.ts';
import { changeOf, planOf } from './plans.ts';

/** Strings of ordinary characters and of everything that a terminal or a CI log interprets. */
const controls: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: codePoint }),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        ...['\u{1b}[31m', '\u{1b}]0;title\u{7}', '\u{9b}2J', '\r', '\n', '\t', '\u{8}', '\u{7f}', ' ', '"', '\\', '{'],
        ...['\u{202e}', '\u{2066}', '\u{200b}', '\u{200d}', '\u{feff}', '\u{2028}', '\u{a0}', '\u{3164}', '\u{d800}'],
        ...['::error::', '\n::set-output name=x::', '##[group]', '##vso[task.setvariable]', '##teamcity[x'],
        ...['👩‍💻', 'e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}', 'フランク'],
      ),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

/** Such texts and names that every object inherits. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 9, arbitrary: controls },
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

/** Part of every hostile text, so that tests can find it. */
export const canary = 'zqxjk';

const markup = fc.constantFrom(
  ...['@octocat', '#123', 'GH-1', 'octo/repo#4', '0123456789abcdef0123456789abcdef01234567', 'mail@harm.example'],
  ...['`', '``', '```', '\n```\n', '~~~', '````````', '\\`', '**b**', '~~s~~', '&lt;b&gt;', '&#96;', ' '],
  ...['</details>', '</summary>', '</code></pre>', '-->', '--!>', '<!--', '<script>alert(1)</script>'],
  ...['</script><script>window.harmed = 1</script>', '<img src=x onerror="window.harmed = 1">'],
  ...['<a href="javascript:alert(1)">', '" onmouseover="window.harmed = 1', "' onfocus='window.harmed = 1"],
  ...['|', '\n|a|b|\n|-|-|\n|c|d|\n', '\n\n# heading\n\n', '\n- item', '\n> quote', 'https://harm.example/x'],
  ...['www.harm.example', '[x](https://harm.example)', '![x](https://harm.example)', '[x]: https://harm.example'],
);

export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(markup, markup, anyText), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join('') + canary);

const attribute: fc.Arbitrary<AttributeChange> = fc
  .record({
    // Attribute names are plain words and are shown as such.
    path: fc.array(hostileText, { minLength: 1, maxLength: 2 }).filter(([head = '']) => !/^\w+$/u.test(head)),
    before: fc.option(fc.oneof(hostileText, fc.constant({}), fc.array(hostileText)), { nil: undefined }),
    after: fc.oneof(hostileText, fc.dictionary(hostileText, hostileText), fc.array(hostileText)),
    how: fc.constantFrom('set', 'reset', 'release'),
  })
  .map(({ before, ...record }) => ({
    ...record,
    ...(before === undefined ? {} : { before }),
    how: record.how as 'set',
  }));

const place = hostileText.map((file) => ({ file, line: 1, column: 1 }));

const change: fc.Arbitrary<Change> = fc
  .record({
    key: hostileText,
    actions: fc.subarray(['create', 'update', 'leave', 'freeze', 'delete'] as const),
    attributes: fc.array(attribute, { maxLength: 3 }),
    reason: hostileText.map((name) => ({ code: 'disabled_state_edited' as const, attribute: name })),
    notes: fc.array(hostileText, { maxLength: 2 }),
    source: place,
    reversibility: fc.constantFrom('reversible' as const, 'irreversible' as const),
    cause: fc.constantFrom('request' as const, 'pending' as const),
    last: hostileText,
  })
  .map(({ key, actions, last, ...more }) =>
    changeOf(`user.${key}`, actions, { ...more, live: { members: 2, last_message_at: last } }),
  );

const drift: fc.Arbitrary<Drift> = fc
  .record({ key: hostileText, attributes: fc.array(attribute, { maxLength: 2 }), note: hostileText, source: place })
  .map(({ key, ...more }) => ({ address: `user.${key}` as const, type: 'changed' as const, ...more }));

export const hostilePlan: fc.Arbitrary<Plan> = fc
  .record({
    changes: fc.array(change, { minLength: 1, maxLength: 4 }),
    drift: fc.array(drift, { maxLength: 2 }),
    text: hostileText,
  })
  .map(({ changes, drift: drifted, text }) =>
    planOf(changes, {
      application: text,
      drift: drifted,
      requests: [{ method: 'POST', route: text, count: 1 }],
      duration: {
        lower_bound_s: 1,
        bottleneck: text,
        buckets: [{ name: text, calls: 1, rate: 1, seconds: 1 }],
        chain: { calls: 2, from: `user.${text}`, to: `user.${text}` },
      },
      warnings: [
        {
          severity: 'warning',
          code: 'a.b',
          summary: 'Wrong',
          detail: text,
          address: `user.${text}`,
          source: { file: text, line: 1, column: 3 },
          excerpt: text,
        },
      ],
    }),
  );
