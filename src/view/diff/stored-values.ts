// The values of a run that the platform stored in another form than they were sent.
import { printPath, type StoredValue } from '../../model/change.ts';
import type { ApplyReport } from '../../model/report.ts';
import { safe } from '../text/text.ts';
import { plural, printNumber } from '../text/words.ts';
import { aroundDifferences, printBoth } from './value-diff.ts';

const maxNamed = 20;
const maxColumns = 60;

/** Returns a headline and a line for each of the first values. */
export function storedInWords(stored: NonNullable<ApplyReport['stored_otherwise']>): readonly string[] {
  const lines = stored.values.slice(0, maxNamed).map(lineOf);
  const more = stored.count - lines.length;
  return [
    `The platform stored ${plural(stored.count, 'value')} in another form than sent. A value is not sent again until its line is edited.`,
    ...lines,
    ...(more > 0 ? [`… and ${printNumber(more)} more`] : []),
  ];
}

function lineOf({ address, path, sent, stored }: StoredValue): string {
  const of = `${safe(address)} ${safe(printPath(path))}:`;
  if (stored === undefined) return `${of} nothing instead of ${clip(printBoth(sent, sent)[0])}`;
  const [was, is] = aroundDifferences(...printBoth(sent, stored), maxColumns);
  return `${of} ${is} instead of ${was}`;
}

function clip(text: string): string {
  const characters = [...text];
  return characters.length > maxColumns ? `${characters.slice(0, maxColumns - 1).join('')}…` : text;
}
