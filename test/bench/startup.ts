// How long until a command answers that has nothing to do, beside a bare Node? On the built program, in interleaved rounds.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildInto } from './built-program.ts';
import { type Row, rounded } from './table.ts';

const run = promisify(execFile);
const rounds = 21;

/** Tells at the end what the whole process took of the processor. */
const probe = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(2, '\\ncpu ' + (user + system) + '\\n');
});\n`;

interface Round {
  readonly ms: number;
  readonly cpuMs: number;
}

export async function benchStartup(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  try {
    await buildInto(folder);
    await writeFile(join(folder, 'probe.cjs'), probe);
    await writeFile(join(folder, 'chat.yaml'), estate());
    const main = join(folder, 'dist/cli/main.js');
    const ways: Readonly<Record<string, readonly string[]>> = {
      'node -e 0': ['-e', '0'],
      'chatform --version': [main, '--version'],
      'chatform validate': [main, 'validate', 'chat.yaml'],
      'chatform plan': [main, 'plan', 'chat.yaml'],
    };
    await run(process.execPath, [main, 'apply', 'chat.yaml', '--auto-approve'], { cwd: folder });
    const measured = new Map<string, Round[]>(Object.keys(ways).map((way) => [way, []]));
    for (let round = 0; round < rounds; round += 1) {
      for (const [way, args] of Object.entries(ways)) measured.get(way)?.push(await once(folder, args));
    }
    const bare = measured.get('node -e 0') ?? [];
    return [...measured].map(([way, list]) => ({
      way,
      ms: rounded(median(list, 'ms'), 1),
      '× node': rounded(median(list, 'ms') / median(bare, 'ms'), 2),
      'cpu ms': rounded(median(list, 'cpuMs'), 1),
      '× cpu of node': rounded(median(list, 'cpuMs') / median(bare, 'cpuMs'), 2),
    }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A hundred objects that are as they were applied. */
function estate(): string {
  const users = Array.from({ length: 80 }, (_, at) => `  user-${at}: { nickname: User ${at} }\n`);
  const rooms = Array.from({ length: 20 }, (_, at) => `  room-${at}: { members: { user-${at}: }, name: Room ${at} }\n`);
  return `version: 1
application: { base_url: "emulator:data", rate_plan: 100k_mau }
users:\n${users.join('')}group_channels:\n${rooms.join('')}`;
}

async function once(folder: string, args: readonly string[]): Promise<Round> {
  const start = performance.now();
  const { stderr } = await run(process.execPath, ['--require', join(folder, 'probe.cjs'), ...args], { cwd: folder });
  const ms = performance.now() - start;
  return { ms, cpuMs: Number(/^cpu (\d+)$/mu.exec(stderr)?.[1]) / 1000 };
}

function median(rounds: readonly Round[], figure: keyof Round): number {
  const sorted = rounds.map((round) => round[figure]).sort((left, right) => left - right);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
