// Tests that every view hides all personal data, and that equal values still have equal tags.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../../src/core/model/change.ts';
import { impersonalAttributes } from '../../../../src/core/resources/index.ts';
import { type PlanFormatName, planFormatNames, printPlan } from '../../../../src/core/view/index.ts';
import { hideSecretsOfExplanation, hideSecretsOfReport } from '../../../../src/core/view/text/hidden-secrets.ts';
import { redactDiagnostics, redactPlan } from '../../../../src/core/view/text/redact.ts';
import { anyText } from '../support/hostile.ts';
import { changeOf, comparedPlan, everyPlan, planOf, print, refusals } from '../support/plans.ts';
import { reports } from '../support/reports.ts';

const options = { color: false, width: 200, redactionKey: 'key of this run', impersonal: impersonalAttributes };
const printAll = async (plan: typeof everyPlan, more = {}) => {
  const printed = planFormatNames.map((format) => printPlan(format, plan, { ...options, ...more }));
  return (await Promise.all(printed)).map((pieces) => [...pieces].join('')).join('\n');
};

function redacted(change: Change, key = options.redactionKey): Change {
  const [found] = redactPlan(planOf([change]), { ...options, redactionKey: key }).changes;
  return found ?? change;
}

const nickname = (after: string) => ({ path: ['nickname'], after, how: 'set' }) as const;

describe('what is hidden', () => {
  test.for([
    ['nickname', 'Ada Lovelace'],
    ['profile_url', 'https://example.com/ada.png'],
    ['metadata', { team: 'Lovelace fans' }],
    ['data', '{"phone":"1234"}'],
    ['name', 'Ward 7'],
    ['anything_new', ['Lovelace']],
    ['custom_type', 'ada@example.com'],
  ] as const)('%s', ([name, after]) => {
    const change = redacted(changeOf('user.a', ['update'], { attributes: [{ path: [name], after, how: 'set' }] }));
    expect(JSON.stringify(change)).toContain(name);
    expect(JSON.stringify(change)).not.toMatch(/Lovelace|example|1234|Ward/u);
    expect(JSON.stringify(change)).toMatch(/\[\d+ characters, [\da-f]{10}\]/u);
  });

  test.for([
    ['members', { alice: { invitation_status: 'joined' } }],
    ['operators', ['alice', 'bob']],
    ['custom_type', 'support'],
    ['is_super', true],
    ['access_code', { env: 'CODE', revision: 2 }],
    ['nickname', ''],
  ] as const)('not %s', ([name, after]) => {
    const change = changeOf('user.alice', ['update'], { attributes: [{ path: [name], after, how: 'set' }] });
    expect(redacted(change)).toEqual(change);
  });

  test('ids that identify people, in addresses, lists, reasons and notes', () => {
    const change = redacted(
      changeOf('user.ada@example.com', ['update'], {
        attributes: [
          { path: ['operators'], after: ['ada@example.com', '+49 151 1234567'], how: 'set' },
          { path: ['members', 'ada@example.com'], after: {}, how: 'set' },
        ],
        reason: { code: 'gone_with_parents', parents: ['group_channel.ada@example.com'] },
        notes: ['looks like a rename to user.ada@example.com: members do not follow'],
        source: { file: 'people/ada@example.com.yaml', line: 1, column: 1 },
      }),
    );
    expect(JSON.stringify(change)).not.toMatch(/@example|151|Ada|ada\./u);
    expect(change.notes[0]).toMatch(/^looks like a rename to \[.*\]: members do not follow$/u);
  });

  test('quoted values and source lines of diagnostics', () => {
    const [first] = redactDiagnostics(
      [
        {
          severity: 'error',
          code: 'a.b',
          summary: 'Too long',
          detail: 'The nickname "Ada \\" Lovelace" is too long. Write up to 80 characters.',
          excerpt: 'nickname: Ada Lovelace',
        },
      ],
      options,
    );
    expect(first?.detail).toMatch(/^The nickname \[\d+ characters, \w+\] is too long\. Write up to 80 characters\.$/u);
    expect(first).not.toHaveProperty('excerpt');
  });
});

