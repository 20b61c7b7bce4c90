// Tests that the plan for people is complete and in order, at any width and size, with and without colour.
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdict } from '../../../../src/core/view/summary/verdict.ts';
import { planForPeople, promptFor } from '../../../../src/core/view/terminal/plan.ts';
import type { JsonValue } from '../../../../src/lib/json.ts';
import { harmIn, hostilePlan } from '../support/hostile.ts';
import { changeOf, comparedPlan, emptyPlan, everyPlan, manyCreations, planOf } from '../support/plans.ts';

const print = (...given: Parameters<typeof planForPeople>) => [...planForPeople(...given)].join('');

describe('equal changes', () => {
  const frozen = (amount: number) =>
    planOf(
      Array.from({ length: amount }, (_, at) =>
        changeOf(`open_channel.room-${at}`, ['freeze'], {
          attributes: [{ path: ['frozen'], after: true, how: 'set' }],
          reason: { code: 'disabled_state_edited', attribute: 'frozen' },
          source: { file: 'chat.yaml', line: at + 1, column: 3 },
        }),
      ),
    );

  test.for([
    { amount: 10, columns: 80 },
    { amount: 10, columns: 120 },
    { amount: 4, columns: 80 },
  ])('$amount freezes are described once, each with its place, in $columns columns', ({ amount, columns }) => {
    const printed = print(frozen(amount), { color: false, width: columns });
    expect(printed.split('frozen was edited since the last apply')).toHaveLength(2);
    expect(printed).toContain(`\n  freeze ${amount} open channels\n`);
    for (let at = 0; at < amount; at += 1)
      expect(printed).toMatch(new RegExp(`^  ↓ open_channel\\.room-${at} +chat\\.yaml:${at + 1}:3$`, 'mu'));
  });

  test('are shown in full up to three', () => {
    const printed = print(frozen(3), { color: false, width: 80 });
    expect(printed.split('frozen was edited since the last apply')).toHaveLength(4);
  });
});

test('marks a leaving member with a minus, but not the channel, which stays', () => {
  const leave = changeOf('group_channel.support-42', ['leave'], {
    source: { file: 'chat.yaml', line: 15, column: 3 },
    attributes: [{ path: ['members', 'bob'], before: {}, how: 'reset' }],
  });
  const printed = print(planOf([leave]), { color: false, width: 80 });
  expect(printed).toContain('  - leave  group_channel.support-42 (bob)\n');
  expect(printed).toContain('  ~ group_channel.support-42  leave');
});

