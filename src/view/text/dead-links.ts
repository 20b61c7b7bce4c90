// Says why links to files of a conversion will be dead.
import type { FileFigures } from '../../model/conversion.ts';
import { printNumber } from './words.ts';

/** `login needed: 3, only in the export: 1`. */
export function reasonsOfDeadLinks({ login, signed, exported }: FileFigures): string {
  const reasons = [
    ['login needed', login],
    ['signature or token removed', signed],
    ['only in the export', exported],
  ] as const;
  return reasons.flatMap(([reason, count]) => (count === 0 ? [] : [`${reason}: ${printNumber(count)}`])).join(', ');
}
