// Removes everything in state as on_remove says, after the user has confirmed the application.
import type { LoadedManifest } from '../manifest/passes/loaded-manifest.ts';
import { Refusal, usage } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { Plan } from '../model/plan.ts';
import type { StateSnapshot } from '../model/ports.ts';
import type { ApplyReport } from '../model/report.ts';
import { actorOf } from './context/actor.ts';
import type { Application } from './context/application.ts';
import { demandNamedState } from './context/open-state.ts';
import type { LockOptions, Ports, RunLimits, RunObserver } from './context/ports.ts';
import { type DeclaredEstateOptions, openDeclaredEstate } from './opening/declared-estate.ts';
import { demandPossible, nowOf, planManifests } from './plans/plan-manifests.ts';
import { execute, planPerState } from './run/execute.ts';
import { reportWithoutRun } from './run/run-reports.ts';
import { TimeLimit } from './run/time-limit.ts';
import { settledState } from './run/under-lock.ts';

export interface DestroyEstateOptions extends DeclaredEstateOptions, LockOptions, RunLimits {
  /** The application, named exactly. This is the approval. */
  readonly confirm?: string | undefined;
}

export interface DestroyListeners extends RunObserver {
  /** Shows a plan that has steps. */
  show?(plan: Plan): Promise<void>;
}

export interface Destroyed {
  readonly report: ApplyReport;
  /** Whether everything in state was already retired. */
  readonly wasDone: boolean;
}

/**
 * Resolves to a report once a run has begun. Refused without `confirm` (64), when `confirm` names another application (5),
 * and when an object is protected (5).
 */
export async function destroyEstate(
  options: DestroyEstateOptions,
  ports: Ports,
  listeners: DestroyListeners = {},
): Promise<Destroyed> {
  const startedAt = ports.clock.date();
  const limit = new TimeLimit(options, ports);
  const report = await limit.within(ports, 'its first step', (reading) =>
    run(options, ports, reading, limit, listeners),
  );
  const ended = report ?? reportWithoutRun(exitCode.done, startedAt, ports.clock.date(), { by: actorOf(ports) });
  return { report: ended, wasDone: report === undefined };
}

/** `reading` has the ports of work that the time limit may cancel. Undefined if there was nothing to do. */
async function run(
  options: DestroyEstateOptions,
  ports: Ports,
  reading: Ports,
  limit: TimeLimit,
  listeners: DestroyListeners,
): Promise<ApplyReport | undefined> {
  const { lockTimeoutMs, keepGoing } = options;
  const { manifest, application, backend, placed } = await openDeclaredEstate(options, reading);
  demandConfirmed(options.confirm, application);
  const opening = { backend, application, lockTimeoutMs, limit };
  const now = nowOf(ports);
  const against = planPerState((state) => planDestruction(manifest, application, state, now));
  const before = await settledState(opening, ports);
  demandNamedState(placed, ports, before);
  const plan = against(before);
  if (plan.steps.length === 0) return undefined;
  const { approvals } = manifest.policy;
  if (approvals?.dangers !== undefined) (await import('./approvals/dangers.ts')).demandNoDangers(plan, approvals);
  await listeners.show?.(plan);
  return execute({ ...opening, command: 'destroy', existing: 'refuse', keepGoing, against }, ports, listeners);
}

/** Demands the exact name, so that a command from the shell history cannot destroy another application. */
function demandConfirmed(confirmed: string | undefined, { identity }: Application): void {
  if (confirmed === undefined) {
    throw usage(
      'The application to destroy is not confirmed.',
      `These manifests and flags select ${identity}. To remove everything in its state, pass --confirm ${identity}`,
    );
  }
  if (confirmed === identity) return;
  throw new Refusal(
    'destroy.not-confirmed',
    exitCode.refused,
    `--confirm names ${confirmed}, but these manifests and flags select ${identity}.`,
    'Nothing was changed. Check which application you mean and pass its exact name.',
  );
}

/** Plans as if nothing were declared. Protected objects and rules of the policy still refuse (5). */
function planDestruction(manifest: LoadedManifest, application: Application, state: StateSnapshot, now: string): Plan {
  const { restrictions: _ofDeclarations, ...policy } = manifest.policy;
  const nothing = { ...manifest, resources: [], files: [], policy: { ...policy, acknowledge: [] } };
  const options = { now, isComparison: true, judgesRules: true, isConfirmed: true };
  return demandPossible(planManifests(nothing, application, state, options));
}
