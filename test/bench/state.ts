// What does a durable step cost, and what does opening a million records cost, in a folder and in a database?
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { nodeFiles } from '../../src/state/file/file-system.ts';
import { openBackend } from '../../src/state/index.ts';
import type { UpkeepBackend } from '../../src/state/upkeep.ts';
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { benchObjects } from './state-objects.ts';
import { contextAt, manyRecords, opening, recordAt } from './state-records.ts';
import { type Row, rounded } from './table.ts';

const run = promisify(execFile);
const child = join(import.meta.dirname, 'state-child.ts');
const records = 1_000_000;
const measureMs = 2_000;

interface Place {
  readonly name: string;
  at(place: string): Promise<UpkeepBackend>;
  /** One durable write after the other, by nothing but the means of the place. */
  floorWrites(): Promise<number>;
  /** As --state names it. */
  spec(place: string): string;
  /** Every record's text, parsed and thrown away. */
  floorRead(place: string): Promise<Measured>;
}

/** Steps a second that are durable, at several numbers in flight; then a million records. */
export async function benchState(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-bench-'));
  // As a user's server is: every commit is flushed to the disk.
  const server = noPostgres === undefined ? await startPostgres([]) : undefined;
  try {
    const places = [filePlace(folder), ...(server === undefined ? [] : [postgresPlace(server)])];
    const rows: Row[] = [];
    for (const place of places) {
      const floor = await place.floorWrites();
      for (const inFlight of [1, 64, 256]) {
        const perSecond = await steps(place, inFlight);
        rows.push({
          place: place.name,
          what: `${inFlight} steps in flight, begin and done`,
          'steps/s': Math.round(perSecond),
          'x of one write each': rounded((2 * perSecond) / floor, 2),
          s: '',
          'cpu s': '',
          'x of the floor': '',
          'peak MB': '',
        });
      }
    }
    for (const place of places) rows.push(...(await million(place)));
    rows.push(...(await recording(folder)));
    rows.push(...(await benchObjects()));
    return rows;
  } finally {
    await server?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function steps(place: Place, inFlight: number): Promise<number> {
  const writer = await (await place.at(`steps-${inFlight}`)).open(opening);
  const until = performance.now() + measureMs;
  let count = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < until) {
      const record = recordAt(count);
      count += 1;
      const step = `${record.address}#1`;
      await writer.begin({ step, address: record.address, request: 'digest', at: '2026-01-01T00:00:00.000Z' });
      await writer.done(step, { type: 'put', record });
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: inFlight }, lane));
  const perSecond = (count / (performance.now() - started)) * 1000;
  await writer.close();
  return perSecond;
}

/** Filled here, then measured in processes of their own. */
async function million(place: Place): Promise<Row[]> {
  const writer = await (await place.at('million')).open(opening);
  const header = writer.header;
  const contents = { header, serial: 1, records: () => manyRecords(records), pending: [] };
  const filling = await seconds(() => writer.replace(contents));
  const floor = await place.floorRead('million');
  const at = place.spec('million');
  return [
    row(place.name, `replacing all of ${records} records`, { s: filling }),
    row(place.name, 'the floor of reading: each line parsed', floor, floor),
    row(place.name, `opening ${records} records`, await measure('open', [at]), floor),
    row(place.name, 'then going through all of them', await measure('walk', [at]), floor),
    row(place.name, 'or looking up 100000, all over the place', await measure('get', [at, '100000'])),
  ];
}

const recordings = [
  ...[16, 64, 256, 4096].map((inFlight) => ({ inFlight, way: 'steps', what: 'steps recorded' })),
  { inFlight: 64, way: 'begun-steps', what: 'steps begun and recorded' },
];

/** New records, one step each; beside as many bytes with as many flushes, in turn. */
async function recording(folder: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { inFlight, way, what } of recordings) {
    const place = join(folder, `${way}-${inFlight}`);
    const steps = await measure(way, [place, String(records), String(inFlight)]);
    const floor = { s: steps.floorS ?? 0, cpuS: steps.floorCpuS ?? 0 };
    const closing = { s: steps.closingS ?? 0, cpuS: steps.closingCpuS ?? 0, rssMb: steps.closingRssMb ?? 0 };
    rows.push(row('file', `the floor of recording: ${steps.syncs} writes and flushes`, floor, floor));
    rows.push(row('file', `${records} ${what}, ${inFlight} in flight`, steps, floor));
    rows.push(row('file', 'then closed, which compacts', closing));
  }
  return rows;
}

interface Measured {
  readonly s: number;
  readonly cpuS?: number;
  readonly rssMb?: number;
  readonly syncs?: number;
  readonly floorS?: number;
  readonly floorCpuS?: number;
  readonly closingS?: number;
  readonly closingCpuS?: number;
  readonly closingRssMb?: number;
}

/** In a process of its own; `syncs` are those of its journal. */
async function measure(way: string, values: readonly string[]): Promise<Measured> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', child, way, ...values]);
  return JSON.parse(stdout) as Measured;
}

function row(place: string, what: string, { s, cpuS, rssMb }: Measured, floor?: Measured): Row {
  return {
    place,
    what,
    'steps/s': '',
    'x of one write each': '',
    s: rounded(s, 2),
    'cpu s': cpuS === undefined ? '' : rounded(cpuS, 2),
    'x of the floor': floor === undefined ? '' : rounded(s / floor.s, 2),
    'peak MB': rssMb === undefined ? '' : Math.round(rssMb),
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

function filePlace(folder: string): Place {
  return {
    name: 'file',
    at: (place) => openBackend(`file:${place}`, contextAt(folder)),
    floorWrites: async () => {
      const file = await nodeFiles.create(join(folder, 'floor'));
      const bytes = Buffer.from(`${JSON.stringify(recordAt(0))}\n`);
      const perSecond = await perSecondOf(async () => {
        await file.write(bytes);
        await file.sync();
      });
      await file.close();
      return perSecond;
    },
    spec: (place) => `file:${join(folder, place)}`,
    floorRead: (place) => measure('parse', [join(folder, place, 'state.ndjson')]),
  };
}

function postgresPlace(server: Postgres): Place {
  const connected = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: server.url() });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  return {
    name: 'postgres',
    at: (place) => openBackend(`${server.url()}?state=${place}`, contextAt('.')),
    floorWrites: () =>
      connected(async (client) => {
        await client.query('CREATE TABLE floor (id serial PRIMARY KEY, record text)');
        const text = JSON.stringify(recordAt(0));
        return perSecondOf(() => client.query('INSERT INTO floor (record) VALUES ($1)', [text]));
      }),
    spec: (place) => `${server.url()}?state=${place}`,
    floorRead: async (place) => ({ s: await seconds(() => connected((client) => parseRows(client, place))) }),
  };
}

async function parseRows(client: Client, place: string): Promise<void> {
  await client.query('BEGIN');
  await client.query(
    `DECLARE floor CURSOR FOR SELECT record FROM chatform.records JOIN chatform.states ON states.id = state
      WHERE name = '${place}' ORDER BY address`,
  );
  for (;;) {
    const { rows } = await client.query<[string]>({ text: 'FETCH 5000 FROM floor', rowMode: 'array' });
    if (rows.length === 0) return;
    for (const [text] of rows) if (typeof JSON.parse(text) !== 'object') throw new Error('no record');
  }
}

async function perSecondOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < measureMs; count += 1) await work();
  return (count / (performance.now() - started)) * 1000;
}
