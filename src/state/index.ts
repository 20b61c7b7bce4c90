// The registry of stores, by the scheme of a `--state` text.
import { resolve } from 'node:path';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { type BucketScheme, type StoreScheme, stateForms, storeOf } from '../model/stores/places.ts';
import { type BackendOptions, stateBackend } from './engine/backend.ts';
import type { ObjectBucket } from './engine/bucket.ts';
import type { StoreAddress } from './engine/store.ts';
import type { UpkeepBackend } from './engine/upkeep.ts';
import type { VariableReader } from './stores/address.ts';

export interface StateContext extends BackendOptions {
  /** Relative paths start from this folder. */
  readonly cwd: string;
  /** Looks up an environment variable, such as a password. By default none is set. */
  readonly variable?: VariableReader | undefined;
}

/** Throws `state.usage` (64) for an address that it cannot read. */
type Connect = (spec: string, variable: VariableReader, cwd: string) => StoreAddress;

const inPostgres = async (): Promise<Connect> => {
  const { postgresAddress } = await import('./stores/postgres.ts');
  return (spec, variable) => postgresAddress(spec, variable);
};

/** The stores by scheme. Those on servers are imported on demand, because most users keep their state in files. */
const connections: Readonly<Record<StoreScheme, () => Promise<Connect>>> = {
  file: async () => {
    const { folderAddress } = await import('./stores/folder.ts');
    return (spec, _variable, cwd) => folderAddress(spec, resolve(cwd, spec.slice('file:'.length)));
  },
  s3: async () => (await import('./stores/s3.ts')).s3Address,
  azblob: async () => (await import('./stores/azure.ts')).azureAddress,
  gs: async () => (await import('./stores/google.ts')).googleAddress,
  postgres: inPostgres,
  postgresql: inPostgres,
};

/** The function that reads the addresses of a store. */
export function loadStore(scheme: StoreScheme): Promise<Connect> {
  return connections[scheme]();
}

/** `spec` is one of `stateForms`. Throws `state.usage` (64) for anything else. */
export async function openBackend(spec: string, context: StateContext): Promise<UpkeepBackend> {
  const scheme = demandStatePlace(spec);
  const { variable = () => undefined, cwd, ...options } = context;
  const connect = await loadStore(scheme);
  return stateBackend(connect(spec, variable, cwd), options);
}

/** The scheme of a place for states. Throws `state.usage` (64) for anything else, without a look at what is behind the scheme. */
export function demandStatePlace(spec: string): StoreScheme {
  const found = storeOf(spec);
  if (spec === 'file:') throw usage(spec, 'names no folder');
  if (found?.scheme === 'file' && spec.startsWith('file://'))
    throw usage('file://', 'is not a place for state: file: takes a path without //');
  if (found !== undefined) return found.scheme;
  // The message contains only the scheme, because the rest may contain a password.
  const [scheme = '', rest] = spec.split(/:(.*)/su);
  throw usage(rest === undefined ? spec : `${scheme}:`, 'is not a place for state');
}

const buckets: Readonly<Record<BucketScheme, (spec: string, variable: VariableReader) => Promise<ObjectBucket>>> = {
  s3: async (spec, variable) => (await import('./stores/s3.ts')).s3Bucket(spec, variable),
  azblob: async (spec, variable) => (await import('./stores/azure.ts')).azureBucket(spec, variable),
  gs: async (spec) => (await import('./stores/google.ts')).googleBucket(spec),
};

/** Makes a bucket for files, with the addresses and credentials of states. */
export async function openBucket(spec: string, variable: VariableReader): Promise<ObjectBucket> {
  const scheme = storeOf(spec)?.scheme;
  const open = Object.entries(buckets).find(([name]) => name === scheme)?.[1];
  if (open === undefined) throw usage(scheme ?? '', 'is not a bucket');
  return open(spec, variable);
}

function usage(spec: string, what: string): Refusal {
  return new Refusal(
    'state.usage',
    exitCode.usage,
    `The state ${JSON.stringify(spec)} ${what}.`,
    `Set --state (or CHATFORM_STATE) to ${stateForms}, for example file:.chatform/state.`,
  );
}
