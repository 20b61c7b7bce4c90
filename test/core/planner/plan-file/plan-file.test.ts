// Tests that a saved plan reads back unchanged, and that other, newer, truncated and edited files are refused (6), with a
// correct checksum, too.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../src/core/model/errors.ts';
import { type Plan, type PlanAsRead, partsFromOrigins } from '../../../../src/core/model/plan.ts';
import { StepsDigest } from '../../../../src/core/planner/plan-file/hash.ts';
import { printPlanFile } from '../../../../src/core/planner/plan-file/print.ts';
import { editedPlan, OtherLayout, PlanFileReader } from '../../../../src/core/planner/plan-file/reader.ts';
import { RunningDigest } from '../../../../src/lib/digest.ts';
import { collectInMemory } from '../../../../src/lib/series.ts';
import { estate } from '../../../support/planning/arbitrary-estates.ts';
import { livePart } from '../../../support/planning/live-objects.ts';
import { planFor, readPlanText, resources, stateOf } from '../../../support/planning/planning.ts';
import { fastTest, inSuite } from '../../../support/suite.ts';

const { plan } = planFor(resources({ user: { alice: { nickname: 'A' }, bob: { nickname: 'B', deactivated: true } } }));

/** A plan that has all sections. */
function refreshed(): Plan {
  const users = { alice: { nickname: 'A' }, bob: { nickname: 'B' } };
  const edited = resources({
    user: { ...users, alice: { nickname: 'C' }, carol: { nickname: 'D' } },
    open_channel: { lobby: { operators: ['bob', 'carol'] } },
  });
  const state = stateOf(resources({ user: users }));
  const there = { 'user.alice': { nickname: 'X' }, 'user.bob': { nickname: 'Y' } };
  return planFor(edited, state, livePart(edited, state, there)).plan;
}

