// Tests the loads of the lanes: what each route's calls take at their limits.
import { expect, test } from 'vitest';
import { LaneLoads } from '../../../../src/core/applier/schedule/lane-loads.ts';
import { limitsOf } from '../../../../src/core/platform/limits.ts';

test('a route after hundreds of users with limits of their own has its own limit', () => {
  const loads = new LaneLoads(limitsOf({ ratePlan: '5k_mau', limits: {}, share: 1 }));
  for (let user = 0; user < 400; user++) {
    loads.add({ method: 'PUT', route: '/users/{user_id}', params: { user_id: `u${user}` } });
  }
  for (let call = 0; call < 20; call++) loads.add({ method: 'POST', route: '/open_channels' });
  expect([...loads.seconds()]).toEqual([40, 2]);
  expect(loads.planned()).toEqual([
    { route: 'PUT /users/{user_id}', calls: 400, allowed_per_s: 10 },
    { route: 'POST /open_channels', calls: 20, allowed_per_s: 10 },
  ]);
});
