// The plan that undoes a run, made by the same planner as all plans (semantics §14).
import type { LoadedManifest } from '../../manifest/load.ts';
import type { Address } from '../../model/address.ts';
import { type Change, type Drift, printPath } from '../../model/change.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Resource } from '../../model/resource.ts';
import type { SourcePosition } from '../../model/source.ts';
import type { JudgedPlan } from '../../planner/plan.ts';
import type { Scope } from '../../planner/targets.ts';
import {
  type Loss,
  noPosition,
  type Restoration,
  restorationOf,
  withOthersChanges,
} from '../../planner/undo/restoration.ts';
import { type Application, resolveApplication } from '../context/application.ts';
import { withReadings } from '../context/known-readings.ts';
import type { ApplicationOptions, Ports } from '../context/ports.ts';
import { planOvertaken } from '../context/refusals.ts';
import { loadValid } from '../plans/load-declared.ts';
import { demandPossible, nowOf, planManifests } from '../plans/plan-manifests.ts';
import type { PlanSource } from '../plans/plan-source.ts';
import type { Live } from '../plans/refresh.ts';
import { lossesForPeople, nextApplyWarning, runNote } from './findings.ts';
import { archiveOf, type RunToUndo, runToUndo } from './run-to-undo.ts';

export interface UndoOptions extends ApplicationOptions {
  /** The manifests that declare the application, the policy and the objects. */
  readonly paths: readonly string[];
  /** The number of a run in the audit trail. Absent: the last. */
  readonly run?: string | undefined;
  /** Whether to read the objects first. Default: they are read. */
  readonly refresh?: boolean | undefined;
  /** Whether the plan will be saved and needs the conditions that an apply of the file checks. */
  readonly isToBeSaved?: boolean | undefined;
}

/** Refused for invalid manifests (65), a missing application (64), and an untrusted host (6). */
export async function openUndo(options: UndoOptions, ports: Ports): Promise<UndoSource> {
  const manifest = await loadValid(options.paths, ports);
  const resolved = resolveApplication(options, ports, manifest.application);
  return new UndoSource(manifest, await withReadings(resolved, options.paths, ports), options, ports);
}

export class UndoSource implements PlanSource {
  readonly isSaved = false;
  readonly existing = 'refuse';
  readonly application: Application;
  readonly #manifest: LoadedManifest;
  readonly #options: UndoOptions;
  readonly #ports: Ports;
  readonly #now: string;
  #run: RunToUndo | undefined;
  #live: Live | undefined;
  #hash: string | undefined;

  constructor(manifest: LoadedManifest, application: Application, options: UndoOptions, ports: Ports) {
    this.application = application;
    this.#manifest = manifest;
    this.#options = options;
    this.#ports = ports;
    this.#now = nowOf(ports);
  }

  /** The number of the run, once it is known. */
  get undoes(): number | undefined {
    return this.#run?.entry.number;
  }

  /** Reads only the objects that the run changed. Refused as `runToUndo` and `refresh` are. */
  async observe(state: StateSnapshot): Promise<void> {
    this.#run = runToUndo(state, this.#options.run);
    if (this.#options.refresh === false) return;
    const { refresh } = await import('../plans/refresh.ts');
    const records = this.#run.touched.flatMap(({ now }) => now ?? []);
    const { header, pending } = state;
    const touched = { header, pending, get: state.get.bind(state), records: () => records, size: records.length };
    const declared = { ...this.#manifest, resources: this.#restorations(this.#run, () => {}).resources };
    this.#live = await refresh(declared, this.application, touched, { onlyKnown: true }, this.#ports);
  }

  /** Refused by a safety rule (5), and when state changed since it was observed (6). */
  planFor(state: StateSnapshot): Plan {
    const plan = demandPossible(this.judged(state));
    if (this.#hash !== undefined && this.#hash !== plan.hash) throw planOvertaken();
    this.#hash = plan.hash;
    return plan;
  }

  /** The plan with the reasons against applying it. */
  judged(state: StateSnapshot): JudgedPlan {
    const run = runToUndo(state, this.undoes === undefined ? this.#options.run : String(this.undoes));
    const losses: Loss[] = [];
    const { restorations } = this.#restorations(run, (loss) => losses.push(loss));
    let planned = this.#planOf(restorations, state);
    if (this.#live !== undefined && withDrift(restorations, planned.plan.drift ?? [], losses))
      planned = this.#planOf(restorations, state);
    while (planned.problems.length > 0) {
      const refused = planned.problems.filter(({ address }) => address !== undefined && restorations.delete(address));
      if (refused.length === 0) break;
      for (const { address, detail: what } of refused)
        if (address !== undefined) losses.push({ reason: 'impossible', address, what });
      planned = this.#planOf(restorations, state);
    }
    const { plan } = planned;
    const warnings: Diagnostic[] = [
      ...lossesForPeople(losses, run.entry.number),
      ...nextApplyWarning(plan, this.#manifest.resources, state),
      runNote(run, this.#run?.continues),
      ...plan.warnings,
    ];
    const reason = `run ${run.entry.number} is taken back`;
    const changes = plan.changes.slice().map((change): Change => ({ ...withoutPosition(change), reason }));
    const drift = plan.drift?.slice().map((one): Drift => withoutPosition(one));
    const refusals = planned.refusals.map(withoutPosition);
    return { ...planned, plan: { ...plan, changes, ...(drift === undefined ? {} : { drift }), warnings }, refusals };
  }

  #restorations(run: RunToUndo, lose: (loss: Loss) => void) {
    const deleted = new Set(
      run.touched.flatMap(({ ends, address, now }) => (ends === 'delete' && now === undefined ? [address] : [])),
    );
    const restorations = new Map<Address, Restoration>();
    for (const touched of run.touched) {
      const restoration = restorationOf(touched, (address) => deleted.has(address), lose);
      if (restoration !== undefined) restorations.set(touched.address, restoration);
    }
    // Where the manifests declare the same object, views show its position.
    for (const { address, source } of this.#manifest.resources) {
      const { resource, restored = [] } = restorations.get(address) ?? {};
      if (resource !== undefined) restorations.set(address, { restored, resource: { ...resource, source } });
    }
    return { restorations, resources: resourcesOf(restorations) };
  }

  #planOf(restorations: ReadonlyMap<Address, Restoration>, state: StateSnapshot): JudgedPlan {
    // Restrictions are about what files declare.
    const { restrictions: _ofDeclarations, ...policy } = this.#manifest.policy;
    const manifest = { ...this.#manifest, resources: resourcesOf(restorations), removed: [], policy };
    const removed = [...restorations].filter(([, { resource }]) => resource === undefined);
    const archives = new Set(removed.map(([address]) => archiveOf(address)));
    const scope: Scope = {
      has: (address) => restorations.has(address) || archives.has(address),
      pulledIn: new Map(),
      unmatched: [],
      isExplained: true,
    };
    return planManifests(manifest, this.application, state, {
      now: this.#now,
      scope,
      live: this.#live,
      isToBeSaved: this.#options.isToBeSaved ?? false,
    });
  }
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
  const { source: _none, ...rest } = thing;
  return rest as T;
}
