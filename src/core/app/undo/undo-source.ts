// The plan that undoes a run, made by the same planner as all plans (semantics §14).
import type { LoadedManifest } from '../../manifest/passes/loaded-manifest.ts';
import type { Address } from '../../model/address.ts';
import { type Change, type Drift, printPath } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import { noPosition, type SourcePosition } from '../../model/source.ts';
import type { JudgedPlan } from '../../planner/judges/judge.ts';
import type { TargetScope } from '../../planner/targets.ts';
import {
  deletionOf,
  type Loss,
  type Restoration,
  restorationOf,
  withOthersChanges,
} from '../../planner/undo/restoration.ts';
import { planWords } from '../../view/text/plan-problems.ts';
import type { ApplicationOverrides, Ports } from '../context/ports.ts';
import { planOvertaken } from '../context/refusals.ts';
import { type Declared, openDeclared } from '../opening/declared-estate.ts';
import type { PlanSource, SeenEstate } from '../opening/plan-source.ts';
import { demandPossible, nowOf, planManifests } from '../plans/plan-manifests.ts';
import type { Live, OpenConnection } from '../plans/refresh.ts';
import { lossesForPeople, nextApplyWarning, runNote } from './findings.ts';
import { historyFileOf, type RunToUndo, runToUndo } from './run-to-undo.ts';

export interface UndoSourceOptions extends ApplicationOverrides {
  /** The manifests that declare the application, the policy and the objects. */
  readonly paths: readonly string[];
  /** The number of a run in the audit trail. Absent: the last. */
  readonly run?: string | undefined;
  /** `none`: the objects that the run changed are not read first. */
  readonly refresh?: string | undefined;
  /** Whether the plan will be saved and needs the conditions that an apply of the file checks. */
  readonly isToBeSaved?: boolean | undefined;
}

/** The plan of an undo has the reasons against applying it. */
export interface UndoSource extends PlanSource {
  look(
    state: StateSnapshot,
    mayRead: boolean,
    over?: OpenConnection,
  ): Promise<SeenEstate & { judged(state: StateSnapshot): JudgedPlan }>;
}

/** Refused for invalid manifests or an untrusted host (65), and a missing application (64). */
export async function openUndo(options: UndoSourceOptions, ports: Ports): Promise<UndoSource> {
  return undoSource(await openDeclared(options, ports), options, ports);
}

