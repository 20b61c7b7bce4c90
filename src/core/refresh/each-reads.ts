// Decides whether a refresh makes the reads that cost one request per object (`policy.read_each`). Either all of them are
// made or none. Attributes that are not read are counted for a note.

import type { Count } from '../../lib/json.ts';
import { isReadEach, namesOf } from '../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import { kindOf } from '../model/address.ts';
import type { ReadSubject } from './subjects.ts';

/** The number of objects by attribute. */
export type UnreadCounts = Readonly<Record<string, Count>>;

export class EachReads {
  readonly #most: number;
  /** Attribute names by kind. */
  readonly #names: ReadonlyMap<string, readonly string[]>;
  readonly #counts = new Map<string, number>();

  /** If there are more than `most` of these reads, none is made. */
  constructor(kinds: readonly KindDefinition[], most: number) {
    this.#most = most;
    this.#names = new Map(kinds.map((kind) => [kind.name, eachNames(kind)]));
  }

  /** Yields the subjects while counting their reads. */
  *counted<S extends ReadSubject>(subjects: Iterable<S>): Generator<S> {
    this.#counts.clear();
    for (const subject of subjects) {
      for (const name of this.#names.get(kindOf(subject.address)) ?? []) {
        if (subject.wants(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
      }
      yield subject;
    }
  }

  /** The number of reads, whether or not they are made. */
  get total(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  get areMade(): boolean {
    return this.total <= this.#most;
  }

  /** Empty if all reads are made. Valid after `counted` has yielded all subjects. */
  get unread(): UnreadCounts {
    return this.areMade ? {} : Object.fromEntries(this.#counts);
  }

  /** Yields the subjects, without attributes that are not read. */
  *allowed<S extends ReadSubject>(subjects: Iterable<S>): Generator<S> {
    for (const subject of subjects) {
      const names = this.areMade ? [] : (this.#names.get(kindOf(subject.address)) ?? []);
      yield names.length === 0
        ? subject
        : { ...subject, wants: (name: string) => !names.includes(name) && subject.wants(name) };
    }
  }
}

/** Returns the attributes of a kind that cost one read per object. */
function eachNames({ attributes }: KindDefinition): readonly string[] {
  return namesOf(attributes, isReadEach);
}
