// Tests how --stage divides the steps of a plan: whole objects and channels, with everything that they wait for.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Address, kindOf } from '../../../src/core/model/address.ts';
import type { Step } from '../../../src/core/model/step.ts';
import { boundsOf, type StageSelection, stagesOf } from '../../../src/core/planner/stages.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { historyFileOfLines, historyFileResource } from '../../support/history-files.ts';
import { estate as anyEstate, possible } from '../../support/planning/arbitrary-estates.ts';
import { openPolicy, planFor, resources, stateAfter, stateOf } from '../../support/planning/planning.ts';
import { inSuite } from '../../support/suite.ts';

const share = (percent: number): StageSelection => ({ type: 'share', text: `${percent}%`, percent });
const kind = (name: string): StageSelection => ({
  type: 'objects',
  text: name,
  matches: (address) => kindOf(address) === name,
});
const only = (text: string): StageSelection => ({ type: 'objects', text, matches: (address) => address === text });

function divided(steps: readonly Step[], ...selections: readonly StageSelection[]) {
  const plan = stagesOf(steps, selections, boundsOf(steps, selections));
  const parts = plan.stages.map((_, stage) => [
    ...new Set(steps.filter((_step, place) => plan.stageOf[place] === stage).map(({ address }) => address)),
  ]);
  return { ...plan, parts };
}

const lines: readonly JsonObject[] = [
  { message_type: 'MESG', timestamp: 1_600_000_000_000, user_id: 'dora', message: 'x' },
];
const users = { alice: {}, bob: {}, carol: {}, dora: {} };
const rooms = {
  'room-1': { members: { alice: {} } },
  'room-2': { members: { bob: {} } },
  'room-3': { members: { alice: {}, carol: {} }, frozen: true },
  'room-4': { members: { bob: {} } },
};
const historyFile = historyFileResource(
  'group_channel',
  'room-2',
  historyFileOfLines('history/room-2.ndjson', lines, 100),
);
const whole = [
  ...resources({
    user: users,
    group_channel: { ...rooms, 'room-2': { members: { bob: {}, dora: {} } } },
    open_channel: { 'lobby-1': {} },
  }),
  historyFile,
];
const steps = [...planFor(whole).plan.steps];

describe('a stage', () => {
  test.for<[title: string, selections: readonly StageSelection[], first: readonly string[]]>([
    ['of a kind has its objects', [kind('open_channel')], ['open_channel.lobby-1']],
    ['of an object has what it needs', [only('group_channel.room-1')], ['user.alice', 'group_channel.room-1']],
    [
      'of a channel has its messages and their senders',
      [only('group_channel.room-2')],
      ['user.bob', 'user.dora', 'group_channel.room-2', 'messages.room-2'],
    ],
    [
      'of messages has their channel',
      [only('messages.room-2')],
      ['user.bob', 'user.dora', 'group_channel.room-2', 'messages.room-2'],
    ],
    ['of one percent has one channel, the first by its channel_url', [share(1)], ['open_channel.lobby-1']],
    [
      'of half of five channels has three',
      [share(50)],
      [
        'user.alice',
        'user.bob',
        'user.dora',
        'group_channel.room-1',
        'open_channel.lobby-1',
        'group_channel.room-2',
        'messages.room-2',
      ],
    ],
  ])('%s', ([, selections, first]) => {
    const { parts } = divided(steps, ...selections);
    expect([...(parts[0] ?? [])].sort()).toEqual([...first].sort());
    expect(parts.flat().sort()).toEqual([...new Set(steps.map(({ address }) => address))].sort());
  });

  test('keeps the freeze of a channel with its creation', () => {
    const { stageOf } = divided(steps, only('group_channel.room-3'));
    const ofRoom = steps.flatMap(({ address }, place) => (address === 'group_channel.room-3' ? [stageOf[place]] : []));
    expect(ofRoom.length).toBeGreaterThan(1);
    expect(new Set(ofRoom)).toEqual(new Set([0]));
  });

  test('has every channel that a deactivation waits for', () => {
    const state = stateOf(whole);
    const left = whole.flatMap((one) => {
      if (one.address === 'user.carol') return [{ ...one, attributes: { ...one.attributes, deactivated: true } }];
      if (one.address === 'group_channel.room-3')
        return [{ ...one, attributes: { ...one.attributes, members: { alice: {} }, frozen: true } }];
      return [one];
    });
    const { parts } = divided([...planFor(left, state).plan.steps], kind('user'));
    expect(parts).toEqual([expect.arrayContaining(['user.carol', 'group_channel.room-3']), []]);
  });

  test('counts its objects and steps, and those that it did not select', () => {
    expect(divided(steps, share(40)).stages.map(({ named: _named, ...stage }) => stage)).toEqual([
      { select: '40%', objects: 3, steps: 3, pulled_in: 1, until: 'room-1' },
      { objects: 7, steps: steps.length - 3 },
    ]);
  });

  test('without channels has no bound', () => {
    const alone = [...planFor(resources({ user: users })).plan.steps];
    expect(boundsOf(alone, [share(50), kind('user')])).toEqual([null, null]);
    expect(divided(alone, share(50)).parts).toEqual([[], expect.any(Array)]);
  });
});

