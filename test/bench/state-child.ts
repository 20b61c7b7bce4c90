// One measurement of a state, in a process of its own so that its memory is its own. Prints seconds and megabytes.
import { join } from 'node:path';
import { fileBackend } from '../../src/state/file/file.ts';
import { type GrowingFile, nodeFiles, type StateFiles } from '../../src/state/file/file-system.ts';
import { openBackend } from '../../src/state/index.ts';
import { eachLine } from '../../src/state/lines.ts';
import { application, contextAt, opening, recordAt } from './state-records.ts';

/** By the clock, and on all processors. */
interface Cost {
  readonly s: number;
  readonly cpuS: number;
}

/** `place`: a state as --state names it, or a folder where one is written. */
const [way = '', place = '', count = '0', inFlight = '1'] = process.argv.slice(2);
const rounds = 20;
/** As long as a digest. */
const request = '0'.repeat(64);
const journal = { bytes: 0, syncs: 0 };
const context = contextAt('.');
const ways: Readonly<Record<string, () => Promise<Cost>>> = {
  parse: () => seconds(parseLines),
  open: () => seconds(async () => (await openBackend(place, context)).read(application)),
  walk: async () => {
    const snapshot = await (await openBackend(place, context)).read(application);
    return seconds(() => {
      let seen = 0;
      for (const record of snapshot.records()) seen += Number(record.attributes.nickname !== undefined);
      if (seen !== snapshot.size) throw new Error('not all records were seen');
    });
  },
  get: async () => {
    const snapshot = await (await openBackend(place, context)).read(application);
    return seconds(() => {
      // All over the place: 7919 has no divisor in common with their number.
      for (let number = 0; number < Number(count); number += 1) {
        const { address } = recordAt((number * 7919) % snapshot.size);
        if (snapshot.get(address)?.address !== address) throw new Error(`${address} was not found`);
      }
    });
  },
  steps: () => recordSteps(false),
  'begun-steps': () => recordSteps(true),
};
const run = ways[way];
if (run === undefined) throw new Error(`no way to measure is called ${way}`);
const cost = await run();
console.log(JSON.stringify({ ...cost, rssMb: process.resourceUsage().maxRSS / 1024, ...journal }));

/** The floor of reading: the same bytes, each line parsed and thrown away. */
async function parseLines(): Promise<void> {
  const file = await nodeFiles.openToRead(place);
  if (file === undefined) throw new Error('there is no snapshot');
  await eachLine(file, Number.POSITIVE_INFINITY, (text) => {
    if (typeof JSON.parse(text) !== 'object') throw new Error('no record');
    return undefined;
  });
}

/**
 * New records, one step each, in lanes; then closed, which is not in the time. The floor is in the same rounds, as a disk
 * that others use is quick at one moment and slow at the next: as many bytes with as many flushes, and nothing else.
 * `isBegun`: each step with a begin.
 */
async function recordSteps(isBegun: boolean): Promise<Cost> {
  const files: StateFiles = {
    ...nodeFiles,
    create: async (path) => {
      const file = await nodeFiles.create(path);
      return {
        ...file,
        write: (part) => {
          journal.bytes += part.length;
          return file.write(part);
        },
        sync: () => {
          journal.syncs += 1;
          return file.sync();
        },
      };
    },
  };
  const writer = await fileBackend('file:bench', place, { ...context, files }).open(opening);
  const floor = await nodeFiles.create(join(place, 'floor'));
  let next = 0;
  const lane = async (end: number): Promise<void> => {
    while (next < end) {
      const record = recordAt(next);
      next += 1;
      const step = `${record.address}#0`;
      if (isBegun) await writer.begin({ step, address: record.address, request, at: '2026-01-01T00:00:00.000Z' });
      await writer.done(step, { type: 'put', record });
    }
  };
  const costs: Cost[] = [];
  const floors: Cost[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const { bytes, syncs } = journal;
    const end = Math.round((Number(count) * round) / rounds);
    costs.push(await seconds(() => Promise.all(Array.from({ length: Number(inFlight) }, () => lane(end)))));
    floors.push(await seconds(() => writeBytes(floor, journal.bytes - bytes, journal.syncs - syncs)));
  }
  await floor.close();
  const recorded = { ...journal, rssMb: process.resourceUsage().maxRSS / 1024 };
  const closing = await seconds(() => writer.close());
  const closingRssMb = process.resourceUsage().maxRSS / 1024;
  const after = { closingS: closing.s, closingCpuS: closing.cpuS, closingRssMb };
  const ofFloor = ofAll(floors);
  Object.assign(journal, recorded, { floorS: ofFloor.s, floorCpuS: ofFloor.cpuS, ...after });
  return ofAll(costs);
}

async function writeBytes(file: GrowingFile, bytes: number, syncs: number): Promise<void> {
  const part = Buffer.alloc(Math.ceil(bytes / syncs), `${JSON.stringify(recordAt(0))}\n`);
  for (let sync = 0; sync < syncs; sync += 1) {
    await file.write(part);
    await file.sync();
  }
}

/** As if every round had taken as long as the middle one: one in which the disk was busy with others says nothing. */
function ofAll(rounds: readonly Cost[]): Cost {
  const sorted = rounds.map(({ s }) => s).sort((left, right) => left - right);
  const middle = sorted[sorted.length >> 1] ?? 0;
  return { s: middle * rounds.length, cpuS: rounds.reduce((sum, { cpuS }) => sum + cpuS, 0) };
}

async function seconds(work: () => unknown): Promise<Cost> {
  const started = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { s: (performance.now() - started) / 1000, cpuS: (user + system) / 1e6 };
}
