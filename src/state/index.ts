// The registry of stores: which one a `--state` text means. One line each.
import { resolve } from 'node:path';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import { type BackendOptions, stateBackend } from './engine/backend.ts';
import type { StoreAddress } from './engine/store.ts';
import type { UpkeepBackend } from './engine/upkeep.ts';

export interface StateContext extends BackendOptions {
  /** Relative paths start from this folder. */
  readonly cwd: string;
  /** Looks up a variable of the environment, such as a password. Default: none is set. */
  readonly variable?: ((name: string) => string | undefined) | undefined;
}

type Variable = (name: string) => string | undefined;

/** What a `--state` text of each scheme means. Stores on servers are imported on demand: most users keep their state in files. */
const stores: Readonly<Record<string, (rest: string, cwd: string, variable: Variable) => Promise<StoreAddress>>> = {
  file: async (rest, cwd) => {
    const { folderAddress } = await import('./stores/folder.ts');
    return folderAddress(`file:${rest}`, resolve(cwd, rest));
  },
  s3: async (rest, _cwd, variable) => (await import('./stores/s3.ts')).s3Address(`s3:${rest}`, variable),
  azblob: async (rest, _cwd, variable) => (await import('./stores/azure.ts')).azureAddress(`azblob:${rest}`, variable),
  gs: async (rest) => (await import('./stores/google.ts')).googleAddress(`gs:${rest}`),
  postgres: async (rest, _cwd, variable) =>
    (await import('./stores/postgres.ts')).postgresAddress(`postgres:${rest}`, variable),
  postgresql: async (rest, _cwd, variable) =>
    (await import('./stores/postgres.ts')).postgresAddress(`postgresql:${rest}`, variable),
};

/** `spec`: `file:DIR`, `postgres://…`, `s3://…`, `azblob://…`, `gs://…` or `memory:`. Throws `state.usage` for anything else. */
export async function openBackend(spec: string, context: StateContext): Promise<UpkeepBackend> {
  const [scheme = '', rest] = splitOnce(spec);
  const address = Object.hasOwn(stores, scheme) ? stores[scheme] : undefined;
  if (spec === 'memory:') return (await import('./stores/memory.ts')).memoryBackend(context);
  if (spec === 'file:') throw usage(spec, 'names no folder');
  if (address !== undefined && rest !== undefined) {
    const { variable = () => undefined, cwd, ...options } = context;
    return stateBackend(await address(rest, cwd, variable), options);
  }
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
