// Tests the contents of a plan: summary, requests, duration, notes, targets, preconditions, hash.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LimitsOf } from '../../../src/core/model/limits.ts';
import { digestOfRecord } from '../../../src/core/model/record.ts';
import type { Removal, Resource } from '../../../src/core/model/resource.ts';
import type { JsonObject } from '../../../src/lib/json.ts';
import { historyFileOfLines, historyFileResource } from '../../support/history-files.ts';
import { estate } from '../../support/planning/arbitrary-estates.ts';
import { hashOfSteps } from '../../support/planning/hash-of-steps.ts';
import {
  kindNamed,
  openPolicy,
  planFor,
  resource,
  resources,
  stateAfter,
  stateOf,
} from '../../support/planning/planning.ts';
import { fastTest, inSuite } from '../../support/suite.ts';
import { expectPlans } from './support/plans.ts';

const n = { nickname: 'N' };
const room = (...ids: readonly string[]): JsonObject => ({ members: Object.fromEntries(ids.map((id) => [id, {}])) });
const before = resources({
  user: { alice: n, bob: n, carol: { ...n, deactivated: true } },
  group_channel: { room: room('alice', 'bob') },
});
const after = resources({
  user: { alice: n, carol: n, dave: { ...n, deactivated: true } },
  group_channel: { room: room('alice', 'dave') },
});

describe('a plan', () => {
  const { plan } = planFor(after, stateOf(before), { lineage: 'line' });

  fastTest('shows its steps and changes, and counts objects by action and calls by route', async () => {
    await expectPlans('plan', {
      'changes by address, with actions, dangers and reversibility': { desired: after, state: stateOf(before) },
      'a deletion cannot be undone': {
        desired: before.slice(1),
        state: stateOf(before),
        policy: { on_remove: { user: 'delete' } },
      },
      'a target includes what it needs, and nothing else': {
        desired: after,
        state: stateOf(before),
        targets: ['group_channel.room'],
      },
      'an unknown target': { desired: after, state: stateOf(before), targets: ['user.nobody'] },
    });
    expect(plan.summary).toEqual({ create: 1, invite: 1, leave: 1, reactivate: 1, deactivate: 2 });
    expect(plan.requests.map(({ method, route, count }) => `${count} ${method} ${route}`)).toEqual([
      '3 PUT /users/{user_id}',
      '1 POST /group_channels/{channel_url}/invite',
      '1 POST /users',
      '1 PUT /group_channels/{channel_url}/leave',
    ]);
    expect([...plan.changes].map(({ source }) => source !== undefined)).toEqual([true, false, true, true]);
  });

  fastTest('shows later calls of a creation as its parts', () => {
    const image = { file: 'a.png', digest: '0', media_type: 'image/png' };
    const made = resources({
      user: { alice: { ...n, profile_file: image, metadata: { team: 'x' } } },
      group_channel: { room: { ...room(...Array.from({ length: 150 }, (_none, at) => `m${at}`)), is_super: true } },
    });
    const { steps, summary, changes } = planFor(made).plan;
    expect([...steps].map(({ action }) => action)).toEqual(['create', 'update', 'create', 'invite']);
    expect(summary).toEqual({ create: 2 });
    expect([...changes].map(({ actions }) => actions)).toEqual([['create'], ['create']]);
  });

  fastTest('takes the busiest bucket as its shortest duration', () => {
    expect(plan.duration).toMatchObject({ lower_bound_s: 2, bottleneck: 'PUT /users/{user_id} at 1/s' });
    expect(planFor([]).plan.duration).toEqual({ lower_bound_s: 0, buckets: [] });
  });

  fastTest('considers buckets shared by several routes', () => {
    const limitsOf: LimitsOf = ({ method }) => [
      { name: method, calls: 10, windowS: 2, share: 0.5 },
      { name: 'all', calls: 100, windowS: 1, share: 1 },
    ];
    const { duration } = planFor(after, stateOf(before), { limitsOf }).plan;
    expect(duration).toMatchObject({ lower_bound_s: 1.2, bottleneck: 'PUT at 2.5/s' });
  });

  fastTest('keeps the digests of each record from before the first step to after the last', () => {
    let state = stateOf(before);
    const seen = new Map(Array.from(plan.preconditions, ([key]) => [key, new Set<string>()]));
    const look = () => {
      for (const [key, digests] of seen)
        digests.add(digestOfRecord([...state.values()].find(({ address }) => address === key)));
    };
    look();
    for (const step of plan.steps) {
      state = stateAfter(state, [step]);
      look();
    }
    expect(Array.from(seen, ([key, digests]) => [key, [...digests]])).toEqual(plan.preconditions);
    expect([plan.application, plan.lineage]).toEqual(['example.com/v3', 'line']);
  });

  fastTest('keeps the objects in state that its calls need', () => {
    const desired = resources({
      user: { alice: { nickname: 'A' }, eve: { nickname: 'E' } },
      group_channel: { hall: { members: { alice: {}, eve: {} }, operators: ['alice'] } },
    });
    const known = stateOf(resources({ user: { alice: { nickname: 'A' }, dave: { nickname: 'D' } } }));
    expect(planFor(desired, known).plan.needed).toEqual([['group_channel.hall', ['user.alice']]]);
    expect(planFor(desired).plan.needed).toBeUndefined();
  });
});

