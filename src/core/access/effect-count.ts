// Counts one effect on people: who, and in which channels. A list of a few is kept, and of many only how many.

import { NameTable } from '../../lib/typed-arrays.ts';
import type { Address } from '../model/address.ts';
import type {
  AccessEffect,
  CountedNames,
  PeopleEffect,
  PeopleStatement,
  ReadHistory,
} from '../model/people/effects.ts';
import type { PeopleMarks } from './people-marks.ts';

/** More people or more places than this are counted and not listed, so that memory stays flat. */
const mostListed = 1_000;
const mostStatements = 10;
const mostNamed = 10;

/** Counts names and keeps the first ones. */
export class NameList {
  count = 0;
  readonly #named: string[] = [];
  #messages = 0;
  #isSeen = true;

  add(name: string, history?: ReadHistory): void {
    this.count += 1;
    if (this.#named.length < mostNamed) this.#named.push(name);
    if (history === undefined) return;
    this.#messages += history.messages;
    this.#isSeen &&= history.seen === 'yes';
  }

  get named(): CountedNames {
    return { count: this.count, named: this.#named };
  }

  get history(): { readonly history?: ReadHistory } {
    if (this.#messages === 0) return {};
    return { history: { messages: this.#messages, seen: this.#isSeen ? 'yes' : 'not_known' } };
  }
}

export class EffectCount {
  readonly #marks: PeopleMarks;
  readonly #mark: number;
  #people = 0;
  readonly #places = new NameTable();
  /** Undefined when there are too many. */
  #byPerson: Map<string, NameList> | undefined = new Map();
  #byPlace: Map<Address, NameList> | undefined = new Map();
  /** The history of each place, which is the same for all of its people. */
  readonly #histories = new Map<Address, ReadHistory>();
  readonly #anybody = new NameList();
  #lastPlace: Address | undefined;

  constructor(marks: PeopleMarks) {
    this.#marks = marks;
    this.#mark = marks.newMark();
  }

  add(userId: string, place: Address, history?: ReadHistory): void {
    if (this.#marks.mark(userId, this.#mark)) this.#people += 1;
    if (place !== this.#lastPlace) this.#places.add(place);
    this.#lastPlace = place;
    this.#byPerson = withName(this.#byPerson, userId, place, history);
    this.#byPlace = withName(this.#byPlace, place, userId);
    if (this.#byPlace !== undefined && history !== undefined) this.#histories.set(place, history);
  }

  addAnybody(place: Address): void {
    this.#anybody.add(place);
  }

  /** The number of different people, without those of `addAnybody`. */
  get people(): number {
    return this.#people;
  }

  /** The number of places where the effect is on everybody. */
  get placesOfAnybody(): number {
    return this.#anybody.count;
  }

  /** Statements by person if there are fewer people than places. */
  end(effect: AccessEffect): PeopleEffect {
    const isByPerson = this.#people <= this.#places.size;
    const listed = isByPerson ? this.#byPerson : this.#byPlace;
    const open: readonly PeopleStatement[] =
      this.#anybody.count === 0 ? [] : [{ type: 'anybody', places: this.#anybody.named }];
    const sorted = [...(listed ?? [])].sort(([, left], [, right]) => right.count - left.count);
    const statements = sorted.map(([name, list]): PeopleStatement => {
      if (isByPerson) return { type: 'person', user_id: name, places: list.named, ...list.history };
      const history = this.#histories.get(name as Address);
      return {
        type: 'place',
        place: name as Address,
        people: list.named,
        ...(history === undefined ? {} : { history }),
      };
    });
    const all = [...open, ...statements];
    return {
      effect,
      people: this.#people,
      places: this.#places.size,
      statements: all.slice(0, mostStatements),
      omitted: Math.max(0, all.length - mostStatements),
      ...(listed === undefined ? { is_only_counted: true } : {}),
    };
  }
}

/** Undefined when there are too many keys. */
function withName<Key extends string>(
  lists: Map<Key, NameList> | undefined,
  key: Key,
  name: string,
  history?: ReadHistory,
): Map<Key, NameList> | undefined {
  if (lists === undefined) return undefined;
  let list = lists.get(key);
  if (list === undefined) {
    if (lists.size === mostListed) return undefined;
    list = new NameList();
    lists.set(key, list);
  }
  list.add(name, history);
  return lists;
}
