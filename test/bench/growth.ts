// Does anything cost more than its size? One table for a plan, a state, a refresh and an export of ever more users.
import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { storeUsers, writeUsers } from './many-users.ts';
import { type Cost, inFolder, measureChild } from './measure.ts';
import { exponent, type Row, rounded, sizesUpTo } from './table.ts';

/** Each by a process of its own, in the folder with its files. */
const works: Readonly<Record<string, (folder: string, count: number) => Promise<Cost>>> = {
  'plan: all new': (folder) => measureChild('plan-child.ts', join(folder, 'users.yaml')),
  'plan: no change': (folder) => measureChild('plan-child.ts', join(folder, 'users.yaml'), stateIn(folder)),
  'state: opened': (folder) => measureChild('state-child.ts', 'open', stateIn(folder)),
  'state: gone through': (folder) => measureChild('state-child.ts', 'walk', stateIn(folder)),
  'refresh: no change': (_folder, count) => measureChild('refresh-child.ts', 'same', String(count)),
  'refresh: all changed': (_folder, count) => measureChild('refresh-child.ts', 'all', String(count)),
  'view: human': (folder, count) => measureChild('views-child.ts', 'human', String(count), folder),
  'view: html': (folder, count) => measureChild('views-child.ts', 'html', String(count), folder),
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
    await inFolder(async (folder) => {
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
    });
  }
  return rows.sort((left, right) => names.indexOf(String(left.what)) - names.indexOf(String(right.what)));
}

const names = Object.keys(works);

function stateIn(folder: string): string {
  return `file:${join(folder, 'state')}`;
}

async function writeInputs(folder: string, count: number): Promise<void> {
  await writeUsers(join(folder, 'users.ndjson'), count);
  await storeUsers(join(folder, 'state'), count);
  await writeFile(join(folder, 'users.yaml'), 'version: 1\nsources: [{ kind: user, file: users.ndjson }]\n');
}

async function exported(folder: string, count: number): Promise<Cost> {
  const cwd = await mkdtemp(join(folder, 'export-'));
  const child = join(import.meta.dirname, 'export-child.ts');
  const server = spawn(process.execPath, ['--import', 'tsx', child, 'server', String(count)]);
  try {
    const port = await new Promise<string>((resolve, reject) => {
      createInterface(server.stdout).once('line', resolve);
      server.once('error', reject);
    });
    return await measureChild('export-child.ts', 'client', port, cwd);
  } finally {
    server.kill();
  }
}
