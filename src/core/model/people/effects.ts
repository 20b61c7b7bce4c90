// What a plan changes for people (semantics §15.5), as plans show it and rules count it.

import type { Count, PositiveCount } from '../../../lib/json.ts';

/**
 * `unmoderated`: no declared operator is left in a channel. `no_pushes`: the application sends no push notifications. Both concern everybody.
 * `unknown…`: the right depends after the apply on something that was not read or that no source says.
 */
export const accessEffects = [
  'newly_read',
  'no_longer_read',
  'newly_enter',
  'no_longer_enter',
  'newly_write',
  'no_longer_write',
  'newly_moderate',
  'no_longer_moderate',
  'unmoderated',
  'no_pushes',
  'unknown',
  'unknown_write',
  'unknown_moderate',
] as const;
/** Effects that no person has alone. A rule counts their places under the name of the effect. */
export const effectsOnEverybody: ReadonlySet<AccessEffect> = new Set(['unmoderated', 'no_pushes']);
export type AccessEffect = (typeof accessEffects)[number];

export const connectionEffects = ['newly_connect', 'no_longer_connect'] as const;
export type ConnectionEffect = (typeof connectionEffects)[number];

/** What `policy.notify` limits, and policies acknowledge. */
export const notifyEffect = 'people.notify';

/** What rules can count of people. */
export const peopleCounts: readonly string[] = [
  ...[...accessEffects, ...connectionEffects].map((effect) => `people.${effect}`),
  ...accessEffects.flatMap((effect) => (effectsOnEverybody.has(effect) ? [] : [`people.anybody_${effect}`])),
  notifyEffect,
];

/** The number of things, with the first ten. */
export interface CountedNames {
  readonly count: Count;
  readonly named: readonly string[];
}

/** Messages of history files in the channels that somebody can newly read. `seen`: whether new members see them, which depends on display_past_message. */
export interface ReadHistory {
  readonly messages: PositiveCount;
  readonly seen: 'yes' | 'not_known';
}

export type PeopleStatement =
  /** One person, in channels and custom types. */
  | {
      readonly type: 'person';
      readonly user_id: string /** The number of things, with the first ten. */;
      readonly places: CountedNames /**
       * Messages of history files in the channels that
       * somebody can newly read. seen: whether new
       * members see them, which depends on
       * display_past_message.
       */;
      readonly history?: ReadHistory;
    }
  /** People in one channel, or in all channels of a custom type. */
  | {
      readonly type: 'place';
      readonly place: string /** The number of things, with the first ten. */;
      readonly people: CountedNames /**
       * Messages of history files in the channels that somebody
       * can newly read. seen: whether new members see
       * them, which depends on display_past_message.
       */;
      readonly history?: ReadHistory;
    }
  /** Everybody in the application. */
  | { readonly type: 'anybody' /** The number of things, with the first ten. */; readonly places: CountedNames }
  /** People who can connect again, or can no longer. */
  | { readonly type: 'connection' /** The number of things, with the first ten. */; readonly people: CountedNames };

/** One effect on people. Statements are by person or by place, whichever are fewer. */
export interface PeopleEffect {
  /** unknown: reading, now or after the apply, depends on something that was not read or that no source says. */
  readonly effect: AccessEffect | ConnectionEffect;
  /** Different people, without those of anybody. */
  readonly people: Count;
  /** Different channels and custom types. */
  readonly places: Count;
  /** At most ten, by person or by place, whichever are fewer. */
  readonly statements: readonly PeopleStatement[];
  /** Further statements. */
  readonly omitted: Count;
  /** People and places are so many that they were only counted. */
  readonly is_only_counted?: true;
}

/** Absent from a plan that changes nothing for people. */
export interface PeopleSection {
  readonly effects: readonly PeopleEffect[];
  /** What rules count, such as newly_read people, or channels that anybody_newly_read. */
  readonly counts: Readonly<Record<string, PositiveCount>>;
}
