// Makes a plan. This is a pure function, without files, clock, network or randomness (semantics §11).
//
// declared resources + state records → drafts of objects → ordered steps → changes, costs, hash.
import { InternalError } from '../../lib/errors.ts';
import { equalJson, type JsonObject } from '../../lib/json.ts';
import { collectInMemory, type Series } from '../../lib/series.ts';
import { IntColumn } from '../../lib/typed-arrays.ts';
import { listOf, plural } from '../../lib/words.ts';
import { historyFileOf, linesBy } from '../history/lines/history-file.ts';
import { namesOf } from '../kinds/definition/attribute-table.ts';
import type { DisablePolicy, KindDefinition } from '../kinds/definition/kind.ts';
import { type Address, keyOf } from '../model/address.ts';
import { KindGroups } from '../model/addressed-series.ts';
import type { Change } from '../model/change.ts';
import type { Diagnostic } from '../model/diagnostic.ts';
import { type DraftOrigin, type Plan, type PlanBasis, planFormatVersion, tokensNote } from '../model/plan.ts';
import { refreshWord } from '../model/policy.ts';
import type { ChangeNote } from '../model/reasons.ts';
import type { StateEntry, StateRecord } from '../model/record.ts';
import type { RemovedEntry, Resource } from '../model/resource.ts';
import { type FileCounts, loadedAddress } from '../model/run-metadata.ts';
import type { Step } from '../model/step.ts';
import { firstConflicts } from './diff/adoption.ts';
import type { RelatedObjects } from './diff/creation.ts';
import { withDeletedPeople } from './diff/deleted-people.ts';
import { draftObject, type ObjectSides, type Pair, pairsOfKind } from './diff/object-draft.ts';
import { draftRecorded } from './diff/origin.ts';
import { ObjectRelations, refusedFor } from './diff/related-objects.ts';
import { draftStanding } from './diff/retirement.ts';
import { hasError, hasWork, isPlainlyNew, type ObjectDraft } from './draft/draft.ts';
import {
  diagnosticOf,
  diagnosticOfObject,
  type Finding,
  hiddenObjects,
  lackedReads,
  noteOf,
  unknownRemoval,
  unreadAttributes,
} from './draft/finding.ts';
import { LeftOutObjects } from './draft/left-out.ts';
import { Evidence } from './judges/evidence.ts';
import type { UnjudgedPlan } from './judges/judge.ts';
import { ExclusiveLists } from './live/exclusive-lists.ts';
import type { LiveContext } from './live/observed-state.ts';
import { DurationTally } from './order/estimate.ts';
import { Milestones } from './order/milestones.ts';
import { orderDraft } from './order/steps.ts';
import { PlanPeople } from './people.ts';
import { changeOf, PlanBuilder } from './plan-builder.ts';
import { hashOf } from './plan-file/hash.ts';
import type { PlanInput } from './plan-input.ts';
import { LikelyRenames } from './renames.ts';
import { SavedParts } from './saved-parts.ts';
import { partialNote, pulledInNote } from './targets.ts';

/** Plans the changes (semantics §1 to §3, §5, §6). The judges come next (judges/judges.ts). Throws only for bugs. */
export function makePlan(input: PlanInput): UnjudgedPlan {
  const planner = new Planner(input);
  const leftOut = planner.findWork();
  // Users are drafted before the channels that need them, so only now it is known for which objects nothing is needed.
  const scope = leftOut.size === 0 ? undefined : input.scope?.without?.(leftOut);
  if (scope === undefined) return planner.make();
  const narrowed = new Planner({ ...input, scope });
  narrowed.findWork();
  return narrowed.make();
}

/**
 * Processes all objects twice. The first pass finds the objects with work and their milestones. The second pass drafts these
 * objects again, orders their steps and adds them to the plan (order/milestones.ts).
 *
 * The first drafts cannot be kept for the second pass. A draft contains its whole object, so the drafts of a million objects do
 * not fit in memory. They are not final either: the deletion of a person changes the drafts of channels that came before
 * (diff/deleted-people.ts).
 */
