// What is to be said of lists that are the whole truth when nobody looked at who else is there? (semantics §2.4)
import type { Diagnostic } from '../model/diagnostic.ts';
import type { Resource } from '../model/resource.ts';

const modes = ['members_mode', 'operators_mode'];
const maxNamed = 10;

/** One note for all of them. */
export function uncheckedNote(resources: Iterable<Resource>): Diagnostic[] {
  const named: string[] = [];
  let count = 0;
  for (const { address, attributes } of resources) {
    if (modes.every((mode) => attributes[mode] !== 'exclusive')) continue;
    count += 1;
    if (count <= maxNamed) named.push(address);
  }
  if (count === 0) return [];
  const more = count > maxNamed ? ` and ${count - maxNamed} more` : '';
  return [
    {
      severity: 'note',
      code: 'plan.not-checked',
      summary: 'Exclusive lists were not checked',
      detail: `${named.join(', ')}${more} ${count === 1 ? 'declares' : 'declare'} the whole truth about members or operators, but nobody has looked who else is there: only declared ones are removed. Plan with --refresh to remove the others.`,
    },
  ];
}
