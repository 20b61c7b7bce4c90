// Does anything cost more than its size? One table for a plan, a state, a refresh and an export of ever more users.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { writeWhole } from '../../src/lib/write-whole.ts';
import { keyOf } from '../../src/model/address.ts';
import { manyRecords, storeRecords } from './state-records.ts';
import { exponent, type Row, rounded, sizesUpTo } from './table.ts';

const run = promisify(execFile);

interface Measured {
  readonly cpuS: number;
  readonly rssMb: number;
}

/** Each by a process of its own, in the folder with its files. */
const works: Readonly<Record<string, (folder: string, count: number) => Promise<Measured>>> = {
  'plan: all new': (folder) => measure('scale-child.ts', 'plan', join(folder, 'users.yaml')),
  'plan: no change': (folder) => measure('scale-child.ts', 'plan', join(folder, 'users.yaml'), stateIn(folder)),
  'state: opened': (folder) => measure('state-child.ts', 'open', stateIn(folder)),
  'state: gone through': (folder) => measure('state-child.ts', 'walk', stateIn(folder)),
  'refresh: no change': (_folder, count) => measure('refresh-child.ts', 'same', String(count)),
  'refresh: all changed': (_folder, count) => measure('refresh-child.ts', 'all', String(count)),
  'view: human': (folder, count) => measure('views-child.ts', 'human', String(count), folder),
  'view: html': (folder, count) => measure('views-child.ts', 'html', String(count), folder),
  export: exported,
};

/** So few users that all the time is that of starting. */
const none = 100;

/** Processor time without that of starting; the exponent is since the size before. */
export async function benchGrowth(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  const starting = new Map<string, number>();
  const before = new Map<string, number>();
  for (const count of [none, ...sizesUpTo(most)]) {
    const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
    try {
      await writeInputs(folder, count);
      for (const [name, work] of Object.entries(works)) {
        const { cpuS, rssMb } = await work(folder, count);
        if (count === none) {
          starting.set(name, cpuS);
          continue;
        }
        const own = cpuS - (starting.get(name) ?? 0);
        rows.push({
          what: name,
          users: count,
          'processor s': rounded(own, 2),
          'peak MB': Math.round(rssMb),
          exponent: exponent(before.get(name), own),
        });
        before.set(name, own);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return rows.sort((left, right) => names.indexOf(String(left.what)) - names.indexOf(String(right.what)));
}

const names = Object.keys(works);

function stateIn(folder: string): string {
  return `file:${join(folder, 'state')}`;
}

async function writeInputs(folder: string, count: number): Promise<void> {
  await writeWhole(join(folder, 'users.ndjson'), declared(count));
  await storeRecords(join(folder, 'state'), () => manyRecords(count));
  await writeFile(join(folder, 'users.yaml'), 'version: 1\nsources: [{ kind: user, file: users.ndjson }]\n');
}

function* declared(count: number): Generator<string> {
  for (const { address, attributes } of manyRecords(count)) {
    yield `${JSON.stringify({ user_id: keyOf(address), ...attributes })}\n`;
  }
}

async function exported(folder: string, count: number): Promise<Measured> {
  const cwd = await mkdtemp(join(folder, 'export-'));
  const child = join(import.meta.dirname, 'export-child.ts');
  const server = spawn(process.execPath, ['--import', 'tsx', child, 'server', String(count)]);
  try {
    const port = await new Promise<string>((resolve, reject) => {
      createInterface(server.stdout).once('line', resolve);
      server.once('error', reject);
    });
    return await measure('export-child.ts', 'client', port, cwd);
  } finally {
    server.kill();
  }
}

async function measure(file: string, ...values: readonly string[]): Promise<Measured> {
  const child = join(import.meta.dirname, file);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, ...values]);
  return JSON.parse(stdout) as Measured;
}