class Planner {
  readonly #input: PlanInput;
  readonly #nowMs: number;
  readonly #disablePolicy: DisablePolicy;
  readonly #live: LiveContext | undefined;
  readonly #removed: ReadonlyMap<Address, RemovedEntry>;
  readonly #milestones: Milestones;
  readonly #builder: PlanBuilder;
  readonly #duration: DurationTally;
  readonly #evidence: Evidence;
  readonly #renames: LikelyRenames | undefined;
  readonly #leftOut: LeftOutObjects;
  readonly #problems = new KindGroups<Diagnostic>(collectInMemory);
  /** By kind, the positions of the objects with work in the two series (diff/object-draft.ts). */
  readonly #work = new Map<KindDefinition, Record<'resources' | 'records', IntColumn>>();
  /** Entries of `removed` whose objects were found in neither the manifests nor state. */
  readonly #unknownRemovals: Map<Address, RemovedEntry>;
  /** Absent while the plan has only new users. */
  #people: PlanPeople | undefined;
  #relations: ObjectRelations | undefined;
  #exclusiveLists: ExclusiveLists | undefined;

  constructor(input: PlanInput) {
    const { collect = collectInMemory, limitsOf, policy, records, removed, isToBeSaved = false } = input;
    this.#input = input;
    this.#nowMs = Date.parse(input.live?.now ?? input.now);
    this.#disablePolicy = { leaveChannels: policy.leave_channels_on_deactivation };
    this.#live = liveContext(input);
    this.#removed = new Map(removed.map((entry) => [entry.address, entry]));
    this.#unknownRemovals = new Map(this.#removed);
    this.#milestones = new Milestones(this.#disablePolicy);
    this.#duration = new DurationTally(limitsOf);
    const saved = isToBeSaved ? new SavedParts(collect) : undefined;
    this.#builder = new PlanBuilder(collect, input.words, saved, this.#duration);
    this.#evidence = new Evidence(policy, collect);
    this.#renames = records.length > 0 ? new LikelyRenames(collect) : undefined;
    this.#leftOut = new LeftOutObjects(input.scope, input.kinds, () => this.#related());
  }

