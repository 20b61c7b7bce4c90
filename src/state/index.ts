// The registry of state backends: which one a `--state` text means. One line each.
import { resolve } from 'node:path';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { Clock } from '../model/ports.ts';
import { fileBackend } from './file/file.ts';
import type { LockOwner } from './lease.ts';
import type { OnLockWait } from './lock-wait.ts';
import { memoryBackend } from './memory.ts';
import type { ObjectAddress, Variable } from './objects/address.ts';
import type { ObjectStore } from './objects/store.ts';
import type { Sealer } from './seal/sealer.ts';
import type { UpkeepBackend } from './upkeep.ts';

export interface StateContext {
  readonly clock: Clock;
  readonly owner: LockOwner;
  /** Never returns the same twice. The result is used in file names. */
  readonly newId: () => string;
  /** Relative paths start from this folder. */
  readonly cwd: string;
  /** Looks up a variable of the environment, such as a password. Default: none is set. */
  readonly variable?: ((name: string) => string | undefined) | undefined;
  /** How long a write waits for a database that is away, in milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Encrypts what is written. Default: nothing is encrypted, and what is encrypted cannot be read. */
  readonly sealer?: Sealer | undefined;
  /** Called when a command starts to wait for the lock; it can end the wait. */
  readonly waiting?: OnLockWait | undefined;
}

type MakeBackend = (rest: string, context: StateContext) => UpkeepBackend | Promise<UpkeepBackend>;

const backends: Readonly<Record<string, MakeBackend>> = {
  file: (rest, context) => {
    if (rest === '') throw usage('file:', 'names no folder');
    return fileBackend(`file:${rest}`, resolve(context.cwd, rest), context);
  },
  memory: (_rest, context) => memoryBackend(context),
  s3: async (rest, context) => {
    const { s3Address, s3Store } = await import('./objects/s3.ts');
    return objects(s3Address(`s3:${rest}`), s3Store, context);
  },
  azblob: async (rest, context) => {
    const { azureAddress, azureStore } = await import('./objects/azure.ts');
    return objects(azureAddress(`azblob:${rest}`), azureStore, context);
  },
  gs: async (rest, context) => {
    const { googleAddress, googleStore } = await import('./objects/google.ts');
    return objects(googleAddress(`gs:${rest}`), googleStore, context);
  },
  postgres: (rest, context) => postgres(`postgres:${rest}`, context),
  postgresql: (rest, context) => postgres(`postgresql:${rest}`, context),
};

/** Imported on demand: most users keep their state in files. */
async function postgres(spec: string, context: StateContext): Promise<UpkeepBackend> {
  const { postgresBackend } = await import('./postgres/postgres.ts');
  return postgresBackend(spec, context);
}

/** The vendor's package is loaded when the state is used. */
async function objects(
  address: ObjectAddress,
  connect: (address: ObjectAddress, variable: Variable) => Promise<ObjectStore>,
  context: StateContext,
): Promise<UpkeepBackend> {
  const { objectBackend } = await import('./objects/objects.ts');
  const { variable = () => undefined, ...others } = context;
  return objectBackend(address.name, () => connect(address, variable), others);
}

/** `spec`: `file:DIR`, `postgres://…`, `s3://…`, `azblob://…`, `gs://…` or `memory:`. Throws `state.usage` for anything else. */
export async function openBackend(spec: string, context: StateContext): Promise<UpkeepBackend> {
  const [scheme = '', rest] = splitOnce(spec);
  const make = Object.hasOwn(backends, scheme) ? backends[scheme] : undefined;
  if (make !== undefined && rest !== undefined) return make(rest, context);
  // The message shows only the scheme: the rest may contain a password.
  throw usage(rest === undefined ? spec : `${scheme}:`, 'is not a place for state');
}

function splitOnce(spec: string): readonly [string, string?] {
  const colon = spec.indexOf(':');
  return colon === -1 ? [spec] : [spec.slice(0, colon), spec.slice(colon + 1)];
}

function usage(spec: string, what: string): Refusal {
  return new Refusal(
    'state.usage',
    exitCode.usage,
    `The state ${JSON.stringify(spec)} ${what}.`,
    'Set --state (or CHATFORM_STATE) to `file:DIR`, for example `file:.chatform/state`, to postgres://USER@HOST/DATABASE, or to s3://BUCKET/PREFIX (azblob://, gs://).',
  );
}
