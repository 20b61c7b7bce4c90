// Tests that a saved plan reads back as it was, and that one which is none, newer, cut or edited is refused (6).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../src/model/errors.ts';
import type { Plan } from '../../src/model/plan.ts';
import { printPlanFile, readPlanFile } from '../../src/planner/plan-file.ts';
import { hashPlan } from '../../src/planner/plan-hash.ts';
import { estate } from './support/estates.ts';
import { livePart } from './support/live.ts';
import { planFor, resources, stateOf } from './support/planning.ts';

const { plan } = planFor(resources({ user: { alice: { nickname: 'A' }, bob: { nickname: 'B', deactivated: true } } }));

const printed = (made: Plan): string => [...printPlanFile(made)].join('');

function refusalOf(text: string): Refusal {
  try {
    readPlanFile(text, 'plan.json');
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('it was accepted');
}

const edited = (changes: Partial<Record<keyof Plan, unknown>>): string => JSON.stringify({ ...plan, ...changes });

const [firstStep, ...otherSteps] = plan.steps;

describe('a plan file', () => {
  test('reads back as it was', () => {
    expect(readPlanFile(printed(plan), 'plan.json')).toEqual(plan);
  });

  test('any plan does', () => {
    fc.assert(
      fc.property(estate, (desired) => {
        const made = planFor(desired).plan;
        expect(readPlanFile(printed(made), 'plan.json')).toEqual(made);
      }),
      { numRuns: 30 },
    );
  });

  test('its steps in another order have the same hash', () => {
    expect(hashPlan(plan.application, [...plan.steps].reverse())).toBe(plan.hash);
  });

  test('what was found by a refresh reads back, too', () => {
    const desired = resources({ user: { alice: { nickname: 'A' } } });
    const there = { 'user.alice': { nickname: 'B' } };
    const made = planFor(desired, stateOf(desired), livePart(desired, stateOf(desired), there)).plan;
    expect(made.drift).toHaveLength(1);
    expect(readPlanFile(printed(made), 'plan.json')).toEqual(made);
  });

  test.for([
    { name: 'empty', text: '', says: 'no JSON' },
    { name: 'cut', text: printed(plan).slice(0, -20), says: 'no JSON' },
    { name: 'a list', text: '[]', says: 'is not a chatform plan' },
    { name: 'another document', text: '{"version":1}', says: 'is not a chatform plan' },
    { name: 'without steps', text: edited({ steps: undefined }), says: 'is not a' },
    {
      name: 'without an application',
      text: edited({ application: undefined }),
      says: 'is not a chatform plan',
    },
    {
      name: 'steps that are none',
      text: '{"format_version":"1.0","application":"a","steps":[null,1]}',
      says: 'is not a',
    },
    {
      name: 'of a newer format',
      text: edited({ format_version: '2.0' }),
      says: '2.0',
    },
    { name: 'of a newer format with other steps', text: '{"format_version":"2.0","steps":{}}', says: '2.0' },
    { name: 'a step taken out', text: edited({ steps: otherSteps }), says: 'edited or cut' },
    {
      name: 'a step doubled',
      text: edited({ steps: [firstStep, ...plan.steps] }),
      says: 'edited or cut',
    },
    {
      name: 'a request edited',
      text: printed(plan).replace('"nickname":"A"', '"nickname":"X"'),
      says: 'edited or cut',
    },
    { name: 'for another application', text: edited({ application: 'x' }), says: 'edited or cut' },
    { name: 'another hash', text: edited({ hash: 'x' }), says: 'edited or cut' },
    { name: 'without a checksum', text: edited({}), says: 'checksum' },
    {
      name: 'a reason edited',
      text: printed(plan).replace('declared, and not in state', 'nothing to worry about'),
      says: 'checksum',
    },
    {
      name: 'a precondition edited',
      text: printed(plan).replace(new Map(plan.preconditions).get('user.alice')?.[0] ?? '', 'x'),
      says: 'checksum',
    },
    { name: 'laid out anew', text: JSON.stringify(JSON.parse(printed(plan)), null, 2), says: 'checksum' },
  ])('refused: $name', ({ text, says }) => {
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({ code: 'plan.unreadable', exit: 6 });
    expect(refusal.message).toContain(says);
    expect(refusal.message).toContain('plan.json');
  });

  test('the hash is of what runs and on what', () => {
    expect(plan.hash).toBe(hashPlan(plan.application, [...plan.steps]));
  });
});
