// Every call of every store on a server ends by its patience, also where the server accepts connections and never answers.
import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { nodeClock } from '../../../src/app/context/node-clock.ts';
import { application, refusalOf } from '../../support/state/fixtures.ts';
import { backendAt } from '../support/backend-at.ts';

let server: Server;
let port = 0;

beforeAll(async () => {
  server = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => void server.close());

const keys = {
  AWS_ACCESS_KEY_ID: 'a',
  AWS_SECRET_ACCESS_KEY: 'b',
  AZURE_STORAGE_KEY: Buffer.from('key').toString('base64'),
};

test.for([
  { kind: 's3', spec: () => `s3://bucket/state?endpoint=http://127.0.0.1:${port}` },
  { kind: 'azblob', spec: () => `azblob://box/state?account=acme&endpoint=http://127.0.0.1:${port}/acme` },
  { kind: 'postgres', spec: () => `postgres://user:pw@127.0.0.1:${port}/db` },
])('$kind', async ({ spec }) => {
  for (const [name, value] of Object.entries(keys)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const started = performance.now();
  const owner = { user: 'ci', host: 'h', pid: 1 };
  const backend = backendAt(spec(), { clock: nodeClock, owner, newId: () => 'id', patienceMs: 500 }, keys);
  for (const use of [() => backend.read(application), () => backend.open({ application, lockTimeoutMs: 0 })]) {
    const refusal = await refusalOf(use());
    expect(refusal).toMatchObject({ code: 'state.unreachable', exitCode: 1 });
  }
  expect(performance.now() - started).toBeLessThan(8_000);
});
