// Tests that a store without the guarantees of a lock is refused, and that missing, exchanged, changed and restored parts of a
// state are noticed by readers and holders, and left untouched.
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../../src/core/model/errors.ts';
import type { StateSnapshot } from '../../../../src/core/model/ports.ts';
import {
  application,
  backendOn,
  contentsOf,
  now,
  Processes,
  put,
  putBy,
  readBy,
  recordOf,
  refusalOf,
} from '../../../support/state/fixtures.ts';
import { SimulatedStore, type StoreSettings } from '../../../support/state/simulated-store.ts';
import { inSuite } from '../../../support/suite.ts';
import { Machine } from '../support/machine.ts';
import { sealerOf } from '../support/sealers.ts';
import { StoreRig } from './rig.ts';

const head = 'head/0000000003';
const snapshot = 'snapshot/1.1/0000000000';
const flushes = ['journal/2/0000000001', 'journal/2/0000000002'] as const;
const parts = [snapshot, ...flushes];

describe.for([
  { name: 'without a key', secret: undefined },
  { name: 'with a key', secret: 'correct horse battery' },
])('$name', ({ secret }) => {
  /** A state with a snapshot and the journal of a killed holder. A fence would get number 4. */
  async function killed() {
    const processes = new Processes();
    const store = new SimulatedStore(processes.clock);
    const start = () => backendOn(store.connect(), { ...processes.start(), sealer: sealerOf(secret) });
    const first = await start().open(now);
    await first.done('1', put('a', { text: 'x'.repeat(2_000) }));
    await first.close();
    const second = await start().open(now);
    for (const key of ['b', 'c', 'd']) await second.done(key, put(key));
    processes.killAll();
    return { store, start };
  }

  test.for<[what: string, damage: (store: SimulatedStore) => void]>([
    ...parts.map((key): [string, (store: SimulatedStore) => void] => [
      `a state without ${key}, and no fence fills the gap`,
      (store) => store.tamper(key, undefined),
    ]),
    [
      'two exchanged flushes',
      (store) => {
        const [left, right] = flushes.map((key) => store.contents().get(key));
        store.tamper(flushes[0], right);
        store.tamper(flushes[1], left);
      },
    ],
    [
      'a state without heads, which is not an empty state',
      (store) => {
        for (const key of store.contents().keys()) if (key.startsWith('head/')) store.tamper(key, undefined);
      },
    ],
  ])('refuses %s', async ([, damage]) => {
    const { store, start } = await killed();
    damage(store);
    const before = store.contents();
    for (const use of [() => start().read(application), () => start().open(now)])
      expect(await refusalOf(use())).toMatchObject({ code: 'state.corrupt', exitCode: 1 });
    for (const [key, bytes] of before) if (!key.startsWith('head/')) expect(store.contents().get(key)).toEqual(bytes);
    for (const key of store.contents().keys())
      if (key.startsWith('journal/2/') && !before.has(key)) expect(key).toBe('journal/2/0000000004');
  });

  test.for([...parts, 'journal/2/0000000003'])('refuses a flipped byte in %s', async (key) => {
    const { store, start } = await killed();
    const whole = await readBy(start);
    const length = store.contents().get(key)?.length ?? 0;
    for (let at = 0; at < length; at += Math.max(1, Math.floor(length / 12))) {
      const state = await killed();
      const bytes = Buffer.from(state.store.contents().get(key) ?? '');
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      state.store.tamper(key, bytes);
      const read = await state
        .start()
        .read(application)
        .catch((error: unknown) => error);
      // Some bytes of a compressed object have no meaning.
      if (!(read instanceof Refusal)) expect(contentsOf(read as StateSnapshot)).toEqual(whole);
      else expect(read.code).toMatch(/^state\.(?:corrupt|key-wrong|not-encrypted)$/u);
    }
  });

  test('refuses an object cut at any byte', async () => {
    const { store, start } = await killed();
    for (const [key, whole] of store.contents()) {
      for (let length = 0; length < whole.length; length += inSuite(3, 1)) {
        store.tamper(key, whole.subarray(0, length));
        const refusal = await refusalOf(start().read(application));
        expect(refusal.code).toMatch(/^state\.(?:corrupt|key-wrong|not-encrypted)$/u);
      }
      store.tamper(key, whole);
    }
  });

  test('refuses an older head, which names removed objects', async () => {
    const { store, start } = await killed();
    const writer = await start().open(now);
    const old = store.contents().get(head);
    await writer.done('e', put('e'));
    await writer.close();
    store.tamper(head, old);
    expect((await refusalOf(start().read(application))).code).toBe('state.corrupt');
  });

  test('opens the same state if it is untouched', async () => {
    const { start } = await killed();
    expect((await readBy(start)).records.slice(1)).toEqual(['b', 'c', 'd'].map((key) => recordOf(key)));
  });
});

