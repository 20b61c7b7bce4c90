// Notes exclusive lists that were not checked because there was no refresh (semantics §2.4).

import { compareText } from '../../../lib/json.ts';
import { namesOf } from '../../kinds/definition/attribute-table.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import type { Address } from '../../model/address.ts';
import type { Resource } from '../../model/resource.ts';
import type { PlanProblem } from '../../model/statements/problems.ts';

const maxNamed = 10;

/** Takes every declared object, one kind after the other. */
export class ExclusiveLists {
  readonly #named: Address[] = [];
  #count = 0;
  #kind: KindDefinition | undefined;
  /** The names of the kind's mode attributes. */
  #modes: readonly string[] = [];

  add(kind: KindDefinition, resource: Resource): void {
    if (kind !== this.#kind) {
      this.#kind = kind;
      this.#modes = namesOf(kind.attributes, ({ change }) => change === 'mode');
    }
    // Most objects are users, which have no such lists, so their attributes need not be read.
    if (this.#modes.length === 0) return;
    const { address, attributes } = resource;
    if (this.#modes.every((mode) => attributes[mode] !== 'exclusive')) return;
    this.#count += 1;
    if (this.#count <= maxNamed) this.#named.push(address);
  }

  /** Returns one note for all such lists, or none. */
  uncheckedNote(): PlanProblem[] {
    if (this.#count === 0) return [];
    return [{ code: 'plan.not-checked', named: this.#named.sort(compareText), count: this.#count }];
  }
}
