// Tests that missing, exchanged, changed and restored parts of a state are noticed by readers and holders, and left untouched.
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../src/model/errors.ts';
import type { StateSnapshot } from '../../../src/model/ports.ts';
import { Sealer } from '../../../src/state/seal/sealer.ts';
import {
  application,
  backendOn,
  contentsOf,
  Processes,
  put,
  recordOf,
  refusalOf,
} from '../../support/state/fixtures.ts';
import { SimulatedStore } from '../../support/state/simulated-store.ts';

const now = { application, lockTimeoutMs: 0 };
const secrets = { write: 'correct horse battery', read: ['correct horse battery'], acceptsPlain: false };
/** Far too weak for a real key, but quick. */
const cost = { N: 16, r: 1, p: 1 };

describe.for([
  { name: 'without a key', makeSealer: () => new Sealer() },
  { name: 'with a key', makeSealer: () => new Sealer(secrets, cost) },
])('$name', ({ makeSealer }) => {
  /** A state with a snapshot and the journal of a killed holder. A fence would get number 4. */
  async function killed() {
    const processes = new Processes();
    const store = new SimulatedStore(processes.clock);
    const start = () => backendOn(store.connect(), { ...processes.start(), sealer: makeSealer() });
    const first = await start().open(now);
    await first.done('1', put('a', { text: 'x'.repeat(2_000) }));
    await first.close();
    const second = await start().open(now);
    for (const key of ['b', 'c', 'd']) await second.done(key, put(key));
    processes.killAll();
    return { store, start };
  }

  type Killed = Awaited<ReturnType<typeof killed>>;

  async function expectNoticed({ store, start }: Killed): Promise<void> {
    const before = store.contents();
    for (const use of ['read', 'open'] as const) {
      const refusal = await refusalOf(use === 'read' ? start().read(application) : start().open(now));
      expect(refusal).toMatchObject({ code: 'state.corrupt', exitCode: 1 });
    }
    for (const [key, bytes] of before) if (!key.startsWith('head/')) expect(store.contents().get(key)).toEqual(bytes);
    for (const key of store.contents().keys())
      if (key.startsWith('journal/2/') && !before.has(key)) expect(key).toBe('journal/2/0000000004');
  }

  const parts = ['snapshot/1.1/0000000000', 'journal/2/0000000001', 'journal/2/0000000002'];

  test.for(parts)('refuses a state without %s, and no fence fills the gap', async (key) => {
    const state = await killed();
    state.store.tamper(key, undefined);
    await expectNoticed(state);
  });

  test.for([...parts, 'journal/2/0000000003'])('refuses a flipped byte in %s', async (key) => {
    const { store, start } = await killed();
    const whole = contentsOf(await start().read(application));
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

  test('refuses two exchanged flushes', async () => {
    const state = await killed();
    const [left, right] = ['journal/2/0000000001', 'journal/2/0000000002'] as const;
    const before = state.store.contents();
    state.store.tamper(left, before.get(right));
    state.store.tamper(right, before.get(left));
    await expectNoticed(state);
  });

  test('refuses a state without heads, which is not an empty state', async () => {
    const state = await killed();
    for (const key of state.store.contents().keys()) if (key.startsWith('head/')) state.store.tamper(key, undefined);
    await expectNoticed(state);
  });

  test('refuses an older head, which names removed objects', async () => {
    const state = await killed();
    const writer = await state.start().open(now);
    const old = state.store.contents().get('head/0000000003');
    await writer.done('e', put('e'));
    await writer.close();
    state.store.tamper('head/0000000003', old);
    expect((await refusalOf(state.start().read(application))).code).toBe('state.corrupt');
  });

  test('opens the same state if it is untouched', async () => {
    const { start } = await killed();
    const { records } = contentsOf(await start().read(application));
    expect(records.slice(1)).toEqual(['b', 'c', 'd'].map((key) => recordOf(key)));
  });
});
