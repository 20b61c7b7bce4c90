// Translates options into the emulator's own words. The emulator shares no code with the rest, so it is asked by name.
import { readFile } from 'node:fs/promises';
import { type Faults, parseFaults } from '../../emulator/faults.ts';
import { RATE_PLANS, type RatePlan } from '../../emulator/limits/limits.ts';
import { WINDOW_KINDS, type WindowKind } from '../../emulator/limits/windows.ts';
import { parseReadings, type Readings } from '../../emulator/readings.ts';
import { usage } from '../../model/errors.ts';

export function emulatorRatePlan(name: string): RatePlan {
  const plan = RATE_PLANS.find((known) => known === name);
  if (plan !== undefined) return plan;
  throw usage(`The emulator knows no rate plan "${name}".`, `It knows ${RATE_PLANS.join(', ')}.`);
}

export function emulatorWindow(name: string): WindowKind {
  const kind = WINDOW_KINDS.find((known) => known === name);
  if (kind !== undefined) return kind;
  throw usage(`The emulator knows no window "${name}".`, `It knows ${WINDOW_KINDS.join(', ')}.`);
}

export function emulatorReadings(texts: readonly string[]): Partial<Readings> {
  try {
    return parseReadings(texts);
  } catch (cause) {
    throw usage(
      `The readings cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      'chatform emulator --help lists every reading with its values.',
    );
  }
}

export async function readFaults(file: string): Promise<Faults> {
  try {
    return parseFaults(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw usage(
      `The faults in ${file} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
      'chatform emulator --help says what such a file may hold.',
    );
  }
}
