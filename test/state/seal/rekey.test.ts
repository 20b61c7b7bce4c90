// Tests that a killed change of keys leaves a state that either the old or the new keys can read and open alone.
import { describe, expect, test } from 'vitest';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import type { UpkeepBackend } from '../../../src/state/engine/upkeep.ts';
import { isKeyRefusal } from '../../../src/state/seal/refusals.ts';
import { Sealer } from '../../../src/state/seal/sealer.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { postgresAddress } from '../../../src/state/stores/postgres.ts';
import { noPostgres, usePostgres } from '../../support/postgres.ts';
import {
  application,
  backendOn,
  beginOf,
  contentsOf,
  Processes,
  put,
  recordOf,
  refusalOf,
} from '../../support/state/fixtures.ts';
import { Disk } from '../../support/state/simulated-disk.ts';
import { SimulatedStore } from '../../support/state/simulated-store.ts';
import { inSuite } from '../../support/suite.ts';

const options = { application, lockTimeoutMs: 0 };
/** Far too weak for a real key, but quick. */
const cost = { N: 16, r: 1, p: 1 };

function sealerOf(secret: string | undefined): Sealer {
  const read = secret === undefined ? [] : [secret];
  return new Sealer({ write: secret, read, acceptsPlain: secret === undefined }, cost);
}

interface Life {
  readonly backend: UpkeepBackend;
  /** Whether it tried to do more operations than it was allowed. */
  readonly end: () => boolean;
}

/** A place that processes use one after the other, each for a number of operations. */
interface Place {
  start(sealer: Sealer, operations?: number): Life;
}

function diskPlace(power: number | undefined): Place {
  const disk = new Disk();
  const processes = new Processes();
  return {
    start: (sealer, operations = Number.POSITIVE_INFINITY) => {
      const mount = disk.mount();
      mount.operationsLeft = operations;
      return {
        backend: stateBackend(folderAddress('file:s', '/s', mount), { ...processes.start(), sealer }),
        end: () => {
          const wantedMore = mount.operationsLeft < 0;
          mount.die();
          processes.killAll();
          if (power !== undefined && wantedMore) disk.losePower(() => power);
          return wantedMore;
        },
      };
    },
  };
}

function storePlace(): Place {
  const processes = new Processes();
  const store = new SimulatedStore(processes.clock);
  return {
    start: (sealer, operations = Number.POSITIVE_INFINITY) => {
      let left = operations;
      const isAlive = () => left >= 0;
      const there = store.connect(isAlive);
      const counted = <T>(call: () => Promise<T>): Promise<T> => {
        left -= 1;
        return isAlive() ? call() : Promise.reject(new Error('this process is dead'));
      };
      const context = processes.start();
      const connection = {
        ...there,
        create: (key: string, bytes: Uint8Array) => counted(() => there.create(key, bytes)),
        replace: (key: string, bytes: Uint8Array, tag: string) => counted(() => there.replace(key, bytes, tag)),
        remove: (keys: readonly string[]) => counted(() => there.remove(keys)),
      };
      return {
        backend: backendOn(connection, { ...context, sealer }),
        end: () => {
          const wantedMore = left < 0;
          left = -1;
          processes.killAll();
          return wantedMore;
        },
      };
    },
  };
}

const records = [recordOf('a', { value: 1 }), recordOf('b')];
const both = { records, pending: ['3'] };

async function written(place: Place, sealer: Sealer): Promise<void> {
  const life = place.start(sealer);
  const writer = await life.backend.open(options);
  await writer.done('1', put('a', { value: 1 }));
  await writer.done('2', put('b'));
  await writer.begin(beginOf('3'));
  await writer.close();
  life.end();
}

/** False if nothing stopped it. */
async function rekeyed(place: Place, from: Sealer, to: Sealer, operations: number): Promise<boolean> {
  const life = place.start(from, operations);
  try {
    const writer = await life.backend.open(options);
    const { header, serial, pending } = writer;
    await writer.replace({ header, serial, pending, records: () => writer.records() }, to);
  } catch {
    // It was killed.
  }
  return life.end();
}

const places = [
  { name: 'file:, the process', make: () => diskPlace(undefined) },
  { name: 'file:, the machine, what was not synced is gone', make: () => diskPlace(0.999) },
  { name: 'file:, the machine, names were written, bytes were not', make: () => diskPlace(0) },
  { name: 'objects:', make: storePlace },
];
const changes = [
  { change: 'the first key', from: undefined, to: 'a new key' },
  { change: 'another key', from: 'the old key', to: 'a new key' },
  { change: 'no key any more', from: 'the old key', to: undefined },
];

describe.for(places)('$name', ({ make }) => {
  test.for(changes)('$change', async ({ from, to }) => {
    let readByNew = 0;
    for (let operations = 0; ; operations += inSuite(9, 1)) {
      const place = make();
      await written(place, sealerOf(from));
      const died = await rekeyed(place, sealerOf(from), sealerOf(to), operations);
      const reading = (secret: string | undefined) => place.start(sealerOf(secret)).backend.read(application);
      const ends = await Promise.allSettled([reading(from), reading(to)]);
      const reader = ends.findIndex(({ status }) => status === 'fulfilled');
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(ends[1 - reader]).toMatchObject({ reason: { code: expect.stringMatching(/^state\.(?:key-|not-enc)/u) } });
      readByNew += reader;
      const [right, wrong] = reader === 0 ? [from, to] : [to, from];
      expect(contentsOf(await reading(right))).toEqual(both);
      // The next run opens it with the one key, and not with the other.
      const refused = place.start(sealerOf(wrong));
      expect(isKeyRefusal(await refusalOf(refused.backend.open(options)))).toBe(true);
      refused.end();
      const next = place.start(sealerOf(right));
      const writer = await next.backend.open(options);
      await writer.done('4', put('c'));
      await writer.close();
      next.end();
      expect(contentsOf(await reading(right))).toEqual({ records: [...records, recordOf('c')], pending: ['3'] });
      if (!died) break;
    }
    expect(readByNew).toBeGreaterThan(0);
  });
});

describe.runIf(noPostgres === undefined)('postgres:', () => {
  const server = usePostgres();

  test.for(changes)('$change', async ({ change, from, to }) => {
    const processes = new Processes();
    const spec = `${server().url()}?state=${change.replaceAll(' ', '-')}`;
    const under = (secret: string | undefined) => {
      const context = processes.start();
      return stateBackend(
        postgresAddress(spec, () => undefined),
        { ...context, sealer: sealerOf(secret) },
      );
    };
    await written({ start: () => ({ backend: under(from), end: () => false }) }, sealerOf(from));
    const writer = await under(from).open(options);
    // A kill at this point changes nothing, because the rest is one transaction.
    expect(contentsOf(await under(from).read(application))).toEqual(both);
    expect(isKeyRefusal(await refusalOf(under(to).read(application)))).toBe(true);
    const { header, serial, pending } = writer;
    await writer.replace({ header, serial, pending, records: () => writer.records() }, sealerOf(to));
    expect(contentsOf(await under(to).read(application))).toEqual(both);
    expect(isKeyRefusal(await refusalOf(under(from).read(application)))).toBe(true);
  });
});

test.runIf(noPostgres !== undefined)(`skipped, because ${noPostgres}`, ({ skip }) => skip(noPostgres));
