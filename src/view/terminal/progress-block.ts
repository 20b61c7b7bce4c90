// The live block of a running apply: lines for the whole run, then one for each route, the slowest first.
import type { LaneProgress } from '../../model/progress.ts';
import { safe } from '../text.ts';
import { printDuration, printNumber } from '../words.ts';
import { clip, displayWidth } from './layout.ts';

/** The size of the terminal, read again for every block because it may have been resized. */
export interface Room {
  readonly columns: number;
  readonly rows: number;
}

/** The spinner, its blank, and the last column, which stays free so that no terminal wraps the line. */
const margin = 3;

/**
 * At most as many lines as the terminal has rows, less one for the line above. Lanes that do not fit are counted,
 * finished ones are left out. `head`: the lines of the whole run, of which the first is shown in any case.
 */
export function progressBlock(
  head: readonly string[],
  lanes: readonly LaneProgress[],
  { columns, rows }: Room,
): string {
  const busy = lanes.filter(({ remaining }) => remaining > 0);
  const heads = head.slice(0, Math.max(1, rows - 1));
  const most = Math.max(0, rows - 1 - heads.length);
  const shown = busy.length <= most ? busy : busy.slice(0, Math.max(0, most - 1));
  // The lanes run in parallel: the run takes as long as the first one.
  const cells = shown.map((lane, at) => [
    `${at === 0 && busy.length > 1 ? '›' : ' '} ${safe(lane.route)}`,
    `${printNumber(lane.total - lane.remaining)}/${printNumber(lane.total)}`,
    ...rateOf(lane),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((row) => displayWidth(row[column] ?? ''))));
  const lines = cells.map((row) => `${row.map((cell, column) => pad(cell, widths[column] ?? 0)).join('  ')}`);
  if (shown.length < busy.length && most > 0) lines.push(`  and ${busy.length - shown.length} more routes`);
  return [...heads, ...lines].map((line) => clip(line.trimEnd(), columns - margin)).join('\n');
}

/** The lane that the run waits for: `POST /users 4.9 of 5/s`. Undefined when none has calls left. */
export function busiestInWords(lanes: readonly LaneProgress[]): string | undefined {
  const busiest = lanes.find(({ remaining }) => remaining > 0);
  if (busiest === undefined) return undefined;
  const { route, ratePerS, allowedPerS } = busiest;
  const rate = printNumber(Math.round(ratePerS * 10) / 10);
  return `${safe(route)} ${rate}${allowedPerS === undefined ? '' : ` of ${printNumber(allowedPerS)}`}/s`;
}

/** The rate and its limit, the unused share, and how long the rest takes at the limit. */
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
