// How is a whole estate taken down? Everything in state, by its on_remove; the application named once more, by a person.

import type { Environment } from '../cli/environment.ts';
import { type CommandInput, usage } from '../cli/flags/command.ts';
import { type RunReport, reporting } from '../cli/output/run-report.ts';
import { presentPlan } from '../cli/output/show-plan.ts';
import type { LoadedManifest } from '../manifest/load.ts';
import { Refusal } from '../model/errors.ts';
import { type ExitCode, exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import { acknowledgedAddress, loadedAddress, objectRecords } from '../model/run-metadata.ts';
import { makePlan } from '../planner/plan.ts';
import { limitsOf } from '../platform/limits.ts';
import { registry } from '../resources/index.ts';
import { execute } from './execute.ts';
import { demandValid, invalidManifests, loadDeclared } from './load-declared.ts';
import { todayOf } from './plan-manifests.ts';
import { refusedBySafety } from './refusals.ts';
import { type Application, resolveApplication } from './session/application.ts';
import { stateOf } from './session/open-state.ts';
import { TimeLimit } from './session/time-limit.ts';
import { settledState } from './session/under-lock.ts';

export function runDestroy(input: CommandInput, world: Environment): Promise<ExitCode> {
  return reporting(input, world, (report) => planAndExecute(input, world, report));
}

function planAndExecute(input: CommandInput, world: Environment, report: RunReport): Promise<ExitCode> {
  const limit = new TimeLimit(input, world);
  return limit.within(world, 'its first step', (reading) => carryOut(input, world, reading, limit, report));
}

/** `reading`: the same world, in which the end of the time is an interrupt. */
async function carryOut(
  input: CommandInput,
  world: Environment,
  reading: Environment,
  limit: TimeLimit,
  report: RunReport,
): Promise<ExitCode> {
  const manifest = await loadDeclared(input.args, world, 'warn');
  await demandValid(manifest.diagnostics, input, world);
  const application = resolveApplication(input, world, manifest.application);
  demandConfirmed(input.text('confirm'), application);
  const opening = {
    input,
    world,
    backend: await stateOf(input, reading),
    application,
    lockTimeoutMs: input.duration('lock-timeout') ?? 0,
    limit,
  };
  const today = todayOf(world);
  const against = (state: StateSnapshot): Plan => planDestruction(manifest, application, state, today);
  const plan = against(await settledState(opening));
  if (plan.steps.length === 0) {
    world.stdout.write('Nothing is left to do: what state holds is retired already.\n');
    return exitCode.done;
  }
  await presentPlan(plan, input, world);
  world.stderr.write(
    `Confirmed for ${application.identity}: the budgets of the policy do not apply, and nothing has to be acknowledged.\n`,
  );
  return execute({
    ...opening,
    report,
    existing: 'refuse',
    plan,
    isPersonally: false,
    against,
  });
}

/** Named exactly, so that the wrong shell history or the wrong environment destroys nothing. */
function demandConfirmed(confirmed: string | undefined, { identity }: Application): void {
  if (confirmed === undefined) {
    throw usage(
      'Nobody has confirmed which application is meant.',
      `These manifests and flags mean ${identity}. If everything in its state is to go, give: --confirm ${identity}`,
    );
  }
  if (confirmed === identity) return;
  throw new Refusal(
    'destroy.not-confirmed',
    exitCode.refused,
    `--confirm names ${confirmed}, and these manifests and flags mean ${identity}.`,
    'Nothing was changed. Check which application is meant, and name it exactly.',
  );
}

/** As if nothing were declared. What is protected is refused (5) all the same. */
function planDestruction(
  { policy, removed }: LoadedManifest,
  application: Application,
  state: StateSnapshot,
  today: string,
): Plan {
  const lineage = state.header?.lineage;
  const acknowledged = state.get(acknowledgedAddress);
  const { plan, problems, refusals } = makePlan({
    kinds: registry,
    resources: [],
    removed,
    records: [...objectRecords(state.records())],
    policy: { ...policy, acknowledge: [] },
    application: application.identity,
    settings: application.settings,
    ...(lineage === undefined ? {} : { lineage }),
    limitsOf: limitsOf(application.rates),
    today,
    loaded: { now: [], before: state.get(loadedAddress) },
    ...(acknowledged === undefined ? {} : { acknowledged }),
    isConfirmed: true,
  });
  if (problems.length > 0) throw invalidManifests(problems);
  if (refusals.length > 0) throw refusedBySafety(refusals);
  return plan;
}