test('uses no dark blue, which is unreadable on black', async () => {
  const warned = print({ ...everyPlan, drift: comparedPlan.drift ?? [] }, { color: true, width: 100 });
  expect(warned).toContain('\u{1b}[36m');
  expect(warned).not.toMatch(/\u{1b}\[(?:\d+;)*(?:34|44)m/u);
});

describe('members', () => {
  const ids = (amount: number) => Object.fromEntries(Array.from({ length: amount }, (_, at) => [`member-${at}`, {}]));
  const room = (key: string, amount: number) =>
    changeOf(`group_channel.${key}`, ['create'], {
      attributes: [{ path: ['members'], after: ids(amount), how: 'set' }],
    });

  test.for([
    { amount: 3, width: 80 },
    { amount: 24, width: 80 },
    { amount: 40, width: 120 },
  ])('$amount on $width columns: all are named', ({ amount, width }) => {
    const text = print(planOf([room('a', amount)]), { color: false, width });
    for (const id of Object.keys(ids(amount))) expect(text).toMatch(new RegExp(`\\b${id}\\b`, 'u'));
    expect(text).not.toContain('more');
  });

  test('fill at most eight lines, with the number of the others', () => {
    const text = print(planOf([room('a', 2_000)]), { color: false, width: 80 });
    const shown = new Set(text.match(/member-\d+/gu)).size;
    expect(text).toContain(`, … and ${2_000 - shown} more`);
    expect(text.split('\n').filter((line) => line.includes('member-'))).toHaveLength(8);
  });

  test('are named on the line of a channel if they fit, else counted', () => {
    const rooms = Array.from({ length: 12 }, (_, at) => room(`r${at}`, at < 6 ? 2 : 50));
    const text = print(planOf(rooms), { color: false, width: 80 });
    expect(text).toContain('group_channel.r0   members (member-0, member-1)');
    expect(text).toContain('group_channel.r9   members 50');
  });
});

test('cuts nothing if the output is not a terminal', () => {
  const long = 'x'.repeat(500);
  const changes = [
    ...Array.from({ length: 1_200 }, (_, at) =>
      changeOf(`user.person-${at}-${'y'.repeat(90)}`, ['create'], {
        attributes: [{ path: ['nickname'], after: `${long}${at}`, how: 'set' }],
      }),
    ),
    changeOf('open_channel.lobby', ['update'], {
      attributes: [{ path: ['name'], before: `${long}a`, after: `${long}b`, how: 'set' }],
    }),
    changeOf('group_channel.all', ['create'], {
      attributes: [{ path: ['operators'], after: Array.from({ length: 400 }, (_, at) => `op-${at}`), how: 'set' }],
    }),
  ];
  const whole = print(planOf(changes), { color: false, width: 100, whole: true });
  expect(whole).not.toContain('…');
  for (const part of [`person-1199-${'y'.repeat(90)}`, `${long}1199`, `${long}a`, `${long}b`, 'op-399']) {
    expect(whole).toContain(part);
  }
  expect(print(planOf(changes), { color: false, width: 100 })).toContain('… and 202 more changes');
});

test('names changes to only the saved state in the verdict', () => {
  expect(verdict(planOf([changeOf('user.a', []), changeOf('user.b', [])]))).toBe(
    'Plan: 2 changes to the saved state only.',
  );
});

test.for([
  { calls: 2_000, lower_bound_s: 400, says: ' If a call takes longer than 0.2 s, this chain determines the duration.' },
  { calls: 2_000, lower_bound_s: 4_000, says: undefined },
  { calls: 3, lower_bound_s: 0.2, says: undefined },
])('a chain of $calls calls beside $lower_bound_s s of the busiest limit', ({ calls, lower_bound_s, says }) => {
  const chain = { calls, from: 'user.alice', to: 'messages.support-42' } as const;
  const plan = { ...everyPlan, duration: { lower_bound_s, buckets: [], chain } };
  const text = print(plan, { color: false, width: 100 }).replaceAll(/\s+/gu, ' ');
  if (says === undefined) expect(text).not.toContain('this chain determines');
  else expect(text).toContain(`The longest chain is 2,000 calls, from user.alice to messages.support-42.${says}`);
});

test('names the drift in an empty plan after a refresh', () => {
  const drift = comparedPlan.drift ?? [];
  expect(verdict({ ...emptyPlan, drift })).toBe('No changes. 3 objects changed on the platform.');
});

test('says what an empty plan has compared', () => {
  const refreshed = { objects: 3, requests: 1, compared: 7, not_compared: [] };
  const partial = { severity: 'note', code: 'plan.partial', summary: 'The plan is partial', detail: '' } as const;
  const applied = { ...emptyPlan, lineage: 'one' };
  const found = [emptyPlan, applied, { ...applied, refreshed }].flatMap((plan) => [
    verdict(plan),
    verdict({ ...plan, warnings: [partial] }),
  ]);
  expect(found).toEqual([
    'Nothing to do. The platform was not read (--refresh).',
    'Nothing to do for the selected objects. The platform was not read (--refresh).',
    'Nothing to do since the last apply. The platform was not read (--refresh).',
    'Nothing to do for the selected objects. The platform was not read (--refresh).',
    'No changes. 7 declared values are the same on the platform.',
    'No changes. 7 declared values of the selected objects are the same on the platform.',
  ]);
});

test('does not mention declarations if it only looked for drift', () => {
  const drift = comparedPlan.drift ?? [];
  const found = { ...emptyPlan, isDriftAlone: true } as const;
  expect(verdict({ ...found, drift })).toBe('3 objects changed on the platform since the last apply.');
  const not_compared = [
    { kind: 'open_channel', attribute: 'banned', why: 'read_each', values: 3, objects: 2 },
    { kind: 'group_channel', attribute: 'banned', why: 'read_each', values: 1, objects: 1 },
    { kind: 'fcm', attribute: 'env', why: 'in_part', proves: 'key_id', values: 1, objects: 1 },
  ] as const;
  const refreshed = { objects: 3, requests: 1, compared: 1240, not_compared };
  expect(verdict({ ...found, drift: [], refreshed })).toBe(
    'No drift in 1,240 declared values. Not compared: banned (4, not read, see policy.read_each), env (1, only the id of the key).',
  );
});

test.for([8_192, 40_000])(
  'shows the verdict, the dangers, the cost and as many changes as fit within %i bytes',
  (maxBytes) => {
    const plan = { ...manyCreations(5_000), warnings: everyPlan.warnings };
    const output = print(plan, { color: false, width: 100, maxBytes, limit: 5_000 });
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(maxBytes);
    expect(Buffer.byteLength(output)).toBeGreaterThan(maxBytes - 200);
    expect(output).toMatch(/^Plan: 5,000 to create\./u);
    expect(output).toMatch(/… and [\d,]+ more changes; see --format json\n\n5,000 requests/u);
  },
);

test('leaves bytes for changes beside however many dangers, losses and warnings', () => {
  const maxBytes = 8_192;
  const changes = Array.from({ length: 500 }, (_, at) => changeOf(`user.person-${at}`, ['deactivate']));
  const warnings = ['undo.not-restored', 'plan.partial'].flatMap((code) =>
    Array.from(
      { length: 100 },
      (_, at) => ({ severity: 'warning', code, summary: `${code} ${at}`, detail: '' }) as const,
    ),
  );
  const output = print(planOf(changes, { warnings }), { color: false, width: 100, maxBytes });
  expect(Buffer.byteLength(output)).toBeLessThanOrEqual(maxBytes);
  expect(output.match(/^ *…$/gmu)).toEqual(['…', '  …', '…']);
  expect(output).toMatch(/… and [\d,]+ more changes; see --format json\n/u);
  expect(output).not.toContain('… and 500 more changes');
});

test('warns and names the application in the prompt', () => {
  expect(promptFor(planOf([changeOf('user.a', ['deactivate'])]))).toBe(
    '\nPlan: 1 to deactivate.\n! The plan restricts access.\nApply this plan to emulator:.chatform/emulator?\nOnly "yes" is accepted: ',
  );
  expect(promptFor(manyCreations(2))).not.toContain('!');
});

describe('dangers', () => {
  const shown = (plan: Parameters<typeof planForPeople>[0]) =>
    print(plan, { color: false, width: 80, limit: 0 }).split('\n… and')[0];

  test('name every id that loses access, however many', () => {
    const ids = Array.from({ length: 500 }, (_, at) => `user.person-${at}` as const);
    const output = shown(planOf(ids.map((id) => changeOf(id, ['deactivate']))));
    for (const id of ids) expect(output).toMatch(new RegExp(`${id}\\b`, 'u'));
  });

  test('count changes that merely cannot be undone', () => {
    const changes = Array.from({ length: 500 }, (_, at) =>
      changeOf(`messages.room-${at}`, ['migrate'], { reversibility: 'irreversible' }),
    );
    expect(shown(planOf(changes))).toContain('… and 480 more');
  });

  test('do not include freezing or deactivating an object that is being created', () => {
    expect(shown(planOf([changeOf('user.a', ['create', 'deactivate'])]))).not.toContain('!');
  });
});

describe('values', () => {
  const diff = (before: JsonValue, after: JsonValue) =>
    print(planOf([changeOf('user.a', ['update'], { attributes: [{ path: ['x'], before, after, how: 'set' }] })]), {
      color: false,
      width: 70,
    })
      .split('\n')
      .slice(4, -4)
      .join('\n');

  test('spell out texts that look alike', () => {
    expect(diff('Zoë', 'Zoe\u{308}')).toBe('    ~ x  "Zo\\u{eb}" → "Zoe\\u{308}"');
    expect(diff('a b', 'a\u{a0}b')).toBe('    ~ x  "a b" → "a\\u{a0}b"');
  });

  test('show the place where long texts differ', () => {
    const long = 'x'.repeat(500);
    expect(diff(`${long}1${long}`, `${long}2${long}`)).toMatch(/- …x+1x+…\n +\+ …x+2x+…$/u);
  });

  test('compare JSON unformatted if formatting would lose something', () => {
    const data = (digits: string) => JSON.stringify({ text: 'x'.repeat(60), id: 0 }).replace(':0', `:${digits}`);
    expect(diff(data('12345678901234567890'), data('12345678901234567891'))).not.toContain('@@');
  });

  test('do not compare very different texts line by line', () => {
    const text = (seed: string) => Array.from({ length: 2000 }, (_, at) => `${seed}${at}`).join('\n');
    expect(diff(text('a'), text('b'))).toBe('    ~ x\n        2000 → 2000 lines, too many differences to show');
  });

  test('treat a final line end as a difference', () => {
    expect(diff(`${'a'.repeat(60)}\nb`, `${'a'.repeat(60)}\nb\n`)).toContain('No newline at end of file');
  });

  test('say how much of a long diff is left out', () => {
    const text = (seed: string) => Array.from({ length: 90 }, (_, at) => `${seed}${at}`).join('\n');
    expect(diff(text('a'), text('b'))).toMatch(/… 121 more lines of this diff$/u);
  });

  test('show an empty list, an empty map and a reordered list', () => {
    expect(diff(['a'], [])).toBe('    ~ x\n        - a');
    expect(diff(['a', 'b'], ['b', 'a'])).toBe('    ~ x  ["a","b"] → ["b","a"]');
    expect(diff({}, { a: 1 })).toBe('    + x.a  1');
  });
});

test('escapes names in the prompt', () => {
  fc.assert(
    fc.property(hostilePlan, (plan) => {
      expect(harmIn(stripVTControlCharacters(promptFor(plan)))).toBeUndefined();
    }),
    { numRuns: 30 },
  );
});
