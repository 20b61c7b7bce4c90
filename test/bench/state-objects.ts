// What does a state in object storage cost, at several times that a call takes? In virtual time, on a store in memory.
import type { StateWriter } from '../../src/model/ports.ts';
import { StoreRig } from '../state/engine/rig.ts';
import { applyBeside, creationOfUser } from '../state/support/apply-beside.ts';
import { opening, recordAt } from './many-users.ts';
import { type Row, rounded } from './measure.ts';

const place = 'objects';
const measuredS = 20;
const applied = 16_000;

export async function benchObjects(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const callMs of [5, 30, 100]) for (const inFlight of [1, 64, 256]) rows.push(await steps(callMs, inFlight));
  for (const callMs of [5, 30, 100]) rows.push(await applying(callMs));
  return rows;
}

async function steps(callMs: number, inFlight: number): Promise<Row> {
  const rig = new StoreRig({ latencyMs: callMs });
  const writer = await rig.run(() => rig.start().backend.open(opening));
  const { calls } = rig.store;
  const before = { written: calls.create + calls.replace, bytes: rig.store.bytesWritten };
  const until = rig.clock.now() + measuredS * 1000;
  const count = await rig.run(() => stepsUntil(writer, inFlight, () => rig.clock.now() >= until));
  const written = calls.create + calls.replace - before.written;
  const kilobytes = (rig.store.bytesWritten - before.bytes) / 1024;
  await rig.run(() => writer.close());
  const perThousand = (amount: number): number => Math.round((1_000 * amount) / count);
  return {
    place,
    what: `${callMs} ms a call, ${inFlight} in flight: ${perThousand(written)} objects, ${perThousand(kilobytes)} KB per 1,000 steps`,
    'steps/s': Math.round(count / measuredS),
  };
}

/** Begins and ends steps, so many at a time; how many it were. */
export async function stepsUntil(writer: StateWriter, inFlight: number, isOver: () => boolean): Promise<number> {
  let count = 0;
  const lane = async (): Promise<void> => {
    while (!isOver()) {
      const record = recordAt(count);
      count += 1;
      const step = `${record.address}#1`;
      await writer.begin({ step, address: record.address, request: 'digest', at: '2026-01-01T00:00:00.000Z' });
      await writer.done(step, { type: 'put', record });
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return count;
}

async function applying(callMs: number): Promise<Row> {
  const { free, store } = await applyBeside(callMs, applied, creationOfUser);
  const more = store.report.duration_s / free.report.duration_s - 1;
  return {
    place,
    what: `${callMs} ms a call, an apply of ${applied} steps at 200 steps/s: ${rounded(100 * more, 2)} % longer than with a state that costs nothing`,
    'steps/s': Math.round(applied / store.report.duration_s),
  };
}
