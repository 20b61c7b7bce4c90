// What a process takes: its time, its processor time and its memory.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Cost {
  readonly s: number;
  readonly cpuS: number;
  readonly rssMb: number;
}

/** Gives the work a folder that is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs a module of this folder in a process of its own, so that its memory is its own. It ends with `printCost`. */
export async function measureChild<T extends Cost>(file: string, ...values: readonly string[]): Promise<T> {
  const child = join(import.meta.dirname, file);
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, ...values]);
  return JSON.parse(stdout) as T;
}

/** Prints the cost of the work, and its result beside it. */
export async function printCost(work: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  const s = (performance.now() - start) / 1000;
  const rssMb = process.resourceUsage().maxRSS / 1024;
  console.log(JSON.stringify({ s, cpuS: (user + system) / 1e6, rssMb, ...(typeof result === 'object' ? result : {}) }));
}

/** Writes to the file of the environment variable PROBE, at the end of a process, what that took. */
const probe = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const { maxRSS } = process.resourceUsage();
  require('node:fs').writeFileSync(process.env.PROBE, JSON.stringify({ cpuS: (user + system) / 1e6, rssMb: maxRSS / 1024 }));
});\n`;

/** How to start Node in the folder, so that `probed` knows the cost of the process. */
export async function withProbe(folder: string, env: NodeJS.ProcessEnv = process.env) {
  const file = join(folder, 'probe.cjs');
  await writeFile(file, probe);
  return { flags: ['--require', file], env: { ...env, PROBE: join(folder, 'probe.json') } };
}

export async function probed(folder: string): Promise<Omit<Cost, 's'>> {
  return JSON.parse(await readFile(join(folder, 'probe.json'), 'utf8'));
}

/** Runs the built program of the folder to its end. */
export async function measureProgram(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<Cost> {
  const start = await withProbe(folder, env);
  const started = performance.now();
  const child = spawn(process.execPath, [...start.flags, ...args], { cwd: folder, env: start.env, stdio: 'ignore' });
  const [exit] = await once(child, 'exit');
  if (exit !== 0) throw new Error(`${args.join(' ')} ended with ${exit}`);
  return { s: (performance.now() - started) / 1000, ...(await probed(folder)) };
}
