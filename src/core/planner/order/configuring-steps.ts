// Finds the steps that send what the platform looks at in other calls, such as whether users accept invitations by themselves.
//
// The entries of attributes say so (`comesFirst`, `initialFrom`). Most applications have few such attributes, at few places in
// the chains of their objects, so the addresses of a million users take little memory.

import { NameTable } from '../../../lib/typed-arrays.ts';
import { isSentFirst } from '../../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { RecordEdit } from '../../model/record.ts';
import type { Phase } from '../../model/step.ts';
import type { DraftedStep, ObjectDraft } from '../draft/draft.ts';
import { idAt, type PlacedStep } from './chain.ts';

/** The objects whose step at one place sends the attribute. */
interface Senders {
  readonly attribute: string;
  readonly phase: Phase;
  readonly place: number;
  readonly addresses: NameTable;
}

type Defaults = readonly {
  readonly name: string;
  readonly of: Address;
  readonly attribute: string | undefined;
}[];

/** Returns the edits of what a step sends with `comesFirst`. A step without a request sends nothing. */
export function firstEdits(kind: KindDefinition, { request, edits, creates = {} }: DraftedStep): readonly RecordEdit[] {
  if (request === undefined) return [];
  const created = Object.entries(creates).map(([name, value]): RecordEdit => ({ op: 'set', path: [name], value }));
  return [...edits, ...created].filter((edit) => isSentFirst(kind, edit));
}

export class ConfiguringSteps {
  readonly #senders = new Map<string, Senders>();
  readonly #defaults = new Map<KindDefinition, Defaults>();

  /** `chain` are the steps of the object in their order. Of what they send, they have the edits of `firstEdits`. */
  add(
    { address, kind }: Pick<ObjectDraft, 'address' | 'kind'>,
    chain: Iterable<Pick<DraftedStep, 'phase' | 'edits'>>,
  ): void {
    let place = 0;
    for (const { phase, edits } of chain) {
      for (const edit of edits) if (isSentFirst(kind, edit)) this.#addSender(address, edit.path, phase, place);
      place += 1;
    }
  }

  /** Returns the steps for which a step of this draft waits. */
  of({ kind, resource }: ObjectDraft, { creates, configuredBy = [] }: DraftedStep): readonly PlacedStep[] {
    if (this.#senders.size === 0) return [];
    const defaults = creates === undefined ? [] : this.#defaultsOf(kind);
    const undeclared = defaults.filter(({ name }) => resource?.attributes[name] === undefined);
    const steps: PlacedStep[] = [];
    for (const { attribute, phase, place, addresses } of this.#senders.values()) {
      const givers = undeclared.filter((dependency) => dependency.attribute === attribute).map(({ of }) => of);
      for (const address of [...configuredBy, ...givers]) {
        if (addresses.find(address) !== undefined) steps.push({ id: idAt(address, place), phase });
      }
    }
    return steps;
  }

  #addSender(address: Address, [attribute = '']: readonly string[], phase: Phase, place: number): void {
    const key = `${attribute} ${phase} ${place}`;
    const senders = this.#senders.get(key) ?? {
      attribute,
      phase,
      place,
      addresses: new NameTable(),
    };
    this.#senders.set(key, senders);
    senders.addresses.add(address);
  }

  /** Returns the attributes whose value in a new object another object decides. */
  #defaultsOf(kind: KindDefinition): Defaults {
    const cachedDefaults = this.#defaults.get(kind);
    if (cachedDefaults !== undefined) return cachedDefaults;
    const defaults = Object.entries(kind.attributes).flatMap(([name, { initialFrom }]) =>
      initialFrom === undefined ? [] : [{ name, of: initialFrom.of, attribute: initialFrom.path[0] }],
    );
    this.#defaults.set(kind, defaults);
    return defaults;
  }
}
