// Support: an apply with a slow store, in virtual time and with the real applier.
import { applyPlan } from '../../../../src/core/applier/apply.ts';
import type { Clock, StateBackend, StateWriter } from '../../../../src/core/model/ports.ts';
import type { ApplyReport } from '../../../../src/core/model/report.ts';
import type { ApiRequest } from '../../../../src/core/model/request.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import { estimateDuration } from '../../../../src/core/planner/order/estimate.ts';
import { limitsOf } from '../../../../src/core/platform/limits.ts';
import { createPacer } from '../../../../src/core/platform/rate-limiter.ts';
import { memoryBackend } from '../../../../src/core/state/stores/memory.ts';
import { application } from '../../../support/state/fixtures.ts';
import { StoreRig } from '../engine/rig.ts';

const platformMs = 100;
const now = { application, lockTimeoutMs: 0 };

/** The call of the nth step. */
export type CallAt = (index: number) => ApiRequest;

export const creationOfUser: CallAt = (index) => ({
  method: 'POST',
  route: '/users',
  body: { user_id: `user-${index}`, nickname: 'U', profile_url: '' },
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

export function stepsOf(count: number, callAt: CallAt): readonly Step[] {
  return Array.from({ length: count }, (_, index) => stepAt(index, callAt(index)));
}

export interface Beside {
  /** Without opening and closing. */
  readonly report: ApplyReport;
  /** Records that the next process finds. */
  readonly size: number;
}

/** Runs the same steps twice: with a state that takes no time, and with a store whose calls take this long. */
export async function applyBeside(
  storeMs: number,
  count: number,
  callAt: CallAt,
): Promise<{ readonly free: Beside; readonly store: Beside }> {
  const steps = stepsOf(count, callAt);
  const quick = new StoreRig();
  const owner = { user: 'ci', host: 'h', pid: 1 };
  const memory = memoryBackend({ clock: quick.clock, owner, newId: () => 'id' });
  const slow = new StoreRig({ latencyMs: storeMs });
  return { free: await run(steps, quick, () => memory), store: await run(steps, slow, () => slow.start().backend) };
}

/** `process` is the state as a new process sees it. */
async function run(steps: readonly Step[], rig: StoreRig, process: () => StateBackend): Promise<Beside> {
  return rig.run(async () => {
    const state = await process().open(now);
    const report = await applyTo(state, rig.clock, steps);
    await state.close();
    const { size } = await process().read(application);
    return { report, size };
  });
}

/** Runs at the limits of the largest plan, on a platform that answers everything. */
export async function applyTo(state: StateWriter, clock: Clock, steps: readonly Step[]): Promise<ApplyReport> {
  const limits = limitsOf({ ratePlan: '100k_mau', limits: {}, share: 1 });
  const { report } = await applyPlan(
    { steps, duration: { lower_bound_s: estimateDuration(steps, limits).lower_bound_s } },
    {
      platform: {
        send: async (request) => {
          await clock.sleep(platformMs);
          return { type: 'ok', body: { ...request.params, ...request.body } };
        },
      },
      pacer: createPacer({ limitsOf: limits, clock }),
      state,
      clock,
      emit: () => {},
    },
    { random: () => 0.5, limits },
  );
  return report;
}
