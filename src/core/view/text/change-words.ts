// Drift and the reasons of changes in words.
import type { ChangeReason } from '../../model/reasons.ts';

export const driftWords = {
  changed: 'changed',
  missing: 'gone',
  departed: 'members left',
  made_anew: 'made anew',
} as const;

/** A phrase without a full stop. Names and addresses in it are not made safe to print. */
export function reasonInWords(reason: ChangeReason): string {
  switch (reason.code) {
    case 'not_in_state':
      return 'declared but not in state';
    case 'exists':
      return `exists already (policy: {existing: ${reason.existing}})`;
    case 'exists_and_matches_adopt':
      return 'exists already as declared (policy: {adopt})';
    case 'gone':
      return 'gone from the platform';
    case 'gone_and_undeclared':
      return 'gone from the platform, and removed from the manifest';
    case 'gone_with_parents':
      return `gone from the platform with ${reason.parents.join(', ')}`;
    case 'undeclared':
      return 'removed from the manifest';
    case 'listed_under_removed':
      return 'listed under removed';
    case 'users_deleted':
      return 'was retired, and this plan deletes users in it';
    case 'declared_again':
      return 'declared again after its retirement';
    case 'creation_interrupted':
      return 'its creation was interrupted';
    case 'left_open':
      return 'was reopened for work and not disabled again';
    case 'disabled_state_edited':
      return `${reason.attribute} was edited since the last apply`;
    case 'attributes_differ':
      return [
        ...attributesAnd(reason.edited, 'edited since the last apply'),
        ...attributesAnd(reason.changed_on_platform, 'changed on the platform since the last apply'),
      ].join('; ');
    case 'values_unknown':
      return attributesAnd(reason.attributes, 'unknown since an interrupted run').join('');
    case 'lifecycle_edited':
      return 'its lifecycle was edited';
    case 'live_values_taken':
      return 'state takes over the live values';
    case 'needed_enabled':
      return 'other changes in this plan need it enabled';
    case 'needed_reopened':
      return 'is disabled, and other changes need it reopened temporarily';
    case 'undone':
      return `run ${reason.run} is taken back`;
  }
}

function attributesAnd(names: readonly string[], whatHappened: string): string[] {
  return names.length === 0 ? [] : [`${names.join(', ')} ${whatHappened}`];
}
