// The plan of manifests for apply and rehearse.
import { digestOfAll } from '../../lib/digest.ts';
import type { JsonObject, JsonValue } from '../../lib/json.ts';
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Ports } from '../context/ports.ts';
import { planOvertaken } from '../context/refusals.ts';
import { demandPossible, nowOf, planManifests, planRepair, refreshReach } from '../plans/plan-manifests.ts';
import type { Live } from '../plans/refresh.ts';
import { type DeclaredOptions, openDeclared } from './declared-estate.ts';

export interface ManifestSourceOptions extends DeclaredOptions {
  readonly targets?: readonly string[] | undefined;
  /** If undefined, the policy decides. */
  readonly refresh?: boolean | undefined;
  /** Whether to plan only the repair of drift without an effect on access. Implies `refresh`. */
  readonly isRepair?: boolean | undefined;
}

/** Refused as `openDeclared`. `missingVariables` is the severity of a variable that the environment lacks. */
export async function openManifests(options: ManifestSourceOptions, ports: Ports, missingVariables: 'warn' | 'error') {
  const { refresh: requestedRefresh, targets, isRepair = false } = options;
  const { manifest, application } = await openDeclared(options, ports, { missingVariables });
  const now = nowOf(ports);
  const plans = isRepair ? planRepair : planManifests;
  let live: Live | undefined;
  /** The hash of the first plan that was made with the live objects. */
  let hash: string | undefined;
  return {
    application,
    statePlace: manifest.statePlace,
    existing: manifest.policy.existing,
    history: manifest.policy.history,
    approvals: manifest.policy.approvals,
    isSaved: false,
    declared: manifest.resources,
    request: () => digestOfDeclared(manifest, targets),
    get live() {
      return live;
    },
    observe: async (state: StateSnapshot): Promise<void> => {
      const reach = isRepair ? 'all' : refreshReach(requestedRefresh, manifest.policy, 'apply');
      if (reach === undefined) return;
      const { refresh } = await import('../plans/refresh.ts');
      live = await refresh(manifest, application, state, { targets, onlyKnown: isRepair, reach }, ports);
    },
    // A refresh of all objects reads the settings as well, and its plan has the dangers.
    historyDangers: async (state: StateSnapshot): Promise<Diagnostic[]> => {
      if (live !== undefined && live.reads === undefined) return [];
      const [{ readHistory }, { reachOf }] = await Promise.all([
        import('../plans/history-dangers.ts'),
        import('../context/connect.ts'),
      ]);
      return readHistory({ manifest, application, state, targets }, reachOf(application, ports), ports);
    },
    /** Refused when the plan is not possible (65), by a safety rule (5), or when state changed since it was observed (6). */
    planFor: (state: StateSnapshot): Plan => {
      const plan = demandPossible(plans(manifest, application, state, { now, targets, live }));
      // The live objects are valid only for the state that they were read with.
      if (live !== undefined && hash !== undefined && hash !== plan.hash) throw planOvertaken();
      hash = plan.hash;
      return plan;
    },
  };
}

/** Of everything in manifests that decides which steps a plan has. */
export function digestOfDeclared(
  { resources, removed, policy }: LoadedManifest,
  targets: readonly string[] = [],
): string {
  const { on_remove, existing, adopt = [], departed, reopen, leave_channels_on_deactivation, messages } = policy;
  function* declared(): Generator<JsonValue> {
    yield [...targets];
    yield [on_remove, existing, [...adopt], departed, reopen, leave_channels_on_deactivation, { ...messages }];
    for (const { address, on_remove: how = null } of removed) yield [address, how];
    for (const { address, attributes, lifecycle } of resources)
      yield [address, attributes, { ...lifecycle } as unknown as JsonObject];
  }
  return digestOfAll(declared());
}
