// Tests the contents of a plan: summary, requests, duration, notes, targets, preconditions, hash.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/lib/json.ts';
import type { LimitsOf } from '../../src/model/limits.ts';
import { digestOfRecord } from '../../src/model/record.ts';
import type { Resource } from '../../src/model/resource.ts';
import { hashPlan } from '../../src/planner/plan-file/step-digests.ts';
import { archiveOfLines, archiveResource } from '../support/archives.ts';
import { estate } from '../support/planning/arbitrary-estates.ts';
import {
  kindNamed,
  openPolicy,
  planFor,
  resource,
  resources,
  stateAfter,
  stateOf,
} from '../support/planning/planning.ts';
import { fastTest, inSuite } from '../support/suite.ts';

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

  fastTest('counts objects by action', () => {
    expect(plan.summary).toEqual({ create: 1, invite: 1, leave: 1, reactivate: 1, deactivate: 2 });
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

  fastTest('lists calls by route, the most numerous first', () => {
    expect(plan.requests).toEqual([
      { method: 'PUT', route: '/users/{user_id}', count: 3 },
      { method: 'POST', route: '/group_channels/{channel_url}/invite', count: 1 },
      { method: 'POST', route: '/users', count: 1 },
      { method: 'PUT', route: '/group_channels/{channel_url}/leave', count: 1 },
    ]);
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

  fastTest('lists changes by address with actions, dangers and reversibility', () => {
    const facts = [...plan.changes].map(({ address, actions, dangerous, reversibility }) => [
      address,
      actions.join(' '),
      dangerous,
      reversibility,
    ]);
    expect(facts).toEqual([
      ['group_channel.room', 'invite leave', true, 'lossy'],
      ['user.bob', 'deactivate', true, 'reversible'],
      ['user.carol', 'reactivate', true, 'reversible'],
      ['user.dave', 'create deactivate', false, 'reversible'],
    ]);
    expect([...plan.changes].map(({ source }) => source !== undefined)).toEqual([true, false, true, true]);
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

  fastTest('says that a deletion cannot be undone', () => {
    const policy = { ...openPolicy, on_remove: { user: 'delete' as const } };
    const made = planFor(before.slice(1), stateOf(before), { policy }).plan;
    expect([...made.changes].map(({ reversibility }) => reversibility)).toEqual(['irreversible']);
  });
});

describe('a rename', () => {
  const image = { file: 'a.png', digest: 'a', media_type: 'image/png' };
  const full = { ...room('alice'), is_public: true, access_code: { env: 'CODE', revision: 1 }, cover_file: image };

  fastTest.for([
    { name: 'of a user', kind: 'user', block: { nickname: 'N', metadata: { a: '1' } } },
    { name: 'of an open channel', kind: 'open_channel', block: { name: 'Hall' } },
    { name: 'with a file and a secret', kind: 'group_channel', block: full },
    { name: 'of a closed one', kind: 'user', block: { nickname: 'N', deactivated: true } },
    { name: 'of an edited user', kind: 'user', block: { nickname: 'N' }, edited: { metadata: { a: '1' } } },
    { name: 'of an edited channel', kind: 'open_channel', block: { name: 'Hall' }, edited: { data: 'x' } },
    { name: 'with a deletion', kind: 'open_channel', block: { name: 'Hall' }, removal: 'delete' as const },
  ])('is noted on both sides: $name', ({ kind, block, edited = {}, removal }) => {
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

  fastTest('warns that the archive of the channel is sent again', () => {
    const lines = (count: number): JsonObject[] =>
      Array.from({ length: count }, (_, place) => ({
        message_type: 'ADMM',
        message: `${place}`,
        timestamp: 1e12 + place,
      }));
    const channel = (key: string, name: string, messages: number) => [
      resource('open_channel', key, { name }),
      archiveResource('open_channel', key, archiveOfLines('a.ndjson', lines(messages))),
    ];
    const noted = (now: readonly Resource[]) => {
      const { plan } = planFor(now, stateOf(channel('old1', 'Hall', 3)));
      const renames = [...plan.changes].filter(({ notes }) => notes.some((note) => note.startsWith('looks like')));
      const [note] = [...plan.changes].find(({ address }) => address === 'messages.new1')?.notes.slice(-1) ?? [];
      expect(note).toBe(
        'looks like a rename of messages.old1: what was sent stays in the old channel, and the whole archive is sent again to the new one',
      );
      return renames.map(({ address }) => address);
    };
    const all = ['messages.new1', 'messages.old1', 'open_channel.new1', 'open_channel.old1'];
    expect(noted(channel('new1', 'Hall', 3))).toEqual(all);
    expect(noted(channel('new1', 'Hall', 4))).toEqual(all);
    expect(noted(channel('new1', 'Room', 3))).toEqual(all);
  });

  fastTest('is not assumed when several objects are alike', () => {
    const halls = (...keys: readonly string[]) => keys.map((key) => resource('open_channel', key, { name: 'Hall' }));
    const { plan } = planFor(halls('new1'), stateOf(halls('old1', 'old2')));
    expect([...plan.changes].flatMap(({ notes }) => notes)).toEqual([]);
  });

  fastTest('does not replace an acknowledgement', () => {
    const { plan } = planFor([resource('user', 'b', { nickname: 'M' })], stateOf([resource('user', 'a', n)]));
    expect([...plan.changes].flatMap(({ notes }) => notes)).toEqual([]);
  });
});

describe('targets', () => {
  fastTest('include what they need, and nothing else', () => {
    const { plan } = planFor(after, stateOf(before), { targets: ['group_channel.room'] });
    expect([...plan.changes].map(({ address }) => address)).toEqual(['group_channel.room', 'user.dave']);
  });

  fastTest('plan nothing for an unknown removed object', () => {
    expect(planFor(after, stateOf(before), { targets: ['user.nobody'] }).plan.steps).toEqual([]);
  });

  test('reach the result of the whole plan, one after another', () => {
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
});

describe('the hash', () => {
  const state = stateOf(before);
  const { hash, steps } = planFor(after, state).plan;

  fastTest.for([
    { name: 'the order of resources', made: planFor([...after].reverse(), state) },
    {
      name: 'the order of keys',
      made: planFor(
        resources({
          group_channel: { room: room('dave', 'alice') },
          user: { dave: { deactivated: true, ...n }, carol: n, alice: n },
        }),
        state,
      ),
    },
    {
      name: 'positions',
      made: planFor(
        after.map((one) => ({ ...one, source: { file: 'other.yaml', line: 9, column: 9 } })),
        state,
      ),
    },
    {
      name: 'the reason of a removal',
      made: planFor(after, state, { removed: [{ address: 'user.bob', source: { file: 'a', line: 1, column: 1 } }] }),
    },
    { name: 'limits and the day', made: planFor(after, state, { limitsOf: () => [], today: '2030-01-01' }) },
  ])('does not depend on $name', ({ made }) => {
    expect(made.plan.hash).toBe(hash);
  });

  fastTest('depends on the application and on every step', () => {
    expect(planFor(after, state, { application: 'other.com/v3' }).plan.hash).not.toBe(hash);
    expect(hashPlan('example.com/v3', [...steps].reverse())).toBe(hash);
    for (const { id } of steps) {
      expect(
        hashPlan(
          'example.com/v3',
          [...steps].filter((step) => step.id !== id),
        ),
      ).not.toBe(hash);
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
