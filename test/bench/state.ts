// Counts durable steps a second, in a folder and in a database, and what object storage takes.
import type { UpkeepBackend } from '../../src/state/engine/upkeep.ts';
import { openBackend } from '../../src/state/index.ts';
import { noPostgres, type Postgres, startPostgres } from '../support/postgres.ts';
import { contextAt, opening } from './many-users.ts';
import { inFolder } from './measure.ts';
import { benchObjects, stepsUntil } from './state-objects.ts';
import type { Row } from './table.ts';

const measureMs = 2_000;

interface Place {
  readonly name: string;
  at(place: string): Promise<UpkeepBackend>;
}

/** Steps a second that are durable, at several numbers in flight. */
export async function benchState(): Promise<Row[]> {
  // As a user's server is: every commit is flushed to the disk.
  const server = noPostgres === undefined ? await startPostgres([]) : undefined;
  try {
    return await inFolder(async (folder) => {
      const rows: Row[] = [];
      for (const { name, at } of [filePlace(folder), ...(server === undefined ? [] : [postgresPlace(server)])]) {
        for (const inFlight of [1, 64, 256]) {
          const perSecond = await steps(at, inFlight);
          rows.push({ place: name, what: `${inFlight} steps in flight, begin and done`, 'steps/s': perSecond });
        }
      }
      return [...rows, ...(await benchObjects())];
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

function filePlace(folder: string): Place {
  return { name: 'file', at: (place) => openBackend(`file:${place}`, contextAt(folder)) };
}

function postgresPlace(server: Postgres): Place {
  return { name: 'postgres', at: (place) => openBackend(`${server.url()}?state=${place}`, contextAt('.')) };
}
