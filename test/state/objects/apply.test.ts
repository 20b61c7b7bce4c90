// What an apply loses by a store whose calls take long: in virtual time, with the real applier.
import { expect, test } from 'vitest';
import { applyPlan } from '../../../src/applier/apply.ts';
import type { StateWriter } from '../../../src/model/ports.ts';
import type { ApiRequest } from '../../../src/model/request.ts';
import type { Step } from '../../../src/model/step.ts';
import { estimateDuration } from '../../../src/planner/order/estimate.ts';
import { limitsOf } from '../../../src/platform/limits.ts';
import { createPacer } from '../../../src/platform/rate-limiter.ts';
import { memoryBackend } from '../../../src/state/memory.ts';
import { application } from '../../support/state/fixtures.ts';
import { StoreRig } from './rig.ts';

const platformMs = 100;
const now = { application, lockTimeoutMs: 0 };

const user = (index: number): ApiRequest => ({
  method: 'POST',
  route: '/users',
  body: { user_id: `user-${index}`, nickname: 'U', profile_url: '' },
});
const channelOf =
  (...inviters: string[]) =>
  (index: number): ApiRequest => ({
    method: 'POST',
    route: '/group_channels',
    body: { channel_url: `channel-${index}`, inviter_id: inviters[index % inviters.length] ?? '' },
  });

function stepAt(index: number, request: ApiRequest): Step {
  const address = `user.user-${index}` as const;
  return {
    id: `${address}#1`,
    address,
    action: 'create',
    phase: 'user',
    request,
    entry: { type: 'put', record: { address, attributes: { nickname: 'U' } } },
    needs: [],
    begin: true,
    doneOn: [],
  };
}

/** Seconds of virtual time for the run, without opening and closing. */
async function duration(
  steps: readonly Step[],
  rig: StoreRig,
  open: () => Promise<StateWriter>,
): Promise<{ s: number; boundS: number }> {
  const limits = limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 });
  const { clock } = rig;
  return rig.run(async () => {
    const state = await open();
    const { report } = await applyPlan(
      { steps, duration: { lower_bound_s: estimateDuration(steps, limits).lower_bound_s } },
      {
        platform: {
          send: async () => {
            await clock.sleep(platformMs);
            return { type: 'ok', body: {} };
          },
        },
        pacer: createPacer({ limitsOf: limits, clock }),
        state,
        clock,
        emit: () => {},
      },
      { random: () => 0.5, limits },
    );
    expect(report).toMatchObject({ outcome: 'done', steps: { succeeded: steps.length } });
    await state.close();
    return { s: report.duration_s, boundS: report.lower_bound_s };
  });
}

/** Begins are written ahead of their slots. What is left are the first begins and the last entries. */
test.for([
  { what: '200 steps a second', storeMs: 5, count: 4_000, request: user, most: 1.001 },
  { what: '200 steps a second', storeMs: 30, count: 4_000, request: user, most: 1.005 },
  { what: '200 steps a second', storeMs: 100, count: 16_000, request: user, most: 1.01 },
  { what: '5 steps a second, for one user', storeMs: 30, count: 200, request: channelOf('a'), most: 1.005 },
  {
    what: '35 steps a second, for seven users',
    storeMs: 30,
    count: 1_400,
    request: channelOf(...'abcdefg'),
    most: 1.01,
  },
])('$what beside a store of $storeMs ms: at most $most of the time with a state that costs nothing', async (row) => {
  const { storeMs, count, request, most } = row;
  const steps = Array.from({ length: count }, (_, index) => stepAt(index, request(index)));
  const free = new StoreRig();
  const owner = { user: 'ci', host: 'h', pid: 1 };
  const memory = memoryBackend({ clock: free.clock, owner, newId: () => 'id' });
  const without = await duration(steps, free, () => memory.open(now));
  const rig = new StoreRig({ latencyMs: storeMs });
  const { backend } = rig.start();
  const withStore = await duration(steps, rig, () => backend.open(now));
  expect(withStore.boundS).toBe(without.boundS);
  expect(withStore.s).toBeLessThan(most * without.s);
  const { size } = await rig.run(() => rig.start().backend.read(application));
  expect(size).toBe(count);
});
