// Makes the steps of a plan that was read: the work on each object is drafted again from its origin, and the plan is refused if
// it shows other changes, or if its hash covers other steps.
//
// A plan file comes from elsewhere, and people approve the changes while an apply runs the steps. Digests prove nothing about
// that, because whoever edits a file can compute them. What the kinds make of an origin cannot be chosen.

import { equalJson, type JsonValue } from '../../lib/json.ts';
import type { Collect, Series } from '../../lib/series.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import { type Address, compareAddresses } from '../model/address.ts';
import { firstPlace } from '../model/addressed-series.ts';
import type { Change, Drift } from '../model/change.ts';
import type { DraftOrigin, Plan, PlanAsRead } from '../model/plan.ts';
import type { ChangeNote } from '../model/reasons.ts';
import { noPosition } from '../model/source.ts';
import type { NoteWords } from '../model/statements/problems.ts';
import { withDeletedPeople } from './diff/deleted-people.ts';
import { draftFrom } from './diff/origin.ts';
import { hasError, hasWork, type ObjectDraft } from './draft/draft.ts';
import { Milestones } from './order/milestones.ts';
import { type OrderedDraft, orderDraft } from './order/steps.ts';
import { changeOf, PlanBuilder, withNotes } from './plan-builder.ts';
import { hashOf } from './plan-file/hash.ts';
import { SavedParts } from './saved-parts.ts';

/** As many drafts are kept for the second pass. Further objects are drafted again, so that memory stays bounded. */
const mostKept = 100;

/** Notes that depend on several objects, or on the base of a request. */
const addedNotes: ReadonlySet<ChangeNote['code']> = new Set([
  'renamed_to',
  'renamed_from',
  'partly_pending',
  'needed_by',
]);

/**
 * The plan with its steps and with what an apply of it compares. Undefined if its parts disagree. `kinds` is the registry. `see` gets the
 * work on each object.
 */
export function provenPlan(
  plan: PlanAsRead,
  kinds: readonly KindDefinition[],
  words: NoteWords,
  collect: Collect,
  see?: (ordered: OrderedDraft) => void,
): Plan | undefined {
  const { application, changes, drift, settings, basis, origins } = plan;
  if (basis === undefined || origins === undefined) return undefined;
  const milestones = new Milestones({ leaveChannels: basis.leave_channels_on_deactivation });
  const builder = new PlanBuilder(collect, words, new SavedParts(collect, true));
  const draft = (kind: KindDefinition, origin: DraftOrigin): ObjectDraft | undefined => {
    const drafted = draftFrom(kind, origin, basis, settings.existing);
    return drafted === undefined || hasError(drafted.problems) || !hasWork(drafted) ? undefined : drafted;
  };
  const withoutDeleted = (drafted: ObjectDraft): ObjectDraft =>
    milestones.deleted.size > 0 ? withDeletedPeople(drafted, milestones.deleted) : drafted;
  const firstDrafts: ObjectDraft[] = [];
  let objects = 0;
  for (const [kind, origin] of inOrderOf(kinds, origins)) {
    const drafted = draft(kind, origin);
    if (drafted === undefined) return undefined;
    milestones.add(withoutDeleted(drafted), origin.hasChildren);
    if (firstDrafts.length < mostKept) firstDrafts.push(drafted);
    // Only the words depend on it, and these are not compared.
    builder.addDrift(drafted, true);
    objects += 1;
  }
  if (objects !== origins.length || objects !== changes.length) return undefined;
  milestones.settle();
  let place = 0;
  for (const [kind, origin] of inOrderOf(kinds, origins)) {
    const drafted = firstDrafts[place] ?? draft(kind, origin);
    if (drafted === undefined) return undefined;
    place += 1;
    const ordered = orderDraft(withoutDeleted(drafted), milestones, {
      leaveChannels: basis.leave_channels_on_deactivation,
    });
    see?.(ordered);
    builder.add(ordered, changeOf(ordered, [], words), origin);
  }
  const { changes: draftedChanges, drift: draftedDrift, digests, needed = [], live, ...built } = builder.end();
  const agrees =
    hashOf(application, settings.existing, digests) === plan.hash &&
    isEach(changes, draftedChanges, (change, again) => isShown(change, again, words)) &&
    (drift === undefined || isEach(driftOf(drift, origins), draftedDrift, isSameDrift));
  if (!agrees) return undefined;
  return {
    ...plan,
    steps: built.steps,
    summary: built.summary,
    requests: built.requests,
    preconditions: built.preconditions,
    ...(needed.length === 0 ? {} : { needed }),
    ...(basis.isRefreshed === true ? { live } : {}),
  };
}

/** Kinds in the order of the registry, in which objects precede those that refer to them. */
function* inOrderOf(
  kinds: readonly KindDefinition[],
  origins: Series<DraftOrigin>,
): Generator<readonly [KindDefinition, DraftOrigin]> {
  for (const kind of kinds) {
    const prefix = `${kind.name}.`;
    let before = '';
    for (let place = firstPlace(origins, prefix); place < origins.length; place += 1) {
      const origin = origins.at(place);
      if (origin === undefined || !origin.address.startsWith(prefix) || origin.address <= before) break;
      before = origin.address;
      yield [kind, origin];
    }
  }
}

/** Whether a change of a file is the one that is made again, apart from what a plan adds to it. */
function isShown(change: Change, again: Change, words: NoteWords): boolean {
  const { cause, reason, note_codes: codes = [] } = change;
  const added = codes.slice(again.note_codes?.length ?? 0);
  if (added.some(({ code }) => !addedNotes.has(code))) return false;
  const { source, ...expected } = withNotes(again, added, words);
  const expectedChange = {
    ...expected,
    // What an undo restores is in no manifest.
    ...(source === undefined || source.file === noPosition.file ? {} : { source }),
    ...(reason.code === 'undone' ? { reason } : {}),
    ...(cause === undefined ? {} : { cause }),
  };
  return equalJson(change as unknown as JsonValue, expectedChange as unknown as JsonValue);
}

/** The drift of objects with origins. Both are sorted by address. */
function* driftOf(drift: Series<Drift>, origins: Series<DraftOrigin>): Generator<Drift> {
  let place = 0;
  for (const entry of drift) {
    let address: Address | undefined;
    for (; place < origins.length; place += 1) {
      address = origins.at(place)?.address;
      if (address === undefined || compareAddresses(address, entry.address) >= 0) break;
    }
    if (address === entry.address) yield entry;
  }
}

/** A repair says in the notes of the others why it leaves them, and an undo has no places in manifests. */
function isSameDrift(entry: Drift, again: Drift): boolean {
  const { source: _source, note: _note, note_codes: _codes, ...content } = entry;
  const { source: _position, note: _text, note_codes: _itsCodes, ...contentAgain } = again;
  return equalJson(content as unknown as JsonValue, contentAgain as unknown as JsonValue);
}

function isEach<T>(left: Iterable<T>, right: Iterable<T>, isSame: (left: T, right: T) => boolean): boolean {
  const others = right[Symbol.iterator]();
  for (const value of left) {
    const other = others.next();
    if (other.done === true || !isSame(value, other.value)) return false;
  }
  return others.next().done === true;
}
