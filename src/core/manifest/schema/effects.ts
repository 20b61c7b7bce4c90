// The effects that changes of each kind may have, as policies name them: `user.deactivate`.

import { type KindDefinition, neverDisabled } from '../../kinds/definition/kind.ts';
import type { Action } from '../../model/action.ts';
import { peopleCounts } from '../../model/people/effects.ts';

/** Returns the effects that `acknowledge` can count (semantics §4.1). */
export function countableEffects(kinds: readonly KindDefinition[]): string[] {
  return kinds.flatMap(({ name: kind, attributes, disabledState, removals, memberships, contents }) => [
    ...(disabledState === neverDisabled ? [] : [`${kind}.${disabledState.disable}`, `${kind}.${disabledState.enable}`]),
    ...(removals.includes('delete') ? [`${kind}.delete`] : []),
    // Needed if every object of a kind is removed.
    ...(removals.includes('retire') ? [`${kind}.retire`] : []),
    ...(removals.includes('forget') ? [`${kind}.forget`] : []),
    ...(memberships === undefined ? [] : [`${kind}.leave`]),
    ...(contents === undefined && !removals.includes('erase') ? [] : [`${kind}.erase`]),
    ...(Object.values(attributes).some(({ actions }) => actions?.includes('lockout')) ? [`${kind}.lockout`] : []),
  ]);
}

/** Returns the effects that rules can count (semantics §4.8): of objects, and of people. */
export function countedEffects(kinds: readonly KindDefinition[]): string[] {
  return [...effectsOfKinds(kinds), ...peopleCounts];
}

/** Returns every effect that a plan may have. */
export function effectsOfKinds(kinds: readonly KindDefinition[]): string[] {
  return kinds.flatMap((kind) => [...actionsOf(kind)].map((action) => `${kind.name}.${action}`));
}

function actionsOf(kind: KindDefinition): ReadonlySet<Action> {
  const { attributes, disabledState, removals, contents, isChild } = kind;
  const erase: readonly Action[] = contents === undefined ? [] : ['erase'];
  if (isChild === true) return new Set<Action>(['migrate', 'update', ...erase, ...removals]);
  return new Set<Action>([
    'create',
    'adopt',
    'conflict',
    'update',
    ...(disabledState === neverDisabled ? [] : [disabledState.disable, disabledState.enable]),
    ...removals,
    ...Object.values(attributes).flatMap(({ actions = [] }) => actions),
  ]);
}
