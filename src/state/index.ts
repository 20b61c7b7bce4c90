// Which state does a `--state` text mean? THE registry of backends: one line each.
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
  /** Never the same twice; a part of file names. */
  readonly newId: () => string;
  /** The folder that a relative path starts from. */
  readonly cwd: string;
  /** For a database whose address holds no password. */
  readonly password?: string | undefined;
  readonly sslmode?: string | undefined;
  /** For how long a write waits for a database that is away, in milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Who waits for somebody else's lock is told so, and may end it. */
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

/** Loaded for those who keep their state there. */
async function postgres(spec: string, context: StateContext): Promise<UpkeepBackend> {
  const { postgresBackend } = await import('./postgres/postgres.ts');
  return postgresBackend(spec, context);
}

/** `file:DIR`, `postgres://…` or `memory:`. */
export async function openBackend(spec: string, context: StateContext): Promise<UpkeepBackend> {
  const [scheme = '', rest] = splitOnce(spec);
  const make = Object.hasOwn(backends, scheme) ? backends[scheme] : undefined;
  if (make !== undefined && rest !== undefined) return make(rest, context);
  // Of an address only the scheme is named: what follows may hold a password.
  throw usage(rest === undefined ? spec : `${scheme}:`, 'is not a place where state can live');
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
    'Give --state (or CHATFORM_STATE) as `file:DIR`, for example `file:.chatform/state`, or as postgres://USER@HOST/DATABASE.',
  );
}
