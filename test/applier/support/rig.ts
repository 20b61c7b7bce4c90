// Support: runs a plan with the applier, a virtual clock, a fake platform and a fake state.

import { VirtualClock } from '../../../src/app/simulation/virtual-clock.ts';
import { applyPlan } from '../../../src/applier/apply.ts';
import type { ApplyOptions, ApplyResult } from '../../../src/applier/options.ts';
import type { ApplyEvent } from '../../../src/model/event.ts';
import type { LimitsOf } from '../../../src/model/limits.ts';
import type { Step } from '../../../src/model/step.ts';
import { FakePacer } from './fake-pacer.ts';
import { FakePlatform, type FakePlatformOptions } from './fake-platform.ts';
import { FakeState } from './fake-state.ts';

export interface Rig {
  readonly clock: VirtualClock;
  readonly state: FakeState;
  readonly platform: FakePlatform;
  readonly pacer: FakePacer;
  readonly events: readonly ApplyEvent[];
  /** The results of the steps: `thing.a#0 succeeded`. */
  readonly ends: readonly string[];
  run(steps: readonly Step[], options?: Partial<ApplyOptions>): Promise<ApplyResult>;
}

export interface RigOptions extends Omit<FakePlatformOptions, 'clock'> {
  readonly limits?: LimitsOf;
  readonly syncMs?: number;
  readonly onEvent?: (event: ApplyEvent) => void;
}

export function rig({ limits, syncMs = 1, onEvent, ...platformOptions }: RigOptions = {}): Rig {
  const clock = new VirtualClock(new Date(Date.UTC(2026, 0, 1)));
  const state = new FakeState(clock, { syncMs });
  const platform = new FakePlatform({ ...platformOptions, clock });
  const pacer = new FakePacer(clock, limits);
  const events: ApplyEvent[] = [];
  const ends: string[] = [];
  const emit = (event: ApplyEvent) => {
    events.push(event);
    if (event.type === 'step.ended') ends.push(`${event.step} ${event.outcome}`);
    onEvent?.(event);
  };
  const run: Rig['run'] = (steps, options = {}) => {
    const plan = { steps, duration: { lower_bound_s: 1 } };
    const known = limits === undefined ? {} : { limits };
    const work = applyPlan(plan, { platform, pacer, state, clock, emit }, { random: () => 0.5, ...known, ...options });
    return clock.run(work);
  };
  return { clock, state, platform, pacer, events, ends, run };
}