test('refuses a file of a folder cut at any byte', async () => {
  const machine = new Machine();
  await putBy(() => machine.start().backend, 'a', 'b');
  await (await machine.open()).done('c', put('c'));
  machine.crash();
  const paths = [...machine.disk.names.keys()].sort();
  expect(paths).toEqual(['/s/head_0000000002.2', '/s/journal_2_0000000001', '/s/state.ndjson']);
  for (const path of paths) {
    const whole = machine.disk.text(path);
    for (let length = 0; length < whole.length; length += inSuite(3, 1)) {
      machine.disk.write(path, whole.slice(0, length));
      expect((await refusalOf(machine.contents())).code).toBe('state.corrupt');
    }
    machine.disk.write(path, whole);
  }
  expect((await machine.contents()).records).toEqual(['a', 'b', 'c'].map((key) => recordOf(key)));
});

test.for<{ name: string; key: string; change: (text: string) => string | undefined; says: string }>([
  { name: 'a head that is gone', key: 'head/', change: () => undefined, says: 'head' },
  { name: 'a head that is no head', key: 'head/', change: () => '{}', says: 'head' },
  { name: 'a snapshot without a part', key: 'snapshot/', change: () => undefined, says: snapshot },
  {
    name: 'a snapshot that was edited',
    key: 'snapshot/',
    change: (text) => text.replace('user.a', 'user.b'),
    says: 'snapshot 1.1',
  },
])('the damage is named: $name', async ({ key, change, says }) => {
  const rig = new StoreRig();
  await rig.run(async () => {
    const start = () => rig.start().backend;
    await putBy(start, 'a');
    const [found = '', bytes] = [...rig.store.contents()].find(([name]) => name.startsWith(key)) ?? [];
    const changed = change(bytes?.toString() ?? '');
    rig.store.tamper(found, changed === undefined ? undefined : Buffer.from(changed));
    for (const use of [() => start().read(application), () => start().open(now)]) {
      const refusal = await refusalOf(use());
      expect(refusal).toMatchObject({ code: 'state.corrupt', exitCode: 1 });
      expect(refusal.message).toContain(says);
    }
  });
});

describe('a store', () => {
  test.for<{ name: string; settings: StoreSettings; did: string }>([
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
  ])('$name is refused', async ({ settings, did }) => {
    const rig = new StoreRig(settings);
    const refusal = await rig.run(() => refusalOf(rig.start().backend.open(now)));
    expect(refusal).toMatchObject({ code: 'state.store-unsafe', exitCode: 1 });
    expect(refusal.message).toContain(`it ${did}`);
    expect([...rig.store.contents().keys()].filter((key) => !key.startsWith('probe/'))).toEqual([]);
  });

  test('is tested once if it is sound, and again when the state was copied elsewhere', async () => {
    const rig = new StoreRig();
    await rig.run(async () => {
      await putBy(() => rig.start().backend, 'a');
      expect([...rig.store.contents().keys()].filter((key) => key.startsWith('probe/'))).toEqual([]);
      const tested = rig.store.calls.create;
      await putBy(() => rig.start().backend);
      // Only its head remains, and no object of the probe.
      expect(rig.store.calls.create).toBe(tested + 1);
      const copied = () => rig.start('host-a', 0, {}, 'objects:elsewhere').backend;
      rig.store.settings = { ignores: 'create' };
      expect((await refusalOf(copied().open(now))).code).toBe('state.store-unsafe');
      rig.store.settings = {};
      expect((await readBy(copied)).records).toEqual([recordOf('a')]);
    });
  });
});
