// Tests that the limits are those of the base document, and that every request counts in the right buckets.
import { describe, expect, test } from 'vitest';
import type { RateSettings } from '../../../src/core/model/limits.ts';
import { ratePlans } from '../../../src/core/model/limits.ts';
import type { ApiRequest, Method } from '../../../src/core/model/request.ts';
import { countsForOneUser, limitsOf, strictRules } from '../../../src/core/platform/limits.ts';
import type { JsonObject } from '../../../src/lib/json.ts';

function buckets(
  request: Pick<ApiRequest, 'method' | 'route' | 'params' | 'body'>,
  settings: Partial<RateSettings> = {},
) {
  return limitsOf({ ratePlan: '25k_mau', limits: {}, share: 1, ...settings })(request);
}

const table: readonly (readonly [string, Readonly<Record<Method, number>>])[] = [
  ['free_trial', { GET: 10, POST: 5, PUT: 5, DELETE: 5 }],
  ['5k_mau', { GET: 60, POST: 10, PUT: 10, DELETE: 10 }],
  ['10k_mau', { GET: 100, POST: 20, PUT: 20, DELETE: 20 }],
  ['25k_mau', { GET: 200, POST: 40, PUT: 40, DELETE: 40 }],
  ['50k_mau', { GET: 400, POST: 100, PUT: 100, DELETE: 100 }],
  ['100k_mau', { GET: 600, POST: 200, PUT: 200, DELETE: 200 }],
];

test('the rate plans are those of the document', () => expect(ratePlans).toEqual(table.map(([name]) => name)));

test.for(table)('%s', ([ratePlan, limits]) => {
  for (const [method, calls] of Object.entries(limits)) {
    const route = { method: method as Method, route: '/open_channels' };
    expect(buckets(route, { ratePlan })).toEqual([{ name: `${method} /open_channels`, calls, windowS: 1, share: 1 }]);
  }
});

describe('stricter rules', () => {
  const migrate = { method: 'POST', route: '/migration/{channel_url}', params: { channel_url: 'c' } } as const;

  test('a migration counts against its plan and against its rule, for the application', () => {
    expect(buckets(migrate).map(({ calls }) => calls)).toEqual([40, 5]);
    expect(buckets(migrate).some(countsForOneUser)).toBe(false);
    expect(buckets({ ...migrate, params: { channel_url: 'd' } })).toEqual(buckets(migrate));
  });

  test.for([
    { of: 'path', request: { method: 'PUT', route: '/users/{user_id}', params: { user_id: 'ann' }, body: {} } },
    { of: 'inviter', request: { method: 'POST', route: '/group_channels', body: { inviter_id: 'ann' } } },
    {
      of: 'inviter',
      request: { method: 'POST', route: '/group_channels/{channel_url}/invite', body: { inviter_id: 'ann' } },
    },
    {
      of: 'body',
      request: {
        method: 'PUT',
        route: '/group_channels/{channel_url}/messages/mark_as_read',
        body: { user_id: 'ann' },
      },
    },
    {
      of: 'body',
      request: { method: 'POST', route: '/{channel_type}/{channel_url}/messages', body: { user_id: 'ann' } },
    },
  ] as const)('$request.method $request.route counts for the user of the $of', ({ request }) => {
    const [shared, own] = buckets(request);
    expect(shared?.calls).toBe(40);
    expect(own).toMatchObject({ calls: 5, name: expect.stringContaining('ann') });
    expect(own !== undefined && countsForOneUser(own)).toBe(true);
  });

  test('a request that names no user counts for the application alone', () => {
    expect(buckets({ method: 'POST', route: '/group_channels', body: { user_ids: ['ann'] } })).toHaveLength(1);
    expect(buckets({ method: 'POST', route: '/group_channels', body: { inviter_id: '' } })).toHaveLength(1);
  });

  test('all six rules of the document exist', () => expect(strictRules).toHaveLength(6));
});

