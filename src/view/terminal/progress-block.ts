// How does a running apply look on a terminal? One line for the whole, then one for each lane, the slowest first.

import { safe } from '../text.ts';
import { printDuration, printNumber } from '../words.ts';
import { clip, displayWidth } from './layout.ts';

/** Of one route. `allowedPerS` is absent when its limit is not known. */
export interface LaneProgress {
  readonly route: string;
  readonly total: number;
  readonly remaining: number;
  readonly ratePerS: number;
  readonly allowedPerS?: number;
}

/** What the terminal has room for, asked anew for every picture: somebody may have resized it. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** The spinner and its blank, and the last column, which is left free so that no terminal breaks the line. */
const margin = 3;

/**
 * Never more lines than there are rows, less one for the line above; what does not fit is counted. Lanes that are done
 * are left out.
 */
export function progressBlock(head: string, lanes: readonly LaneProgress[], { columns, rows }: Room): string {
  const busy = lanes.filter(({ remaining }) => remaining > 0);
  const most = Math.max(0, rows - 2);
  const shown = busy.length <= most ? busy : busy.slice(0, Math.max(0, most - 1));
  const cells = shown.map((lane) => [
    safe(lane.route),
    `${printNumber(lane.total - lane.remaining)}/${printNumber(lane.total)}`,
    ...rateOf(lane),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((row) => displayWidth(row[column] ?? ''))));
  const lines = cells.map((row) => `  ${row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  ')}`);
  if (shown.length < busy.length && most > 0) lines.push(`  and ${busy.length - shown.length} more lanes`);
  return [head, ...lines].map((line) => clip(line.trimEnd(), columns - margin)).join('\n');
}

/** Rate against limit, head-room, and how long the rest takes at the limit. */
function rateOf({ remaining, ratePerS, allowedPerS }: LaneProgress): string[] {
  const rate = printNumber(Math.round(ratePerS * 10) / 10);
  if (allowedPerS === undefined) return [`${rate}/s`];
  const free = Math.max(0, Math.round(100 * (1 - ratePerS / allowedPerS)));
  const left = printDuration(Math.ceil(remaining / allowedPerS));
  return [`${rate} of ${printNumber(allowedPerS)}/s, ${free} % free`, `at least ${left}`];
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)));
}
