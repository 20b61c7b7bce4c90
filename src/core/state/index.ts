// The registry of stores, by the scheme of a `--state` text.
import { resolve } from 'node:path';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { type BucketScheme, type StoreScheme, stateForms, storeOf, stores } from '../model/stores/places.ts';
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

interface Opener {
  readonly connect: Connect;
}

interface BucketOpener extends Opener {
  /** Makes a bucket for files. `spec` is an address as for a state. */
  readonly bucket: (spec: string, variable: VariableReader) => Promise<ObjectBucket>;
}

const inPostgres = async (): Promise<Opener> => {
  const { postgresAddress } = await import('./stores/postgres.ts');
  return { connect: (spec, variable) => postgresAddress(spec, variable) };
};

/** The stores by scheme. Those on servers are imported on demand, because most users keep their state in files. */
const openers: {
  readonly [Scheme in StoreScheme]: () => Promise<Scheme extends BucketScheme ? BucketOpener : Opener>;
} = {
  file: async () => {
    const { folderAddress } = await import('./stores/folder.ts');
    return { connect: (spec, _variable, cwd) => folderAddress(spec, resolve(cwd, spec.slice('file:'.length))) };
  },
  s3: async () => {
    const { s3Address, s3Bucket } = await import('./stores/s3.ts');
    return { connect: s3Address, bucket: s3Bucket };
  },
  azblob: async () => {
    const { azureAddress, azureBucket } = await import('./stores/azure.ts');
    return { connect: azureAddress, bucket: azureBucket };
  },
  gs: async () => {
    const { googleAddress, googleBucket } = await import('./stores/google.ts');
    return { connect: googleAddress, bucket: googleBucket };
  },
  postgres: inPostgres,
  postgresql: inPostgres,
};

/** The function that reads the addresses of a store. */
export async function loadStore(scheme: StoreScheme): Promise<Connect> {
  return (await openers[scheme]()).connect;
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

/** Makes a bucket for files, with the addresses and credentials of states. */
export async function openBucket(spec: string, variable: VariableReader): Promise<ObjectBucket> {
  const scheme = storeOf(spec)?.scheme;
  if (scheme === undefined || !isBucketScheme(scheme)) throw usage(scheme ?? '', 'is not a bucket');
  return (await openers[scheme]()).bucket(spec, variable);
}

function isBucketScheme(scheme: StoreScheme): scheme is BucketScheme {
  return stores[scheme].isBucket;
}

function usage(spec: string, what: string): Refusal {
  return new Refusal(
    'state.usage',
    exitCode.usage,
    `The state ${JSON.stringify(spec)} ${what}.`,
    `Set --state (or CHATFORM_STATE) to ${stateForms}, for example file:.chatform/state.`,
  );
}
