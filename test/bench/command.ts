// Times whole commands over many users.
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { storeUsers, writeUsers } from './many-users.ts';
import { type Cost, columns, inInstalled, measureProgram, type Row, rounded } from './measure.ts';

const host = 'api-bench.sendbird.com/v3';
const environment = { ...process.env, CHATFORM_API_TOKEN: 'bench' };

export async function benchCommand(most: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of [1_000, 10_000, 100_000, 1_000_000].filter((size) => size <= most))
    rows.push(...(await inInstalled((folder, main) => measureAll(folder, main, count))));
  return rows;
}

async function measureAll(folder: string, main: string, count: number): Promise<Row[]> {
  await writeUsers(join(folder, 'users.ndjson'), count);
  await writeUsers(join(folder, 'edited.ndjson'), count, 100);
  await storeUsers(join(folder, 'state'), count, host);
  for (const [name, rowsOf, url] of [
    ['users', 'users', `https://${host}`],
    ['edited', 'edited', `https://${host}`],
    ['emulated', 'users', 'emulator:platform'],
  ]) {
    const text = `version: 1\napplication: { base_url: "${url}" }\nsources: [{ kind: user, file: ${rowsOf}.ndjson }]\n`;
    await writeFile(join(folder, `${name}.yaml`), text);
  }
  const rows: Row[] = [];
  const measure = (args: readonly string[], isOver?: () => Promise<boolean>): Promise<Cost> =>
    measureProgram(folder, [main, ...args], { env: environment }, isOver);
  const add = (command: string, against: string, cost: Cost, bytes: number | '' = '') =>
    rows.push({ users: count, command, against, ...columns(cost), 'bytes a user': bytes });
  for (const [against, file, state] of [
    ['nothing', 'users.yaml', 'file:none'],
    ['the same', 'users.yaml', 'file:state'],
    ['1 % edited', 'edited.yaml', 'file:state'],
  ] as const) {
    const plan = ['plan', file, '--state', state];
    add('plan', against, await measure(plan));
    add('plan --format json', against, await measure([...plan, '--format', 'json']));
    const saved = await measure([...plan, '--out', 'saved.plan']);
    add('plan --out', against, saved, rounded((await stat(join(folder, 'saved.plan'))).size / count, 1));
  }
  await measure(['plan', 'emulated.yaml', '--out', 'emulated.plan']);
  const hasStarted = async (): Promise<boolean> => {
    const events = await readFile(join(folder, 'events.ndjson'), 'utf8').catch(() => '');
    return events.includes('"step.started"');
  };
  const apply = ['apply', 'emulated.plan', '--events', 'events.ndjson'];
  add('apply, to its first call', 'nothing', await measure(apply, hasStarted));
  return rows;
}
