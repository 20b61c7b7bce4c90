// Counts durable steps a second, in a folder and in a database, and what object storage takes.
import { nodeClock } from '../../src/core/app/context/this-process.ts';
import type { StateBackend, StateWriter } from '../../src/core/model/ports.ts';
import { openBackend } from '../../src/core/state/index.ts';
import { memoryBackend } from '../../src/core/state/stores/memory.ts';
import { StoreRig } from '../core/state/engine/rig.ts';
import { applyBeside, applyTo, creationOfUser, stepsOf } from '../core/state/support/apply-beside.ts';
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { beginOf } from '../support/state/fixtures.ts';
import { contextAt, opening, recordAt } from './many-users.ts';
import { inFolder, type Row, rounded } from './measure.ts';

const measureMs = 2_000;
/** Twenty seconds: the first begins and the last entries weigh little. */
const appliedSteps = 4_000;
const objectsS = 20;
const objectSteps = 16_000;

interface Place {
  readonly name: string;
  at(place: string): Promise<StateBackend>;
}

/** Steps a second that are durable, at several numbers in flight. */
export async function benchState(): Promise<Row[]> {
  const rows = await inPlaces(async ({ name, at }) => {
    const found: Row[] = [];
    for (const inFlight of [1, 64, 256]) {
      const perSecond = await steps(at, inFlight);
      found.push({ place: name, what: `${inFlight} steps in flight, begin and done`, 'steps/s': perSecond });
    }
    return found;
  });
  return [...rows, ...(await benchObjects())];
}

/** What an apply at the limit of 200 calls a second takes beyond the shortest possible time. */
export async function benchStateApply(): Promise<Row[]> {
  const memory: Place = { name: 'memory', at: async () => memoryBackend(contextAt('.')) };
  return [await applied(memory), ...(await inPlaces(async (place) => [await applied(place)]))];
}

async function inPlaces(measure: (place: Place) => Promise<Row[]>): Promise<Row[]> {
  // As a user's server is: every commit is flushed to the disk.
  const server = noPostgres === undefined ? await startPostgres([]) : undefined;
  try {
    return await inFolder(async (folder) => {
      const rows = await measure(filePlace(folder));
      return server === undefined ? rows : [...rows, ...(await measure(postgresPlace(server)))];
    });
  } finally {
    await server?.remove();
  }
}

async function steps(at: Place['at'], inFlight: number): Promise<number> {
  const writer = await (await at(`steps-${inFlight}`)).open(opening);
  const started = performance.now();
  const count = await stepsUntil(writer, inFlight, () => performance.now() >= started + measureMs);
  const perSecond = (count / (performance.now() - started)) * 1000;
  await writer.close();
  return Math.round(perSecond);
}

async function applied({ name, at }: Place): Promise<Row> {
  const writer = await (await at('apply')).open(opening);
  const started = performance.now();
  const { lower_bound_s } = await applyTo(writer, nodeClock, stepsOf(appliedSteps, creationOfUser));
  const tookS = (performance.now() - started) / 1000;
  await writer.close();
  const loss = rounded((tookS / lower_bound_s - 1) * 100, 2);
  return { place: name, steps: appliedSteps, 'bound s': lower_bound_s, s: rounded(tookS, 2), 'loss %': loss };
}

function filePlace(folder: string): Place {
  return { name: 'file', at: (place) => openBackend(`file:${place}`, contextAt(folder)) };
}

function postgresPlace(server: Postgres): Place {
  return { name: 'postgres', at: (place) => openBackend(`${server.url()}?state=${place}`, contextAt('.')) };
}

/** In object storage, at several durations of a call: in virtual time, on a store in memory. */
async function benchObjects(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const callMs of [5, 30, 100])
    for (const inFlight of [1, 64, 256]) rows.push(await stepsInObjects(callMs, inFlight));
  for (const callMs of [5, 30, 100]) rows.push(await applyInObjects(callMs));
  return rows;
}

async function stepsInObjects(callMs: number, inFlight: number): Promise<Row> {
  const rig = new StoreRig({ latencyMs: callMs });
  const writer = await rig.run(() => rig.start().backend.open(opening));
  const { calls } = rig.store;
  const before = { written: calls.create + calls.replace, bytes: rig.store.bytesWritten };
  const until = rig.clock.now() + objectsS * 1000;
  const count = await rig.run(() => stepsUntil(writer, inFlight, () => rig.clock.now() >= until));
  const written = calls.create + calls.replace - before.written;
  const kilobytes = (rig.store.bytesWritten - before.bytes) / 1024;
  await rig.run(() => writer.close());
  const perThousand = (amount: number): number => Math.round((1_000 * amount) / count);
  return {
    place: 'objects',
    what: `${callMs} ms a call, ${inFlight} in flight: ${perThousand(written)} objects, ${perThousand(kilobytes)} KB per 1,000 steps`,
    'steps/s': Math.round(count / objectsS),
  };
}

/** Begins and ends steps, so many at a time, and returns their number. */
async function stepsUntil(writer: StateWriter, inFlight: number, isOver: () => boolean): Promise<number> {
  let count = 0;
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      const record = recordAt(count);
      count += 1;
      const step = `${record.address}#1`;
      await writer.begin(beginOf(step, record.address));
      await writer.done(step, { type: 'put', record });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return count;
}

async function applyInObjects(callMs: number): Promise<Row> {
  const { free, store } = await applyBeside(callMs, objectSteps, creationOfUser);
  const more = store.report.duration_s / free.report.duration_s - 1;
  return {
    place: 'objects',
    what: `${callMs} ms a call, an apply of ${objectSteps} steps at 200 steps/s: ${rounded(100 * more, 2)} % longer than with a state that costs nothing`,
    'steps/s': Math.round(objectSteps / store.report.duration_s),
  };
}
