// Starts the emulator inside this process, and says why it cannot be started.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from '../../emulator/server.ts';
import { DataFileInUse } from '../../emulator/stored/lock-file.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

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
        ? 'One emulator at a time may use a data file or a port: another run may be under way.'
        : 'Check its data file, whether the folder of that may be written to, and its port.',
      { cause },
    );
  }
}
