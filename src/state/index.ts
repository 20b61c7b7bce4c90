// The registry of stores, by the scheme of a `--state` text.
import { resolve } from 'node:path';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { type BackendOptions, stateBackend } from './engine/backend.ts';
import type { Bucket } from './engine/bucket.ts';
import type { StoreAddress } from './engine/store.ts';
import type { UpkeepBackend } from './engine/upkeep.ts';
import type { Variable } from './stores/address.ts';

export interface StateContext extends BackendOptions {
  /** Relative paths start from this folder. */
  readonly cwd: string;
  /** Looks up an environment variable, such as a password. By default none is set. */
  readonly variable?: Variable | undefined;
}

type Connect = (spec: string, variable: Variable, cwd: string) => Promise<StoreAddress>;

const inPostgres: Connect = async (spec, variable) =>
  (await import('./stores/postgres.ts')).postgresAddress(spec, variable);

/** The stores by scheme. Those on servers are imported on demand, because most users keep their state in files. */
const stores: Readonly<Record<string, Connect>> = {
  file: async (spec, _variable, cwd) =>
    (await import('./stores/folder.ts')).folderAddress(spec, resolve(cwd, spec.slice('file:'.length))),
  s3: async (spec, variable) => (await import('./stores/s3.ts')).s3Address(spec, variable),
  azblob: async (spec, variable) => (await import('./stores/azure.ts')).azureAddress(spec, variable),
  gs: async (spec) => (await import('./stores/google.ts')).googleAddress(spec),
  postgres: inPostgres,
  postgresql: inPostgres,
};

/** `spec`: `file:DIR`, `postgres://…`, `s3://…`, `azblob://…` or `gs://…`. Throws `state.usage` (64) for anything else. */
export async function openBackend(spec: string, context: StateContext): Promise<UpkeepBackend> {
  const [scheme = '', rest] = spec.split(/:(.*)/su);
  const address = Object.hasOwn(stores, scheme) ? stores[scheme] : undefined;
  if (spec === 'file:') throw usage(spec, 'names no folder');
  if (address !== undefined && rest !== undefined) {
    const { variable = () => undefined, cwd, ...options } = context;
    return stateBackend(await address(spec, variable, cwd), options);
  }
  // The message contains only the scheme, because the rest may contain a password.
  throw usage(rest === undefined ? spec : `${scheme}:`, 'is not a place for state');
}

const buckets: Readonly<Record<string, (spec: string, variable: Variable) => Promise<Bucket>>> = {
  s3: async (spec, variable) => (await import('./stores/s3.ts')).s3Bucket(spec, variable),
  azblob: async (spec, variable) => (await import('./stores/azure.ts')).azureBucket(spec, variable),
  gs: async (spec) => (await import('./stores/google.ts')).googleBucket(spec),
};

/** Makes a bucket for files: `s3://BUCKET/PREFIX`, `azblob://…` or `gs://…`, with the addresses and credentials of states. */
export async function openBucket(spec: string, variable: Variable): Promise<Bucket> {
  const open = buckets[spec.split(':')[0] ?? ''];
  if (open === undefined) throw usage(spec.split(':')[0] ?? '', 'is not a bucket');
  return open(spec, variable);
}

function usage(spec: string, what: string): Refusal {
  return new Refusal(
    'state.usage',
    exitCode.usage,
    `The state ${JSON.stringify(spec)} ${what}.`,
    'Set --state (or CHATFORM_STATE) to `file:DIR`, for example `file:.chatform/state`, to postgres://USER@HOST/DATABASE, or to s3://BUCKET/PREFIX (azblob://, gs://).',
  );
}
