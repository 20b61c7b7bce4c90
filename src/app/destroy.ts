// Takes a whole estate down: everything in state, by its on_remove, once somebody has named the application.
import type { LoadedManifest } from '../manifest/load.ts';
import { Refusal, usage } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { ApplyReport } from '../model/report.ts';
import { acknowledgedAddress, loadedAddress, objectRecords } from '../model/run-metadata.ts';
import { makePlan } from '../planner/plan.ts';
import { limitsOf } from '../platform/limits.ts';
import { registry } from '../resources/index.ts';
import { invalidManifests, loadValid } from './manifests/load-declared.ts';
import { todayOf } from './manifests/plan-manifests.ts';
import type { ApplicationOptions, LockOptions, RunOptions } from './options.ts';
import type { RunObserver } from './ports.ts';
import { type Application, resolveApplication } from './session/application.ts';
import { execute } from './session/execute.ts';
import { demandNamedState, openState, type StatePorts } from './session/open-state.ts';
import { refusedBySafety } from './session/refusals.ts';
import { reportWithoutRun } from './session/run-reports.ts';
import { TimeLimit } from './session/time-limit.ts';
import { type LockPorts, settledState } from './session/under-lock.ts';

export interface DestroyEstateOptions extends ApplicationOptions, LockOptions, RunOptions {
  /** Manifests, read for the application and the policy alone. */
  readonly paths: readonly string[];
  /** The application, named exactly. This is the approval. */
  readonly confirm?: string | undefined;
}

export interface DestroyListeners extends RunObserver {
  /** Shows a plan that has steps. */
  show?(plan: Plan): Promise<void>;
}

export interface Destroyed {
  readonly report: ApplyReport;
  /** State holds nothing that is not retired already. */
  readonly wasDone: boolean;
}

type DestroyPorts = LockPorts & StatePorts;

/**
 * A run that began ends in a report. Refused when nobody confirms the application (64), when `confirm` names another one
 * (5), and for what is protected (5).
 */
export async function destroyEstate(
  options: DestroyEstateOptions,
  ports: DestroyPorts,
  listeners: DestroyListeners = {},
): Promise<Destroyed> {
  const startedAt = ports.clock.date();
  const limit = new TimeLimit(options.maxDurationMs, ports);
  const report = await limit.within(ports, 'its first step', (reading) =>
    run(options, ports, reading, limit, listeners),
  );
  const ended = report ?? reportWithoutRun(exitCode.done, startedAt, ports.clock.date());
  return { report: ended, wasDone: report === undefined };
}

/** `reading`: the ports for what the end of the time may cut. Undefined: there was nothing to do. */
async function run(
  options: DestroyEstateOptions,
  ports: DestroyPorts,
  reading: DestroyPorts,
  limit: TimeLimit,
  listeners: DestroyListeners,
): Promise<ApplyReport | undefined> {
  const { lockTimeoutMs, keepGoing } = options;
  const manifest = await loadValid(options.paths, reading);
  const application = resolveApplication(options, ports, manifest.application);
  demandConfirmed(options.confirm, application);
  const backend = await openState(options, reading);
  const opening = { backend, application, lockTimeoutMs, limit };
  const today = todayOf(ports);
  const against = (state: StateSnapshot): Plan => planDestruction(manifest, application, state, today);
  const before = await settledState(opening, ports);
  demandNamedState(options, ports, before);
  const plan = against(before);
  if (plan.steps.length === 0) return undefined;
  await listeners.show?.(plan);
  return execute(
    { ...opening, command: 'destroy', existing: 'refuse', plan, isExact: false, keepGoing, against },
    ports,
    listeners,
  );
}

/** Named exactly, so that the wrong shell history or the wrong environment destroys nothing. */
function demandConfirmed(confirmed: string | undefined, { identity }: Application): void {
  if (confirmed === undefined) {
    throw usage(
      'Nobody has confirmed which application is meant.',
      `These manifests and flags mean ${identity}. To take down everything in its state, give: --confirm ${identity}`,
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

/** As if nothing were declared. Protected objects are refused (5) all the same. */
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
