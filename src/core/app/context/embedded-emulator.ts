// Starts the emulator in this process. The emulator shares no code with the client, so options are translated here.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Behaviours, describeBehaviours, parseBehaviours } from '../../../emulator/api/behaviours.ts';
import { parseTarget } from '../../../emulator/events/target.ts';
import { type Faults, parseFaults } from '../../../emulator/faults.ts';
import { RATE_PLANS, type RatePlan } from '../../../emulator/limits/limits.ts';
import { parseLimits, type RaisedLimits } from '../../../emulator/limits/raised.ts';
import { WINDOW_KINDS, type WindowKind } from '../../../emulator/limits/windows.ts';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../../../emulator/server.ts';
import { DataFileInUse } from '../../../emulator/stored/lock-file.ts';
import { readPath } from '../../../lib/path-streams.ts';
import { type BehavioursFile, decidedBehaviours } from '../../model/behaviours.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { RateSettings } from '../../model/limits.ts';

export async function startEmbedded(options: EmulatorOptions): Promise<RunningEmulator> {
  try {
    if (options.dataFile !== undefined) await mkdir(dirname(options.dataFile), { recursive: true });
    return await startEmulator(options);
  } catch (cause) {
    const isInUse = cause instanceof DataFileInUse || (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw new Refusal(
      'emulator.cannot-start',
      isInUse ? exitCode.locked : exitCode.unexpected,
      `The emulator cannot start: ${cause instanceof Error ? cause.message : String(cause)}`,
      isInUse
        ? 'Only one emulator at a time can use a data file or a port; another run may be in progress.'
        : 'Check that its data file and the folder are writable and that its port is free.',
      { cause },
    );
  }
}

/** The limits that `application.limits` of a manifest raised. */
export function emulatorLimits({ limits, messageLength, metaArrays, messagesPerCall }: RateSettings): RaisedLimits {
  return {
    rates: limits,
    ...(messagesPerCall === undefined ? {} : { messages_per_migration: messagesPerCall }),
    ...(messageLength === undefined ? {} : { message_length: messageLength }),
    ...(metaArrays === undefined ? {} : { meta_arrays: metaArrays }),
  };
}

/** The limits of `--limit`. */
export function limitsIn(texts: readonly string[]): RaisedLimits {
  try {
    return parseLimits(texts);
  } catch (cause) {
    throw usage(
      `--limit cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
      'Write a limit as in application.limits of a manifest: --limit messages_per_migration=200.',
    );
  }
}

export function emulatorRatePlan(name: string): RatePlan {
  const plan = RATE_PLANS.find((ratePlan) => ratePlan === name);
  if (plan !== undefined) return plan;
  throw usage(`The emulator has no rate plan "${name}".`, `Choose one of ${RATE_PLANS.join(', ')}.`);
}

export function emulatorWindow(name: string): WindowKind {
  const kind = WINDOW_KINDS.find((windowKind) => windowKind === name);
  if (kind !== undefined) return kind;
  throw usage(`The emulator has no window "${name}".`, `Choose one of ${WINDOW_KINDS.join(', ')}.`);
}

/** The address that takes the calls to the application. Refused (64) unless it is on this machine. */
export function deliveryTarget(text: string): string {
  try {
    return parseTarget(text).href;
  } catch (cause) {
    throw usage(
      `--deliver-to cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Events contain messages and people, so they only go to this machine: --deliver-to http://127.0.0.1:3000.',
    );
  }
}

export function emulatorBehaviours(texts: readonly string[]): Partial<Behaviours> {
  try {
    return parseBehaviours(texts);
  } catch (cause) {
    throw usage(
      `The behaviour is not valid: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Run chatform emulator --help for the list of behaviours and their values.',
    );
  }
}

/** The behaviours that the emulator can play, and the way in which it counts calls. */
export function emulatorAs(file: BehavioursFile): { behaviours: Partial<Behaviours>; window?: WindowKind } {
  const decided = decidedBehaviours(file);
  const emulatedNames = new Set(describeBehaviours().map((line) => line.slice(0, line.indexOf('='))));
  const texts = [...decided].flatMap(([name, value]) => (emulatedNames.has(name) ? [`${name}=${value}`] : []));
  const window = decided.get('window');
  return {
    behaviours: emulatorBehaviours(texts),
    ...(typeof window === 'string' ? { window: emulatorWindow(window) } : {}),
  };
}

export async function readFaults(file: string): Promise<Faults> {
  try {
    return parseFaults(JSON.parse((await readPath(file)).toString('utf8')));
  } catch (cause) {
    throw usage(
      `The faults in ${file} are not valid: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Run chatform emulator --help for the format of the file.',
    );
  }
}
