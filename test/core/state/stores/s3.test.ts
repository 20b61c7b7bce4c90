// Tests the transport of S3: the refusal of a server that ignores conditions, and failures of others.
import { createServer, type IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { nodeClock } from '../../../../src/core/app/context/this-process.ts';
import type { UpkeepBackend } from '../../../../src/core/state/engine/upkeep.ts';
import { openBackend } from '../../../../src/core/state/index.ts';
import { application, now, putBy, readBy, refusalOf } from '../../../support/state/fixtures.ts';
import { type Deviation, startOddS3 } from '../support/odd-s3-server.ts';

function backendAt(spec: string): Promise<UpkeepBackend> {
  return openBackend(spec, {
    clock: nodeClock,
    owner: { user: 'ci', host: 'h', pid: 1 },
    newId: () => crypto.randomUUID(),
    cwd: '.',
    patienceMs: 200,
  });
}

async function serve(deviation: Deviation, notMet?: number) {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_REGION: 'us-east-1' });
  const server = await startOddS3(deviation, notMet);
  onTestFinished(() => server.stop());
  return server;
}

test('a store that ignores conditions is refused, and is empty afterwards', async () => {
  const { spec } = await serve(({ headers }) => {
    delete headers['if-match'];
    delete headers['if-none-match'];
    return undefined;
  });
  const backend = await backendAt(spec);
  const refusal = await refusalOf(backend.open(now));
  expect(refusal).toMatchObject({ code: 'state.store-unsafe', exitCode: 1 });
  expect(refusal.message).toContain('it accepted a write under If-Match where no object was.');
  expect(await backend.applications()).toEqual([]);
});

test('names a bucket that does not exist', async () => {
  const { spec } = await serve(() => undefined);
  const refusal = await refusalOf((await backendAt(spec.replace('bucket', 'no-such-bucket'))).open(now));
  expect(refusal).toMatchObject({ code: 'state.unreachable' });
  expect(refusal.message).toContain('the bucket does not exist');
});

test('prints nothing of the package about the version of Node', async () => {
  const warnings: string[] = [];
  const listen = ({ message }: Error) => void warnings.push(message);
  process.on('warning', listen);
  onTestFinished(() => void process.off('warning', listen));
  const backend = await backendAt('s3://bucket/prefix?endpoint=http://127.0.0.1:9');
  await refusalOf(backend.read(application));
  // Warnings are emitted on a later tick.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings.filter((text) => text.includes('AWS SDK'))).toEqual([]);
});

test('sends nothing without a region and an endpoint', async () => {
  vi.stubEnv('AWS_REGION', undefined);
  vi.stubEnv('AWS_CONFIG_FILE', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const refusal = await refusalOf((await backendAt('s3://bucket/prefix')).read(application));
  expect(refusal.message).toContain('cannot be used: nothing says in which region it is.');
  expect(refusal.advice).toContain('Set AWS_REGION, or write ?region=');
});

const notImplemented = { status: 501, code: 'NotImplemented', message: 'a header is not implemented' };

describe('a store that differs from S3', () => {
  const hasChecksum = ({ headers }: IncomingMessage) =>
    Object.keys(headers).some((name) => /^x-amz-(?:checksum|sdk-checksum)/u.test(name));
  const demanded = { status: 400, code: 'InvalidRequest', message: 'Content-MD5 OR x-amz-checksum- is required' };

  test.for([
    ['refuses checksums', (request) => (hasChecksum(request) ? notImplemented : undefined)],
    [
      'demands an MD5 of writes, as a bucket with Object Lock',
      ({ method, headers }) => (method === 'PUT' && headers['content-md5'] === undefined ? demanded : undefined),
    ],
    ['cannot delete objects together', (_request, isBulkDelete) => (isBulkDelete ? notImplemented : undefined)],
    ['answers 304 to a write whose condition is not met', () => undefined, 304],
  ] as const satisfies readonly (readonly [string, Deviation, number?])[])(
    'keeps a state if it %s',
    async ([, deviation, notMet]) => {
      const server = await serve(deviation, notMet);
      const backend = await backendAt(server.spec);
      await putBy(() => backend, 'a', 'b');
      const { records } = await readBy(() => backend);
      expect(records.map(({ address }) => address)).toEqual(['user.a', 'user.b']);
      expect(server.keys().filter((key) => key.includes('probe'))).toEqual([]);
    },
  );

  test('takes the second way only once where the first one is refused', async () => {
    const server = await serve((_request, isBulkDelete) => (isBulkDelete ? notImplemented : undefined));
    const backend = await backendAt(server.spec);
    await putBy(() => backend, ...Array.from({ length: 5 }, (_, at) => `u${at}`));
    expect(server.methods.filter((method) => method === 'POST').length).toBeLessThanOrEqual(1);
  });

  test.for(['if-none-match', 'if-match'])('is refused at once without %s', async (condition) => {
    const server = await serve(({ headers }) => (headers[condition] === undefined ? undefined : notImplemented));
    const refusal = await refusalOf((await backendAt(server.spec)).open(now));
    expect(refusal).toMatchObject({ code: 'state.store-unsafe', exitCode: 1 });
    expect(refusal.message).toContain('it does not support this call (501 NotImplemented');
    expect(server.methods.filter((method) => method === 'PUT').length).toBeLessThan(5);
  });
});

describe('a server that fails', () => {
  test.for([
    { status: 403, code: 'AccessDenied', as: 'state.login-refused', says: 'it does not allow this call (AccessDenied' },
    { status: 503, code: 'SlowDown', as: 'state.unreachable', says: 'it answered 503 (SlowDown' },
    { status: 500, code: 'InternalError', as: 'state.unreachable', says: 'it answered 500 (InternalError' },
    { status: 400, code: 'InvalidRequest', as: 'state.unreachable', says: 'it answered 400 (InvalidRequest' },
  ])('$status $code', async ({ status, code, as, says }) => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' });
    const server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>told by a test</Message></Error>`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const backend = await backendAt(`s3://bucket/prefix?endpoint=http://127.0.0.1:${port}`);
      const refusal = await refusalOf(backend.read(application));
      expect(refusal.code).toBe(as);
      expect(refusal.message).toContain(says);
    } finally {
      server.close();
    }
  });
});
