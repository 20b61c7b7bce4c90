// Builds a plan from ordered drafts: the change of each object for display, steps, counts, and the parts of a saved plan.
import { InternalError } from '../../lib/errors.ts';
import type { Collect, Series } from '../../lib/series.ts';
import { isShownWhole } from '../kinds/definition/attribute-table.ts';
import { dangersOfEdit } from '../kinds/definition/edit-effects.ts';
import type { AttributeDefinition } from '../kinds/definition/kind.ts';
import { type Action, actions } from '../model/action.ts';
import type { Address } from '../model/address.ts';
import { joined, KindGroups } from '../model/addressed-series.ts';
import type { AttributeChange, Change, ChangeDanger, Drift, Reversibility } from '../model/change.ts';
import type { DraftOrigin, LiveCondition, Plan } from '../model/plan.ts';
import type { ChangeNote } from '../model/reasons.ts';
import { endsObject } from '../model/resource.ts';
import type { NoteWords } from '../model/statements/problems.ts';
import { type Phase, phaseRank, type Step } from '../model/step.ts';
import type { DraftProblem, ObjectDraft } from './draft/draft.ts';
import { countRequests, type DurationTally, RequestTally } from './order/estimate.ts';
import type { OrderedDraft } from './order/steps.ts';
import { StepsDigest } from './plan-file/hash.ts';
import type { SavedParts } from './saved-parts.ts';

