// Is a plan file read as JSON is, though it is read line by line? What the whole would not be is refused, also when the
// checksum fits; what is taken means what it means to any other reader of JSON.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextDigest } from '../../../src/lib/digest.ts';
import { collectInMemory } from '../../../src/lib/series.ts';
import { Refusal } from '../../../src/model/errors.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { printPlanFile } from '../../../src/planner/plan-file/print.ts';
import { OtherLayout, PlanFileReader } from '../../../src/planner/plan-file/reader.ts';
import { livePart } from '../../support/planning/live-objects.ts';
import { planFor, resources, stateOf } from '../../support/planning/planning.ts';

/** All six sections, some of them empty or absent in the first. */
const texts = [plain(), refreshed()].map((plan) => [...printPlanFile(plan)].join(''));
const ending = /,"checksum":"[0-9a-f]{64}"\}\n$/u;
const structural = [
  '',
  ',',
  '[',
  ']',
  '{',
  '}',
  ':',
  '"',
  ' ',
  '\r',
  '\n',
  '\u00a0',
  '\ufeff',
  '1',
  '[]',
  '{}',
  '],',
  '},',
];

function plain(): Plan {
  return planFor(resources({ user: { alice: { nickname: 'A' }, bob: { nickname: 'B', deactivated: true } } })).plan;
}

function refreshed(): Plan {
  const declared = { alice: { nickname: 'A' }, bob: { nickname: 'B' } };
  const desired = resources({ user: declared });
  const edited = resources({
    user: { ...declared, alice: { nickname: 'C' }, carol: { nickname: 'D' } },
    open_channel: { lobby: { operators: ['bob', 'carol'] } },
  });
  const state = stateOf(desired);
  return planFor(
    edited,
    state,
    livePart(edited, state, { 'user.alice': { nickname: 'X' }, 'user.bob': { nickname: 'Y' } }),
  ).plan;
}

/** The text with the checksum that fits it, and what is behind that. */
function sealed(body: string, tail = '\n'): string {
  const digest = new TextDigest();
  digest.add(`${body}}`);
  return `${body},"checksum":"${digest.end()}"}${tail}`;
}

/** Undefined when it is refused. */
function read(text: string): Plan | undefined {
  const reader = new PlanFileReader('plan.json', collectInMemory);
  try {
    reader.add(text);
    return reader.end();
  } catch (error) {
    if (error instanceof Refusal || error instanceof OtherLayout) return undefined;
    throw error;
  }
}

/** As any reader of JSON understands it; undefined when it is none. */
function understood(text: string): unknown {
  try {
    const { checksum: _checksum, ...rest } = JSON.parse(text);
    return rest;
  } catch {
    return undefined;
  }
}

/** The plan as the JSON that it was. */
function asJson({ preconditions, needed, live, ...rest }: Plan): unknown {
  return {
    ...rest,
    preconditions: Object.fromEntries(preconditions),
    ...(needed === undefined ? {} : { needed: Object.fromEntries(needed) }),
    ...(live === undefined ? {} : { live: Object.fromEntries(live) }),
  };
}

/** One edit of a text: of its characters, mostly where lines begin and end, or of its lines. */
const edit = fc.oneof(
  fc
    .record({ where: fc.nat(), take: fc.nat(2), put: fc.constantFrom(...structural) })
    .map(({ where, take, put }) => (text: string) => {
      const at = where % (text.length + 1);
      return text.slice(0, at) + put + text.slice(at + take);
    }),
  fc
    .record({
      line: fc.nat(),
      from: fc.integer({ min: -3, max: 3 }),
      take: fc.nat(2),
      put: fc.constantFrom(...structural),
    })
    .map(({ line, from, take, put }) => (text: string) => {
      const ends = [...text.matchAll(/\n|$/gu)].map(({ index }) => index);
      const at = Math.max(0, (ends[line % ends.length] ?? 0) + from);
      return text.slice(0, at) + put + text.slice(at + take);
    }),
  fc.record({ line: fc.nat(), to: fc.nat(), keeps: fc.boolean() }).map(({ line, to, keeps }) => (text: string) => {
    const lines = text.split('\n');
    const [moved = ''] = keeps ? [lines[line % lines.length]] : lines.splice(line % lines.length, 1);
    lines.splice(to % (lines.length + 1), 0, moved);
    return lines.join('\n');
  }),
);

const [small = '', large = ''] = texts.map((text) => text.replace(ending, ''));

describe('a plan file that was edited, with a checksum that fits', () => {
  test.for<[name: string, edited: string, tail?: string]>([
    ['no comma behind the first line', small.replace(',\n"changes"', '\n"changes"')],
    ['no comma between two changes', small.replace('},\n{"address"', '}\n{"address"')],
    ['no comma between two sections', small.replace('],\n"steps"', ']\n"steps"')],
    ['no comma between two members', large.replace('"],\n"user.bob"', '"]\n"user.bob"')],
    ['a comma behind the last change', small.replace('}\n],\n"steps"', '},\n],\n"steps"')],
    ['a comma behind the last member', large.replace(/\n\}$/u, ',\n}')],
    ['a comma behind the opening of a section', small.replace('"steps":[', '"steps":[,')],
    ['a comma before the checksum', `${small},`],
    ['a list that ends as a map does', small.replace('\n],\n"steps"', '\n},\n"steps"')],
    ['a list that begins as a map does', small.replace('"changes":[', '"changes":{')],
    ['a section that does not end', large.replace(/"live":\{[\s\S]*$/u, '"live":{')],
    ['an empty section with two kinds of brackets', large.replace(/"live":\{[\s\S]*$/u, '"live":{]')],
    ['a section that is there twice', small.replace('"steps":[', '"changes":[],\n"steps":[')],
    ['a section that stands in the first line as well', small.replace('{', '{"live":5,')],
    ['a blank at its end that JSON has not', small, '\n\u00a0'],
  ])('refused: %s', ([, edited, tail]) => {
    expect(texts).not.toContain(sealed(edited, tail));
    expect(read(sealed(edited, tail))).toBeUndefined();
  });

  test('an empty section is one in either layout', () => {
    const none = large.replace(/"drift":\[[\s\S]*?\n\]/u, '"drift":[]');
    for (const edited of [none, none.replace('"drift":[]', '"drift":[\n]')]) {
      expect(read(sealed(edited))).toMatchObject({ drift: expect.objectContaining({ length: 0 }) });
    }
  });

  test('is refused, or is what its JSON says', () => {
    const taken = { any: 0 };
    fc.assert(
      fc.property(
        fc.constantFrom(...texts),
        fc.array(edit, { minLength: 1, maxLength: 2 }),
        fc.constantFrom('\n', '', '\n\n', ' \n', '\r\n', '\n\u00a0', '\n\ufeff', '\n\u2028', '}', ','),
        (text, edits, tail) => {
          const body = edits.reduce((edited, apply) => apply(edited), text.replace(ending, ''));
          const made = sealed(body, tail);
          const plan = read(made);
          if (plan === undefined) return;
          taken.any += 1;
          expect(asJson(plan)).toEqual(understood(made));
        },
      ),
      { numRuns: 5_000 },
    );
    expect(taken.any).toBeGreaterThan(25);
  });
});
