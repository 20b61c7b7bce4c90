// Shows what adopt has taken into state.
import type { Adopted } from '../../app/adopt.ts';
import { safe, safeJson } from '../../view/text.ts';
import { listOf, plural } from '../../view/words.ts';

export function adoptedAsJson({ objects, missing }: Adopted): string {
  return `${safeJson({ format_version: '1.0', adopted: objects, missing }, 2)}\n`;
}

export function* adoptedForPeople({ objects, missing }: Adopted): Generator<string> {
  for (const { address, differs } of objects) {
    yield `= ${safe(address)}  ${differs.length === 0 ? 'as declared' : `differs in ${listOf(differs)}`}\n`;
  }
  for (const address of missing) yield `  ${safe(address)}  is not on the platform\n`;
  const differing = objects.filter(({ differs }) => differs.length > 0).length;
  const rest = differing === 0 ? '' : ` The next plan shows the changes of ${plural(differing, 'object')}.`;
  yield `${plural(objects.length, 'object')} taken into state.${rest}\n`;
}
