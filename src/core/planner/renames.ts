// Finds likely renames. A key is the platform's identity, so an edited key retires one object and creates another
// (semantics §1.4). The plan notes this if exactly one removed and one new object have the same content or label.

import { digestOf } from '../../lib/digest.ts';
import type { JsonObject } from '../../lib/json.ts';
import type { Collect, Collector, Series } from '../../lib/series.ts';
import { namesOf, rememberAll } from '../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import { type Address, keyOf, kindOf } from '../model/address.ts';
import type { ChangeNote } from '../model/reasons.ts';
import type { ObjectDraft } from './draft/draft.ts';

/** The maximum number of new objects of a kind that are compared with removed ones. */
const maxCompared = 2_000;

interface Candidate {
  readonly address: Address;
  /** Digests of the kind with all attributes, and with the label. */
  readonly content: string;
  readonly label?: string;
}

/** Takes the drafts of a plan one by one. */
export class LikelyRenames {
  /** By name. */
  readonly #kinds = new Map<string, KindDefinition>();
  readonly #removed: Collector<Candidate>;
  readonly #created: Candidate[] = [];
  readonly #counts = new Map<string, number>();

  constructor(collect: Collect) {
    this.#removed = collect<Candidate>();
  }

  add(draft: ObjectDraft): void {
    const { kind, record, resource, removal } = draft;
    this.#kinds.set(kind.name, kind);
    if (removal !== undefined && record !== undefined) this.#removed.push(candidateOf(draft, record.attributes));
    if (record !== undefined || resource === undefined) return;
    const count = this.#counts.get(kind.name) ?? 0;
    this.#counts.set(kind.name, count + 1);
    if (count < maxCompared) this.#created.push(candidateOf(draft, rememberAll(kind.attributes, resource.attributes)));
  }

  /** Must be called once, after all drafts. */
  notes(): ReadonlyMap<Address, ChangeNote> {
    const removed = this.#removed.end();
    const notes = new Map<Address, ChangeNote>();
    for (const [old, renamed] of this.#renames(removed)) {
      const onRename = this.#kinds.get(kindOf(old))?.onRename;
      const effect = onRename === undefined ? {} : { effect: onRename };
      notes.set(old, { code: 'renamed_to', address: renamed, ...effect });
      notes.set(renamed, { code: 'renamed_from', address: old, ...effect });
    }
    return notes;
  }

  /** By the address of the removed object, that of the new one. */
  #renames(removed: Series<Candidate>): ReadonlyMap<Address, Address> {
    const renames = new Map<Address, Address>();
    if (this.#created.length === 0) return renames;
    const sought = new Set(this.#created.flatMap(({ content, label }) => [content, label]));
    const like: Candidate[] = [];
    for (const candidate of removed)
      if (sought.has(candidate.content) || (candidate.label !== undefined && sought.has(candidate.label)))
        like.push(candidate);
    for (const sameness of ['content', 'label'] as const) this.#addPairs(renames, like, sameness);
    this.#addRelated(renames, removed);
    return renames;
  }

  /** Pairs unpaired candidates that match and are the only ones to match. */
  #addPairs(renames: Map<Address, Address>, candidates: readonly Candidate[], sameness: 'content' | 'label'): void {
    const taken = new Set(renames.values());
    const created = grouped(
      this.#created.filter(({ address }) => !taken.has(address)),
      (candidate) => candidate[sameness],
    );
    const removed = grouped(
      candidates.filter(({ address }) => !renames.has(address)),
      (candidate) => candidate[sameness],
    );
    for (const [same, [old, ...otherOld]] of removed) {
      const [renamed, ...otherNew] = created.get(same) ?? [];
      if (old === undefined || renamed === undefined || otherOld.length + otherNew.length > 0) continue;
      renames.set(old.address, renamed.address);
    }
  }

  /** Pairs the history file of a renamed channel, and the channel of a renamed history file. */
  #addRelated(renames: Map<Address, Address>, removed: Series<Candidate>): void {
    if (renames.size === 0) return;
    const keys = new Set(Array.from(renames.keys(), keyOf));
    const ofKeys: Address[] = [];
    for (const { address } of removed) if (keys.has(keyOf(address))) ofKeys.push(address);
    const removedByKey = grouped(ofKeys, keyOf);
    const createdByKey = grouped(
      this.#created.map(({ address }) => address),
      keyOf,
    );
    for (const [old, renamed] of [...renames]) {
      for (const other of removedByKey.get(keyOf(old)) ?? []) {
        const isRelated = this.#isChild(other) !== this.#isChild(old) && !renames.has(other);
        const match = createdByKey.get(keyOf(renamed))?.find((address) => kindOf(address) === kindOf(other));
        if (isRelated && match !== undefined) renames.set(other, match);
      }
    }
  }

  #isChild(address: Address): boolean | undefined {
    return this.#kinds.get(kindOf(address))?.isChild;
  }
}

/** `remembered` are the attributes in the form of state. */
function candidateOf({ address, kind }: ObjectDraft, remembered: JsonObject): Candidate {
  const [name] = namesOf(kind.attributes, ({ isLabel }) => isLabel === true);
  const label = name === undefined ? undefined : remembered[name];
  return {
    address,
    content: `${kind.name} ${digestOf(remembered)}`,
    ...(label === undefined || label === '' ? {} : { label: `${kind.name} ${digestOf(label)}` }),
  };
}

/** Leaves out values whose key is undefined. */
function grouped<T>(values: readonly T[], keyFrom: (value: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyFrom(value);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}