  /** The first pass. Returns the objects that are left out. */
  findWork(): LeftOutObjects {
    const { kinds, resources, records } = this.#input;
    for (const kind of kinds) {
      const places = { resources: new IntColumn(), records: new IntColumn() };
      const hasModes = namesOf(kind.attributes, ({ change }) => change === 'mode').length > 0;
      for (const pair of pairsOfKind(kind.name, resources, records)) {
        if (hasModes && pair.resource !== undefined && this.#input.scope?.has(pair.address) !== false) {
          this.#exclusiveLists ??= new ExclusiveLists();
          if (!this.#isRead(pair.address)) this.#exclusiveLists.add(kind, pair.resource);
        }
        if (!this.#meet(kind, pair)) continue;
        places.resources.push(pair.places[0]);
        places.records.push(pair.places[1]);
      }
      if (places.records.length > 0) this.#work.set(kind, places);
    }
    return this.#leftOut;
  }

  /** Must be called after `findWork`. */
  make(): UnjudgedPlan {
    if (this.#input.isDriftAlone === true) {
      for (const { draft } of this.#draftsAgain()) this.#affected().addDrift(draft);
    } else {
      this.#milestones.settle();
      this.#orderWork();
    }
    const { application, policy, settings, lineage, live, words } = this.#input;
    const { digests, drift, live: conditions, needed = [], tokens, ...built } = this.#builder.end();
    const { people, notices } = this.#people?.end() ?? {};
    const problems = [...this.#problems.end()];
    const warnings = problems.filter(({ severity }) => severity !== 'error');
    const plan: Plan = {
      format_version: planFormatVersion,
      application,
      settings: {
        ...settings,
        existing: policy.existing,
        ...(policy.trust_dedup === true ? { trust_dedup: true } : {}),
        ...(policy.undo === undefined ? {} : { undo: policy.undo }),
        ...(policy.approvals?.dangers === undefined ? {} : { approvals: { dangers: policy.approvals.dangers } }),
        ...(policy.history === undefined ? {} : { history: policy.history }),
      },
      ...(lineage === undefined ? {} : { lineage }),
      ...built,
      duration: this.#duration.duration(),
      ...(people === undefined ? {} : { people }),
      ...(notices === undefined ? {} : { notices }),
      ...(needed.length === 0 ? {} : { needed }),
      warnings: [
        ...(live === undefined
          ? warnings
          : firstConflicts(warnings, (problem) => diagnosticOf({ severity: 'warning', problem }, words))),
        ...(tokens === 0 ? [] : [diagnosticOf(noteOf({ code: tokensNote, count: tokens }), words)]),
        ...(live?.remarks ?? []),
        ...this.#notes(built.changes).map((note) => diagnosticOf(note, words)),
      ],
      ...(this.#input.isToBeSaved === true ? { basis: basisOf(this.#input) } : {}),
      hash: hashOf(application, policy.existing, digests),
      ...runMetadata(this.#input, built.steps),
      ...(live === undefined ? {} : shownRefresh(live, drift, conditions)),
    };
    return {
      plan,
      problems: problems.filter(({ severity }) => severity === 'error'),
      evidence: this.#evidence,
      unchecked: this.#unchecked().map((note) => diagnosticOf(note, words)),
    };
  }

  /** Whether the object has work, or may have work because of others. */
  #isRead(address: Address): boolean {
    const { live } = this.#input;
    return live !== undefined && live.reads?.(address) !== false;
  }

  #meet(kind: KindDefinition, { address, resource, record }: Pair): boolean {
    if (this.#unknownRemovals.size > 0) this.#unknownRemovals.delete(address);
    if (record !== undefined) this.#evidence.addRecord(kind, record);
    if (record !== undefined && kind.isChild !== true) this.#builder.addKnown(address);
    const objectDraft = this.#draft(kind, address, resource, record);
    const rival =
      objectDraft === undefined || record !== undefined || this.#input.records.length === 0
        ? undefined
        : this.#related().rivalOf(kind, keyOf(address));
    const draft = objectDraft === undefined || rival === undefined ? objectDraft : refusedFor(rival, objectDraft);
    if (kind.name === 'user') this.#affected().meetUnchanged(kind, address, record);
    if (draft === undefined) return false;
    const isOfDrift = this.#input.isDriftAlone === true;
    if (!isOfDrift && hasWork(draft) && this.#leftOut.take(draft)) return false;
    for (const problem of draft.problems)
      this.#problems.push(kind.name, diagnosticOfObject(draft, problem, this.#input.words));
    this.#builder.addDrift(draft, refreshWord(this.#input.policy, 'apply') === 'all');
    if (isOfDrift) {
      if (draft.drift === undefined || draft.drift.length === 0) return false;
      this.#affected().meet(draft);
      return true;
    }
    if (hasError(draft.problems) || !hasWork(draft)) return false;
    this.#milestones.add(draft, this.#hasChildren(kind, address));
    this.#renames?.add(draft);
    this.#affected().meet(draft);
    return true;
  }

  #draft(
    kind: KindDefinition,
    address: Address,
    resource: Resource | undefined,
    record: StateRecord | undefined,
    take?: (origin: DraftOrigin) => void,
  ): ObjectDraft | undefined {
    const draft = this.#draftWithinScope(kind, address, resource, record, take);
    const { deleted } = this.#milestones;
    const isAffected = draft !== undefined && deleted.size > 0 && hasWork(draft);
    return isAffected ? withDeletedPeople(draft, deleted) : draft;
  }

  #draftWithinScope(
    kind: KindDefinition,
    address: Address,
    resource: Resource | undefined,
    record: StateRecord | undefined,
    take: ((origin: DraftOrigin) => void) | undefined,
  ): ObjectDraft | undefined {
    const { scope, policy } = this.#input;
    const related = this.#relatedTo(kind, keyOf(address));
    const removed = this.#removed.get(address);
    const isRead = this.#input.live?.reads?.(address) !== false;
    const context = { policy, live: isRead ? this.#live : undefined, related, nowMs: this.#nowMs };
    const draftFor = (sides: ObjectSides) =>
      take === undefined ? draftObject(kind, sides, context) : draftRecorded(kind, sides, context, take);
    if (scope === undefined || scope.has(address)) return draftFor({ resource, record, removed });
    if (record === undefined) return undefined;
    // A child is forgotten with its object, even if the plan is not about it.
    const status = related.status?.().type;
    if (status === 'lost') return draftFor({ resource: undefined, record, removed });
    if (status === 'unknown') return draftFor({ resource, record, removed });
    if (scope.isExcluded?.(address) === true) return undefined;
    take?.({ address, record, isStanding: true });
    return draftStanding(kind, record);
  }

  #relatedTo(kind: KindDefinition, key: string): RelatedObjects {
    if (kind.isChild === true) return this.#related().ofChild(kind, key);
    return {
      hasChildrenToSend: (needing) => this.#related().hasChildrenToSend(kind, key, needing),
      isKnown: (address) => this.#related().isKnown(address),
    };
  }

  #related(): ObjectRelations {
    this.#relations ??= new ObjectRelations({ ...this.#input, leftOut: this.#leftOut });
    return this.#relations;
  }

  #affected(): PlanPeople {
    const { kinds, policy, migrationUnhides } = this.#input;
    this.#people ??= new PlanPeople({
      kinds,
      isOfDrift: this.#input.isDriftAlone === true,
      hasExternalUsers: (policy.external.users ?? []).length > 0,
      nowMs: this.#nowMs,
      related: () => this.#related(),
      migrationUnhides,
      notified: policy.notify === undefined ? undefined : (id) => this.#evidence.addNotified(id),
    });
    return this.#people;
  }

