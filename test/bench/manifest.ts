// How fast are manifests read, in how much memory, beside the bare parsers on the same objects? A process for each.
import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { type Row, rounded } from './table.ts';

const run = promisify(execFile);
const child = join(import.meta.dirname, 'manifest-child.ts');

interface Measurement {
  readonly count: number;
  readonly ms: number;
  readonly cpuMs: number;
  /** Until all was loaded and checked. */
  readonly checkedMs: number;
  readonly rssMb: number;
}

export async function benchManifest(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  try {
    const rows: Row[] = [];
    for (const count of [10_000, 100_000]) rows.push(...(await benchYaml(folder, count)));
    rows.push(...(await benchSource(folder, 1_000_000, 'ndjson')));
    rows.push(...(await benchSource(folder, 1_000_000, 'csv')));
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchYaml(folder: string, count: number): Promise<Row[]> {
  const yaml = join(folder, 'chat.yaml');
  const json = join(folder, 'chat.json');
  await write(yaml, ['version: 1\nusers:\n'], count, yamlOf);
  await writeFile(json, '');
  await write(
    json,
    ['{"users":{'],
    count,
    (index) => `${index === 0 ? '' : ','}"${idOf(index)}":${JSON.stringify(userOf(index))}`,
    '}}',
  );
  const name = `YAML, ${count.toLocaleString('en')} users`;
  const base = await measure('yaml', yaml);
  const rows = [
    await row(name, 'JSON.parse', json, await measure('whole', json), base),
    await row(name, 'yaml', yaml, base, base),
    await row(name, 'chatform', yaml, await measure('load', yaml), base),
  ];
  await Promise.all([rm(yaml), rm(json)]);
  return rows;
}

async function benchSource(folder: string, count: number, format: 'ndjson' | 'csv'): Promise<Row[]> {
  const lines = join(folder, 'users.ndjson');
  const table = join(folder, 'users.csv');
  const manifest = join(folder, 'chat.yaml');
  await write(lines, [], count, (index) => `${JSON.stringify({ user_id: idOf(index), ...userOf(index) })}\n`);
  if (format === 'csv')
    await write(
      table,
      ['user_id,nickname,profile_url,metadata.team,metadata.locale,metadata.plan,deactivated\n'],
      count,
      csvOf,
    );
  await writeFile(manifest, `version: 1\nsources: [{ kind: user, file: users.${format} }]\n`);
  const name = `${format.toUpperCase()}, ${count.toLocaleString('en')} users`;
  const base = await measure('lines', lines);
  const rows = [
    ...(format === 'ndjson' ? [await row(name, 'JSON.parse a line', lines, base, base)] : []),
    await row(name, 'chatform', format === 'csv' ? table : lines, await measure('load', manifest), base),
  ];
  await Promise.all([lines, table, manifest].map((file) => rm(file, { force: true })));
  return rows;
}

async function measure(way: string, file: string): Promise<Measurement> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, way, file], { maxBuffer: 1 << 20 });
  return JSON.parse(stdout) as Measurement;
}

async function row(data: string, way: string, file: string, measured: Measurement, base: Measurement): Promise<Row> {
  const { size } = await stat(file);
  return {
    data,
    way,
    MB: rounded(size / 1e6, 1),
    'checked s': rounded(measured.checkedMs / 1000),
    's in all': rounded(measured.ms / 1000),
    'MB/s': rounded(size / 1000 / measured.ms, 1),
    '× the parser': rounded(measured.ms / base.ms, 2),
    '× its cpu': rounded(measured.cpuMs / base.cpuMs, 2),
    'peak MB': Math.round(measured.rssMb),
  };
}

async function write(
  file: string,
  head: readonly string[],
  count: number,
  line: (index: number) => string,
  end = '',
): Promise<void> {
  function* text(): Generator<string> {
    yield* head;
    for (let index = 0; index < count; index += 1000) {
      yield Array.from({ length: Math.min(1000, count - index) }, (_none, at) => line(index + at)).join('');
    }
    yield end;
  }
  await pipeline(Readable.from(text()), createWriteStream(file));
}

function idOf(index: number): string {
  return `user-${String(index).padStart(7, '0')}`;
}

function userOf(index: number) {
  return {
    nickname: `User number ${index}`,
    profile_url: `https://cdn.example.com/profile/${index}.png`,
    metadata: { team: `team-${index % 50}`, locale: 'en-GB', plan: index % 3 === 0 ? 'paid' : 'free' },
    deactivated: false,
  };
}

function yamlOf(index: number): string {
  const { nickname, profile_url, metadata, deactivated } = userOf(index);
  return `  ${idOf(index)}:
    nickname: ${nickname}
    profile_url: ${profile_url}
    metadata:
      team: ${metadata.team}
      locale: ${metadata.locale}
      plan: ${metadata.plan}
    deactivated: ${deactivated}
`;
}

function csvOf(index: number): string {
  const { nickname, profile_url, metadata, deactivated } = userOf(index);
  return `${[idOf(index), nickname, profile_url, metadata.team, metadata.locale, metadata.plan, deactivated].join(',')}\n`;
}
