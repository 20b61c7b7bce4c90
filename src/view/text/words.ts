// Numbers, counts, durations, times, drift and the reasons of changes in words.
import type { ChangeReason } from '../../model/reasons.ts';

export function printNumber(value: number): string {
  // Without a locale, because its first use takes longer than the rest of a small view.
  return String(Math.round(value * 10) / 10).replace(/\B(?=(?:\d{3})+(?!\d))/gu, ',');
}

/** `900 bytes`, `12.3 kB`, `4 MB`. */
export function printBytes(bytes: number): string {
  if (bytes < 1_000) return plural(bytes, 'byte');
  return bytes < 1_000_000 ? `${printNumber(bytes / 1_000)} kB` : `${printNumber(bytes / 1_000_000)} MB`;
}

/** `1 change`, `9,990 changes`. */
export function plural(value: number, singular: string, many = `${singular}s`): string {
  return `${printNumber(value)} ${value === 1 ? singular : many}`;
}

/** `a, b and c`. */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/** The duration in its two largest units: `0.4 s`, `33 min 20 s`, `2 h`, `1 d 3 h`. */
export function printDuration(seconds: number): string {
  if (seconds < 10) return `${printNumber(seconds)} s`;
  let rest = Math.round(seconds);
  const largest = units.findIndex((unit) => rest >= unit.seconds);
  const parts: string[] = [];
  for (const unit of units.slice(largest, largest + 2)) {
    const amount = Math.floor(rest / unit.seconds);
    if (amount > 0) parts.push(`${amount} ${unit.name}`);
    rest -= amount * unit.seconds;
  }
  return parts.join(' ');
}

/** `2026-06-01 10:00:00 UTC`, for a time in ISO 8601. Milliseconds are left out if they are zero. */
export function printUtc(iso: string): string {
  return iso.replace('T', ' ').replace(/(?:\.000)?Z$/u, ' UTC');
}

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
