// Tests that every call of every remote store ends by its patience, also if the server accepts connections and never answers.
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import { stateBackend } from '../../../../src/core/state/engine/backend.ts';
import { withPatience } from '../../../../src/core/state/engine/patience.ts';
import { type ObjectStore, StoreFailure } from '../../../../src/core/state/engine/store.ts';
import type { SleepSignal } from '../../../../src/lib/sleep-signal.ts';
import { application, refusalOf } from '../../../support/state/fixtures.ts';
import { addressAt } from '../support/backend-at.ts';

let server: Server;
let port = 0;
let connections = 0;

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {}).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => void server.close());

/** Every sleep ends soon, and takes its full time by this clock. */
function quickClock() {
  let now = 0;
  return {
    now: () => now,
    date: () => new Date(now),
    sleep: async (ms: number, signal?: SleepSignal) => {
      await nodeClock.sleep(20, signal);
      if (signal?.aborted !== true) now += ms;
    },
  };
}

const patienceMs = 30_000;
const bytes = Buffer.from('bytes');
const calls: Readonly<Record<string, (store: ObjectStore) => Promise<unknown>>> = {
  get: (store) => store.get('head/1'),
  create: (store) => store.create('head/1', bytes),
  'create after another': (store) => store.create('journal/1/2', bytes, 'journal/1/1'),
  replace: (store) => store.replace('head/1', bytes, '1'),
  list: (store) => store.list(''),
  'remove one': (store) => store.remove(['head/1']),
  'remove many': (store) => store.remove(['head/1', 'head/2']),
};

const keys = {
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
  AZURE_STORAGE_KEY: Buffer.from('key').toString('base64'),
};

test.for([
  { kind: 's3', spec: () => `s3://bucket/state?endpoint=http://127.0.0.1:${port}` },
  { kind: 'azblob', spec: () => `azblob://box/state?account=acme&endpoint=http://127.0.0.1:${port}/acme` },
  { kind: 'gs', spec: () => `gs://bucket/state?project=test&endpoint=http://127.0.0.1:${port}` },
  { kind: 'postgres', spec: () => `postgres://user:pw@127.0.0.1:${port}/db` },
])('$kind', async ({ spec }) => {
  for (const [name, value] of Object.entries(keys)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const address = addressAt(spec(), keys);
  connections = 0;
  for (const [call, work] of Object.entries(calls)) {
    const clock = quickClock();
    const store = await address.connect(application);
    const ended = await work(withPatience(store, clock, patienceMs)).catch((error: unknown) => error);
    await store.close();
    expect(ended, call).toBeInstanceOf(StoreFailure);
    expect(ended, call).toMatchObject({ call: { kind: 'away' } });
    expect(clock.now(), call).toBeLessThanOrEqual(patienceMs);
  }
  expect(connections).toBeGreaterThan(0);
  const owner = { user: 'ci', host: 'h', pid: 1 };
  const backend = stateBackend(address, { clock: quickClock(), owner, newId: () => 'id', patienceMs });
  for (const use of [() => backend.read(application), () => backend.open({ application, lockTimeoutMs: 0 })])
    expect(await refusalOf(use())).toMatchObject({ code: 'state.unreachable', exitCode: 1 });
});
