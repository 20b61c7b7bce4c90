// One measurement of a state, in a process of its own so that its memory is its own. Prints seconds and megabytes.
import { join } from 'node:path';
import { fileBackend } from '../../src/state/file.ts';
import { nodeFiles, type StateFiles } from '../../src/state/files.ts';
import { openBackend } from '../../src/state/index.ts';
import { eachLine } from '../../src/state/lines.ts';
import { application, contextAt, opening, recordAt } from './state-records.ts';

/** `place`: a state as --state names it, or a folder where one is written. */
const [way = '', place = '', count = '0', inFlight = '1', bytes = '0', syncs = '0'] = process.argv.slice(2);
const journal = { bytes: 0, syncs: 0 };
const context = contextAt('.');
const ways: Readonly<Record<string, () => Promise<number>>> = {
  parse: () => seconds(parseLines),
  open: () => seconds(() => openBackend(place, context).read(application)),
  walk: async () => {
    const snapshot = await openBackend(place, context).read(application);
    return seconds(() => {
      let seen = 0;
      for (const record of snapshot.records()) seen += Number(record.attributes.nickname !== undefined);
      if (seen !== snapshot.size) throw new Error('not all records were seen');
    });
  },
  get: async () => {
    const snapshot = await openBackend(place, context).read(application);
    return seconds(() => {
      // All over the place: 7919 has no divisor in common with their number.
      for (let number = 0; number < Number(count); number += 1) {
        const { address } = recordAt((number * 7919) % snapshot.size);
        if (snapshot.get(address)?.address !== address) throw new Error(`${address} was not found`);
      }
    });
  },
  steps: recordSteps,
  write: writeBytes,
};
const run = ways[way];
if (run === undefined) throw new Error(`no way to measure is called ${way}`);
const s = await run();
const cpu = process.cpuUsage();
console.log(
  JSON.stringify({ s, cpuS: (cpu.user + cpu.system) / 1e6, rssMb: process.resourceUsage().maxRSS / 1024, ...journal }),
);

/** The floor of reading: the same bytes, each line parsed and thrown away. */
async function parseLines(): Promise<void> {
  const file = await nodeFiles.openToRead(place);
  if (file === undefined) throw new Error('there is no snapshot');
  await eachLine(file, Number.POSITIVE_INFINITY, (text) => {
    if (typeof JSON.parse(text) !== 'object') throw new Error('no record');
    return undefined;
  });
}

/** New records, one step each, in lanes; then closed, which is not in the time. */
async function recordSteps(): Promise<number> {
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
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < Number(count)) {
      const record = recordAt(next);
      next += 1;
      await writer.done(`${record.address}#0`, { type: 'put', record });
    }
  };
  const s = await seconds(() => Promise.all(Array.from({ length: Number(inFlight) }, lane)));
  const recorded = { ...journal, rssMb: process.resourceUsage().maxRSS / 1024 };
  const closing = await seconds(() => writer.close());
  Object.assign(journal, recorded, { closingS: closing, closingRssMb: process.resourceUsage().maxRSS / 1024 });
  return s;
}

/** The floor of recording: as many bytes with as many flushes, and nothing else. */
async function writeBytes(): Promise<number> {
  const line = Buffer.from(`${JSON.stringify(recordAt(0))}\n`);
  const part = Buffer.alloc(Math.ceil(Number(bytes) / Number(syncs)), line);
  const file = await nodeFiles.create(join(place, 'floor'));
  const s = await seconds(async () => {
    for (let sync = 0; sync < Number(syncs); sync += 1) {
      await file.write(part);
      await file.sync();
    }
  });
  await file.close();
  return s;
}

async function seconds(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1000;
}
