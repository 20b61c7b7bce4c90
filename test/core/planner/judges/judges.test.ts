// Tests that the judges speak in the order of their list, and that one judge does not repeat the question of another.
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../../src/core/model/diagnostic.ts';
import { loadedAddress } from '../../../../src/core/model/run-metadata.ts';
import { judges } from '../../../../src/core/planner/judges/judges.ts';
import { registry } from '../../../../src/core/resources/index.ts';
import { defaultPolicy, planFor, resource, stateOf } from '../../../support/planning/planning.ts';

const users = ['ann', 'ben', 'cid', 'dan'].map((key) =>
  resource('user', key, { nickname: 'U' }, key === 'ann' ? { protect: true } : {}),
);
const state = stateOf(users);

function diagnostic(code: string): Diagnostic {
  return { severity: 'error', code, summary: code, detail: code };
}

const loads = {
  kinds: registry,
  loaded: { files: [], empty: [] },
  before: { address: loadedAddress, attributes: { files: { 'a.yaml': { user: users.length } } } },
  removed: [],
  records: [...state.values()],
};

test('every judge has its own name, and refusals are in the order of the list', () => {
  const names = judges.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const { plan, refusals } = planFor([], state, {
    policy: { ...defaultPolicy, on_remove: { user: 'delete' } },
    loads,
    restrictions: { refusals: () => [diagnostic('safety.restricted')] },
    rules: {
      judge: () => ({
        refusals: [diagnostic('safety.rule')],
        remarks: [{ ...diagnostic('plan.rule'), severity: 'warning' }],
      }),
    },
  });
  // The budgets would ask for the acknowledgement that the shrink guard asks for.
  expect(refusals.map(({ code }) => code)).toEqual([
    'safety.input-shrank',
    'safety.protected',
    'safety.restricted',
    'safety.rule',
  ]);
  expect(plan.warnings.at(-1)?.code).toBe('plan.rule');
});

test('without the last load, the budgets ask', () => {
  const { refusals } = planFor([], state, { policy: { ...defaultPolicy, on_remove: { user: 'delete' } } });
  expect(refusals.map(({ code }) => code)).toEqual(['safety.protected', 'safety.whole-kind']);
});