test('hides ids in per-user limits and chains', async () => {
  const duration = {
    lower_bound_s: 1,
    bottleneck: 'PUT /users/{user_id} · user ada@example.com at 5/s',
    buckets: [{ name: 'PUT /users/{user_id} · user ada@example.com', calls: 2, rate: 5, seconds: 1 }],
    chain: { calls: 2, from: 'user.ada@example.com', to: 'user.bob' } as const,
  };
  expect(await printAll(planOf([changeOf('user.bob', ['update'])], { duration }))).not.toContain('ada@');
});

test('gives equal values equal tags within one run only, with the length in characters', () => {
  const one = redacted(changeOf('user.a', ['update'], { attributes: [nickname('Zoë 👩')] }));
  expect(one.attributes[0]?.after).toMatch(/^\[5 characters, /u);
  expect(redacted(changeOf('user.a', ['update'], { attributes: [nickname('Zoë 👩')] }))).toEqual(one);
  expect(redacted(changeOf('user.a', ['update'], { attributes: [nickname('Zoë 👨')] }))).not.toEqual(one);
  expect(redacted(changeOf('user.a', ['update'], { attributes: [nickname('Zoë 👩')] }), 'another')).not.toEqual(one);
});

test('still groups similar changes', async () => {
  const changes = Array.from({ length: 12 }, (_, at) =>
    changeOf(`user.u${at}`, ['update'], { attributes: [nickname('Guest')] }),
  );
  const text = [...(await printPlan('human', planOf(changes), options))].join('');
  expect(text.match(/\[5 characters/gu)).toHaveLength(1);
  expect(text).toContain('nickname changed for 12 users');
});

test('shows no hidden value in any format', async () => {
  const output = (await printAll(everyPlan, { refusals })) + (await printAll(comparedPlan));
  for (const personal of [
    'Alicia',
    'Zoë',
    'フランク',
    'portraits',
    'Berlin',
    'sales',
    'Archive',
    'Second line',
    'Peg"',
  ]) {
    expect(output).not.toContain(personal);
  }
  expect(output).toContain('user.alice');
  expect(output).not.toContain(options.redactionKey);
});

test('hides any value at any depth', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (first, second) => {
      const [one, two] = [`${first}Lovelace${second}`, { deep: [[`Lovelace ${second}`]] }];
      const change = changeOf('user.a', ['update'], {
        attributes: [{ path: ['data'], before: one, after: two, how: 'set' }],
      });
      expect(await printAll(planOf([change]))).not.toContain('Lovelace');
    }),
    { numRuns: 30 },
  );
});

const attributes = [
  { path: ['metadata', 'password'], before: 'hunter21', after: 'hunter22', how: 'set' },
  { path: ['data'], before: '{"token":"swordfish"}', after: '{"token":"marlin22"}', how: 'set' },
] as const;
const plan = planOf([changeOf('user.ada', ['update'], { attributes })], {
  drift: [{ address: 'user.ada', type: 'changed', attributes, note: 'Changed.' }],
});
const secrets = /hunter2|swordfish|marlin22/u;

test.for(planFormatNames)('%s shows digests', async (format: PlanFormatName) => {
  const text = await print(format, plan, { width: 200, whole: true });
  expect(text).not.toMatch(secrets);
  if (format === 'sarif' || format === 'github') return;
  expect(new Set(text.match(/sha256:[\da-f]{12}/gu)).size).toBe(4);
});

test('reports and explanations show digests', () => {
  const values = [
    { address: 'user.ada', path: ['metadata', 'password'], sent: 'hunter21', stored: 'hunter22' },
  ] as const;
  const report = hideSecretsOfReport({ ...reports.done, stored_otherwise: { count: 1, values } });
  const explanation = hideSecretsOfExplanation({
    format_version: '1.0',
    address: 'user.ada',
    kind: 'user',
    in_state: true,
    marks: [],
    attributes: [
      {
        name: 'metadata',
        standing: 'edited',
        declared: { password: 'hunter22' },
        remembered: { password: 'hunter21' },
        live: { password: 'hunter21' },
        can_change: '',
        if_removed: { how: 'each' },
      },
    ],
    lifecycle: { protected: false, ignore_changes: [], on_remove: 'retire', on_remove_from: 'default' },
    change: changeOf('user.ada', ['update'], { attributes }),
    steps: [],
    drift: [],
    problems: [],
  });
  expect(JSON.stringify([report, explanation])).not.toMatch(secrets);
  expect(JSON.stringify(report)).toMatch(/sha256:[\da-f]{12}/u);
  expect(JSON.stringify(explanation)).toMatch(/sha256:[\da-f]{12}/u);
});
