// How is the emulator started inside this process, and what is said when it cannot be?
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../emulator/server.ts';
import { Refusal } from '../model/errors.ts';
import { exitCode } from '../model/exit-code.ts';

export async function startEmbedded(options: EmulatorOptions): Promise<RunningEmulator> {
  try {
    if (options.dataFile !== undefined) await mkdir(dirname(options.dataFile), { recursive: true });
    return await startEmulator(options);
  } catch (cause) {
    throw new Refusal(
      'emulator.cannot-start',
      exitCode.locked,
      `The emulator cannot start: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Check its data file and its port. One emulator at a time may use a data file: another run may be under way.',
      { cause },
    );
  }
}