test('counts all calls of a method together once answers have shown it, but not a limit raised for one route', () => {
  const limits = limitsOf({ ratePlan: '25k_mau', limits: { 'POST /bots': 7 }, share: 1 });
  const names = () =>
    ['/users', '/open_channels', '/bots', '/migration/{channel_url}'].map((route) =>
      limits({ method: 'POST', route }).map(({ name }) => name),
    );
  const before = names();
  limits.countTogether('method');
  expect(before.map(([first]) => first)).toEqual([
    'POST /users',
    'POST /open_channels',
    'POST /bots',
    'POST /migration/{channel_url}',
  ]);
  expect(names()).toEqual([
    ['POST'],
    ['POST'],
    ['POST /bots'],
    ['POST', 'POST /migration/{channel_url} · route limit'],
  ]);
});

test('starts with what is known of the platform, and still learns', () => {
  const known = { planLimits: 'method', userScope: 'first_listed' } as const;
  const invite = {
    method: 'POST',
    route: '/group_channels/{channel_url}/invite',
    body: { user_ids: ['ann'] },
  } as const;
  const rule = 'POST /group_channels/{channel_url}/invite · user ann';
  expect(buckets(invite, { known }).map(({ name }) => name)).toEqual(['POST', rule]);
  const endpoint = limitsOf({ ratePlan: '25k_mau', limits: {}, share: 1, known: { planLimits: 'endpoint' } });
  expect(endpoint.ofMethod(invite).map(({ name }) => name)).toEqual(['POST']);
  endpoint.countTogether('method');
  expect(endpoint(invite).map(({ name }) => name)).toEqual(['POST']);
});

test('counts calls without a user together if the platform does, and those with one apart', () => {
  const invite = { method: 'POST', route: '/group_channels/{channel_url}/invite' } as const;
  const known = { planLimits: 'endpoint', userScope: 'application' } as const;
  const names = (body: JsonObject) => buckets({ ...invite, body }, { known }).map(({ name, calls }) => [name, calls]);
  const [plan = [], together] = names({ user_ids: ['ann'] });
  expect(together).toEqual([`${plan[0]} · route limit`, 5]);
  expect(names({ user_ids: ['bob'] })[1]).toEqual(together);
  expect(names({ user_ids: ['bob'], inviter_id: 'ann' })[1]).toEqual([`${plan[0]} · user ann`, 5]);
});

test('counts in the windows that the platform states, unless the manifest declares a limit', () => {
  const known = { planWindow: { windowS: 60, reads: 600, changes: 100 } } as const;
  const of = (method: 'GET' | 'POST', limits: Record<string, number> = {}) => {
    const [plan] = buckets({ method, route: '/users' }, { known, limits });
    return [plan?.calls, plan?.windowS];
  };
  expect([of('GET'), of('POST'), of('POST', { POST: 7 })]).toEqual([
    [600, 60],
    [100, 60],
    [7, 1],
  ]);
});

describe('settings', () => {
  const migrate = { method: 'POST', route: '/migration/{channel_url}' } as const;

  test('a method replaces the plan for all its routes', () => {
    const limits = { POST: 60, messages_per_migration: 200 };
    expect(buckets({ method: 'POST', route: '/users' }, { limits })[0]?.calls).toBe(60);
    expect(buckets({ method: 'PUT', route: '/users' }, { limits })[0]?.calls).toBe(40);
    expect(buckets(migrate, { limits }).map(({ calls }) => calls)).toEqual([60, 5]);
  });

  test('a route replaces its tightest rule', () => {
    const limits = { 'POST /migration/{channel_url}': 10, 'POST /users': 7, 'POST /group_channels': 9 };
    expect(buckets(migrate, { limits }).map(({ calls }) => calls)).toEqual([40, 10]);
    expect(buckets({ method: 'POST', route: '/users' }, { limits }).map(({ calls }) => calls)).toEqual([7]);
    const create = { method: 'POST', route: '/group_channels', body: { inviter_id: 'ann' } } as const;
    expect(buckets(create, { limits }).map(({ calls }) => calls)).toEqual([40, 9]);
  });

  test('the share is part of every bucket', () => {
    expect(buckets(migrate, { share: 0.8 }).map(({ share }) => share)).toEqual([0.8, 0.8]);
  });
});
