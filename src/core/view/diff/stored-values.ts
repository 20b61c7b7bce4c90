// The values of a run that the platform stored in another form than they were sent.

import { plural, printNumber } from '../../../lib/words.ts';
import { printPath, type StoredValue } from '../../model/change.ts';
import type { ApplyReport } from '../../model/report.ts';
import { safe } from '../text/text.ts';
import { aroundDifferences, printBoth } from './value-diff.ts';

const maxNamed = 20;
const maxColumns = 60;

/** Returns a headline and a line for each of the first values, or nothing without values. */
export function storedInWords(stored: ApplyReport['stored_otherwise']): readonly string[] {
  if (stored === undefined) return [];
  const lines = stored.values.slice(0, maxNamed).map(lineOf);
  const more = stored.count - lines.length;
  const again = stored.values.some(isMember) ? 'The next plan invites members who are left out. Another' : 'A';
  return [
    `The platform stored ${plural(stored.count, 'value')} in another form than sent. ${again} value is not sent again until its line is edited.`,
    ...lines,
    ...(more > 0 ? [`… and ${printNumber(more)} more`] : []),
  ];
}

function lineOf(value: StoredValue): string {
  const { address, path, sent, stored } = value;
  const of = `${safe(address)} ${safe(printPath(path))}:`;
  if (isMember(value)) return `${of} left out, since the platform does not show this user as a member`;
  if (stored === undefined) return `${of} nothing instead of ${clip(printBoth(sent, sent)[0])}`;
  const [was, is] = aroundDifferences(...printBoth(sent, stored), maxColumns);
  return `${of} ${is} instead of ${was}`;
}

/** Of all members, only those whom the platform left out are reported. */
function isMember({ path: [name], stored }: Pick<StoredValue, 'path' | 'stored'>): boolean {
  return name === 'members' && stored === undefined;
}

function clip(text: string): string {
  const characters = [...text];
  return characters.length > maxColumns ? `${characters.slice(0, maxColumns - 1).join('')}…` : text;
}
