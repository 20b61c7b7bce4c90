// What an apply at 200 steps a second loses by a store whose calls take 30 ms: in virtual time, with the real applier.
import { expect, test } from 'vitest';
import { applyPlan } from '../../../src/applier/apply.ts';
import { buildGraph } from '../../../src/applier/schedule/graph.ts';
import type { StateWriter } from '../../../src/model/ports.ts';
import type { Step } from '../../../src/model/step.ts';
import { estimateDuration } from '../../../src/planner/order/estimate.ts';
import { limitsOf } from '../../../src/platform/limits.ts';
import { createPacer } from '../../../src/platform/rate-limiter.ts';
import { memoryBackend } from '../../../src/state/memory.ts';
import { application } from '../../support/state/fixtures.ts';
import { StoreRig } from './rig.ts';

const count = 4_000;
const platformMs = 100;
const storeMs = 30;
const now = { application, lockTimeoutMs: 0 };

function stepAt(index: number): Step {
  const address = `user.user-${index}` as const;
  return {
    id: `${address}#1`,
    address,
    action: 'create',
    phase: 'user',
    request: { method: 'POST', route: '/users', body: { user_id: `user-${index}`, nickname: 'U', profile_url: '' } },
    entry: { type: 'put', record: { address, attributes: { nickname: 'U' } } },
    needs: [],
    begin: true,
    doneOn: [],
  };
}

/** Seconds of virtual time for the run, without opening and closing. */
async function duration(rig: StoreRig, open: () => Promise<StateWriter>): Promise<{ s: number; boundS: number }> {
  const steps = Array.from({ length: count }, (_, index) => stepAt(index));
  const limits = limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 });
  buildGraph(steps, limits);
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
    expect(report).toMatchObject({ outcome: 'done', steps: { succeeded: count } });
    await state.close();
    return { s: report.duration_s, boundS: report.lower_bound_s };
  });
}

test('it takes at most 6 % longer than with a state that costs nothing', async () => {
  const free = new StoreRig();
  const owner = { user: 'ci', host: 'h', pid: 1 };
  const memory = memoryBackend({ clock: free.clock, owner, newId: () => 'id' });
  const without = await duration(free, () => memory.open(now));
  const rig = new StoreRig({ latencyMs: storeMs });
  const { backend } = rig.start();
  const withStore = await duration(rig, () => backend.open(now));
  expect(withStore.boundS).toBe(without.boundS);
  // A begin is durable before its call leaves, and the slot of the call is held as long: that much of every second.
  expect(withStore.s).toBeLessThan(1.06 * without.s);
  const { size } = await rig.run(() => rig.start().backend.read(application));
  expect(size).toBe(count);
});
