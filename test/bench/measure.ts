// Measures what a process takes, its time, its processor time and its memory, and prints measurements as a table.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedIn, installInto } from '../support/build.ts';
import { peakKb } from '../support/peak-memory.ts';

export interface Cost {
  readonly s: number;
  readonly cpuS: number;
  readonly rssMb: number;
}

export type Row = Readonly<Record<string, string | number>>;

/** Gives the work a folder that is removed afterwards. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same, with the path of the program, which is installed in the folder unless tests have installed it. */
export function inInstalled<T>(work: (folder: string, main: string) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const { [installedIn]: there } = process.env;
    if (there === undefined) await installInto(folder);
    return work(folder, join(there ?? folder, 'dist/cli/main.js'));
  });
}

/** Writes to the file of the environment variable PROBE, at the end of a process, what that took. */
const probe = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const rssMb = ${peakKb} / 1024;
  require('node:fs').writeFileSync(process.env.PROBE, JSON.stringify({ cpuS: (user + system) / 1e6, rssMb }));
});\n`;

export interface MeasureOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** The executable. The default is the Node that runs. */
  readonly node?: string;
}

/** Runs Node in the folder. If `isOver` becomes true, the process is interrupted, and its cost is that until then. */
export async function measureProgram(
  folder: string,
  args: readonly string[],
  { env = process.env, node = process.execPath }: MeasureOptions = {},
  isOver?: () => Promise<boolean>,
): Promise<Cost> {
  const [file, result] = [join(folder, 'probe.cjs'), join(folder, 'probe.json')];
  await writeFile(file, probe);
  const started = performance.now();
  const child = spawn(node, ['--require', file, ...args], {
    cwd: folder,
    env: { ...env, PROBE: result },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-1_000);
  });
  const ended = once(child, 'close');
  if (isOver !== undefined) await until(child, isOver);
  const interruptedAt = performance.now();
  if (isOver !== undefined) child.kill('SIGINT');
  const [code] = await ended;
  if (isOver === undefined && code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${said}`);
  const s = ((isOver === undefined ? performance.now() : interruptedAt) - started) / 1000;
  return { s, ...(JSON.parse(await readFile(result, 'utf8')) as Omit<Cost, 's'>) };
}

/** Runs Node in the folder and kills it once `isOver` becomes true. */
export async function killProgram(
  folder: string,
  args: readonly string[],
  { env = process.env, node = process.execPath }: MeasureOptions,
  isOver: () => Promise<boolean>,
): Promise<void> {
  const child = spawn(node, args, { cwd: folder, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await until(child, isOver);
  child.kill('SIGKILL');
  const [code] = await ended;
  if (code !== null) throw new Error(`${args.join(' ')} ended with ${code} before it was killed`);
}

async function until(child: ChildProcess, isOver: () => Promise<boolean>): Promise<void> {
  while (child.exitCode === null && !(await isOver())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Adds the processor time of this process to the result of the work. */
export async function withCpu<T extends object>(work: () => Promise<T>): Promise<T & { readonly cpuS: number }> {
  const before = process.cpuUsage();
  const done = await work();
  const { user, system } = process.cpuUsage(before);
  return { ...done, cpuS: (user + system) / 1e6 };
}

/** The columns of a cost. */
export function columns({ s, cpuS, rssMb }: Cost): Row {
  return { s: rounded(s, 2), 'processor s': rounded(cpuS, 2), 'peak MB': Math.round(rssMb) };
}

export function median(figures: readonly number[]): number {
  return [...figures].sort((left, right) => left - right)[figures.length >> 1] ?? Number.NaN;
}

export function rounded(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}

export function printTable(title: string, rows: readonly Row[]): void {
  const names = Object.keys(rows[0] ?? {});
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => String(row[name]).length)));
  const line = (cells: readonly string[]) => cells.map((cell, index) => cell.padStart(widths[index] ?? 0)).join('  ');
  console.log(`\n${title}\n${line(names)}`);
  for (const row of rows) console.log(line(names.map((name) => String(row[name]))));
}
