// Times whole commands over many users.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installInto } from '../support/build.ts';
import { storeUsers, writeUsers } from './many-users.ts';
import { type Cost, inFolder, measureProgram, probed, withProbe } from './measure.ts';
import { type Row, rounded } from './table.ts';

const host = 'api-bench.sendbird.com/v3';
const mostSize = 1_000_000;
const environment = { ...process.env, CHATFORM_API_TOKEN: 'bench' };

export async function benchCommand(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [1_000, 10_000, 100_000, mostSize].filter((size) => size <= most))
    rows.push(...(await inFolder((folder) => measureAll(folder, count))));
  return rows;
}

async function measureAll(folder: string, count: number): Promise<Row[]> {
  await installInto(folder);
  await writeUsers(join(folder, 'users.ndjson'), count);
  await writeUsers(join(folder, 'edited.ndjson'), count, 100);
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
  const main = join(folder, 'dist/cli/main.js');
  const rows: Row[] = [];
  const add = (command: string, against: string, measured: Cost, bytes: number | '' = '') =>
    rows.push({
      users: count,
      command,
      against,
      s: rounded(measured.s, 2),
      'processor s': rounded(measured.cpuS, 2),
      'peak MB': Math.round(measured.rssMb),
      'bytes a user': bytes,
    });
  const estates = [
    { against: 'nothing', file: 'users.yaml', state: 'file:none' },
    { against: 'the same', file: 'users.yaml', state: 'file:state' },
    { against: '1 % edited', file: 'edited.yaml', state: 'file:state' },
  ];
  for (const { against, file, state } of estates) {
    const plan = [main, 'plan', file, '--state', state];
    add('plan', against, await measure(folder, plan));
    add('plan --format json', against, await measure(folder, [...plan, '--format', 'json']));
    const saved = await measure(folder, [...plan, '--out', 'saved.plan']);
    add('plan --out', against, saved, rounded((await stat(join(folder, 'saved.plan'))).size / count, 1));
  }
  await measure(folder, [main, 'plan', 'emulated.yaml', '--out', 'emulated.plan']);
  const apply = [main, 'apply', 'emulated.plan', '--events', 'events.ndjson'];
  add('apply, to its first call', 'nothing', await measureStart(folder, apply));
  return rows;
}

function measure(folder: string, args: readonly string[]): Promise<Cost> {
  return measureProgram(folder, args, environment);
}

/** Ends the process when the work has started, before it ends by itself. */
async function measureStart(folder: string, args: readonly string[]): Promise<Cost> {
  const { flags, env } = await withProbe(folder, environment);
  const start = performance.now();
  const child = spawn(process.execPath, [...flags, ...args], { cwd: folder, env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  while (!hasExited() && !(await hasStarted(folder))) await new Promise((resolve) => setTimeout(resolve, 20));
  const s = (performance.now() - start) / 1000;
  child.kill('SIGINT');
  await ended;
  return { s, ...(await probed(folder)) };
}

async function hasStarted(folder: string): Promise<boolean> {
  const events = await readFile(join(folder, 'events.ndjson'), 'utf8').catch(() => '');
  return events.includes('"step.started"');
}
