// Tests that an edited plan file with a correct checksum is refused, or means what its lines say.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RunningDigest } from '../../../src/lib/digest.ts';
import { collectInMemory } from '../../../src/lib/series.ts';
import { Refusal } from '../../../src/model/errors.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { printPlanFile } from '../../../src/planner/plan-file/print.ts';
import { OtherLayout, PlanFileReader } from '../../../src/planner/plan-file/reader.ts';
import { livePart } from '../../support/planning/live-objects.ts';
import { planFor, resources, stateOf } from '../../support/planning/planning.ts';
import { fastTest, inSuite } from '../../support/suite.ts';

/** Plans that have all sections; in the first, some are empty. */
const texts = [plain(), refreshed()].map((plan) => [...printPlanFile(plan)].join(''));
const ending = /#end [0-9a-f]{64}\n$/u;
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
  '#',
  '#steps',
  '#end x',
  '\t',
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

/** The text with a correct checksum, and whatever follows the checksum. */
function sealed(body: string, tail = '\n'): string {
  const digest = new RunningDigest();
  digest.add(body);
  return `${body}#end ${digest.soFar('hex')}${tail}`;
}

/** Undefined if the file is refused. */
function read(text: string): Plan | undefined {
  const reader = new PlanFileReader('plan.chatform', collectInMemory);
  try {
    reader.add(text);
    return reader.end();
  } catch (error) {
    if (error instanceof Refusal || error instanceof OtherLayout) return undefined;
    throw error;
  }
}

/** Reads the file as a simple reader would. */
function understood(text: string): unknown {
  const [head = '', ...lines] = text.trimEnd().split('\n').slice(0, -1);
  const sections: Record<string, unknown[]> = {};
  let own: unknown[] = [];
  for (const line of lines) {
    if (line.startsWith('#')) sections[line.slice(1)] = own = [];
    else own.push(JSON.parse(line));
  }
  const { file_version: _version, ...small } = JSON.parse(head);
  return { ...small, ...sections };
}

/** Edits characters, mostly at the start or end of a line, or whole lines. */
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

describe('an edited plan file with a correct checksum', () => {
  fastTest.for<[name: string, edited: string, tail?: string]>([
    ['a section that is there twice', small.replace('#steps\n', '#changes\n#steps\n')],
    [
      'sections in another order',
      small.replace('#preconditions\n', '').replace('#changes\n', '#preconditions\n#changes\n'),
    ],
    ['a section that is missing', small.replace('#preconditions\n', '#drift\n')],
    ['a section that stands in the first line as well', small.replace('{', '{"live":5,')],
    ['a change before the first section', small.replace('#changes\n', '{}\n#changes\n')],
    ['a precondition of no object', large.replace('["user.alice",[', '[5,[')],
    ['an empty line', small.replace('#steps\n', '#steps\n\n')],
    ['a line behind the checksum', small, '\n{}\n'],
  ])('refused: %s', ([, edited, tail]) => {
    expect(texts).not.toContain(sealed(edited, tail));
    expect(read(sealed(edited, tail))).toBeUndefined();
  });

  test('is refused, or means what its lines say', () => {
    const taken = { any: 0 };
    fc.assert(
      fc.property(fc.constantFrom(small, large), fc.array(edit, { minLength: 1, maxLength: 2 }), (text, edits) => {
        const made = sealed(edits.reduce((edited, apply) => apply(edited), text));
        const plan = read(made);
        if (plan === undefined) return;
        taken.any += 1;
        expect(plan).toEqual(understood(made));
      }),
      { numRuns: inSuite(400, 4_000) },
    );
    expect(taken.any).toBeGreaterThan(inSuite(0, 25));
  });
});
