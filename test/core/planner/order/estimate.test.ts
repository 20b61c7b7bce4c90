// Tests the estimated duration of a plan: the slowest buckets and the longest chain of calls.
import { describe, expect, test } from 'vitest';
import type { CountedRequest, LimitsOf } from '../../../../src/core/model/limits.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { estimateDuration } from '../../../../src/core/planner/order/estimate.ts';

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

describe('the interpretation of the user rules', () => {
  const bucket = (name: string, calls: number) => ({ name, calls, windowS: 1, share: 1 });
  const ann = bucket('user ann', 5);
  /** Every call lists ann first, but for those of `byName`, which name her. */
  const behaviours = (byName: readonly string[] = []): LimitsOf => {
    const isNamed = ({ params }: CountedRequest) => byName.includes(`${params?.user_id}`);
    return Object.assign((one: CountedRequest) => [bucket('all', 40), ...(isNamed(one) ? [ann] : [])], {
      ofFirstListed: (one: CountedRequest) => (isNamed(one) ? [] : [ann]),
    });
  };
  const steps = (count: number) => Array.from({ length: count }, (_, place) => step(`u${place}`, 1, []));

  test.for([2, 20, 101])('is given with the bound of the other one, for %i calls', (count) => {
    expect(estimateDuration(steps(count), behaviours())).toMatchObject({
      lower_bound_s: (count - 1) / 40,
      bottleneck: 'all at 40/s',
      user_rules: { assumed: 'named', other: 'first_listed', other_lower_bound_s: (count - 1) / 5 },
    });
  });

  test('counts calls that name the user in the other bound', () => {
    const { user_rules } = estimateDuration(steps(101), behaviours(['u0', 'u1', 'u2']));
    expect(user_rules?.other_lower_bound_s).toBe(20);
  });

  test('has another bound where the limits of the plan may count all calls of a method', () => {
    const byRoute = (one: CountedRequest) => [bucket(`${one.method} ${one.route}`, 10)];
    const limits = Object.assign(byRoute, { ofMethod: ({ method }: CountedRequest) => [bucket(method, 10)] });
    const posts = (route: string, count: number) =>
      steps(count).map((one) => ({ ...one, id: `${route}${one.id}`, request: { method: 'POST', route } as const }));
    expect(estimateDuration([...posts('/users', 11), ...posts('/bots', 5)], limits)).toMatchObject({
      lower_bound_s: 1,
      plan_limits: { assumed: 'endpoint', other: 'method', other_lower_bound_s: 1.5 },
    });
    expect(estimateDuration(posts('/users', 11), limits)).not.toHaveProperty('plan_limits');
  });

  test('is left out when both give the same bound', () => {
    expect(estimateDuration(steps(1), behaviours())).not.toHaveProperty('user_rules');
    expect(estimateDuration(steps(101), limitsOf)).not.toHaveProperty('user_rules');
  });
});

describe('the buckets', () => {
  test('lists the slowest of a thousand and counts the others', () => {
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
  test('is the longest chain of calls, with its first and last object', () => {
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

  test('is absent in a plan without calls', () => {
    expect(estimateDuration([step('a', 1, [], false)], limitsOf)).toEqual({ lower_bound_s: 0, buckets: [] });
  });
});
