// What does a plan of very many users cost, beside reading the same bytes and parsing each line? A process for each.
import { execFile } from 'node:child_process';
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { addressOf } from '../../src/model/address.ts';
import { storeRecords } from './state-records.ts';
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
  write(users, count, (place) => ({ user_id: idOf(place), ...userOf(place) }));
  write(edited, count, (place) => ({ user_id: idOf(place), ...userOf(place, place % 100 === 0) }));
  await storeRecords(join(folder, 'state'), function* () {
    for (let place = 0; place < count; place += 1) {
      yield { address: addressOf('user', idOf(place)), attributes: userOf(place) };
    }
  });
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

function write(file: string, count: number, lineOf: (place: number) => object): void {
  const descriptor = openSync(file, 'w');
  let text = '';
  for (let place = 0; place < count; place += 1) {
    text += `${JSON.stringify(lineOf(place))}\n`;
    if (text.length < 1 << 20) continue;
    writeSync(descriptor, text);
    text = '';
  }
  writeSync(descriptor, text);
  // So that nothing about the file changes any more when it is read.
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function idOf(place: number): string {
  return `user-${String(place).padStart(7, '0')}`;
}

/** With its keys in order, as state keeps them. */
function userOf(place: number, isEdited = false) {
  return {
    metadata: { locale: 'en-GB', plan: place % 3 === 0 ? 'paid' : 'free', team: `team-${place % 50}` },
    nickname: `User number ${place}${isEdited ? ', edited' : ''}`,
    profile_url: `https://cdn.example.com/profile/${place}.png`,
  };
}
