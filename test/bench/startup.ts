// How long until a small command is done, beside a bare Node? On the built program, in interleaved rounds: commands over 11,
// 110 and 1,100 objects that send nothing, and an estate of 10 objects whose platform answers at once.
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmulator } from '../../src/emulator/server.ts';
import { installInto } from '../support/build.ts';
import { type Cost, inFolder, measureProgram } from './measure.ts';
import { type Row, rounded } from './table.ts';

const run = promisify(execFile);
const mostRounds = 21;

const bareNode = 'node -e 0';

export async function benchStartup(most: number): Promise<Row[]> {
  const measured = new Map<string, Cost[]>();
  const keep = (way: string, round: Cost) => measured.set(way, [...(measured.get(way) ?? []), round]);
  return inFolder(async (folder) => {
    await installInto(folder);
    for (const size of sizes) await writeFile(join(folder, `${size}.yaml`), estate(size));
    const main = join(folder, 'dist/cli/main.js');
    // In CI the default place is refused.
    const state = ['--state', 'file:state'];
    await run(process.execPath, [main, 'apply', '110.yaml', ...state, '--auto-approve'], { cwd: folder });
    for (let round = 0; round < Math.min(most, mostRounds); round += 1) {
      keep(bareNode, await measureProgram(folder, ['-e', '0']));
      keep('--version', await measureProgram(folder, [main, '--version']));
      for (const size of sizes) {
        const plan = [main, 'plan', `${size}.yaml`, '--state', 'file:none'];
        keep(`validate, ${size} objects`, await measureProgram(folder, [main, 'validate', `${size}.yaml`]));
        keep(`plan, ${size} new objects`, await measureProgram(folder, plan));
      }
      keep('plan, 110 objects, no change', await measureProgram(folder, [main, 'plan', '110.yaml', ...state]));
      await tenObjects(folder, main, keep);
    }
    const bare = measured.get(bareNode) ?? [];
    return [...measured].map(([way, list]) => rowOf(way, list, bare));
  });
}

/** A new platform and a new state each time. */
async function tenObjects(folder: string, main: string, keep: (way: string, round: Cost) => void): Promise<void> {
  const emulator = await startEmulator({ port: 0, ratePlan: '100k_mau' });
  try {
    const env = { ...process.env, CHATFORM_API_TOKEN: emulator.token };
    await writeFile(join(folder, 'ten.yaml'), ten(emulator.url));
    const flags = ['--state', 'file:ten'];
    await rm(join(folder, 'ten'), { recursive: true, force: true });
    await run(process.execPath, [main, 'plan', 'ten.yaml', ...flags, '--out', 'saved.plan'], { cwd: folder, env });
    keep('apply of a saved plan, 11 calls', await measureProgram(folder, [main, 'apply', 'saved.plan', ...flags], env));
    keep('the same, nothing left', await measureProgram(folder, [main, 'apply', 'saved.plan', ...flags], env));
    keep(
      'plan --refresh, 10 objects',
      await measureProgram(folder, [main, 'plan', 'ten.yaml', ...flags, '--refresh'], env),
    );
  } finally {
    await emulator.close();
  }
}

/** Medians, and the least beside it: on a shared machine it is the nearer to the truth. */
function rowOf(way: string, list: readonly Cost[], bare: readonly Cost[]): Row {
  const ms = (rounds: readonly Cost[]) => rounds.map((round) => round.s * 1000);
  const cpu = (rounds: readonly Cost[]) => rounds.map(({ cpuS }) => cpuS * 1000);
  const ratio = (of: typeof median, figures: typeof ms) => rounded(of(figures(list)) / of(figures(bare)), 2);
  return {
    way,
    ms: rounded(median(ms(list)), 1),
    '× node': ratio(median, ms),
    'least ms': rounded(least(ms(list)), 1),
    '× least': ratio(least, ms),
    'cpu ms': rounded(median(cpu(list)), 1),
    '× cpu': ratio(median, cpu),
    '× least cpu': ratio(least, cpu),
  };
}

function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function least(figures: readonly number[]): number {
  return Math.min(...figures);
}

const sizes = [11, 110, 1_100];

function usersOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `  user-${at}: { nickname: User ${at} }\n`);
}

/** One object in eleven is a channel. */
function estate(size: number): string {
  const channels = size / 11;
  const rooms = Array.from(
    { length: channels },
    (_, at) => `  room-${at}: { members: { user-${at}: }, name: Room ${at} }\n`,
  );
  return `version: 1
application: { base_url: "emulator:data", rate_plan: 100k_mau }
users:\n${usersOf(size - channels).join('')}group_channels:\n${rooms.join('')}`;
}

/** 8 users and 2 channels, of which one is frozen: 11 calls. */
const ten = (url: string): string => `version: 1
application: { base_url: "${url}", rate_plan: 100k_mau }
users:\n${usersOf(8).join('')}open_channels:
  lobby: { name: Lobby, operators: [user-0] }
group_channels:
  room: { name: Room, members: { user-1: , user-2: }, operators: [user-1], frozen: true }
`;