describe('a rename', () => {
  const image = { file: 'a.png', digest: 'a', media_type: 'image/png' };
  const full = { ...room('alice'), is_public: true, access_code: { env: 'CODE', revision: 1 }, cover_file: image };

  fastTest.for<[string, kind: string, block: JsonObject, edited?: JsonObject, removal?: Removal]>([
    ['of a user', 'user', { nickname: 'N', metadata: { a: '1' } }],
    ['of an open channel', 'open_channel', { name: 'Hall' }],
    ['with a file and a secret', 'group_channel', full],
    ['of a closed one', 'user', { nickname: 'N', deactivated: true }],
    ['of an edited user', 'user', { nickname: 'N' }, { metadata: { a: '1' } }],
    ['of an edited channel', 'open_channel', { name: 'Hall' }, { data: 'x' }],
    ['with a deletion', 'open_channel', { name: 'Hall' }, {}, 'delete'],
  ])('is noted on both sides: %s', ([, kind, block, edited = {}, removal]) => {
    const policy = removal === undefined ? openPolicy : { ...openPolicy, on_remove: { [kind]: removal } };
    const declared = [resource(kind, 'new1', { ...block, ...edited })];
    const { plan } = planFor(declared, stateOf([resource(kind, 'old1', block)]), { policy });
    const stays = kindNamed(kind).onRename;
    expect(stays).toMatch(/stay with the old .*; keep the key and edit (?:nick)?name/u);
    expect(
      [...plan.changes].map(({ address, notes }) => [address, notes.filter((note) => note.includes('rename'))]),
    ).toEqual([
      [`${kind}.new1`, [`looks like a rename of ${kind}.old1: ${stays}`]],
      [`${kind}.old1`, [`looks like a rename to ${kind}.new1: ${stays}`]],
    ]);
  });

  fastTest('warns that the history file of the channel is sent again', () => {
    const lines = (count: number): JsonObject[] =>
      Array.from({ length: count }, (_, place) => ({
        message_type: 'ADMM',
        message: `${place}`,
        timestamp: 1e12 + place,
      }));
    const channel = (key: string, name: string, messages: number) => [
      resource('open_channel', key, { name }),
      historyFileResource('open_channel', key, historyFileOfLines('a.ndjson', lines(messages))),
    ];
    const noted = (now: readonly Resource[]) => {
      const { plan } = planFor(now, stateOf(channel('old1', 'Hall', 3)));
      const renames = [...plan.changes].filter(({ notes }) => notes.some((note) => note.startsWith('looks like')));
      const [note] = [...plan.changes].find(({ address }) => address === 'messages.new1')?.notes.slice(-1) ?? [];
      expect(note).toBe(
        'looks like a rename of messages.old1: what was sent stays in the old channel, and the whole history file is sent again to the new one',
      );
      return renames.map(({ address }) => address);
    };
    const all = ['messages.new1', 'messages.old1', 'open_channel.new1', 'open_channel.old1'];
    expect(noted(channel('new1', 'Hall', 3))).toEqual(all);
    expect(noted(channel('new1', 'Hall', 4))).toEqual(all);
    expect(noted(channel('new1', 'Room', 3))).toEqual(all);
  });

  fastTest.for([
    ['several objects are alike', ['open_channel', 'old1', 'old2', 'new1'], { name: 'Hall' }, { name: 'Hall' }],
    ['the only attribute differs', ['user', 'a', undefined, 'b'], n, { nickname: 'M' }],
  ] as const)('is not assumed when %s', ([, [kind, first, second, next], had, declared]) => {
    const before = [first, second].flatMap((key) => (key === undefined ? [] : [resource(kind, key, had)]));
    const { plan } = planFor([resource(kind, next, declared)], stateOf(before));
    expect([...plan.changes].flatMap(({ notes }) => notes)).toEqual([]);
  });
});

test('targets reach the result of the whole plan, one after another', () => {
  fc.assert(
    fc.property(estate, (desired) => {
      let state: ReturnType<typeof stateAfter> = new Map();
      for (const { address } of desired)
        state = stateAfter(state, planFor(desired, state, { targets: [address] }).plan.steps);
      expect(planFor(desired, state).plan.steps).toEqual([]);
    }),
    { numRuns: inSuite(12, 50) },
  );
});

describe('the hash', () => {
  const state = stateOf(before);
  const { hash, steps } = planFor(after, state).plan;

  const moved = after.map((one) => ({ ...one, source: { file: 'other.yaml', line: 9, column: 9 } }));
  const otherKeys = resources({
    group_channel: { room: room('dave', 'alice') },
    user: { dave: { deactivated: true, ...n }, carol: n, alice: n },
  });
  const listed = { removed: [{ address: 'user.bob', source: { file: 'a', line: 1, column: 1 } }] as const };
  fastTest.for([
    ['the order of resources', [...after].reverse(), {}],
    ['the order of keys', otherKeys, {}],
    ['positions', moved, {}],
    ['the reason of a removal', after, listed],
    ['limits and the day', after, { limitsOf: () => [], today: '2030-01-01' }],
  ] as const)('does not depend on %s', ([, desired, options]) => {
    expect(planFor(desired, state, options).plan.hash).toBe(hash);
  });

  fastTest('depends on the application and on every step', () => {
    expect(planFor(after, state, { application: 'other.com/v3' }).plan.hash).not.toBe(hash);
    expect(hashOfSteps('example.com/v3', [...steps].reverse())).toBe(hash);
    for (const { id } of steps) {
      const others = [...steps].filter((step) => step.id !== id);
      expect(hashOfSteps('example.com/v3', others)).not.toBe(hash);
    }
  });

  test('is the same for the same plan of any estate', () => {
    fc.assert(
      fc.property(estate, (desired) => {
        expect(planFor(desired).plan.hash).toBe(planFor([...desired].reverse()).plan.hash);
      }),
      { numRuns: inSuite(10, 30) },
    );
  });
});
