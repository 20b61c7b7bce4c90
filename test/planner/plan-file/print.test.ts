// Tests that a saved plan reads back unchanged, and that other, newer, truncated and edited files are refused (6).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectInMemory } from '../../../src/lib/series.ts';
import { Refusal } from '../../../src/model/errors.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { printPlanFile } from '../../../src/planner/plan-file/print.ts';
import { editedPlan, OtherLayout, PlanFileReader } from '../../../src/planner/plan-file/reader.ts';
import { hashPlan } from '../../../src/planner/plan-file/step-digests.ts';
import { estate } from '../../support/planning/arbitrary-estates.ts';
import { livePart } from '../../support/planning/live-objects.ts';
import { planFor, resources, stateOf } from '../../support/planning/planning.ts';

const { plan } = planFor(resources({ user: { alice: { nickname: 'A' }, bob: { nickname: 'B', deactivated: true } } }));

const printed = (made: Plan): string => [...printPlanFile(made)].join('');

function readPlanFile(text: string, pieceLength = text.length): Plan {
  const reader = new PlanFileReader('plan.chatform', collectInMemory);
  for (let at = 0; at < text.length; at += pieceLength) reader.add(text.slice(at, at + pieceLength));
  return reader.end();
}

function refusalOf(text: string): Refusal {
  try {
    readPlanFile(text);
  } catch (error) {
    if (error instanceof Refusal) return error;
    if (error instanceof OtherLayout) return editedPlan('plan.chatform');
    throw error;
  }
  throw new Error('it was accepted');
}

/** Gives the text a correct checksum. */
const forged = (changes: Partial<Record<keyof Plan, unknown>>): string => printed({ ...plan, ...changes } as Plan);

const [, ...otherSteps] = plan.steps;

describe('a plan file', () => {
  test('reads back unchanged', () => {
    expect(readPlanFile(printed(plan))).toEqual(plan);
  });

  test('reads back unchanged for any plan', () => {
    fc.assert(
      fc.property(estate, (desired) => {
        const made = planFor(desired).plan;
        expect(readPlanFile(printed(made))).toEqual(made);
      }),
      { numRuns: 15 },
    );
  });

  test('has the same hash with its steps in another order', () => {
    const steps = [...plan.steps].reverse();
    expect(hashPlan(plan.application, steps)).toBe(plan.hash);
    expect(readPlanFile(forged({ steps }))).toEqual({ ...plan, steps });
  });

  test('reads from pieces of any size, and without its last line end', () => {
    for (let length = 1; length < 40; length += 1) {
      expect(readPlanFile(printed(plan), length)).toEqual(plan);
      expect(readPlanFile(printed(plan).trimEnd(), length)).toEqual(plan);
    }
  });

  test('is refused after the smallest edit', () => {
    const text = printed(plan);
    fc.assert(
      fc.property(fc.nat(text.length - 2), fc.constantFrom('', '0', ' ', '"', '}', '\n'), (at, character) => {
        fc.pre(text[at] !== character);
        expect(refusalOf(text.slice(0, at) + character + text.slice(at + 1))).toMatchObject({ exitCode: 6 });
      }),
      { numRuns: 100 },
    );
  });

  test('keeps the findings of a refresh', () => {
    const desired = resources({ user: { alice: { nickname: 'A' } } });
    const there = { 'user.alice': { nickname: 'B' } };
    const made = planFor(desired, stateOf(desired), livePart(desired, stateOf(desired), there)).plan;
    expect(made.drift).toHaveLength(1);
    expect(readPlanFile(printed(made))).toEqual(made);
  });

  test.for<readonly [name: string, text: string, says: string]>([
    ['empty', '', 'checksum'],
    ['cut', printed(plan).slice(0, -20), 'checksum'],
    ['without an application', forged({ application: undefined }), 'checksum'],
    ['of a newer format', printed(plan).replace(/"file_version":"\d/u, '"file_version":"9'), '9.0'],
    ['of a format that is no text', printed(plan).replace(/"3\.0"/u, '2'), 'checksum'],
    ['of no format', printed(plan).replace(/"file_version":"3\.0",/u, ''), 'checksum'],
    ['a step taken out', forged({ steps: otherSteps }), 'edited or truncated'],
    ['a step doubled', forged({ steps: [...plan.steps].flatMap((step) => [step, step]) }), 'edited or truncated'],
    ['a request edited', printed(plan).replace('"nickname":"A"', '"nickname":"X"'), 'edited or truncated'],
    ['for another application', forged({ application: 'x' }), 'edited or truncated'],
    ['another hash', forged({ hash: 'x' }), 'edited or truncated'],
    ['without a checksum', printed(plan).replace(/#end .*\n$/u, ''), 'checksum'],
    ['with another checksum', printed(plan).replace(/#end ./u, '#end x'), 'checksum'],
    ['a reason edited', printed(plan).replace('declared but not in state', 'nothing to worry about'), 'checksum'],
    [
      'a precondition edited',
      printed(plan).replace(new Map(plan.preconditions).get('user.alice')?.[0] ?? '', 'x'),
      'checksum',
    ],
    ['one line after the end', `${printed(plan)}{}\n`, 'checksum'],
    ['an unknown section', printed(plan).replace('#preconditions', '#other'), 'checksum'],
  ])('refuses %s', ([, text, says]) => {
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({ code: 'plan.unreadable', exitCode: 6 });
    expect(refusal.message).toContain(says);
    expect(refusal.message).toContain('plan.chatform');
  });

  test('has a hash of its steps and its application', () => {
    expect(plan.hash).toBe(hashPlan(plan.application, [...plan.steps]));
  });
});
