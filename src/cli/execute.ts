// How is a plan carried out: lock, connection, progress, signals, and a report in every case?
import { resolve } from 'node:path';
import { applyPlan } from '../applier/apply.ts';
import type { ApplyResult, Existing } from '../applier/options.ts';
import type { ApplyEvent } from '../model/event.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { StateBackend, StateSnapshot, StateWriter } from '../model/ports.ts';
import { limitsOf } from '../platform/limits.ts';
import { createPacer } from '../platform/rate-limiter.ts';
import { applySummary } from '../view/summary.ts';
import type { Application } from './application.ts';
import type { CommandInput } from './command.ts';
import { connect, requestTimeoutMs } from './connect.ts';
import { openEventFile } from './event-file.ts';
import type { RunReport } from './run-report.ts';
import { showProgress } from './show-progress.ts';
import { takeOver } from './take-over.ts';
import { openTokenSink } from './token-sink.ts';
import { viewOptions } from './view-options.ts';
import type { World } from './world.ts';

export interface Execution {
  readonly input: CommandInput;
  readonly world: World;
  readonly report: RunReport;
  readonly backend: StateBackend;
  readonly application: Application;
  readonly existing: Existing;
  /** A person said yes to the plan as it was shown: another one needs another yes. */
  readonly isPersonally: boolean;
  readonly lockTimeoutMs: number;
  readonly maxDurationMs: number | undefined;
  /** As it was shown and approved. */
  readonly plan: Plan;
  /** As it is under the lock. */
  against(state: StateSnapshot): Plan;
}

export async function execute(execution: Execution): Promise<ExitCode> {
  const { input, world, application } = execution;
  const tokensOut = input.text('tokens-out');
  const sink = tokensOut === undefined ? undefined : await openTokenSink(resolve(world.cwd, tokensOut));
  const connection = await connect(input, world, application, sink);
  try {
    const state = await execution.backend.open({
      application: application.identity,
      lockTimeoutMs: execution.lockTimeoutMs,
    });
    try {
      return await run(execution, state, connection.platform);
    } finally {
      await state.close();
    }
  } finally {
    await connection.close();
    await sink?.close();
  }
}

async function run(
  { input, world, report, application, existing, plan: shown, isPersonally, maxDurationMs, against }: Execution,
  state: StateWriter,
  platform: Awaited<ReturnType<typeof connect>>['platform'],
): Promise<ExitCode> {
  const plan = against(state);
  if (isPersonally && (plan.hash !== shown.hash || plan.steps.length !== shown.steps.length)) {
    const { Refusal } = await import('../model/errors.ts');
    throw new Refusal(
      'plan.overtaken',
      exitCode.conflict,
      'State changed between the plan and its approval.',
      'Another run was faster. Nothing was changed by this one; run the command again.',
    );
  }
  const limits = limitsOf(application.rates);
  const stop = new AbortController();
  const progress = await showProgress(plan, limits, input, world);
  const events = await openEventFile(input.text('events'), world);
  const emit = (event: ApplyEvent): void => {
    progress.take(event);
    events.take(event);
  };
  const forget = world.onInterrupt(() => {
    world.stderr.write('\nStopping: no new call is made, running ones finish. A second interrupt leaves at once.\n');
    stop.abort();
    // A second signal meets no listener of ours and ends the process, which is safe: the journal is written ahead.
    forget();
  });
  let result: ApplyResult;
  try {
    result = await applyPlan(
      plan,
      { platform, pacer: createPacer({ limitsOf: limits, clock: world.clock }), state, clock: world.clock, emit },
      {
        random: world.random,
        existing,
        adopt: takeOver,
        limits,
        signal: stop.signal,
        requestTimeoutMs,
        keepGoing: input.flag('keep-going'),
        ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
      },
    );
  } finally {
    forget();
    progress.end();
    await events.close();
  }
  await report.write(result.report);
  for (const line of applySummary(result.report, viewOptions(input, world, world.stderr))) world.stderr.write(line);
  if (result.refusal !== undefined) throw result.refusal;
  return result.report.exit_code;
}
