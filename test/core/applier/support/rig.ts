// Support: runs a plan with the applier, a virtual clock, a fake platform and a fake state.

import { expect } from 'vitest';
import { applyPlan } from '../../../../src/core/applier/apply.ts';
import type { ApplierOptions, ApplyResult } from '../../../../src/core/applier/options.ts';
import type { ApplyEvent } from '../../../../src/core/model/event.ts';
import type { LimitsOf } from '../../../../src/core/model/limits.ts';
import type { PendingBegin } from '../../../../src/core/model/ports.ts';
import type { Step } from '../../../../src/core/model/step.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { VirtualClock } from '../../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { FakePacer } from './fake-pacer.ts';
import { FakePlatform, type FakePlatformOptions, type Fault } from './fake-platform.ts';
import { FakeState } from './fake-state.ts';
import { create } from './steps.ts';

export interface Rig {
  readonly clock: VirtualClock;
  readonly state: FakeState;
  readonly platform: FakePlatform;
  readonly pacer: FakePacer;
  readonly events: readonly ApplyEvent[];
  /** The results of the steps: `thing.a#0 succeeded`. */
  readonly ends: readonly string[];
  run(steps: readonly Step[], options?: Partial<ApplierOptions>): Promise<ApplyResult>;
}

export interface RigOptions extends Omit<FakePlatformOptions, 'clock' | 'things'> {
  readonly limits?: LimitsOf;
  readonly syncMs?: number;
  readonly onEvent?: (event: ApplyEvent) => void;
  /** The values of the things on the platform, by key. */
  readonly live?: Readonly<Record<string, JsonObject>>;
  /** The answers to the first calls, in order. */
  readonly answers?: readonly Fault[];
}

export function rig(given: RigOptions = {}): Rig {
  const { limits, syncMs = 1, onEvent, live = {}, answers = [], ...platformOptions } = given;
  const clock = new VirtualClock(new Date(Date.UTC(2026, 0, 1)));
  const state = new FakeState(clock, { syncMs });
  const things = new Map(Object.entries(live).map(([key, value]) => [key, { made: 1, changed: 0, value }]));
  const left = [...answers];
  const platform = new FakePlatform({ fault: () => left.shift(), ...platformOptions, clock, things });
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

export interface Scene extends RigOptions {
  /** Default: the creation of a. */
  readonly steps?: readonly Step[];
  /** What an earlier run began. */
  readonly begun?: readonly PendingBegin[];
  readonly options?: Partial<ApplierOptions>;
}

/** Runs a plan once. Returns the result, and what it left on the platform and in state. */
export async function play({ steps = [create('a')], begun = [], options, ...given }: Scene) {
  const { clock, state, platform, pacer, events, ends, run } = rig(given);
  for (const begin of begun) state.disk.pending.set(begin.step, begin);
  const result = await run(steps, options);
  const { calls, things, maxInFlight } = platform;
  const pending = [...state.pending];
  const kept = { log: state.log, pending, records: [...state.records()] };
  const seen = { calls, things, maxInFlight, learned: pacer.learned.toSorted(), events, ends, tookMs: clock.now() };
  return { refusal: undefined, ...result, ...kept, ...seen, pacer };
}

/** As many keys: a0, a1, and so on. */
export function keys(count: number): string[] {
  return Array.from({ length: count }, (_, place) => `a${place}`);
}

export function liveThings(names: readonly string[], value: JsonObject = {}): Record<string, JsonObject> {
  return Object.fromEntries(names.map((key) => [key, value]));
}

/** Matches events that include one with these fields. */
export function eventWith(fields: object): unknown {
  return expect.arrayContaining([expect.objectContaining(fields)]);
}