interface BuiltParts
  extends Pick<Plan, 'changes' | 'steps' | 'preconditions' | 'needed' | 'origins' | 'summary' | 'requests'> {
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
  readonly #duration: DurationTally | undefined;
  readonly #words: NoteWords;
  readonly #saved: SavedParts | undefined;
  #tokens = 0;

  /** `saved` gets what an apply compares, and `duration` all steps. */
  constructor(collect: Collect, words: NoteWords, saved?: SavedParts, duration?: DurationTally) {
    this.#collect = collect;
    this.#words = words;
    this.#duration = duration;
    this.#changes = new KindGroups(collect);
    this.#drift = new KindGroups(collect);
    this.#saved = saved;
  }

  /** Must be called for each object of state before any draft is added. */
  addKnown(address: Address): void {
    this.#saved?.needed.addKnown(address);
  }

  /** `appliesRead`: whether an apply reads the platform without being asked to. */
  addDrift({ kind, drift = [] }: ObjectDraft, appliesRead: boolean): void {
    for (const { note_codes: notes, ...observation } of drift) {
      const note = this.#words.driftNotes(notes, appliesRead);
      this.#drift.push(kind.name, { ...observation, note, note_codes: notes });
    }
  }

  /** `origin` must be present if the plan is to be saved. */
  add(ordered: OrderedDraft, change: Change, origin?: DraftOrigin): void {
    const { name: kind } = ordered.draft.kind;
    this.#changes.push(kind, change);
    for (const action of change.actions) this.#summary.set(action, (this.#summary.get(action) ?? 0) + 1);
    for (const step of ordered.steps) this.#addStep(kind, step);
    if (origin !== undefined) this.#saved?.add(ordered, origin);
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
      ...(this.#saved?.origins === undefined ? {} : { origins: this.#saved.origins.end() }),
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
    this.#duration?.add(step);
    if (step.sink !== undefined) this.#tokens += 1;
  }
}

/** Returns the change of an object as plans show it. `notes` are added to those of the draft. */
export function changeOf(
  { draft, steps, bracket }: OrderedDraft,
  notes: readonly ChangeNote[],
  words: NoteWords,
): Change {
  const done: readonly Action[] = draft.conflicts === true ? ['conflict'] : actionsOf({ steps });
  const endsToken = draft.facts?.access_token !== 'none' && steps.some(issuesAgain);
  const dangers = dangersIn({ draft, steps, bracket }, endsToken);
  return {
    address: draft.address,
    actions: done,
    attributes: draft.attributes,
    ...(draft.resource === undefined ? {} : { source: draft.resource.source }),
    reason: draft.reason,
    reversibility: reversibilityOf({ draft, steps }, endsToken),
    dangerous: dangers.length > 0,
    ...(dangers.length === 0 ? {} : { dangers }),
    ...notesOf(
      [
        ...draft.notes,
        ...draft.problems.flatMap(notesOfProblem),
        ...(bracket ? [{ code: 'reopened', attribute: draft.kind.disabledState.attribute } as const] : []),
        ...(endsToken ? [{ code: 'token_ends' } as const] : []),
        ...notes,
      ],
      words,
    ),
    requests: countRequests(steps),
    ...liveFacts(draft, done),
  };
}

/** A change with further notes. */
export function withNotes(change: Change, notes: readonly ChangeNote[], words: NoteWords): Change {
  return { ...change, ...notesOf([...(change.note_codes ?? []), ...notes], words) };
}

function notesOf(notes: readonly ChangeNote[], words: NoteWords): Pick<Change, 'notes' | 'note_codes'> {
  return notes.length === 0 ? { notes: [] } : { notes: notes.map((note) => words.note(note)), note_codes: notes };
}

function notesOfProblem(draftProblem: DraftProblem): ChangeNote[] {
  if (draftProblem.severity !== 'note') return [];
  if ('detail' in draftProblem) return [{ code: 'of_kind', text: draftProblem.detail }];
  if (draftProblem.problem.code !== 'plan.ended')
    throw new InternalError(`${draftProblem.problem.code} is not a note of a change`);
  const { attribute, key, until } = draftProblem.problem;
  return [{ code: 'entry_ended', attribute, key, until }];
}

/** Whether the call issues an access token to a user who may have one, which it ends (platform §4.4). */
function issuesAgain({ action, sink }: Step): boolean {
  return sink?.field === 'access_token' && action !== 'create';
}

/** Returns facts for reviewers if the object is disabled or deleted. */
function liveFacts(
  { removal, facts: { access_token: _token, invited: _invited, created_at: _created, ...facts } = {} }: ObjectDraft,
  done: readonly Action[],
): Pick<Change, 'live'> {
  const ends = endsObject(removal) || done.some((action) => action === 'freeze' || action === 'deactivate');
  return ends && Object.keys(facts).length > 0 ? { live: facts } : {};
}

/** Returns the actions on an object in their fixed order. Further calls of a creation do not count as updates. */
function actionsOf({ steps }: Pick<OrderedDraft, 'steps'>): Action[] {
  const done = new Set(steps.map(({ action }) => action));
  const isNew = done.has('create');
  return actions.filter((action) => done.has(action) && !(isNew && (action === 'update' || action === 'invite')));
}

/**
 * Whether another apply could undo a change.
 *
 *   irreversible   a deletion also removes the history; sent messages stay sent; a one-way flag stays set
 *   lossy          ending a membership loses its read marks (platform §5.3), as does a deactivation that leaves channels;
 *                  a replaced code, token or image is lost, because state never contains it
 *   reversible     everything else, because the earlier values are in state and in git
 */
function reversibilityOf({ draft, steps }: Pick<OrderedDraft, 'draft' | 'steps'>, endsToken: boolean): Reversibility {
  const isGone = steps.some(({ action }) => action === 'delete' || action === 'erase' || action === 'migrate');
  const edited = draft.completesCreation ? [] : draft.attributes.filter(({ how }) => how === 'set');
  const { attributes } = draft.kind;
  const isForGood = edited.some(({ path, after }) => definitionOf(path)?.change === 'one_way' && after === true);
  if (isGone || isForGood) return 'irreversible';
  const isLost = edited.some(({ path, before }) => isUnseen(definitionOf(path)) && before !== undefined);
  return isLost || endsToken || steps.some(endsMemberships) ? 'lossy' : 'reversible';

  function definitionOf([name = '']: AttributeChange['path']) {
    return attributes[name];
  }
}

/** Whether no answer shows the whole value, so that nothing has the value before. */
function isUnseen(definition: AttributeDefinition | undefined): boolean {
  return definition !== undefined && !isShownWhole(definition);
}

function endsMemberships({ action, request }: OrderedDraft['steps'][number]): boolean {
  return action === 'leave' || (action === 'deactivate' && request?.body?.leave_all_when_deactivated === true);
}

/** What reviewers must see first in the work on one object (semantics §4.10), each danger once. `endsToken`: whether a call ends an access token of the user. */
function dangersIn({ draft, steps, bracket }: OrderedDraft, endsToken: boolean): readonly ChangeDanger[] {
  const { kind, attributes, completesCreation, conflicts = false } = draft;
  const done = new Set(steps.flatMap(({ action, request }) => (request === undefined ? [] : [action])));
  const dangers = new Map<string, ChangeDanger>();
  const add = (danger: ChangeDanger['danger'], actions: ChangeDanger['actions'], attribute?: string): void => {
    if (conflicts || actions.some((action) => !done.has(action))) return;
    dangers.set([danger, ...actions, attribute].join(' '), {
      danger,
      actions,
      ...(attribute === undefined ? {} : { attribute }),
    });
  };
  // Messages of an interrupted creation may be deleted before the rest is sent.
  add('restricts', ['erase']);
  if (endsToken) add('revokes', ['update']);
  if (completesCreation) return [...dangers.values()];
  add('restricts', ['delete']);
  const { attribute: closed, enable, disable } = kind.disabledState;
  if (bracket) add('reopens', [enable, disable], closed);
  else {
    add('opens', [enable], closed);
    add('restricts', [disable], closed);
  }
  for (const edit of attributes) {
    const [name = ''] = edit.path;
    const definition = kind.attributes[name];
    if (definition === undefined || name === closed) continue;
    const [adds, removes] = definition.actions ?? ['update', 'update'];
    for (const { danger, how } of dangersOfEdit(definition, edit)) {
      // Inviting somebody by name is what group channels are for.
      if (name === kind.memberships && how !== 'removed') continue;
      add(danger, [danger === 'locks_out' || how === 'removed' ? removes : adds], name);
    }
  }
  return [...dangers.values()];
}
