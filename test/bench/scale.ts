// What does a plan of very many users cost, beside reading the same bytes and parsing each line? A process for each.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { storeUsers, writeUsers } from './many-users.ts';
import { type Row, rounded } from './table.ts';

const run = promisify(execFile);
const child = join(import.meta.dirname, 'scale-child.ts');

interface Measured {
  readonly s: number;
  readonly cpuS: number;
  readonly changes: number;
  readonly rssMb: number;
}

/** Beside the floor counts processor time. The exponent is that of growth since the size before: 1 is linear. */
export async function benchScale(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  const before = new Map<string, number>();
  for (const count of [1_000, 10_000, 100_000, 1_000_000, 2_000_000].filter((size) => size <= most)) {
    const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
    try {
      for (const [against, plan, floor] of await measureAll(folder, count)) {
        const last = before.get(against);
        before.set(against, plan.s);
        rows.push({
          users: count,
          against,
          changes: plan.changes,
          s: rounded(plan.s, 2),
          'floor s': rounded(floor.s, 2),
          'processor s': rounded(plan.cpuS, 2),
          'x of the floor': rounded(plan.cpuS / floor.cpuS, 1),
          'peak MB': Math.round(plan.rssMb),
          exponent:
            last === undefined ? '' : rounded(Math.log(plan.s / last) / Math.log(count === 2_000_000 ? 2 : 10), 2),
        });
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

async function measureAll(folder: string, count: number): Promise<[string, Measured, Measured][]> {
  const [users, edited] = [join(folder, 'users.ndjson'), join(folder, 'edited.ndjson')];
  writeUsers(users, count);
  writeUsers(edited, count, 100);
  await storeUsers(join(folder, 'state'), count);
  for (const name of ['users', 'edited']) {
    await writeFile(join(folder, `${name}.yaml`), `version: 1\nsources: [{ kind: user, file: ${name}.ndjson }]\n`);
  }
  const state = `file:${join(folder, 'state')}`;
  const declared = await measure('floor', [users]);
  const both = await measure('floor', [users, join(folder, 'state/state.ndjson')]);
  return [
    ['nothing', await measure('plan', [join(folder, 'users.yaml')]), declared],
    ['the same', await measure('plan', [join(folder, 'users.yaml'), state]), both],
    ['1 % edited', await measure('plan', [join(folder, 'edited.yaml'), state]), both],
  ];
}

async function measure(way: string, values: readonly string[]): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, way, ...values]);
  return JSON.parse(stdout) as Measured;
}
