// How the messages of two conversions differ, as text.
import { printNumber } from '../../../lib/words.ts';
import type { ChangedLines } from '../../model/conversion.ts';

/** `12 new, 3 changed (1 in data alone), 2 missing` */
export function changedLinesInWords({ added, changed, data_alone, missing }: Readonly<ChangedLines>): string {
  const alone = data_alone === 0 ? '' : ` (${printNumber(data_alone)} in data alone)`;
  return `${printNumber(added)} new, ${printNumber(changed)} changed${alone}, ${printNumber(missing)} missing`;
}
