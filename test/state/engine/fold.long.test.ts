// Tests that a holder which makes a snapshot while it writes loses nothing, wherever it is killed.
import { expect, test } from 'vitest';
import type { UpkeepWriter } from '../../../src/state/engine/upkeep.ts';
import { application, beginOf, contentsOf, put, recordOf } from '../../support/state/fixtures.ts';
import { StoreRig } from './rig.ts';

const now = { application, lockTimeoutMs: 0 };
const later = { application, lockTimeoutMs: 600_000 };
/** Together enough to make a snapshot worthwhile. */
const large = Array.from({ length: 36 }, (_none, number) => [`large${number}`, { data: 'x'.repeat(1 << 20) }] as const);
const small = ['one', 'two', 'three'];

async function writeOn(writer: UpkeepWriter, acknowledged: Set<string>): Promise<void> {
  await writer.begin(beginOf('open'));
  await Promise.all(large.map(([key, attributes]) => writer.done(key, put(key, attributes))));
  for (const [key] of large) acknowledged.add(key);
  for (const key of small) {
    await writer.done(key, put(key));
    acknowledged.add(key);
  }
}

test('a kill at any call of a snapshot keeps acknowledged entries and pending begins', async () => {
  const data = Object.fromEntries(large);
  let snapshots = 0;
  for (let calls = 0; ; calls += 1) {
    const rig = new StoreRig({ latencyMs: 30 });
    const isKilled = await rig.run(async () => {
      const first = rig.start();
      const writer = await first.backend.open(now);
      let left = Number.POSITIVE_INFINITY;
      let isDead = false;
      rig.store.settings = {
        latencyMs: 30,
        fault: ({ type, key }) => {
          if (type === 'create' && key.startsWith('snapshot/') && left === Number.POSITIVE_INFINITY) left = calls;
          left -= 1;
          if (left >= 0) return undefined;
          isDead = true;
          first.die();
          return undefined;
        },
      };
      const acknowledged = new Set<string>();
      const writing = writeOn(writer, acknowledged).catch(() => undefined);
      await Promise.race([writing, rig.clock.sleep(60_000)]);
      await rig.clock.sleep(60_000);
      // Killed before it closes, because closing writes a snapshot in any case.
      snapshots += Number([...rig.store.contents().keys()].some((key) => key.startsWith('snapshot/')));
      if (!isDead) await writer.close();
      first.die();
      rig.store.settings = { latencyMs: 30 };
      const next = await rig.start().backend.open(later);
      const { records, pending } = contentsOf(next);
      const known = new Map(records.map((record) => [record.address, record]));
      for (const key of acknowledged) expect(known.get(`user.${key}`)).toEqual(recordOf(key, data[key] ?? {}));
      expect(pending).toEqual(['open']);
      await next.close();
      expect((await rig.start().backend.read(application)).size).toBe(records.length);
      return isDead;
    });
    if (!isKilled) break;
    expect(calls).toBeLessThan(200);
  }
  expect(snapshots).toBeGreaterThan(1);
});
