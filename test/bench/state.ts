// What does a durable step cost, and what does opening a million records cost, in a folder and in a database?
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { nodeClock } from '../../src/cli/node-clock.ts';
import type { StateRecord } from '../../src/model/record.ts';
import { nodeFiles } from '../../src/state/files.ts';
import { openBackend } from '../../src/state/index.ts';
import { eachLine } from '../../src/state/lines.ts';
import type { UpkeepBackend } from '../../src/state/upkeep.ts';
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { type Row, rounded } from './table.ts';

const application = 'bench';
const open = { application, lockTimeoutMs: 0 };
const records = 1_000_000;
const measureMs = 2_000;

interface Place {
  readonly name: string;
  at(place: string): UpkeepBackend;
  /** One durable write after the other, by nothing but the means of the place. */
  floorWrites(): Promise<number>;
  /** Every record's text, without making anything of it. */
  floorRead(place: string): Promise<void>;
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
          'x of reading': '',
          'heap MB': '',
        });
      }
    }
    for (const place of places) rows.push(...(await million(place)));
    return rows;
  } finally {
    await server?.remove();
    await rm(folder, { recursive: true, force: true });
  }
}

async function steps(place: Place, inFlight: number): Promise<number> {
  const writer = await place.at(`steps-${inFlight}`).open(open);
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

async function million(place: Place): Promise<Row[]> {
  const row = (what: string, s: number, floor?: number, heap?: number): Row => ({
    place: place.name,
    what,
    'steps/s': '',
    'x of one write each': '',
    s: rounded(s, 2),
    'x of reading': floor === undefined ? '' : rounded(s / floor, 2),
    'heap MB': heap === undefined ? '' : Math.round(heap / 1e6),
  });
  const writer = await place.at('million').open(open);
  const header = writer.header;
  const filling = await seconds(() => writer.replace({ header, serial: 1, records: made, pending: [] }));
  const floor = await seconds(() => place.floorRead('million'));
  const before = heapNow();
  let size = 0;
  let held: unknown;
  const opening = await seconds(async () => {
    const snapshot = await place.at('million').read(application);
    size = snapshot.size;
    held = snapshot;
  });
  const heap = heapNow() - before;
  if (size !== records || held === undefined) throw new Error(`${size} records were read`);
  return [row(`replacing all of ${records} records`, filling), row(`opening ${records} records`, opening, floor, heap)];
}

function* made(): Generator<StateRecord> {
  for (let index = 0; index < records; index += 1) yield recordAt(index);
}

function recordAt(index: number): StateRecord {
  const key = String(index).padStart(7, '0');
  return {
    address: `user.user-${key}`,
    attributes: {
      nickname: `User ${index}`,
      profile_url: `https://example.com/avatars/${key}.png`,
      metadata: { team: `team-${index % 100}`, source: 'import' },
    },
  };
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}

/** Exact with `--expose-gc`. */
function heapNow(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

let ids = 0;
const context = (cwd: string) => ({
  clock: nodeClock,
  owner: { user: 'bench', host: 'bench', pid: process.pid },
  newId: () => `bench-${++ids}`,
  cwd,
});

function filePlace(folder: string): Place {
  return {
    name: 'file',
    at: (place) => openBackend(`file:${place}`, context(folder)),
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
    floorRead: async (place) => {
      const file = await nodeFiles.openToRead(join(folder, place, 'state.ndjson'));
      if (file === undefined) throw new Error('there is no snapshot');
      await eachLine(file, Number.POSITIVE_INFINITY, () => undefined);
      await file.close();
    },
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
    at: (place) => openBackend(`${server.url()}?state=${place}`, context('.')),
    floorWrites: () =>
      connected(async (client) => {
        await client.query('CREATE TABLE floor (id serial PRIMARY KEY, record text)');
        const text = JSON.stringify(recordAt(0));
        return perSecondOf(() => client.query('INSERT INTO floor (record) VALUES ($1)', [text]));
      }),
    floorRead: (place) =>
      connected(async (client) => {
        await client.query('BEGIN');
        await client.query(
          `DECLARE floor CURSOR FOR SELECT record FROM chatform.records JOIN chatform.states ON states.id = state
            WHERE name = '${place}' ORDER BY address`,
        );
        for (;;) {
          const { rowCount } = await client.query({ text: 'FETCH 5000 FROM floor', rowMode: 'array' });
          if (rowCount === 0) return;
        }
      }),
  };
}

async function perSecondOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < measureMs; count += 1) await work();
  return (count / (performance.now() - started)) * 1000;
}
