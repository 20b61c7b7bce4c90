// The plan of manifests for apply and rehearse.
import { digestOfAll } from '../../../lib/digest.ts';
import type { JsonObject, JsonValue } from '../../../lib/json.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import { type Selection, selectionOf } from '../../planner/targets.ts';
import type { Ports } from '../context/ports.ts';
import { planOvertaken } from '../context/refusals.ts';
import { lookAt } from '../plans/look.ts';
import { demandPossible, nowOf, planManifests, planRepair, refreshReach } from '../plans/plan-manifests.ts';
import { applicationOf, type DeclaredOptions, openDeclared } from './declared-estate.ts';
import type { PlanSource, SeenEstate } from './plan-source.ts';

export interface ManifestSourceOptions extends DeclaredOptions, Selection {
  /** `all`, `changed` or `none`. If undefined, the policy decides. */
  readonly refresh?: string | undefined;
  /** Whether to plan only the repair of drift without an effect on access. Implies `refresh`. */
  readonly isRepair?: boolean | undefined;
  /** The git reference whose rules judge the plan. Absent: the files on disk. */
  readonly approvalsRef?: string | undefined;
}

/** Refused as `openDeclared`. `missingVariables` is the severity of a variable that the environment lacks. */
export async function openManifests(
  options: ManifestSourceOptions,
  ports: Ports,
  missingVariables: 'warn' | 'error',
): Promise<PlanSource> {
  const { refresh: requestedRefresh, isRepair = false, approvalsRef, paths } = options;
  const selection = selectionOf(options);
  const byRef = approvalsRef === undefined ? undefined : { ref: approvalsRef, ...(await import('./base-ref.ts')) };
  const base = await byRef?.readRules(byRef.ref, 'apply', paths, ports, { missingVariables });
  const { manifest, application } =
    base === undefined
      ? await openDeclared(options, ports, { missingVariables })
      : { manifest: base.head, application: await applicationOf({ ...base, manifest: base.head }, options, ports) };
  const ownRules = base?.own && {
    ...base.own,
    application: await applicationOf(base.own, options, ports),
  };
  const complete = base && ((plan: Plan) => byRef?.withRemarks(base.remarks, plan) ?? plan);
  const now = nowOf(ports);
  const plans = isRepair ? planRepair : planManifests;
  const reachOfPlatform = async () => (await import('../context/connect.ts')).reachOf(application, ports);
  const look = async (state: StateSnapshot, mayRead: boolean): Promise<SeenEstate> => {
    const reach = isRepair ? 'all' : refreshReach(requestedRefresh, manifest.policy, 'apply');
    const reading = { selection, onlyKnown: isRepair, reach: mayRead ? reach : undefined };
    const { live, ownLive } = await lookAt({ manifest, application }, ownRules, state, reading, ports);
    /** The hash of the first plan that was made with the live objects. */
    let hash: string | undefined;
    return {
      live,
      // A refresh of all objects reads the settings and the channels of users as well, and its plan has the dangers.
      dangers: async (current, plan) => {
        if (live !== undefined && live.reads === undefined) return [];
        const { dangersOfSteps } = await import('../plans/saved-dangers.ts');
        const from = { state: current, application, isRead: live !== undefined, reach: reachOfPlatform };
        return dangersOfSteps(plan, from, ports);
      },
      /** Refused when the plan is not possible (65), by a safety rule (5), or when state changed since the look (6). */
      planFor: (current) => {
        const judged = plans(manifest, application, current, { now, selection, live, complete });
        let plan = demandPossible(judged);
        if (ownRules !== undefined && byRef !== undefined) {
          // Both have to allow the plan, so that the stricter rules count.
          const byOwn = plans(ownRules.manifest, ownRules.application, current, { now, selection, live: ownLive });
          demandPossible(byOwn);
          plan = byRef.withOwnRules(ownRules, judged, byOwn);
        }
        // The live objects are valid only for the state that they were read with.
        if (live !== undefined && hash !== undefined && hash !== plan.hash) throw planOvertaken();
        hash = plan.hash;
        return plan;
      },
    };
  };
  return {
    type: 'manifests',
    application,
    statePlace: manifest.statePlace,
    existing: manifest.policy.existing,
    history: manifest.policy.history,
    messages: manifest.policy.messages,
    approvals: manifest.policy.approvals,
    declared: manifest.resources,
    request: () => digestOfDeclared(manifest, selection),
    look,
  };
}

/** Of everything in manifests that decides which steps a plan has. */
export function digestOfDeclared(
  { resources, removed, policy }: LoadedManifest,
  { targets = [], excluded = [] }: Selection,
): string {
  const { on_remove, existing, adopt = [], departed, reopen, leave_channels_on_deactivation, messages } = policy;
  function* declared(): Generator<JsonValue> {
    yield [[...targets], [...excluded]];
    yield [on_remove, existing, [...adopt], departed, reopen, leave_channels_on_deactivation, { ...messages }];
    for (const { address, on_remove: how = null } of removed) yield [address, how];
    for (const { address, attributes, lifecycle } of resources)
      yield [address, attributes, { ...lifecycle } as unknown as JsonObject];
  }
  return digestOfAll(declared());
}
