// Tests that no view shows a value that looks like a secret, and that every view shows that it changed.
import { expect, test } from 'vitest';
import { type PlanFormatName, planFormatNames } from '../../../src/view/index.ts';
import { hideSecretsOfExplanation, hideSecretsOfReport } from '../../../src/view/text/redact.ts';
import { changeOf, planOf, print } from '../support/plans.ts';
import { reports } from '../support/reports.ts';

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
