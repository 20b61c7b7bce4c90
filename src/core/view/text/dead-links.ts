// Says which links to files of a conversion will be dead.

import { plural, printNumber } from '../../../lib/words.ts';
import type { FileFigures } from '../../model/conversion.ts';

/** `4 links to files will be dead (login needed: 3, only in the export: 1).` Empty if none will be. */
export function deadLinksInWords({ login, signed, exported }: FileFigures): string {
  // Files whose URL does not open, or that have no URL although the export has the bytes.
  const dead = login + signed + exported;
  if (dead === 0) return '';
  const reasons = [
    ['login needed', login],
    ['signature or token removed', signed],
    ['only in the export', exported],
  ] as const;
  const counts = reasons.flatMap(([reason, count]) => (count === 0 ? [] : [`${reason}: ${printNumber(count)}`]));
  return `${plural(dead, 'link to a file', 'links to files')} will be dead (${counts.join(', ')}).`;
}
