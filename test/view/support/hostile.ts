// Support: plans whose texts may all be Markdown, HTML, a mention or an escape sequence.
import fc from 'fast-check';
import type { AttributeChange, Change, Drift } from '../../../src/model/change.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { anyText } from './harmless.ts';
import { changeOf, planOf } from './plans.ts';

/** Part of every hostile text, so that tests can find it. */
export const canary = 'zqxjk';

const markup = fc.constantFrom(
  '@octocat',
  '#123',
  'GH-1',
  'octo/repo#4',
  '0123456789abcdef0123456789abcdef01234567',
  '`',
  '``',
  '```',
  '\n```\n',
  '~~~',
  '````````',
  '</details>',
  '</summary>',
  '</code></pre>',
  '<script>alert(1)</script>',
  '</script><script>window.harmed = 1</script>',
  '<img src=x onerror="window.harmed = 1">',
  '<a href="javascript:alert(1)">',
  '" onmouseover="window.harmed = 1',
  "' onfocus='window.harmed = 1",
  '-->',
  '--!>',
  '<!--',
  '|',
  '\n|a|b|\n|-|-|\n|c|d|\n',
  'https://harm.example/x',
  'www.harm.example',
  'mail@harm.example',
  '[x](https://harm.example)',
  '![x](https://harm.example)',
  '[x]: https://harm.example',
  '&lt;b&gt;',
  '&#96;',
  '**b**',
  '~~s~~',
  '\\`',
  '\n\n# heading\n\n',
  '\n- item',
  '\n> quote',
  ' ',
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
    reason: hostileText,
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
