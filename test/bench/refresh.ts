// What does a refresh of very many users cost? In virtual time, with the rate limits of the platform. A process for each.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exponent, type Row, rounded, sizesUpTo } from './table.ts';

const run = promisify(execFile);
const child = join(import.meta.dirname, 'refresh-child.ts');

/** How many users were changed by others. */
const ways = { same: 'none', hundredth: '1 %', all: 'all' } as const;

interface Measured {
  readonly cpuS: number;
  readonly rssMb: number;
  readonly inUseMb: number;
  readonly requests: number;
  readonly virtualS: number;
  readonly boundS: number;
}

/** `of the limit`: the least possible time, the last answer's latency apart, by the time that it took. */
export async function benchRefresh(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  const before = new Map<string, number>();
  for (const count of sizesUpTo(most)) {
    const floor = await measure('floor', count);
    for (const [way, changed] of Object.entries(ways)) {
      const { cpuS, rssMb, inUseMb, requests, virtualS, boundS } = await measure(way, count);
      rows.push({
        users: count,
        changed,
        requests,
        'virtual s': rounded(virtualS, 1),
        'of the limit': rounded(boundS / virtualS),
        'processor s': rounded(cpuS, 2),
        'x of the floor': rounded(cpuS / floor.cpuS, 1),
        'peak MB': Math.round(rssMb),
        'in use MB': rounded(inUseMb, 1),
        exponent: exponent(before.get(way), cpuS),
      });
      before.set(way, cpuS);
    }
  }
  return rows;
}

async function measure(way: string, count: number): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, way, String(count)]);
  return JSON.parse(stdout) as Measured;
}
