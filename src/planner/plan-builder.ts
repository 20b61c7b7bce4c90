// Builds a plan from ordered drafts: changes, steps, counts, and the parts of a saved plan.

import type { Collect, Series } from '../lib/series.ts';
import { type Action, actions } from '../model/action.ts';
import type { Address } from '../model/address.ts';
import { joined, KindGroups } from '../model/addressed-series.ts';
import type { Change, Drift } from '../model/change.ts';
import type { LimitsOf } from '../model/limits.ts';
import type { LiveCondition, Plan } from '../model/plan.ts';
import type { PlanWords } from '../model/statements/problems.ts';
import { type Phase, phaseRank, type Step } from '../model/step.ts';
import type { ObjectDraft } from './draft/draft.ts';
import { DurationTally, RequestTally } from './order/estimate.ts';
import type { OrderedDraft } from './order/steps.ts';
import { StepsDigest } from './plan-file/hash.ts';
import { SavedParts } from './saved-parts.ts';

interface BuiltParts
  extends Pick<Plan, 'changes' | 'steps' | 'preconditions' | 'needed' | 'summary' | 'requests' | 'duration'> {
  readonly drift: Series<Drift>;
  readonly live: Series<readonly [Address, readonly LiveCondition[]]>;
  /** The digests of the steps of each phase and kind. */
  readonly digests: readonly string[];
  /** The number of steps that issue a token. */
  readonly tokens: number;
}

const phases = Object.keys(phaseRank) as Phase[];

interface PhaseSteps {
  readonly steps: KindGroups<Step>;
  readonly digests: Map<string, StepsDigest>;
}

/** Objects of one kind must come in the order of their addresses. */
export class PlanBuilder {
  readonly #collect: Collect;
  readonly #changes: KindGroups<Change>;
  readonly #drift: KindGroups<Drift>;
  readonly #phases = new Map<Phase, PhaseSteps>();
  readonly #summary = new Map<Action, number>();
  readonly #requests = new RequestTally();
  readonly #duration: DurationTally;
  readonly #words: PlanWords;
  readonly #saved: SavedParts | undefined;
  #tokens = 0;

  /** `isToBeSaved`: whether to add the digests by which an apply recognises done steps and changes by others. */
  constructor(collect: Collect, limitsOf: LimitsOf, isToBeSaved: boolean, words: PlanWords) {
    this.#collect = collect;
    this.#words = words;
    this.#duration = new DurationTally(limitsOf);
    this.#changes = new KindGroups(collect);
    this.#drift = new KindGroups(collect);
    this.#saved = isToBeSaved ? new SavedParts(collect) : undefined;
  }

  /** Must be called for each object of state before any draft is added. */
  addKnown(address: Address): void {
    this.#saved?.needed.addKnown(address);
  }

  addDrift({ kind, drift = [] }: ObjectDraft): void {
    for (const { note_codes: notes, ...observation } of drift)
      this.#drift.push(kind.name, { ...observation, note: this.#words.driftNotes(notes), note_codes: notes });
  }

  add(ordered: OrderedDraft, change: Change): void {
    const { name: kind } = ordered.draft.kind;
    this.#changes.push(kind, change);
    for (const action of change.actions) this.#summary.set(action, (this.#summary.get(action) ?? 0) + 1);
    for (const step of ordered.steps) this.#addStep(kind, step);
    this.#saved?.add(ordered);
  }

  /** Nothing may be added afterwards. */
  end(): BuiltParts {
    const inOrder = phases.flatMap((phase) => this.#phases.get(phase) ?? []);
    return {
      changes: this.#changes.end(),
      steps: joined(inOrder.map((phase) => phase.steps.end())),
      preconditions: this.#saved?.preconditions.end() ?? [],
      needed: this.#saved?.neededBy.end() ?? [],
      live: this.#saved?.live.end() ?? [],
      drift: this.#drift.end(),
      digests: inOrder.flatMap((phase) => phase.steps.kinds().map((kind) => phase.digests.get(kind)?.end() ?? '')),
      tokens: this.#tokens,
      summary: Object.fromEntries(
        actions.flatMap((action) => {
          const count = this.#summary.get(action);
          return count === undefined ? [] : [[action, count]];
        }),
      ),
      requests: this.#requests.counts(),
      duration: this.#duration.duration(),
    };
  }

  #addStep(kind: string, step: Step): void {
    let phase = this.#phases.get(step.phase);
    if (phase === undefined) {
      phase = { steps: new KindGroups(this.#collect), digests: new Map() };
      this.#phases.set(step.phase, phase);
    }
    let digest = phase.digests.get(kind);
    if (digest === undefined) {
      digest = new StepsDigest();
      phase.digests.set(kind, digest);
    }
    const text = JSON.stringify(step);
    phase.steps.push(kind, step, text);
    digest.add(text);
    this.#requests.add(step);
    this.#duration.add(step);
    if (issuesToken(step)) this.#tokens += 1;
  }
}

/** Whether the call issues a token, which needs --tokens-out. */
function issuesToken({ sink }: Step): boolean {
  return sink !== undefined && sink.isOptional !== true;
}
