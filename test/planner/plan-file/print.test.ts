// Tests that a saved plan reads back as it was, and that one which is none, newer, cut or edited is refused (6).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { collectInMemory } from '../../../src/lib/series.ts';
import { Refusal } from '../../../src/model/errors.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { hashPlan } from '../../../src/planner/plan-file/hash.ts';
import { printPlanFile } from '../../../src/planner/plan-file/print.ts';
import { OtherLayout, PlanFileReader, whyOtherwise } from '../../../src/planner/plan-file/reader.ts';
import { estate } from '../../support/planning/arbitrary-estates.ts';
import { livePart } from '../../support/planning/live-objects.ts';
import { planFor, resources, stateOf } from '../../support/planning/planning.ts';

const { plan } = planFor(resources({ user: { alice: { nickname: 'A' }, bob: { nickname: 'B', deactivated: true } } }));

const printed = (made: Plan): string => [...printPlanFile(made)].join('');

function readPlanFile(text: string, pieceLength = text.length): Plan {
  const reader = new PlanFileReader('plan.json', collectInMemory);
  for (let at = 0; at < text.length; at += pieceLength) reader.add(text.slice(at, at + pieceLength));
  return reader.end();
}

function refusalOf(text: string): Refusal {
  try {
    readPlanFile(text);
  } catch (error) {
    if (error instanceof Refusal) return error;
    if (error instanceof OtherLayout) return whyOtherwise(text, 'plan.json');
    throw error;
  }
  throw new Error('it was accepted');
}

const edited = (changes: Partial<Record<keyof Plan, unknown>>): string => JSON.stringify({ ...plan, ...changes });
/** With a checksum that fits. */
const forged = (changes: Partial<Plan>): string => printed({ ...plan, ...changes });

const [, ...otherSteps] = plan.steps;

describe('a plan file', () => {
  test('reads back as it was', () => {
    expect(readPlanFile(printed(plan))).toEqual(plan);
  });

  test('any plan does', () => {
    fc.assert(
      fc.property(estate, (desired) => {
        const made = planFor(desired).plan;
        expect(readPlanFile(printed(made))).toEqual(made);
      }),
      { numRuns: 30 },
    );
  });

  test('its steps in another order have the same hash', () => {
    const steps = [...plan.steps].reverse();
    expect(hashPlan(plan.application, steps)).toBe(plan.hash);
    expect(readPlanFile(forged({ steps }))).toEqual({ ...plan, steps });
  });

  test('in whatever pieces it comes, and without its last line end', () => {
    for (let length = 1; length < 40; length += 1) {
      expect(readPlanFile(printed(plan), length)).toEqual(plan);
      expect(readPlanFile(printed(plan).trimEnd(), length)).toEqual(plan);
    }
  });

  test('what is too long to be looked at as a whole is refused in one way', () => {
    expect(whyOtherwise(undefined, 'plan.json')).toMatchObject({ code: 'plan.unreadable', exitCode: 6 });
  });

  test('the smallest edit anywhere is refused', () => {
    const text = printed(plan);
    fc.assert(
      fc.property(fc.nat(text.length - 2), fc.constantFrom('', '0', ' ', '"', '}', '\n'), (at, character) => {
        fc.pre(text[at] !== character);
        expect(refusalOf(text.slice(0, at) + character + text.slice(at + 1))).toMatchObject({ exitCode: 6 });
      }),
      { numRuns: 300 },
    );
  });

  test('what was found by a refresh reads back, too', () => {
    const desired = resources({ user: { alice: { nickname: 'A' } } });
    const there = { 'user.alice': { nickname: 'B' } };
    const made = planFor(desired, stateOf(desired), livePart(desired, stateOf(desired), there)).plan;
    expect(made.drift).toHaveLength(1);
    expect(readPlanFile(printed(made))).toEqual(made);
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
    {
      name: 'of a format that is no text',
      text: printed({ ...plan, ...{ format_version: 1 } } as unknown as Plan),
      says: 'is not a chatform plan',
    },
    {
      name: 'of no format',
      text: printed({ ...plan, ...{ format_version: undefined } } as unknown as Plan),
      says: 'is not a chatform plan',
    },
    { name: 'of a newer format with other steps', text: '{"format_version":"2.0","steps":{}}', says: '2.0' },
    { name: 'a step taken out', text: forged({ steps: otherSteps }), says: 'edited or cut' },
    {
      name: 'a step doubled',
      text: forged({ steps: [...plan.steps].flatMap((step) => [step, step]) }),
      says: 'edited or cut',
    },
    {
      name: 'a request edited',
      text: printed(plan).replace('"nickname":"A"', '"nickname":"X"'),
      says: 'edited or cut',
    },
    { name: 'for another application', text: forged({ application: 'x' }), says: 'edited or cut' },
    { name: 'another hash', text: forged({ hash: 'x' }), says: 'edited or cut' },
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
    { name: 'one line after the end', text: `${printed(plan)}{}\n`, says: 'no JSON' },
    { name: 'an unknown section', text: printed(plan).replace('"preconditions":', '"other":'), says: 'checksum' },
    { name: 'laid out anew on one line', text: JSON.stringify(JSON.parse(printed(plan))), says: 'checksum' },
    { name: 'laid out anew', text: JSON.stringify(JSON.parse(printed(plan)), null, 2), says: 'checksum' },
  ])('refused: $name', ({ text, says }) => {
    const refusal = refusalOf(text);
    expect(refusal).toMatchObject({ code: 'plan.unreadable', exitCode: 6 });
    expect(refusal.message).toContain(says);
    expect(refusal.message).toContain('plan.json');
  });

  test('the hash is of what runs and on what', () => {
    expect(plan.hash).toBe(hashPlan(plan.application, [...plan.steps]));
  });
});