  #orderWork(): void {
    const { scope } = this.#input;
    const renames = this.#renames?.notes();
    for (const { draft, origin } of this.#draftsAgain()) {
      const { kind, address } = draft;
      const ordered = orderDraft(draft, this.#milestones, this.#disablePolicy);
      if (ordered.steps.length === 0) continue;
      this.#evidence.addObject(ordered);
      if (!isPlainlyNew(draft)) this.#affected().add(ordered);
      const rename = renames?.get(address);
      const pulledIn = scope === undefined ? [] : pulledInNote(scope, address);
      const lines = erasedLinesNote(draft, this.#input.resources);
      const notes = [...(rename === undefined ? [] : [rename]), ...lines, ...pulledIn];
      this.#builder.add(
        ordered,
        changeOf(ordered, notes, this.#input.words),
        origin && this.#withChildren(kind, origin),
      );
    }
  }

  /** The drafts of the objects that the first pass found, with their origins if the plan is to be saved. */
  *#draftsAgain(): Generator<{ readonly draft: ObjectDraft; readonly origin: DraftOrigin | undefined }> {
    const { resources, records, isToBeSaved } = this.#input;
    for (const [kind, places] of this.#work) {
      for (let at = 0; at < places.records.length; at += 1) {
        const resource = atPlace(resources, places.resources.at(at));
        const record = atPlace(records, places.records.at(at));
        const address = (resource ?? record)?.address;
        let origin: DraftOrigin | undefined;
        const take = (taken: DraftOrigin): void => {
          origin = taken;
        };
        const draft =
          address === undefined
            ? undefined
            : this.#draft(kind, address, resource, record, isToBeSaved === true ? take : undefined);
        if (draft === undefined) throw new InternalError(`${kind.name} is drafted otherwise`);
        yield { draft, origin };
      }
    }
  }

