// How long until a small command is done, beside a bare Node? On the built program, in interleaved rounds: commands with
// nothing to do for 100 objects, and an estate of 10 objects whose platform answers at once.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startEmulator } from '../../src/emulator/server.ts';
import { installInto } from '../support/build.ts';
import { type Row, rounded } from './table.ts';

const run = promisify(execFile);
const mostRounds = 21;
/** A folder for `tofu` with the same 10 objects, initialised; it takes the variables `url` and `token`. */
const tofuFolder = process.env.CHATFORM_BENCH_TOFU;

/** Tells at the end what the whole process took of the processor. */
const probe = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, '\\ncpu ' + (user + system) + '\\n');
});\n`;

interface Round {
  readonly ms: number;
  /** Absent for other programs. */
  readonly cpuMs?: number;
}

const bareNode = 'node -e 0';

export async function benchStartup(most: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  const measured = new Map<string, Round[]>();
  const keep = (way: string, round: Round) => measured.set(way, [...(measured.get(way) ?? []), round]);
  try {
    await installInto(folder);
    await writeFile(join(folder, 'probe.cjs'), probe);
    await writeFile(join(folder, 'chat.yaml'), hundred);
    const main = join(folder, 'dist/cli/main.js');
    // In CI the default place is refused.
    const state = ['--state', 'file:state'];
    await run(process.execPath, [main, 'apply', 'chat.yaml', ...state, '--auto-approve'], { cwd: folder });
    for (let round = 0; round < Math.min(most, mostRounds); round += 1) {
      keep(bareNode, await node(folder, ['-e', '0']));
      keep('--version', await node(folder, [main, '--version']));
      keep('validate, 100 objects', await node(folder, [main, 'validate', 'chat.yaml']));
      keep('plan, 100 objects, no change', await node(folder, [main, 'plan', 'chat.yaml', ...state]));
      await tenObjects(folder, main, keep);
    }
    const bare = measured.get(bareNode) ?? [];
    const rows = [...measured].map(([way, list]) => rowOf(way, list, bare));
    return tofuFolder === undefined ? [...rows, absent('tofu with a REST provider, 10 objects')] : rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A new platform and a new state each time. */
async function tenObjects(folder: string, main: string, keep: (way: string, round: Round) => void): Promise<void> {
  const emulator = await startEmulator({ port: 0, ratePlan: '100k_mau' });
  try {
    const env = { ...process.env, CHATFORM_API_TOKEN: emulator.token };
    await writeFile(join(folder, 'ten.yaml'), ten(emulator.url));
    const flags = ['--state', 'file:ten'];
    await rm(join(folder, 'ten'), { recursive: true, force: true });
    await run(process.execPath, [main, 'plan', 'ten.yaml', ...flags, '--out', 'saved.plan'], { cwd: folder, env });
    keep('apply of a saved plan, 11 calls', await node(folder, [main, 'apply', 'saved.plan', ...flags], env));
    keep('the same, nothing left', await node(folder, [main, 'apply', 'saved.plan', ...flags], env));
    keep('plan --refresh, 10 objects', await node(folder, [main, 'plan', 'ten.yaml', ...flags, '--refresh'], env));
    if (tofuFolder !== undefined) await tofu(tofuFolder, emulator, keep);
  } finally {
    await emulator.close();
  }
}

async function tofu(
  cwd: string,
  { url, token }: { readonly url: string; readonly token: string },
  keep: (way: string, round: Round) => void,
): Promise<void> {
  const env = { ...process.env, TF_VAR_url: url, TF_VAR_token: token };
  for (const name of ['terraform.tfstate', 'terraform.tfstate.backup']) await rm(join(cwd, name), { force: true });
  const timed = (args: readonly string[]) => once('tofu', args, { cwd, env });
  await timed(['plan', '-input=false', '-out=saved.plan']);
  keep('tofu apply of a saved plan', await timed(['apply', '-input=false', 'saved.plan']));
  keep('tofu plan', await timed(['plan', '-input=false']));
}

async function node(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<Round> {
  return once(process.execPath, ['--require', join(folder, 'probe.cjs'), ...args], { cwd: folder, env });
}

async function once(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Round> {
  const start = performance.now();
  const { stderr } = await run(program, args, options);
  const ms = performance.now() - start;
  const cpu = /^cpu (\d+)$/mu.exec(stderr)?.[1];
  return { ms, ...(cpu === undefined ? {} : { cpuMs: Number(cpu) / 1000 }) };
}

/** Medians, and the least beside it: on a shared machine it is the nearer to the truth. */
function rowOf(way: string, list: readonly Round[], bare: readonly Round[]): Row {
  const ms = (rounds: readonly Round[]) => rounds.map((round) => round.ms);
  const cpu = (rounds: readonly Round[]) => rounds.flatMap(({ cpuMs }) => cpuMs ?? []);
  const ratio = (of: typeof median, figures: typeof ms) => rounded(of(figures(list)) / of(figures(bare)), 2);
  return {
    way,
    ms: rounded(median(ms(list)), 1),
    '× node': ratio(median, ms),
    'least ms': rounded(least(ms(list)), 1),
    '× least': ratio(least, ms),
    'cpu ms': cpu(list).length === 0 ? '' : rounded(median(cpu(list)), 1),
    '× cpu': cpu(list).length === 0 ? '' : ratio(median, cpu),
    '× least cpu': cpu(list).length === 0 ? '' : ratio(least, cpu),
  };
}

function absent(way: string): Row {
  const figures = ['ms', '× node', 'least ms', '× least', 'cpu ms', '× cpu', '× least cpu'];
  return { way, ...Object.fromEntries(figures.map((figure) => [figure, 'absent'])) };
}

function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}

function least(figures: readonly number[]): number {
  return Math.min(...figures);
}

const users = Array.from({ length: 80 }, (_, at) => `  user-${at}: { nickname: User ${at} }\n`);
const rooms = Array.from({ length: 20 }, (_, at) => `  room-${at}: { members: { user-${at}: }, name: Room ${at} }\n`);
const hundred = `version: 1
application: { base_url: "emulator:data", rate_plan: 100k_mau }
users:\n${users.join('')}group_channels:\n${rooms.join('')}`;

/** 8 users and 2 channels, of which one is frozen: 11 calls. */
const ten = (url: string): string => `version: 1
application: { base_url: "${url}", rate_plan: 100k_mau }
users:\n${users.slice(0, 8).join('')}open_channels:
  lobby: { name: Lobby, operators: [user-0] }
group_channels:
  room: { name: Room, members: { user-1: , user-2: }, operators: [user-1], frozen: true }
`;
