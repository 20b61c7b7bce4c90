// Times small commands of the built program beside a bare Node, in interleaved rounds: commands over 11, 110 and 1,100 objects
// that send nothing, and an estate of 10 objects whose platform answers at once.
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmulator } from '../../src/emulator/server.ts';
import { manifestText, usersText } from './estate.ts';
import { type Cost, inInstalled, measureProgram, median, type Row, rounded } from './measure.ts';

const run = promisify(execFile);
const mostRounds = 21;

const bareNode = 'node -e 0';

export function benchStartup(most: number): Promise<Row[]> {
  const measured = new Map<string, Cost[]>();
  return inInstalled(async (folder, main) => {
    const keep: Keep = async (way, args, env = process.env) => {
      const cost = await measureProgram(folder, args, { env });
      measured.set(way, [...(measured.get(way) ?? []), cost]);
    };
    for (const size of sizes) await writeFile(join(folder, `${size}.yaml`), manifestText(size));
    // In CI the default place is refused.
    const state = ['--state', 'file:state'];
    await run(process.execPath, [main, 'apply', '110.yaml', ...state, '--auto-approve'], { cwd: folder });
    for (let round = 0; round < Math.min(most, mostRounds); round += 1) {
      await keep(bareNode, ['-e', '0']);
      await keep('--version', [main, '--version']);
      for (const size of sizes) {
        await keep(`validate, ${size} objects`, [main, 'validate', `${size}.yaml`]);
        await keep(`plan, ${size} new objects`, [main, 'plan', `${size}.yaml`, '--state', 'file:none']);
      }
      await keep('plan, 110 objects, no change', [main, 'plan', '110.yaml', ...state]);
      await tenObjects(folder, main, keep);
    }
    const bare = measured.get(bareNode) ?? [];
    return [...measured].map(([way, list]) => rowOf(way, list, bare));
  });
}

type Keep = (way: string, args: readonly string[], env?: NodeJS.ProcessEnv) => Promise<void>;

/** A new platform and a new state each time. */
async function tenObjects(folder: string, main: string, keep: Keep): Promise<void> {
  const emulator = await startEmulator({ port: 0, ratePlan: '100k_mau' });
  try {
    const env = { ...process.env, CHATFORM_API_TOKEN: emulator.token };
    await writeFile(join(folder, 'ten.yaml'), ten(emulator.url));
    const flags = ['--state', 'file:ten'];
    await rm(join(folder, 'ten'), { recursive: true, force: true });
    await run(process.execPath, [main, 'plan', 'ten.yaml', ...flags, '--out', 'saved.plan'], { cwd: folder, env });
    await keep('apply of a saved plan, 11 calls', [main, 'apply', 'saved.plan', ...flags], env);
    await keep('the same, nothing left', [main, 'apply', 'saved.plan', ...flags], env);
    await keep('plan --refresh, 10 objects', [main, 'plan', 'ten.yaml', ...flags, '--refresh'], env);
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

function least(figures: readonly number[]): number {
  return Math.min(...figures);
}

const sizes = [11, 110, 1_100];

/** 8 users and 2 channels, of which one is frozen: 11 calls. */
const ten = (url: string): string => `version: 1
application: { base_url: "${url}", rate_plan: 100k_mau }
users:\n${usersText(8)}open_channels:
  lobby: { name: Lobby, operators: [user-0] }
group_channels:
  room: { name: Room, members: { user-1: , user-2: }, operators: [user-1], frozen: true }
`;