  #withChildren(kind: KindDefinition, origin: DraftOrigin): DraftOrigin {
    return this.#hasChildren(kind, origin.address) ? { ...origin, hasChildren: true } : origin;
  }

  #hasChildren(kind: KindDefinition, address: Address): boolean {
    return kind.children !== undefined && this.#related().hasChildren(kind, keyOf(address));
  }

  #notes(changes: Series<Change>): Finding[] {
    const { scope } = this.#input;
    if (scope === undefined) return Array.from(this.#unknownRemovals.values(), unknownRemoval);
    if (scope.isExplained === true) return [];
    const isOfDrift = this.#input.isDriftAlone === true;
    return [noteOf(partialNote(scope, addressesOf(changes), isOfDrift)), ...this.#leftOut.findings()];
  }

  #unchecked(): Finding[] {
    const { live } = this.#input;
    const lacked = [...lackedReads(live?.lacked), ...(live?.undeclared ?? [])].map(noteOf);
    // What was not read is a note of a part of the objects, too.
    const unread =
      live === undefined ? [] : [...unreadAttributes(live.unread).map(noteOf), ...hiddenObjects(live.hidden)];
    const lists = this.#exclusiveLists?.uncheckedNote() ?? [];
    return [...lacked, ...unread, ...lists.map(noteOf)];
  }
}

/** Where only some objects were read, no drift means little, and nothing is said about it. */
function shownRefresh(
  { refreshed, reads }: NonNullable<PlanInput['live']>,
  drift: Plan['drift'],
  conditions: Plan['live'],
): Pick<Plan, 'refreshed' | 'drift' | 'live'> {
  const live = conditions === undefined ? {} : { live: conditions };
  if (reads !== undefined && refreshed.objects === 0) return live;
  const hasDrift = drift !== undefined && (reads === undefined || drift.length > 0);
  return { refreshed, ...(hasDrift ? { drift } : {}), ...live };
}

function liveContext({ live }: PlanInput): LiveContext | undefined {
  if (live === undefined) return undefined;
  const { observations } = live;
  return { observations, isGone: (address) => observations.get(address)?.exists === false };
}

function basisOf({ policy, live }: PlanInput): PlanBasis {
  const { adopt, on_remove, departed, messages, leave_channels_on_deactivation } = policy;
  return {
    on_remove,
    departed,
    leave_channels_on_deactivation,
    ...(adopt === undefined ? {} : { adopt }),
    ...(messages === undefined ? {} : { messages }),
    ...(live === undefined ? {} : { isRefreshed: true }),
  };
}

/** Returns the run metadata of a run, or nothing if it has no steps. */
function runMetadata({ loaded }: PlanInput, steps: Series<Step>): Pick<Plan, 'bookkeeping'> {
  const entry = loaded === undefined || steps.length === 0 ? undefined : loadedEntry(loaded.now, loaded.before);
  return entry === undefined ? {} : { bookkeeping: [entry] };
}

/** Returns the state entry that records this load, or undefined if state already has it. */
export function loadedEntry(files: readonly FileCounts[], before: StateRecord | undefined): StateEntry | undefined {
  const counts = files.filter((file) => Object.keys(file.counts).length > 0).map(({ file, counts }) => [file, counts]);
  const attributes: JsonObject = { files: Object.fromEntries(counts) };
  if (equalJson(before?.attributes, attributes)) return undefined;
  return { type: 'put', record: { address: loadedAddress, attributes } };
}

/** `place` counts from 1. 0 means none. */
function atPlace<T>(series: Series<T>, place = 0): T | undefined {
  return place === 0 ? undefined : series.at(place - 1);
}

function* addressesOf(changes: Iterable<Change>): Generator<Address> {
  for (const { address } of changes) yield address;
}

const maxNamed = 5;

/** Names the history files that contain lines of an erased user. No call removes them from the files. */
function erasedLinesNote({ address, removal }: ObjectDraft, resources: Series<Resource>): ChangeNote[] {
  if (removal !== 'erase') return [];
  const filesWithLines: string[] = [];
  for (const { resource } of pairsOfKind('messages', resources, [])) {
    const historyFile = historyFileOf(resource?.attributes ?? {});
    const lines = linesBy(historyFile, keyOf(address));
    if (lines > 0) filesWithLines.push(`${historyFile.file} (${plural(lines, 'line')})`);
  }
  if (filesWithLines.length === 0) return [];
  const more = filesWithLines.length > maxNamed ? [`${filesWithLines.length - maxNamed} more`] : [];
  return [
    {
      code: 'of_kind',
      text: `these history files have lines of the user: ${listOf([...filesWithLines.slice(0, maxNamed), ...more])}`,
    },
  ];
}
