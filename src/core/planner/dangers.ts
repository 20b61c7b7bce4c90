// Finds what reviewers must see first in the work on one object (semantics §4.10).

import { dangersOfEdit } from '../kinds/definition/edit-effects.ts';
import type { ChangeDanger } from '../model/change.ts';
import type { OrderedDraft } from './order/steps.ts';

/** Each danger once. `endsToken`: whether a call ends an access token of the user. */
export function dangersIn({ draft, steps, bracket }: OrderedDraft, endsToken: boolean): readonly ChangeDanger[] {
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
