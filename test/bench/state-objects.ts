// What does a state in object storage cost, at several times that a call takes? In virtual time, on a store in memory.
import { StoreRig } from '../state/objects/rig.ts';
import { applyBeside, creationOfUser } from '../state/support/apply-beside.ts';
import { manyRecords, opening, recordAt } from './state-records.ts';
import { type Row, rounded } from './table.ts';

const place = 'objects';
const measuredS = 20;
const records = 1_000_000;
const applied = 16_000;
const empty = { 'x of one write each': '', s: '', 'cpu s': '', 'x of the floor': '', 'peak MB': '' };

export async function benchObjects(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const callMs of [5, 30, 100]) for (const inFlight of [1, 64, 256]) rows.push(await steps(callMs, inFlight));
  for (const callMs of [5, 30, 100]) rows.push(await applying(callMs));
  for (const callMs of [5, 30, 100]) rows.push(await million(callMs));
  return rows;
}

async function steps(callMs: number, inFlight: number): Promise<Row> {
  const rig = new StoreRig({ latencyMs: callMs });
  const writer = await rig.run(() => rig.start().backend.open(opening));
  const { calls } = rig.store;
  const before = { written: calls.create + calls.replace, bytes: rig.store.bytesWritten };
  let count = 0;
  const until = rig.clock.now() + measuredS * 1000;
  const lane = async (): Promise<void> => {
    while (rig.clock.now() < until) {
      const record = recordAt(count);
      count += 1;
      const step = `${record.address}#1`;
      await writer.begin({ step, address: record.address, request: 'digest', at: '2026-01-01T00:00:00.000Z' });
      await writer.done(step, { type: 'put', record });
    }
  };
  await rig.run(() => Promise.all(Array.from({ length: inFlight }, lane)));
  const written = calls.create + calls.replace - before.written;
  const kilobytes = (rig.store.bytesWritten - before.bytes) / 1024;
  await rig.run(() => writer.close());
  const perThousand = (amount: number): number => Math.round((1_000 * amount) / count);
  return {
    place,
    what: `${callMs} ms a call, ${inFlight} in flight: ${perThousand(written)} objects, ${perThousand(kilobytes)} KB per 1,000 steps`,
    'steps/s': Math.round(count / measuredS),
    ...empty,
  };
}

async function applying(callMs: number): Promise<Row> {
  const { free, store } = await applyBeside(callMs, applied, creationOfUser);
  const more = store.report.duration_s / free.report.duration_s - 1;
  return {
    place,
    what: `${callMs} ms a call, an apply of ${applied} steps at 200 steps/s: ${rounded(100 * more, 2)} % longer than with a state that costs nothing`,
    'steps/s': Math.round(applied / store.report.duration_s),
    ...empty,
    s: rounded(store.report.duration_s, 1),
  };
}

/** By the clock: what the calls take, and what the processor needs, as if nothing went on at the same time. */
async function million(callMs: number): Promise<Row> {
  const rig = new StoreRig({ latencyMs: callMs });
  await rig.run(async () => {
    const writer = await rig.start().backend.open(opening);
    const { header } = writer;
    await writer.replace({ header, serial: 1, records: () => manyRecords(records), pending: [] });
  });
  const { calls } = rig.store;
  const before = { at: rig.clock.now(), read: calls.get + calls.list };
  const cpu = process.cpuUsage();
  await rig.run(async () => {
    const { size } = await rig.start().backend.read(opening.application);
    if (size !== records) throw new Error('not all records are there');
  });
  const { user, system } = process.cpuUsage(cpu);
  const cpuS = (user + system) / 1e6;
  return {
    place,
    what: `${callMs} ms a call, opening ${records} records: ${calls.get + calls.list - before.read} calls`,
    'steps/s': '',
    ...empty,
    s: rounded((rig.clock.now() - before.at) / 1000 + cpuS, 2),
    'cpu s': rounded(cpuS, 2),
  };
}
