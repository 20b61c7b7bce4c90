// Finds likely renames. A key is the platform's identity, so an edited key retires one object and creates another
// (semantics §1.4). The plan notes this if exactly one removed and one new object have the same content or label.

import { namesOf, rememberAll } from '../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../kinds/definition/kind.ts';
import { digestOf } from '../lib/digest.ts';
import type { JsonObject } from '../lib/json.ts';
import { type Address, keyOf } from '../model/address.ts';
import type { ChangeNote } from '../model/reasons.ts';
import type { ObjectDraft } from './draft/draft.ts';

/** The maximum number of new objects of a kind that are compared with removed ones. */
const maxCompared = 2_000;

interface Candidate {
  readonly address: Address;
  readonly kind: KindDefinition;
  /** Digests of the kind with all attributes, and with the label. */
  readonly content: string;
  readonly label: string | undefined;
}

/** Takes the drafts of a plan one by one. */
export class LikelyRenames {
  readonly #removed: Candidate[] = [];
  readonly #created: Candidate[] = [];
  readonly #counts = new Map<string, number>();

  add(draft: ObjectDraft): void {
    const { kind, record, resource, removal } = draft;
    if (removal !== undefined && record !== undefined) this.#removed.push(candidateOf(draft, record.attributes));
    if (record !== undefined || resource === undefined) return;
    const count = this.#counts.get(kind.name) ?? 0;
    this.#counts.set(kind.name, count + 1);
    if (count < maxCompared) this.#created.push(candidateOf(draft, rememberAll(kind.attributes, resource.attributes)));
  }

  notes(): ReadonlyMap<Address, ChangeNote> {
    const notes = new Map<Address, ChangeNote>();
    const renames = new Map<Candidate, Candidate>();
    for (const sameness of ['content', 'label'] as const) this.#addPairs(renames, sameness);
    this.#addRelated(renames);
    for (const [{ address: old, kind }, { address: renamed }] of renames) {
      const effect = kind.onRename === undefined ? {} : { effect: kind.onRename };
      notes.set(old, { code: 'renamed_to', address: renamed, ...effect });
      notes.set(renamed, { code: 'renamed_from', address: old, ...effect });
    }
    return notes;
  }

  /** Pairs unpaired candidates that match and are the only ones to match. */
  #addPairs(renames: Map<Candidate, Candidate>, sameness: 'content' | 'label'): void {
    const taken = new Set(renames.values());
    const created = grouped(
      this.#created.filter((candidate) => !taken.has(candidate)),
      (candidate) => candidate[sameness],
    );
    const removed = grouped(
      this.#removed.filter((candidate) => !renames.has(candidate)),
      (candidate) => candidate[sameness],
    );
    for (const [same, [old, ...otherOld]] of removed) {
      const [renamed, ...otherNew] = created.get(same) ?? [];
      if (old === undefined || renamed === undefined || otherOld.length + otherNew.length > 0) continue;
      renames.set(old, renamed);
    }
  }

  /** Pairs the archive of a renamed channel, and the channel of a renamed archive. */
  #addRelated(renames: Map<Candidate, Candidate>): void {
    if (renames.size === 0) return;
    const removedByKey = grouped(this.#removed, ({ address }) => keyOf(address));
    const createdByKey = grouped(this.#created, ({ address }) => keyOf(address));
    for (const [old, renamed] of [...renames]) {
      for (const other of removedByKey.get(keyOf(old.address)) ?? []) {
        const isRelated = other.kind.isChild !== old.kind.isChild && !renames.has(other);
        const match = createdByKey.get(keyOf(renamed.address))?.find(({ kind }) => kind === other.kind);
        if (isRelated && match !== undefined) renames.set(other, match);
      }
    }
  }
}

/** `remembered` are the attributes in the form of state. */
function candidateOf({ address, kind }: ObjectDraft, remembered: JsonObject): Candidate {
  const [name] = namesOf(kind.attributes, ({ isLabel }) => isLabel === true);
  const label = name === undefined ? undefined : remembered[name];
  return {
    address,
    kind,
    content: `${kind.name} ${digestOf(remembered)}`,
    label: label === undefined || label === '' ? undefined : `${kind.name} ${digestOf(label)}`,
  };
}

/** Leaves out candidates whose key is undefined. */
function grouped(
  candidates: readonly Candidate[],
  keyFrom: (candidate: Candidate) => string | undefined,
): Map<string, Candidate[]> {
  const groups = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = keyFrom(candidate);
    if (key === undefined) continue;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [candidate]);
    else known.push(candidate);
  }
  return groups;
}