const printed = (made: Plan): string => [...printPlanFile(made)].join('');
const [text, largeText] = [printed(plan), printed(refreshed())];
const [small, large] = [text, largeText].map((whole) => whole.replace(/#end [0-9a-f]{64}\n$/u, '')) as [string, string];

/** Gives the plan a correct checksum. */
const forged = (changes: Partial<Record<keyof Plan, unknown>>): string => printed({ ...plan, ...changes } as Plan);

/** The text with a correct checksum, and whatever follows the checksum. */
function sealed(body: string, tail = '\n'): string {
  const digest = new RunningDigest();
  digest.add(body);
  return `${body}#end ${digest.soFar('hex')}${tail}`;
}

function* piecesOf(whole: string, length = whole.length): Generator<string> {
  for (let at = 0; at < whole.length; at += length) yield whole.slice(at, at + length);
}

function read(whole: string, pieceLength?: number): Plan {
  return readPlanText(piecesOf(whole, pieceLength));
}

/** Without the parts that are made from the origins. */
function asRead(whole: string, pieceLength?: number): PlanAsRead {
  const reader = new PlanFileReader('plan.chatform', collectInMemory);
  for (const piece of piecesOf(whole, pieceLength)) reader.add(piece);
  return reader.end();
}

/** The plan, or why it is refused. */
function readOrRefused(whole: string): Plan | Refusal {
  try {
    return read(whole);
  } catch (error) {
    if (error instanceof Refusal) return error;
    if (error instanceof OtherLayout) return editedPlan('plan.chatform');
    throw error;
  }
}

/** Reads the file as a simple reader would. */
function understood(whole: string): unknown {
  const [head = '', ...lines] = whole.trimEnd().split('\n').slice(0, -1);
  const sections: Record<string, unknown[]> = {};
  let own: unknown[] = [];
  for (const line of lines) {
    if (line.startsWith('#')) sections[line.slice(1)] = own = [];
    else own.push(JSON.parse(line));
  }
  const { file_version: _version, ...rest } = JSON.parse(head);
  return { ...rest, ...sections };
}

describe('a plan file', () => {
  test('reads back unchanged from pieces of any size, and without its last line end', () => {
    const plans = estate.map((desired) => planFor(desired).plan);
    fc.assert(
      fc.property(plans, fc.integer({ min: 1, max: 1_000 }), (made, length) => {
        const whole = printed(made);
        expect(read(whole, length)).toEqual(made);
        expect(asRead(whole.trimEnd(), length)).toEqual(asRead(whole));
      }),
      { numRuns: inSuite(6, 50) },
    );
    expect(read(text)).toEqual(plan);
    const { steps: _steps, summary: _summary, requests: _requests, preconditions: _records, ...inFile } = plan;
    for (let length = 1; length < 40; length += 1) expect(asRead(text, length)).toEqual(inFile);
    expect(read(largeText)).toEqual(refreshed());
    expect(refreshed().drift?.length).toBeGreaterThan(0);
  });

  test('is refused after the smallest edit', () => {
    fc.assert(
      fc.property(fc.nat(text.length - 2), fc.constantFrom('', '0', ' ', '"', '}', '\n'), (at, character) => {
        fc.pre(text[at] !== character);
        const edited = text.slice(0, at) + character + text.slice(at + 1);
        expect(readOrRefused(edited)).toMatchObject({ exitCode: 6 });
      }),
      { numRuns: 100 },
    );
  });

  fastTest.for<readonly [name: string, edited: string, says?: string]>([
    ['empty', ''],
    ['cut', text.slice(0, -20)],
    ['without an application', forged({ application: undefined })],
    ['of a newer format', text.replace(/"file_version":"\d/u, '"file_version":"9'), '9.0'],
    ['with a format that is not a string', text.replace(/"file_version":"1\.0"/u, '"file_version":2')],
    ['of no format', text.replace(/"file_version":"1\.0",/u, '')],
    ['a value edited', text.replace('"nickname":"A"', '"nickname":"X"')],
    ['for another application', forged({ application: 'x' }), 'does not do what it shows'],
    ['another hash', forged({ hash: 'x' }), 'does not do what it shows'],
    ['without a checksum', text.replace(/#end .*\n$/u, '')],
    ['with another checksum', text.replace(/#end ./u, '#end x')],
    ['a reason edited', text.replace('not_in_state', 'lifecycle_edited')],
    ['an origin edited', text.replace(/"record":\{|"lifecycle":\{\}/u, '"lifecycle":{"protect":true}')],
    ['one line after the end', `${text}{}\n`],
    ['an unknown section', text.replace('#origins', '#other')],
    ['a section that is there twice', sealed(small.replace('#changes\n', '#changes\n#changes\n'))],
    [
      'sections in another order',
      sealed(small.replace('#origins\n', '').replace('#changes\n', '#origins\n#changes\n')),
    ],
    ['a section that is missing', sealed(small.replace('#origins\n', '#drift\n'))],
    ['a section that stands in the first line as well', sealed(small.replace('{', '{"origins":5,'))],
    [
      'steps of its own',
      sealed(small.replace('#origins\n', `#steps\n${JSON.stringify(plan.steps.at(0))}\n#origins\n`)),
    ],
    ...partsFromOrigins.map(
      (part) =>
        [`its own ${part}`, sealed(small.replace('{', `{"${part}":${JSON.stringify(plan[part] ?? [])},`))] as const,
    ),
    ['a change before the first section', sealed(small.replace('#changes\n', '{}\n#changes\n'))],
    ['an origin of no object', sealed(large.replace('#origins\n{"address"', '#origins\n{"addresses"'))],
    ['an empty line', sealed(small.replace('#origins\n', '#origins\n\n'))],
    ['a line behind a correct checksum', sealed(small, '\n{}\n')],
  ])('is refused: %s', ([, edited, says = 'checksum']) => {
    expect([text, largeText]).not.toContain(edited);
    const refusal = readOrRefused(edited);
    expect(refusal).toMatchObject({ code: 'plan.unreadable', exitCode: 6 });
    expect((refusal as Refusal).message).toContain(says);
    expect((refusal as Refusal).message).toContain('plan.chatform');
  });
});

const marks = ['', ',', '[', ']', '{', '}', ':', '"', ' ', '\r', '\n', '\u00a0', '\ufeff', '1', '[]', '{}', '\t'];
const put = fc.constantFrom(...marks, '#', '#origins', '#end x');

/** Edits characters, mostly at the start or end of a line, or whole lines. */
const edit = fc.oneof(
  fc.record({ where: fc.nat(), take: fc.nat(2), put }).map(({ where, take, put }) => (whole: string) => {
    const at = where % (whole.length + 1);
    return whole.slice(0, at) + put + whole.slice(at + take);
  }),
  fc
    .record({ line: fc.nat(), from: fc.integer({ min: -3, max: 3 }), take: fc.nat(2), put })
    .map(({ line, from, take, put }) => (whole: string) => {
      const ends = [...whole.matchAll(/\n|$/gu)].map(({ index }) => index);
      const at = Math.max(0, (ends[line % ends.length] ?? 0) + from);
      return whole.slice(0, at) + put + whole.slice(at + take);
    }),
  fc.record({ line: fc.nat(), to: fc.nat(), keeps: fc.boolean() }).map(({ line, to, keeps }) => (whole: string) => {
    const lines = whole.split('\n');
    const [moved = ''] = keeps ? [lines[line % lines.length]] : lines.splice(line % lines.length, 1);
    lines.splice(to % (lines.length + 1), 0, moved);
    return lines.join('\n');
  }),
);

test('a file edited with a correct checksum is refused, or means what its lines say', () => {
  let accepted = 0;
  fc.assert(
    fc.property(fc.constantFrom(small, large), fc.array(edit, { minLength: 1, maxLength: 2 }), (body, edits) => {
      const made = sealed(edits.reduce((edited, apply) => apply(edited), body));
      const found = readOrRefused(made);
      if (found instanceof Refusal) return;
      accepted += 1;
      const lines = Object.entries(found).filter(([name]) => !partsFromOrigins.some((part) => part === name));
      expect(Object.fromEntries(lines)).toEqual(understood(made));
    }),
    { numRuns: inSuite(400, 4_000) },
  );
  expect(accepted).toBeGreaterThan(inSuite(0, 25));
});

test('the digest of steps is the digest of their lines, whatever pieces are hashed', () => {
  const step = fc.oneof(
    fc.string(),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('é', '\u007f', '\u0080', 'ÿ', '🙂', 'x'.repeat(9_000), 'ü'.repeat(9_000)),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const digest = new StepsDigest();
      for (const one of steps) digest.add(one);
      const lines = steps.map((one) => `${one}\n`).join('');
      expect(digest.end()).toBe(createHash('sha256').update(lines).digest('base64url'));
    }),
  );
});