function undoSource(
  { manifest, application }: Declared,
  { run: requestedRun, refresh: requestedRefresh, isToBeSaved = false }: UndoSourceOptions,
  ports: Ports,
): UndoSource {
  const now = nowOf(ports);
  const planOf = (
    restorations: ReadonlyMap<Address, Restoration>,
    state: StateSnapshot,
    live: Live | undefined,
  ): JudgedPlan => {
    // Restrictions are about what files declare.
    const { restrictions: _ofDeclarations, ...policy } = manifest.policy;
    const restored = { ...manifest, resources: resourcesOf(restorations), removed: [], policy };
    const removed = [...restorations].filter(([, { resource }]) => resource === undefined);
    const historyFiles = new Set(removed.map(([address]) => historyFileOf(address)));
    const scope: TargetScope = {
      has: (address) => restorations.has(address) || historyFiles.has(address),
      flags: [],
      pulledIn: new Map(),
      isExplained: true,
    };
    return planManifests(restored, application, state, { now, scope, live, isToBeSaved, isUndo: true });
  };
  const judgedOf = (state: StateSnapshot, { entry, continues }: RunToUndo, live: Live | undefined): JudgedPlan => {
    const run = runToUndo(state, String(entry.number));
    const losses: Loss[] = [];
    const restorations = restorationsOf(run, manifest, (loss) => losses.push(loss));
    let planned = planOf(restorations, state, live);
    if (live !== undefined && withDrift(restorations, planned.plan.drift ?? [], losses))
      planned = planOf(restorations, state, live);
    while (planned.problems.length > 0) {
      const refused = planned.problems.filter(({ address }) => address !== undefined && restorations.delete(address));
      if (refused.length === 0) break;
      for (const { address, detail: what } of refused)
        if (address !== undefined) losses.push({ reason: 'impossible', address, what });
      planned = planOf(restorations, state, live);
    }
    const { plan } = planned;
    const warnings: Diagnostic[] = [
      ...lossesForPeople(losses, run.entry.number),
      ...nextApplyWarning(plan, manifest.resources, state),
      runNote(run, continues),
      ...plan.warnings,
    ];
    const reason = { code: 'undone', run: run.entry.number } as const;
    const changes = plan.changes.slice().map((change): Change => ({ ...withoutPosition(change), reason }));
    const drift = plan.drift?.slice().map((entry): Drift => withoutPosition(entry));
    const refusals = planned.refusals.map(withoutPosition);
    return { ...planned, plan: { ...plan, changes, ...(drift === undefined ? {} : { drift }), warnings }, refusals };
  };
  const liveOf = async (run: RunToUndo, state: StateSnapshot, over: OpenConnection | undefined): Promise<Live> => {
    const { refresh } = await import('../plans/refresh.ts');
    const records = run.touched.flatMap(({ now: recordNow }) => recordNow ?? []);
    const { header, pending } = state;
    const touched = { header, pending, get: state.get.bind(state), records: () => records, size: records.length };
    const declared = { ...manifest, resources: resourcesOf(restorationsOf(run, manifest, () => {})) };
    return refresh(declared, application, touched, { onlyKnown: true, over }, ports);
  };
  return {
    type: 'undo',
    application,
    statePlace: manifest.statePlace,
    existing: 'refuse',
    approvals: manifest.policy.approvals,
    /** Reads only the objects that the run changed. Refused as `runToUndo` and `refresh` are. */
    look: async (state, mayRead, over) => {
      const run = runToUndo(state, requestedRun);
      const live = mayRead && requestedRefresh !== 'none' ? await liveOf(run, state, over) : undefined;
      const judged = (current: StateSnapshot) => judgedOf(current, run, live);
      let hash: string | undefined;
      return {
        live,
        undoes: run.entry.number,
        judged,
        /** Refused by a safety rule (5), and when state changed since the look (6). */
        planFor: (current) => {
          const plan = demandPossible(judged(current));
          if (hash !== undefined && hash !== plan.hash) throw planOvertaken();
          hash = plan.hash;
          return plan;
        },
      };
    },
  };
}

function restorationsOf(
  run: RunToUndo,
  manifest: LoadedManifest,
  lose: (loss: Loss) => void,
): Map<Address, Restoration> {
  const deletions = new Map(run.touched.map((touched) => [touched.address, deletionOf(touched)]));
  const restorations = new Map<Address, Restoration>();
  for (const touched of run.touched) {
    const restoration = restorationOf(touched, (address) => deletions.get(address), lose, planWords);
    if (restoration !== undefined) restorations.set(touched.address, restoration);
  }
  // Where the manifests declare the same object, views show its position.
  for (const { address, source } of manifest.resources) {
    const { resource, restored = [] } = restorations.get(address) ?? {};
    if (resource !== undefined) restorations.set(address, { restored, resource: { ...resource, source } });
  }
  return restorations;
}

function resourcesOf(restorations: ReadonlyMap<Address, Restoration>): Resource[] {
  return Array.from(restorations.values(), ({ resource }) => resource).filter((resource) => resource !== undefined);
}

/** Keeps the attributes that others changed, and lists them as losses. Returns whether there are any. */
function withDrift(restorations: Map<Address, Restoration>, drift: Iterable<Drift>, losses: Loss[]): boolean {
  let isOther = false;
  for (const { address, type, attributes } of drift) {
    const restoration = restorations.get(address);
    if (restoration === undefined || type === 'departed') continue;
    isOther = true;
    if (type === 'missing') {
      restorations.delete(address);
      losses.push({ reason: 'gone', address });
      continue;
    }
    const { resource, kept } = withOthersChanges(restoration, attributes);
    for (const path of kept) losses.push({ reason: 'changed_elsewhere', address, what: printPath(path) });
    restorations.set(address, { ...restoration, ...(resource === undefined ? {} : { resource }) });
  }
  return isOther;
}

function withoutPosition<T extends { readonly source?: SourcePosition }>(thing: T): T {
  if (thing.source?.file !== noPosition.file) return thing;
  const { source: _none, ...unsourced } = thing;
  return unsourced as T;
}
