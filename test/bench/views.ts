// What does it cost to show a large plan, beside reading its spooled changes and parsing each once? A process for each.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { exponent, type Row, rounded, sizesUpTo } from './table.ts';

const run = promisify(execFile);
const child = join(import.meta.dirname, 'views-child.ts');

const views = ['human', 'human, 65536', 'json', 'markdown', 'html', 'html, 2000000', 'sarif', 'github'] as const;

interface Measured {
  readonly s: number;
  readonly cpuS: number;
  readonly bytes: number;
  readonly rssMb: number;
}

/** Times are of the processor, with the collecting of garbage. A plan file's floor is with its steps. */
export async function benchViews(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  const before = new Map<string, number>();
  for (const count of sizesUpTo(most)) {
    const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
    try {
      const add = (view: string, { cpuS, bytes, rssMb }: Measured, floor: Measured): void => {
        rows.push({
          changes: count,
          view,
          'processor s': rounded(cpuS, 2),
          'x of the floor': rounded(cpuS / floor.cpuS, 1),
          'MB written': rounded(bytes / 1e6, 1),
          'peak MB': Math.round(rssMb),
          exponent: exponent(before.get(view), cpuS),
        });
        before.set(view, cpuS);
      };
      const floor = await measure('floor', count, folder);
      add('floor', floor, floor);
      for (const view of views) add(view, await measure(view, count, folder), floor);
      const whole = await measure('plan file, floor', count, folder);
      for (const way of ['plan file, written', 'plan file, read']) add(way, await measure(way, count, folder), whole);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

async function measure(way: string, count: number, folder: string): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, way, String(count), folder]);
  return JSON.parse(stdout) as Measured;
}
