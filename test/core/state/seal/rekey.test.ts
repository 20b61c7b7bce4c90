// Tests that a killed change of keys leaves a state that either the old or the new keys can read and open alone.
import { describe, expect, test } from 'vitest';
import type { UpkeepBackend, UpkeepWriter } from '../../../../src/core/state/engine/upkeep.ts';
import { isKeyRefusal } from '../../../../src/core/state/seal/refusals.ts';
import type { Sealer } from '../../../../src/core/state/seal/sealer.ts';
import { noPostgres, usePostgres } from '../../../support/postgres.ts';
import {
  application,
  backendOn,
  beginOf,
  contentsOf,
  now,
  Processes,
  put,
  recordOf,
  refusalOf,
} from '../../../support/state/fixtures.ts';
import { SimulatedStore } from '../../../support/state/simulated-store.ts';
import { inSuite } from '../../../support/suite.ts';
import { backendAt } from '../support/backend-at.ts';
import { Machine } from '../support/machine.ts';
import { sealerOf } from '../support/sealers.ts';

interface Life {
  readonly backend: UpkeepBackend;
  /** Whether it tried to do more operations than it was allowed. */
  readonly end: () => boolean;
}

/** Starts processes one after the other in one place, each for a number of operations. */
type Start = (sealer: Sealer, operations?: number) => Life;

function onDisk(power: number | undefined): Start {
  const machine = new Machine();
  return (sealer, operations) => {
    const { backend, mount } = machine.start({ sealer, ...(operations === undefined ? {} : { operations }) });
    const end = () => {
      const wantedMore = mount.operationsLeft < 0;
      machine.crash();
      if (power !== undefined && wantedMore) machine.disk.losePower(() => power);
      return wantedMore;
    };
    return { backend, end };
  };
}

function inStore(): Start {
  const processes = new Processes();
  const store = new SimulatedStore(processes.clock);
  return (sealer, operations = Number.POSITIVE_INFINITY) => {
    let left = operations;
    const there = store.connect(() => left >= 0);
    const counted =
      <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
      (...args: Args): Promise<T> => {
        left -= 1;
        return left >= 0 ? call(...args) : Promise.reject(new Error('this process is dead'));
      };
    const connection = {
      ...there,
      create: counted(there.create),
      replace: counted(there.replace),
      remove: counted(there.remove),
    };
    const end = () => {
      const wantedMore = left < 0;
      left = -1;
      processes.killAll();
      return wantedMore;
    };
    return { backend: backendOn(connection, { ...processes.start(), sealer }), end };
  };
}

const records = [recordOf('a', { value: 1 }), recordOf('b')];
const both = { records, pending: ['3'] };

async function writeBoth(backend: UpkeepBackend): Promise<void> {
  const writer = await backend.open(now);
  await writer.done('1', put('a', { value: 1 }));
  await writer.done('2', put('b'));
  await writer.begin(beginOf('3'));
  await writer.close();
}

function rekey(writer: UpkeepWriter, to: Sealer): Promise<void> {
  const { header, serial, pending } = writer;
  return writer.replace({ header, serial, pending, records: () => writer.records() }, to);
}

const changes = [
  { change: 'the first key', from: undefined, to: 'a new key' },
  { change: 'another key', from: 'the old key', to: 'a new key' },
  { change: 'no key any more', from: 'the old key', to: undefined },
];

describe.for([
  { name: 'file:, the process', make: () => onDisk(undefined) },
  { name: 'file:, the machine, what was not synced is gone', make: () => onDisk(0.999) },
  { name: 'file:, the machine, names were written, bytes were not', make: () => onDisk(0) },
  { name: 'objects:', make: inStore },
])('$name', ({ make }) => {
  test.for(changes)('$change', async ({ from, to }) => {
    let readByNew = 0;
    for (let operations = 0, died = true; died; operations += inSuite(9, 1)) {
      const start = make();
      const first = start(sealerOf(from));
      await writeBoth(first.backend);
      first.end();
      const killed = start(sealerOf(from), operations);
      await killed.backend.open(now).then(
        (writer) => rekey(writer, sealerOf(to)).catch(() => undefined),
        () => undefined,
      );
      died = killed.end();
      const reading = (secret: string | undefined) => start(sealerOf(secret)).backend.read(application);
      const ends = await Promise.allSettled([reading(from), reading(to)]);
      const reader = ends.findIndex(({ status }) => status === 'fulfilled');
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(ends[1 - reader]).toMatchObject({ reason: { code: expect.stringMatching(/^state\.(?:key-|not-enc)/u) } });
      readByNew += reader;
      const [right, wrong] = reader === 0 ? [from, to] : [to, from];
      expect(contentsOf(await reading(right))).toEqual(both);
      // The next run opens it with the one key, and not with the other.
      const refused = start(sealerOf(wrong));
      expect(isKeyRefusal(await refusalOf(refused.backend.open(now)))).toBe(true);
      refused.end();
      const next = start(sealerOf(right));
      const writer = await next.backend.open(now);
      await writer.done('4', put('c'));
      await writer.close();
      next.end();
      expect(contentsOf(await reading(right))).toEqual({ records: [...records, recordOf('c')], pending: ['3'] });
    }
    expect(readByNew).toBeGreaterThan(0);
  });
});

describe.runIf(noPostgres === undefined)('postgres:', () => {
  const server = usePostgres();

  test.for(changes)('$change', async ({ change, from, to }) => {
    const spec = `${server().url()}?state=${change.replaceAll(' ', '-')}`;
    const under = (secret: string | undefined) => backendAt(spec, { sealer: sealerOf(secret) });
    await writeBoth(under(from));
    const writer = await under(from).open(now);
    // A kill at this point changes nothing, because the rest is one transaction.
    expect(contentsOf(await under(from).read(application))).toEqual(both);
    expect(isKeyRefusal(await refusalOf(under(to).read(application)))).toBe(true);
    await rekey(writer, sealerOf(to));
    expect(contentsOf(await under(to).read(application))).toEqual(both);
    expect(isKeyRefusal(await refusalOf(under(from).read(application)))).toBe(true);
  });
});

test.runIf(noPostgres !== undefined)(`skipped, because ${noPostgres}`, ({ skip }) => skip(noPostgres));
