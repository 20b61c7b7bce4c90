// Rehearses an apply: the same plan, applier, pacer and classification, against a simulated platform, in virtual time.
import { resolve } from 'node:path';
import { createProgress } from '../applier/report/progress.ts';
import type { Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { Rehearsed } from '../model/rehearsal.ts';
import type { RunOptions, StateOptions } from './options.ts';
import type { RunObserver } from './ports.ts';
import { countKinds, Schedule } from './rehearsal/schedule.ts';
import { Simulation } from './rehearsal/simulation.ts';
import type { ReadPorts } from './session/connect.ts';
import { readFaults } from './session/emulator-settings.ts';
import { openState, type StatePorts } from './session/open-state.ts';
import { openPlanSource, type PlanSource, type PlanSourceOptions } from './session/plan-source.ts';

export interface RehearseApplyOptions
  extends Omit<PlanSourceOptions, 'refresh' | 'apiTokenFile'>,
    StateOptions,
    RunOptions {
  /** Milliseconds that the platform takes for every answer. Default: 100. */
  readonly latencyMs?: number | undefined;
  /** How the platform counts requests. Default: `sliding`. */
  readonly window?: string | undefined;
  /** A JSON file of faults, as for `chatform emulator`. */
  readonly faults?: string | undefined;
  /** The same seed, the same run. Default: 1. */
  readonly seed?: number | undefined;
}

type RehearsePorts = ReadPorts & StatePorts;

/** Sends and changes nothing. Refused as an apply would be before its first step; how a run ends is in its report. */
export async function rehearseApply(
  options: RehearseApplyOptions,
  ports: RehearsePorts,
  observer: RunObserver = {},
): Promise<Rehearsed> {
  const source = await openPlanSource(options, ports, 'warn');
  const state = await (await openState(options, ports)).read(source.application.identity);
  const { after, ...played } = await play(source, source.planFor(state), state, options, ports, observer);
  // The simulated platform is gone by now: it takes as much memory as a plan.
  const nextSteps = source.planFor(after).steps.length;
  return { ...played, nextSteps, kinds: countKinds(after.records()) };
}

interface Played extends Omit<Rehearsed, 'nextSteps' | 'kinds'> {
  /** State at the end, where it lies: a copy of all records would be as large as the platform. */
  readonly after: StateSnapshot;
}

async function play(
  { application, existing }: PlanSource,
  plan: Plan,
  state: StateSnapshot,
  { latencyMs = 100, window = 'sliding', seed = 1, maxDurationMs, keepGoing, ...options }: RehearseApplyOptions,
  { cwd, env, clock }: RehearsePorts,
  observer: RunObserver,
): Promise<Played> {
  const faults = options.faults === undefined ? undefined : await readFaults(resolve(cwd, options.faults));
  const settings = { latencyMs, window, seed, faults };
  const simulation = new Simulation({ application, state, plan, settings, cwd, env, startsAt: clock.date() });
  const schedule = new Schedule();
  let report: Rehearsed['report'] | undefined;
  try {
    const { clock: virtualClock, limits } = simulation;
    await observer.begin?.(plan, { clock: virtualClock, progress: () => createProgress(plan, limits) });
    const run = simulation.run(plan, {
      existing,
      keepGoing: keepGoing === true,
      ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
      emit: (event) => {
        schedule.take(event, simulation.clock.now());
        observer.event?.(event);
      },
    });
    const { result, after } = await run;
    if (result.refusal !== undefined) throw result.refusal;
    report = result.report;
    // A stop that came when nothing was left to do has stopped nothing.
    const stopped = report.outcome === 'done' ? undefined : schedule.stopped;
    return { report, missing: simulation.missing, stopped, lanes: schedule.lanes, after };
  } finally {
    await simulation.close();
    await observer.end?.(report);
  }
}
