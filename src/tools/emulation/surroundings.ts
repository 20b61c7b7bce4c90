// Where chatform keeps what it knows of an emulator, and the environment of a command that uses the emulator.
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ports } from '../../core/app/context/ports.ts';
import { usage } from '../../core/model/errors.ts';
import type { RunningEmulator } from '../../emulator/server.ts';
import { acquireLock, DataFileInUse } from '../../emulator/stored/lock-file.ts';

export interface EmulatorPlaces {
  /** As `--state` takes it. */
  readonly state: string;
  /** The file of the tokens that an apply issued. */
  readonly tokens: string;
  /** Removes what is needed no longer. */
  end(): Promise<void>;
}

/** Beside the data file, or in a temporary folder if there is none. */
export async function placesOf(dataFile: string | undefined): Promise<EmulatorPlaces> {
  const folder = dataFile === undefined ? await mkdtemp(join(tmpdir(), 'chatform-emulator-')) : undefined;
  const beside = (name: string): string => (folder === undefined ? `${dataFile}.${name}` : join(folder, name));
  return {
    state: `file:${beside('state')}`,
    tokens: beside('tokens'),
    end: async () => {
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

const kept = ['', '.state', '.tokens'];

/** Copies the data file, and what is beside it, into the folder of its snapshot. */
export async function keepSnapshot(dataFile: string): Promise<void> {
  const snapshot = snapshotOf(dataFile);
  await rm(snapshot, { recursive: true, force: true });
  for (const part of kept) await copyIfThere(`${dataFile}${part}`, join(snapshot, `data${part}`));
}

/** Puts the snapshot in the place of the data. Refused (64) if there is none. */
export async function returnToSnapshot(dataFile: string): Promise<void> {
  const snapshot = snapshotOf(dataFile);
  if (!existsSync(join(snapshot, 'data')))
    throw usage(
      `There is no snapshot in ${snapshot}.`,
      'Run the same command with --snapshot in place of --reset once.',
    );
  const release = locked(dataFile);
  try {
    for (const part of kept) {
      await rm(`${dataFile}${part}`, { recursive: true, force: true });
      await copyIfThere(join(snapshot, `data${part}`), `${dataFile}${part}`);
    }
  } finally {
    release();
  }
}

function locked(dataFile: string): () => void {
  try {
    return acquireLock(`${dataFile}.lock`);
  } catch (cause) {
    if (!(cause instanceof DataFileInUse)) throw cause;
    throw usage(cause.message, 'Stop that emulator, or reset it by POST /__reset instead.');
  }
}

function snapshotOf(dataFile: string): string {
  return `${dataFile}.snapshot`;
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if (existsSync(from)) await cp(from, to, { recursive: true });
}

/** The variables for a command: those of chatform for the emulator, and no token of another application. */
export function environmentFor(
  env: Ports['env'],
  { url, token }: Pick<RunningEmulator, 'url' | 'token'>,
  { state, tokens }: EmulatorPlaces,
  ratePlan: string,
): Ports['env'] {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('CHATFORM_API_TOKEN'));
  return {
    ...Object.fromEntries(others),
    CHATFORM_BASE_URL: url,
    CHATFORM_API_TOKEN: token,
    CHATFORM_RATE_PLAN: ratePlan,
    CHATFORM_STATE: state,
    CHATFORM_TOKENS_OUT: tokens,
    CHATFORM_EMULATOR_URL: new URL(url).origin,
  };
}
