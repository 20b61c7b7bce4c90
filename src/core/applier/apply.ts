// Applies a plan under the rate limits, records each step in state, and reports the outcome.
import type { InternalError } from '../../lib/errors.ts';
import { inSlices } from '../../lib/slices.ts';
import { Refusal } from '../model/errors.ts';
import type { RunOutcome } from '../model/event.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import { type ApplyReport, reportFormatVersion } from '../model/report.ts';
import { PlanExecution } from './execution.ts';
import type { ApplierOptions, ApplyResult } from './options.ts';
import { lowerBoundS, type PlannedWork } from './report/progress.ts';
import { RunTally } from './report/tally.ts';
import { buildGraph } from './schedule/graph.ts';
import type { ApplyPorts } from './step/options.ts';

const defaultMaxFailuresListed = 1_000;
/** Refusals that last shorter are part of every run at the limits. */
const shortMs = 60_000;

const exitOf: Readonly<Record<RunOutcome, ExitCode>> = {
  done: exitCode.done,
  incomplete: exitCode.incomplete,
  interrupted: exitCode.interrupted,
  out_of_time: exitCode.outOfTime,
  authentication: exitCode.authentication,
  conflict: exitCode.conflict,
  refused: exitCode.refused,
};

/**
 * Runs the steps and reports the outcome. Rejects for a plan with a cycle, which is a bug, and if `prepare` rejects. Everything
 * else, including a state that can no longer be written, ends in a report. The caller owns `state` and closes it.
 */
export async function applyPlan(plan: PlannedWork, ports: ApplyPorts, options: ApplierOptions): Promise<ApplyResult> {
  const { clock, emit } = ports;
  const startedAt = clock.date();
  const startedMs = clock.now();
  const tally = new RunTally(plan.steps.length, options.maxFailuresListed ?? defaultMaxFailuresListed, startedMs);
  const graph = await inSlices(buildGraph(plan.steps, options.limits), () => clock.sleep(0));
  const run = new PlanExecution(plan.steps, graph, ports, options, tally, startedMs);
  const { lower_bound_s } = plan.duration;
  emit({ type: 'run.started', steps: plan.steps.length, lower_bound_s, routes: graph.planned });
  // Both begin in this turn. If the first write fails, the begins fail with it, and nothing was sent.
  const [prepared] = await Promise.allSettled([options.prepare?.(), run.runToEnd()]);
  if (prepared.status === 'rejected') throw prepared.reason;
  const outcome = outcomeOf(run, tally);
  emit({ type: 'run.ended', outcome });
  const announced = ports.pacer.announced?.();
  const durationS = Math.round(clock.now() - startedMs) / 1000;
  const report: ApplyReport = {
    format_version: reportFormatVersion,
    outcome,
    ...(run.stop?.cause === undefined ? {} : { stop_cause: run.stop.cause }),
    exit_code: run.thrown === undefined ? exitOf[outcome] : exitOfThrown(run.thrown),
    steps: tally.steps,
    requests: tally.requests,
    started_at: startedAt.toISOString(),
    finished_at: clock.date().toISOString(),
    duration_s: durationS,
    lower_bound_s: Math.max(lowerBoundS(plan, options.limits), Math.min(chainS(plan, tally), durationS)),
    failures: tally.failures,
    ...(tally.stored.count === 0 ? {} : { stored_otherwise: tally.stored }),
    ...(tally.refused.longestMs < shortMs ? {} : { refused_s: Math.round(tally.refused.longestMs / 1000) }),
    ...(announced === undefined ? {} : { announced }),
    ...(run.leftOpen.length === 0 ? {} : { left_open: run.leftOpen }),
    ...(tally.notMembers.length === 0 ? {} : { not_members: tally.notMembers }),
    ...(tally.dataRequests.length === 0 ? {} : { data_requests: tally.dataRequests }),
    series: tally.timeline.end(graph.planned, options.limits),
  };
  const refusal = run.thrown;
  return { report, leftPending: run.leftPending, ...(refusal === undefined ? {} : { refusal }) };
}

/** Returns the shortest time for the longest chain in seconds, assuming the measured median for each of its calls. */
function chainS({ duration }: PlannedWork, { medianMs, steps }: RunTally): number {
  const isWhole = steps.succeeded === steps.planned;
  return isWhole ? ((duration.chain?.calls ?? 0) * medianMs) / 1000 : 0;
}

function outcomeOf(run: PlanExecution, tally: RunTally): RunOutcome {
  const { stop, thrown } = run;
  if (thrown !== undefined) return outcomeOfExit(exitOfThrown(thrown));
  if (stop !== undefined) return stop.outcome;
  const { planned, succeeded } = tally.steps;
  return succeeded === planned ? 'done' : 'incomplete';
}

function exitOfThrown(thrown: Refusal | InternalError): ExitCode {
  return thrown instanceof Refusal ? thrown.exitCode : exitCode.unexpected;
}

/** Returns the outcome for an exit code, or `incomplete` if no outcome has that code. */
function outcomeOfExit(exit: ExitCode): RunOutcome {
  const found = Object.entries(exitOf).find(([, code]) => code === exit);
  return found === undefined ? 'incomplete' : (found[0] as RunOutcome);
}