test('several stages follow each other, and an object is in the first that needs it', () => {
  const { parts } = divided(steps, share(20), only('group_channel.room-4'), kind('user'));
  expect(parts).toEqual([
    ['open_channel.lobby-1'],
    ['user.bob', 'group_channel.room-4'],
    ['user.alice', 'user.carol', 'user.dora'],
    expect.arrayContaining(['group_channel.room-1', 'group_channel.room-2', 'group_channel.room-3', 'messages.room-2']),
  ]);
});

const selections = fc.array(
  fc.oneof(
    fc.integer({ min: 1, max: 99 }).map(share),
    fc.constantFrom('user', 'bot', 'open_channel', 'group_channel', 'settings', 'custom_type').map(kind),
  ),
  { minLength: 1, maxLength: 3 },
);

test('no step of any plan waits for a later stage, no object is split, and what remains is divided in the same way', () => {
  fc.assert(
    fc.property(
      fc.tuple(anyEstate, anyEstate),
      selections,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (estates, chosen, done) => {
        const state = stateOf(possible(estates[0], new Map()));
        const planned = planFor(possible(estates[1], state), state, { policy: openPolicy });
        const all = [...planned.plan.steps];
        const bounds = boundsOf(all, chosen);
        const { stageOf, stageOfObject, stages } = stagesOf(all, chosen, bounds);
        expect(stageOf.length).toBe(all.length);
        expect(stages.reduce((sum, { steps: count }) => sum + count, 0)).toBe(all.length);
        const stageOfStep = new Map(all.map(({ id }, place) => [id, stageOf[place] as number]));
        for (const [place, { id, address, needs, after = [] }] of all.entries()) {
          const stage = stageOf[place] as number;
          expect(stageOfObject(address)).toBe(stage);
          for (const other of [...needs, ...after])
            expect([id, (stageOfStep.get(other) ?? 0) <= stage]).toEqual([id, true]);
        }
        // Some steps of the first stage, in the order of the plan.
        const first = all.filter((_step, place) => stageOf[place] === 0);
        const begun = first.slice(0, Math.floor(done * first.length));
        const left = [
          ...planFor(possible(estates[1], state), stateAfter(state, begun), { policy: openPolicy }).plan.steps,
        ];
        const remaining = stagesOf(left, chosen, bounds);
        const moved = left.filter(({ address }) => remaining.stageOfObject(address) < stageOfObject(address));
        expect(moved.map(({ address }): Address => address)).toEqual([]);
      },
    ),
    { numRuns: inSuite(15, 300) },
  );
});
