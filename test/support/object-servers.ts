// Support: servers of stores on this machine for one test file, each with its data in a temporary folder or in memory.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';

export interface StoreServer {
  /** An address that no test has used: `s3://…` with another prefix. */
  newSpec(): string;
  /** The environment variables that it needs. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A program that can serve a store. */
export interface ServerKind {
  readonly name: string;
  /** Why it cannot be started here. Undefined if it can. */
  readonly missing: string | undefined;
  start(): Promise<StoreServer>;
}

const bin = (name: string) => join(import.meta.dirname, '../../node_modules/.bin', name);
const bucket = 'chatform-test';
/** The well-known account of Azurite. */
const azuriteAccount = 'devstoreaccount1';
const azuriteKey = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';
const s3Env = {
  AWS_ACCESS_KEY_ID: 'CHATFORM',
  AWS_SECRET_ACCESS_KEY: 'CHATFORM',
  AWS_REGION: 'us-east-1',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
};

export const azurite: ServerKind = {
  name: 'azurite',
  missing: existsSync(bin('azurite-blob')) ? undefined : 'azurite is not installed: npm ci',
  start: async () => {
    const port = await freePort();
    const args = ['--inMemoryPersistence', '--silent', '--skipApiVersionCheck', '--disableTelemetry'];
    const server = spawn(bin('azurite-blob'), [...args, '--blobPort', String(port)], { stdio: 'ignore' });
    const endpoint = `http://127.0.0.1:${port}/${azuriteAccount}`;
    const { BlobServiceClient, StorageSharedKeyCredential } = await import('@azure/storage-blob');
    const account = new BlobServiceClient(endpoint, new StorageSharedKeyCredential(azuriteAccount, azuriteKey));
    await untilUp(server, () => account.getContainerClient(bucket).createIfNotExists());
    return {
      newSpec: specs(`azblob://${bucket}`, `?account=${azuriteAccount}&endpoint=${endpoint}`),
      env: { AZURE_STORAGE_KEY: azuriteKey },
      stop: () => end(server),
    };
  },
};

export const versitygw: ServerKind = {
  name: 'versitygw',
  missing: runs('versitygw', ['--version'])
    ? undefined
    : 'versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0',
  start: () =>
    startS3((folder, port) => {
      const env = { ...process.env, ROOT_ACCESS_KEY: 'CHATFORM', ROOT_SECRET_KEY: 'CHATFORM' };
      return spawn('versitygw', ['--port', `127.0.0.1:${port}`, 'posix', folder], { ...quiet, env });
    }),
};

/**
 * Answers one request at a time, since its threads race in conditional writes on a busy machine. A request is read before its
 * turn: a process that is paused in the middle of one would keep everybody else from the server.
 */
const motoServer = (port: number): string => `
from io import BytesIO
from threading import Lock
from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple
from werkzeug.wsgi import get_input_stream

answer = DomainDispatcherApplication(create_backend_app)
turn = Lock()

def in_turn(environ, start_response):
    environ['wsgi.input'] = BytesIO(get_input_stream(environ).read())
    with turn:
        return list(answer(environ, start_response))

run_simple('127.0.0.1', ${port}, in_turn, threaded=True)
`;

export const moto: ServerKind = {
  name: 'moto',
  missing: runs('python3', ['-c', 'import moto.server'])
    ? undefined
    : "moto is not installed: pip install 'moto[s3,server]==5.2.5'",
  start: () => startS3((_folder, port) => spawn('python3', ['-c', motoServer(port)], quiet)),
};

export const fakeGcs: ServerKind = {
  name: 'fake-gcs-server',
  missing: runs('fake-gcs-server', ['-h'])
    ? undefined
    : 'fake-gcs-server is not installed: go install github.com/fsouza/fake-gcs-server@v1.56.1',
  start: async () => {
    const port = await freePort();
    const host = `127.0.0.1:${port}`;
    const place = ['-scheme', 'http', '-host', '127.0.0.1', '-port', String(port), '-public-host', host];
    const server = spawn('fake-gcs-server', [...place, '-backend', 'memory'], quiet);
    const { Storage } = await import('@google-cloud/storage');
    const storage = new Storage({
      apiEndpoint: `http://${host}`,
      projectId: 'test',
      retryOptions: { autoRetry: false },
    });
    await untilUp(server, () => storage.createBucket(bucket));
    return {
      newSpec: specs(`gs://${bucket}`, `?project=test&endpoint=http://${host}`),
      env: {},
      stop: () => end(server),
    };
  },
};

const quiet = { stdio: 'ignore' } as const;

async function startS3(start: (folder: string, port: number) => ChildProcess): Promise<StoreServer> {
  const folder = await mkdtemp(join(tmpdir(), 'chatform-s3-'));
  const port = await freePort();
  const server = start(folder, port);
  const endpoint = `http://127.0.0.1:${port}`;
  Object.assign(process.env, s3Env);
  const { S3Client, CreateBucketCommand } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ endpoint, region: s3Env.AWS_REGION, forcePathStyle: true, maxAttempts: 1 });
  await untilUp(server, () => client.send(new CreateBucketCommand({ Bucket: bucket })));
  client.destroy();
  return {
    newSpec: specs(`s3://${bucket}`, `?endpoint=${endpoint}`),
    env: s3Env,
    stop: async () => {
      await end(server);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function specs(place: string, query: string): () => string {
  let count = 0;
  return () => `${place}/state-${++count}${query}`;
}

async function untilUp(server: ChildProcess, call: () => Promise<unknown>): Promise<void> {
  for (let failure: unknown; server.exitCode === null; ) {
    try {
      await call();
      return;
    } catch (error) {
      failure = error;
    }
    await wait(100);
    if (server.exitCode !== null) throw failure;
  }
  throw new Error('the server has ended at once');
}

async function end(server: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => server.on('close', resolve));
  server.kill('SIGKILL');
  await ended;
}

function runs(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}
