// What do whole commands cost at a million users, beside reading the same bytes and parsing each line?
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installInto } from '../support/build.ts';
import { storeUsers, writeUsers } from './many-users.ts';
import { writeProbe } from './probe.ts';
import { type Row, rounded } from './table.ts';

const run = promisify(execFile);
const scaleChild = join(import.meta.dirname, 'scale-child.ts');
const host = 'api-bench.sendbird.com/v3';
const mostSize = 1_000_000;

interface Measured {
  readonly s: number;
  readonly cpuS: number;
  readonly rssMb: number;
}

export async function benchCommand(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [10_000, 100_000, mostSize].filter((size) => size <= most)) {
    const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
    try {
      rows.push(...(await measureAll(folder, count)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  return rows;
}

async function measureAll(folder: string, count: number): Promise<Row[]> {
  await installInto(folder);
  await writeProbe(folder);
  writeUsers(join(folder, 'users.ndjson'), count);
  writeUsers(join(folder, 'edited.ndjson'), count, 100);
  await storeUsers(join(folder, 'state'), count, host);
  for (const name of ['users', 'edited']) {
    const application = `application: { base_url: "https://${host}" }`;
    const text = `version: 1\n${application}\nsources: [{ kind: user, file: ${name}.ndjson }]\n`;
    await writeFile(join(folder, `${name}.yaml`), text);
  }
  await writeFile(
    join(folder, 'emulated.yaml'),
    'version: 1\napplication: { base_url: "emulator:platform" }\nsources: [{ kind: user, file: users.ndjson }]\n',
  );
  const declared = await measureFloor([join(folder, 'users.ndjson')]);
  const both = await measureFloor([join(folder, 'users.ndjson'), join(folder, 'state/state.ndjson')]);
  const main = join(folder, 'dist/cli/main.js');
  const rows: Row[] = [];
  const add = (command: string, against: string, measured: Measured, beside: Measured, bytes: number | '' = '') =>
    rows.push({
      users: count,
      command,
      against,
      s: rounded(measured.s, 2),
      'x of the floor': rounded(measured.s / beside.s, 1),
      'processor s': rounded(measured.cpuS, 2),
      'x processor': rounded(measured.cpuS / beside.cpuS, 1),
      'peak MB': Math.round(measured.rssMb),
      'bytes a user': bytes,
    });
  const estates = [
    { against: 'nothing', file: 'users.yaml', state: 'file:none', beside: declared },
    { against: 'the same', file: 'users.yaml', state: 'file:state', beside: both },
    { against: '1 % edited', file: 'edited.yaml', state: 'file:state', beside: both },
  ];
  for (const { against, file, state, beside } of estates) {
    const plan = [main, 'plan', file, '--state', state];
    add('plan', against, await measure(folder, plan), beside);
    add('plan --format json', against, await measure(folder, [...plan, '--format', 'json']), beside);
    const saved = await measure(folder, [...plan, '--out', 'saved.plan']);
    add('plan --out', against, saved, beside, rounded((await stat(join(folder, 'saved.plan'))).size / count, 1));
  }
  await measure(folder, [main, 'plan', 'emulated.yaml', '--out', 'emulated.plan']);
  const apply = [main, 'apply', 'emulated.plan', '--events', 'events.ndjson'];
  add('apply, to its first call', 'nothing', await measure(folder, apply, () => hasStarted(folder)), declared);
  return rows;
}

/** Without the start of the process. */
async function measureFloor(files: readonly string[]): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', scaleChild, 'floor', ...files]);
  return JSON.parse(stdout) as Measured;
}

/** `isDone`: ends the process when that is so, before it ends by itself. */
async function measure(folder: string, args: readonly string[], isDone?: () => Promise<boolean>): Promise<Measured> {
  const file = join(folder, 'probe.json');
  const start = performance.now();
  const child = spawn(process.execPath, ['--require', join(folder, 'probe.cjs'), ...args], {
    cwd: folder,
    env: { ...process.env, PROBE: file, CHATFORM_API_TOKEN: 'bench' },
    stdio: 'ignore',
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => resolve());
  });
  let s: number | undefined;
  if (isDone !== undefined) {
    const hasExited = () => child.exitCode !== null || child.signalCode !== null;
    while (!hasExited() && !(await isDone())) await new Promise((resolve) => setTimeout(resolve, 20));
    s = (performance.now() - start) / 1000;
    child.kill('SIGINT');
  }
  await ended;
  s ??= (performance.now() - start) / 1000;
  return { s, ...(JSON.parse(await readFile(file, 'utf8')) as Omit<Measured, 's'>) };
}

async function hasStarted(folder: string): Promise<boolean> {
  const events = await readFile(join(folder, 'events.ndjson'), 'utf8').catch(() => '');
  return events.includes('"step.started"');
}
