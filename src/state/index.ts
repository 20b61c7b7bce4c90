// The registry of state backends: which one a `--state` text means. One line each.
import { resolve } from 'node:path';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';
import type { Clock } from '../model/ports.ts';
import { fileBackend } from './file/file.ts';
import type { LockOwner } from './lease.ts';
import type { OnLockWait } from './lock-wait.ts';
import { memoryBackend } from './memory.ts';
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
  postgres: (rest, context) => postgres(`postgres:${rest}`, context),
  postgresql: (rest, context) => postgres(`postgresql:${rest}`, context),
};

/** Imported on demand: most users keep their state in files. */
async function postgres(spec: string, context: StateContext): Promise<UpkeepBackend> {
  const { postgresBackend } = await import('./postgres/postgres.ts');
  return postgresBackend(spec, context);
}

/** `spec`: `file:DIR`, `postgres://…` or `memory:`. Throws `state.usage` for anything else. */
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
    'Set --state (or CHATFORM_STATE) to `file:DIR`, for example `file:.chatform/state`, or to postgres://USER@HOST/DATABASE.',
  );
}
