// Turns one object's draft and its ordered steps into a change for display.

import { InternalError } from '../lib/errors.ts';
import { type Action, actions, isDangerous } from '../model/action.ts';
import { type AttributeChange, type Change, type Reversibility, rotatesToken } from '../model/change.ts';
import type { ChangeNote } from '../model/reasons.ts';
import type { PlanWords } from '../model/statements/problems.ts';
import type { DraftProblem, ObjectDraft } from './draft/draft.ts';
import { countRequests } from './order/estimate.ts';
import type { OrderedDraft } from './order/steps.ts';

/** Returns the change of an object as plans show it. `notes` are added to those of the draft. */
export function changeOf(
  { draft, steps, bracket }: OrderedDraft,
  notes: readonly ChangeNote[],
  words: PlanWords,
): Change {
  const done: readonly Action[] = draft.conflicts === true ? ['conflict'] : actionsOf({ steps });
  // Parts sent by an interrupted creation may be deleted before the rest is sent.
  const dangers = done.filter((action) => isDangerous(action) && (action === 'erase' || !draft.completesCreation));
  return {
    address: draft.address,
    actions: done,
    attributes: draft.attributes,
    ...(draft.resource === undefined ? {} : { source: draft.resource.source }),
    reason: draft.reason,
    reversibility: reversibilityOf({ draft, steps }),
    dangerous: dangers.length > 0 || rotatesToken(draft),
    ...notesOf(
      [
        ...draft.notes,
        ...draft.problems.flatMap(notesOfProblem),
        ...(bracket ? [{ code: 'reopened', attribute: draft.kind.disabledState.attribute } as const] : []),
        ...notes,
      ],
      words,
    ),
    requests: countRequests(steps),
    ...liveFacts(draft, done),
  };
}

/** A change with further notes. */
export function withNotes(change: Change, notes: readonly ChangeNote[], words: PlanWords): Change {
  return { ...change, ...notesOf([...(change.note_codes ?? []), ...notes], words) };
}

function notesOf(notes: readonly ChangeNote[], words: PlanWords): Pick<Change, 'notes' | 'note_codes'> {
  return notes.length === 0 ? { notes: [] } : { notes: notes.map((note) => words.note(note)), note_codes: notes };
}

function notesOfProblem(found: DraftProblem): ChangeNote[] {
  if (found.severity !== 'note') return [];
  if ('detail' in found) return [{ code: 'of_kind', text: found.detail }];
  if (found.problem.code !== 'plan.ended') throw new InternalError(`${found.problem.code} is not a note of a change`);
  const { attribute, key, until } = found.problem;
  return [{ code: 'entry_ended', attribute, key, until }];
}

/** Returns facts for reviewers if the object is disabled or deleted. */
function liveFacts({ facts = {} }: ObjectDraft, done: readonly Action[]): Pick<Change, 'live'> {
  const ends = done.some((action) => action === 'freeze' || action === 'deactivate' || action === 'delete');
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
function reversibilityOf({ draft, steps }: Pick<OrderedDraft, 'draft' | 'steps'>): Reversibility {
  const isGone = steps.some(({ action }) => action === 'delete' || action === 'erase' || action === 'migrate');
  const edited = draft.completesCreation ? [] : draft.attributes.filter(({ how }) => how === 'set');
  const { attributes } = draft.kind;
  const isForGood = edited.some(({ path, after }) => definitionOf(path)?.change === 'one_way' && after === true);
  if (isGone || isForGood) return 'irreversible';
  const isLost = edited.some(({ path, before }) => definitionOf(path)?.shownBy === 'nothing' && before !== undefined);
  return isLost || steps.some(endsMemberships) ? 'lossy' : 'reversible';

  function definitionOf([name = '']: AttributeChange['path']) {
    return attributes[name];
  }
}

function endsMemberships({ action, request }: OrderedDraft['steps'][number]): boolean {
  return action === 'leave' || (action === 'deactivate' && request?.body?.leave_all_when_deactivated === true);
}
