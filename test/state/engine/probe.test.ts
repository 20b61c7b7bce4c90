// Tests that a store which does not keep the guarantees of a lock is refused before it is used, with its fault.
import { describe, expect, test } from 'vitest';
import { headKey } from '../../../src/state/engine/layout.ts';
import { application, contentsOf, put, recordOf, refusalOf } from '../../support/state/fixtures.ts';
import type { StoreSettings } from '../../support/state/simulated-store.ts';
import { StoreRig } from './rig.ts';

const now = { application, lockTimeoutMs: 0 };

describe('a store', () => {
  const cases: { name: string; settings: StoreSettings; did: string }[] = [
    {
      name: 'that ignores If-None-Match',
      settings: { ignores: 'create' },
      did: 'accepted a second write under If-None-Match',
    },
    {
      name: 'that ignores If-Match',
      settings: { ignores: 'replace' },
      did: 'accepted a write under If-Match where no object was',
    },
    { name: 'that reads late', settings: { readsLateMs: 500 }, did: 'did not read what it had just written' },
    {
      name: 'that lets several writes at the same moment win',
      settings: { isRacy: true, latencyMs: 10 },
      did: 'accepted 6 of 6 writes under If-None-Match at the same moment',
    },
  ];
  test.for(cases)('$name is refused', async ({ settings, did }) => {
    const rig = new StoreRig(settings);
    await rig.run(async () => {
      const refusal = await refusalOf(rig.start().backend.open(now));
      expect(refusal).toMatchObject({ code: 'state.store-unsafe', exitCode: 1 });
      expect(refusal.message).toContain(`it ${did}`);
    });
    expect([...rig.store.contents().keys()].filter((key) => !key.startsWith('probe/'))).toEqual([]);
  });

  test('is tested once if it is sound, and again when the state was copied elsewhere', async () => {
    const rig = new StoreRig();
    await rig.run(async () => {
      const writer = await rig.start().backend.open(now);
      await writer.done('1', put('a'));
      await writer.close();
      expect([...rig.store.contents().keys()].filter((key) => key.startsWith('probe/'))).toEqual([]);
      const tested = rig.store.calls.create;
      await (await rig.start().backend.open(now)).close();
      // Only its head remains, and no object of the probe.
      expect(rig.store.calls.create).toBe(tested + 1);
      const copied = rig.start('host-a', 0, {}, 'objects:elsewhere');
      rig.store.settings = { ignores: 'create' };
      expect((await refusalOf(copied.backend.open(now))).code).toBe('state.store-unsafe');
      rig.store.settings = {};
      expect(contentsOf(await copied.backend.read(application)).records).toEqual([recordOf('a')]);
    });
  });
});

describe('damage is reported', () => {
  const cases = [
    {
      name: 'a head that is gone',
      change: (rig: StoreRig) => rig.store.tamper(headKey(1), undefined),
      key: 'head',
      use: 'open' as const,
    },
    {
      name: 'a head that is no head',
      change: (rig: StoreRig) => rig.store.tamper(headKey(1), Buffer.from('{}')),
      key: 'head',
      use: 'read' as const,
    },
    {
      name: 'a snapshot without a part',
      change: (rig: StoreRig) => rig.store.tamper(snapshotIn(rig), undefined),
      key: 'snapshot/1.1/0000000000',
      use: 'read' as const,
    },
    {
      name: 'a snapshot that was edited',
      change: (rig: StoreRig) => {
        const key = snapshotIn(rig);
        const text = rig.store.contents().get(key)?.toString() ?? '';
        rig.store.tamper(key, Buffer.from(text.replace('user.a', 'user.b')));
      },
      key: 'snapshot 1.1',
      use: 'read' as const,
    },
  ];
  test.for(cases)('$name', async ({ change, key, use }) => {
    const rig = new StoreRig();
    await rig.run(async () => {
      const writer = await rig.start().backend.open(now);
      await writer.done('1', put('a'));
      await writer.close();
      change(rig);
      const { backend } = rig.start();
      const refusal = await refusalOf(use === 'read' ? backend.read(application) : backend.open(now));
      expect(refusal).toMatchObject({ code: 'state.corrupt', exitCode: 1 });
      expect(refusal.message).toContain(key);
    });
  });
});

function snapshotIn(rig: StoreRig): string {
  return [...rig.store.contents().keys()].find((key) => key.startsWith('snapshot/')) ?? '';
}
