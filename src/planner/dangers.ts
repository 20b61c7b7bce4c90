// Finds what reviewers must see first in the work on one object (semantics §4.10).
//
// An edit is dangerous by the entry of its attribute and by its direction. So is what ends an object or its messages, and what
// enables or disables it, with or without an edit.

import { dangersOfEdit } from '../kinds/definition/edit-effects.ts';
import type { Action } from '../model/action.ts';
import type { AttributeChange, ChangeDanger } from '../model/change.ts';
import type { Step } from '../model/step.ts';
import type { ObjectDraft } from './draft/draft.ts';
import type { OrderedDraft } from './order/steps.ts';

/** Empty if there are none. `endsToken`: whether a call ends an access token of the user. */
export function dangersIn({ draft, steps, bracket }: OrderedDraft, endsToken: boolean): readonly ChangeDanger[] {
  const done = new Set(steps.flatMap(({ action, request }) => (request === undefined ? [] : [action])));
  if (draft.conflicts === true || done.size === 0) return [];
  // Messages of an earlier, interrupted creation may be deleted before the rest is sent.
  const erased: readonly ChangeDanger[] = done.has('erase') ? [{ danger: 'restricts', actions: ['erase'] }] : [];
  const revoked: readonly ChangeDanger[] = endsToken ? [{ danger: 'revokes', actions: ['update'] }] : [];
  if (draft.completesCreation) return [...erased, ...revoked];
  const deleted: readonly ChangeDanger[] = done.has('delete') ? [{ danger: 'restricts', actions: ['delete'] }] : [];
  return [...deleted, ...erased, ...ofDisabledState(draft, done, bracket), ...ofEdits(draft, done), ...revoked];
}

type Done = ReadonlySet<Step['action']>;

function ofDisabledState({ kind }: ObjectDraft, done: Done, bracket: boolean): readonly ChangeDanger[] {
  const { attribute, enable, disable } = kind.disabledState;
  if (bracket) return [{ danger: 'reopens', actions: [enable, disable], attribute }];
  const change = (danger: ChangeDanger['danger'], action: Action): readonly ChangeDanger[] =>
    done.has(action) ? [{ danger, actions: [action], attribute }] : [];
  return [...change('opens', enable), ...change('restricts', disable)];
}

function ofEdits({ kind, attributes }: ObjectDraft, done: Done): readonly ChangeDanger[] {
  const found = new Map<string, ChangeDanger>();
  for (const edit of attributes) {
    const [name = ''] = edit.path;
    if (name === kind.disabledState.attribute) continue;
    for (const { action, danger } of ofEdit(kind, name, edit))
      if (done.has(action)) found.set(`${name} ${action} ${danger}`, { danger, actions: [action], attribute: name });
  }
  return [...found.values()];
}

/** Inviting somebody by name is what group channels are for, so of memberships only the end is a danger. */
function ofEdit({ attributes, memberships }: ObjectDraft['kind'], name: string, edit: AttributeChange) {
  const definition = attributes[name];
  if (definition === undefined) return [];
  const [adds, removes] = definition.actions ?? ['update', 'update'];
  return dangersOfEdit(definition, edit).flatMap(({ danger, how }) => {
    if (name === memberships && how !== 'removed') return [];
    return [{ danger, action: danger === 'locks_out' || how === 'removed' ? removes : adds }];
  });
}
