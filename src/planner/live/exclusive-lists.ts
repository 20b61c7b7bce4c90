// What is to be said of lists that are the whole truth when nobody looked at who else is there? (semantics §2.4)

import { compareText } from '../../lib/json.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Resource } from '../../model/resource.ts';
import type { KindDefinition } from '../../resources/define.ts';

const modes = ['members_mode', 'operators_mode'];

const maxNamed = 10;

/** Told of every declared object, one by one. */
export class ExclusiveLists {
  readonly #named: string[] = [];
  #count = 0;

  add(kind: KindDefinition, resource: Resource): void {
    // Of a million users none has such a list, and most need not be read for it.
    if (!modes.some((mode) => mode in kind.attributes)) return;
    const { address, attributes } = resource;
    if (modes.every((mode) => attributes[mode] !== 'exclusive')) return;
    this.#count += 1;
    if (this.#count <= maxNamed) this.#named.push(address);
  }

  /** One note for all of them. */
  uncheckedNote(): Diagnostic[] {
    if (this.#count === 0) return [];
    const more = this.#count > maxNamed ? ` and ${this.#count - maxNamed} more` : '';
    const names = this.#named.sort(compareText).join(', ');
    return [
      {
        severity: 'note',
        code: 'plan.not-checked',
        summary: 'Exclusive lists were not checked',
        detail: `${names}${more} ${this.#count === 1 ? 'declares' : 'declare'} the whole truth about members or operators, but nobody has looked who else is there: only declared ones are removed. Plan with --refresh to remove the others.`,
      },
    ];
  }
}
