// Tests what a plan says of its duration: the slowest buckets, however many there are, and the longest chain of calls.
import { describe, expect, test } from 'vitest';
import type { LimitsOf } from '../../../src/model/limits.ts';
import type { Step } from '../../../src/model/step.ts';
import { estimateDuration } from '../../../src/planner/order/estimate.ts';

const limitsOf: LimitsOf = ({ route, params }) => [
  { name: `PUT ${route}`, calls: 10, windowS: 1, share: 1 },
  ...(params?.user_id === undefined ? [] : [{ name: `user ${params.user_id}`, calls: 5, windowS: 1, share: 1 }]),
];

function step(key: string, position: number, needs: readonly string[], isCall = true): Step {
  const request = { method: 'PUT', route: '/users/{user_id}', params: { user_id: key } } as const;
  return {
    id: `user.${key}#${position}`,
    address: `user.${key}`,
    action: 'update',
    phase: 'user',
    ...(isCall ? { request } : {}),
    entry: { type: 'patch', address: `user.${key}`, edits: [] },
    needs,
    begin: false,
    doneOn: [],
  };
}

test('the bottleneck says what the other reading of the user rules gives, where that takes much longer', () => {
  const readings: LimitsOf = Object.assign(() => [{ name: 'POST /group_channels', calls: 40, windowS: 1, share: 1 }], {
    ofFirstListed: () => [{ name: 'user ann', calls: 5, windowS: 1, share: 1 }],
  });
  const steps = (count: number) => Array.from({ length: count }, (_, place) => step(`u${place}`, 1, []));
  expect(estimateDuration(steps(20), readings).bottleneck).toBe('POST /group_channels at 40/s');
  expect(estimateDuration(steps(101), readings)).toMatchObject({
    lower_bound_s: 2.5,
    bottleneck: 'POST /group_channels at 40/s; 20 s if calls without a user count for the first user that they list',
  });
});

describe('the buckets', () => {
  test('of a thousand users: the slowest are listed, the others counted', () => {
    const steps = Array.from({ length: 1_000 }, (_, place) => step(`u${place}`, 1, []));
    const busy = Array.from({ length: 900 }, (_, place) => step('busy', place, []));
    const { buckets, others, lower_bound_s, bottleneck } = estimateDuration([...steps, ...busy], limitsOf);
    expect(buckets).toHaveLength(32);
    expect(buckets.slice(0, 2)).toEqual([
      { name: 'PUT /users/{user_id}', calls: 1_900, rate: 10, seconds: 189.9 },
      { name: 'user busy', calls: 900, rate: 5, seconds: 179.8 },
    ]);
    expect({ others, lower_bound_s, bottleneck }).toEqual({
      others: 1_002 - 32,
      lower_bound_s: 189.9,
      bottleneck: 'PUT /users/{user_id} at 10/s',
    });
  });
});

describe('the chain', () => {
  test('is the longest one of calls, from its first object to its last', () => {
    const steps = [
      step('a', 1, []),
      step('b', 1, []),
      step('a', 2, ['user.a#1'], false),
      step('c', 1, ['user.a#2', 'user.b#1']),
      step('b', 2, ['user.b#1', 'user.c#1']),
      step('d', 1, ['user.gone#1']),
    ];
    expect(estimateDuration(steps, limitsOf).chain).toEqual({ calls: 3, from: 'user.a', to: 'user.b' });
  });

  test('is not told of a plan without calls', () => {
    expect(estimateDuration([step('a', 1, [], false)], limitsOf)).toEqual({ lower_bound_s: 0, buckets: [] });
  });
});
