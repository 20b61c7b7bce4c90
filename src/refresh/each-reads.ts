// Decides whether a refresh makes the reads that cost one request for each object (`read_each` of the policy).
//
// A few hundred are worth it, and a million would take hours. So either all of them are made or none, and what is not read is
// counted, so that somebody can be told.
import { kindOf } from '../model/address.ts';
import { namesOf } from '../resources/definition/attribute-table.ts';
import type { KindDefinition } from '../resources/definition/kind.ts';
import type { ReadSubject } from './subjects.ts';

/** By attribute, the number of objects. */
export type UnreadCounts = Readonly<Record<string, number>>;

export class EachReads {
  readonly #most: number;
  /** By kind. */
  readonly #names: ReadonlyMap<string, readonly string[]>;
  readonly #counts = new Map<string, number>();

  /** `most`: more of these reads are not made. */
  constructor(kinds: readonly KindDefinition[], most: number) {
    this.#most = most;
    this.#names = new Map(kinds.map((kind) => [kind.name, eachNames(kind)]));
  }

  /** Counts the reads of subjects that pass through. */
  *counted<S extends ReadSubject>(subjects: Iterable<S>): Generator<S> {
    this.#counts.clear();
    for (const subject of subjects) {
      for (const name of this.#names.get(kindOf(subject.address)) ?? []) {
        if (subject.wants(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
      }
      yield subject;
    }
  }

  /** How many reads there are, whether or not they are made. */
  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  get areMade(): boolean {
    return this.total <= this.#most;
  }

  /** Empty when all are made. To be asked after `counted` has gone through all subjects. */
  get unread(): UnreadCounts {
    return this.areMade ? {} : Object.fromEntries(this.#counts);
  }

  /** The subjects with what they want read of them. */
  *allowed<S extends ReadSubject>(subjects: Iterable<S>): Generator<S> {
    for (const subject of subjects) {
      const names = this.areMade ? [] : (this.#names.get(kindOf(subject.address)) ?? []);
      yield names.length === 0
        ? subject
        : { ...subject, wants: (name: string) => !names.includes(name) && subject.wants(name) };
    }
  }
}

/** Names of the attributes of a kind that have a read of their own for each object. */
function eachNames({ attributes }: KindDefinition): readonly string[] {
  return namesOf(attributes, ({ isReadEach }) => isReadEach === true);
}
