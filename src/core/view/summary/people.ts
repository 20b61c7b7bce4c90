// What a plan changes for people, in sentences, for every view.

import { plural, printNumber } from '../../../lib/words.ts';
import { keyOf, kindOf } from '../../model/address.ts';
import type {
  AccessEffect,
  ConnectionEffect,
  CountedNames,
  PeopleEffect,
  PeopleStatement,
  ReadHistory,
} from '../../model/people/effects.ts';
import type { Plan } from '../../model/plan.ts';
import { printId } from '../text/text.ts';

export interface PeopleLine {
  /** `bob can newly read 14 channels (3,200 messages of history)`. */
  readonly text: string;
  /** Ids and addresses that belong to it, and how many more there are. Empty if the text has all of them. */
  readonly names: readonly string[];
  readonly more: number;
}

interface EffectWords {
  readonly one: string;
  readonly many: string;
}

const words: Readonly<Record<AccessEffect, EffectWords>> = {
  newly_read: both('can newly read'),
  no_longer_read: { one: 'loses access to', many: 'lose access to' },
  newly_enter: both('can newly enter'),
  no_longer_enter: both('can no longer enter'),
  newly_write: both('can newly write in'),
  no_longer_write: both('can no longer write in'),
  newly_moderate: { one: 'newly moderates', many: 'newly moderate' },
  no_longer_moderate: { one: 'no longer moderates', many: 'no longer moderate' },
  unmoderated: { one: 'is left to moderate', many: 'are left to moderate' },
  no_pushes: both('gets push notifications any more'),
  unknown: both('may be able to read (not known)'),
  unknown_write: both('may be able to write in (not known)'),
  unknown_moderate: both('may be able to moderate (not known)'),
};

const connectionWords: Readonly<Record<ConnectionEffect, string>> = {
  newly_connect: 'can connect again',
  no_longer_connect: 'can no longer connect',
};

function both(text: string): EffectWords {
  return { one: text, many: text };
}

/** The statements of one effect, or its totals if they are only counted, and how much is left out. */
export function* peopleLines({
  effect,
  people,
  places,
  statements,
  omitted,
  is_only_counted,
}: PeopleEffect): Generator<PeopleLine> {
  for (const statement of statements) yield lineOf(effect, statement);
  if (is_only_counted === true && effect !== 'newly_connect' && effect !== 'no_longer_connect') {
    yield bare(`${peopleInWords(people)} ${verb(effect, people)} ${plural(places, 'channel')}, too many to list`);
  } else if (omitted > 0) {
    const all = effect === 'newly_connect' || effect === 'no_longer_connect' ? '' : `, ${peopleInWords(people)} in all`;
    yield bare(`… and ${plural(omitted, 'more line')} like these${all}`);
  }
}

function lineOf(effect: PeopleEffect['effect'], statement: PeopleStatement): PeopleLine {
  if (effect === 'newly_connect' || effect === 'no_longer_connect') {
    const people = statement.type === 'connection' ? statement.people : { count: 0, named: [] };
    return withNames(people, (subject) => `${subject} ${connectionWords[effect]}`, peopleInWords);
  }
  switch (statement.type) {
    case 'person':
      return withNames(
        statement.places,
        (place) => `${printId(statement.user_id)} ${words[effect].one} ${place}${historyInWords(statement.history)}`,
        (count) => plural(count, 'channel'),
        placeName,
      );
    case 'place': {
      const { people, place, history } = statement;
      const end = `${verb(effect, people.count)} ${placeName(place)}${historyInWords(history)}`;
      return withNames(people, (subject) => `${subject} ${end}`, peopleInWords);
    }
    case 'anybody':
      if (effect === 'no_pushes') return bare(`nobody ${words[effect].one}`);
      return withNames(
        statement.places,
        (place) =>
          `${effect === 'unmoderated' ? 'no declared operator' : 'anybody'} ${words[effect].one} ${place}${anybodyEnd(effect)}`,
        (count) => plural(count, 'channel'),
        placeName,
      );
    case 'connection':
      return bare('');
  }
}

/** A single name is in the text itself. */
function withNames(
  { count, named }: CountedNames,
  text: (subject: string) => string,
  inWords: (count: number) => string,
  nameOf: (name: string) => string = printId,
): PeopleLine {
  const names = named.map(nameOf);
  const [first = ''] = names;
  return count === 1 ? bare(text(first)) : { text: text(inWords(count)), names, more: count - names.length };
}

function bare(text: string): PeopleLine {
  return { text, names: [], more: 0 };
}

/** What everybody lacks who can no longer enter is the code: a public channel stays public. */
function anybodyEnd(effect: AccessEffect): string {
  if (effect === 'newly_enter') return ' without an access code';
  return effect === 'no_longer_enter' ? ' without its new access code' : '';
}

/** `support-42`, `every channel of the custom type sales`, or for a user, who has a preference for invitations. */
function placeName(place: string): string {
  const key = printId(keyOf(place as `${string}.${string}`));
  if (kindOf(place as `${string}.${string}`) === 'user') return 'channels by invitation alone, without accepting it';
  return kindOf(place as `${string}.${string}`) === 'custom_type' ? `every channel of the custom type ${key}` : key;
}

function historyInWords(history: ReadHistory | undefined): string {
  if (history === undefined) return '';
  const condition = history.seen === 'yes' ? '' : ', if display_past_message is on';
  return ` (${plural(history.messages, 'message')} of history${condition})`;
}

function peopleInWords(count: number): string {
  return `${printNumber(count)} ${count === 1 ? 'person' : 'people'}`;
}

function verb(effect: AccessEffect, count: number): string {
  return count === 1 ? words[effect].one : words[effect].many;
}

/** Which changes the section describes. Undefined: those that the plan makes. */
export function peopleOf({ isDriftAlone, warnings }: Pick<Plan, 'isDriftAlone' | 'warnings'>) {
  if (isDriftAlone === true) return 'drift';
  return warnings.some(({ code }) => code === 'plan.repair') ? 'repair' : undefined;
}

/** The heading of the section, which says what it describes. */
export function peopleTitle(plan: Pick<Plan, 'isDriftAlone' | 'warnings'>): string {
  const changes = peopleOf(plan);
  if (changes === undefined) return 'People';
  return changes === 'drift' ? 'People, by the change' : 'People, if it is repaired';
}

/** `a, b and 4 more`, as the views list names. */
export function restInWords(more: number): readonly string[] {
  return more === 0 ? [] : [`… and ${printNumber(more)} more`];
}
