// Support: the declared objects of a folder, and how the platform of an apply differs from them.
import { join } from 'node:path';
import { loadManifests } from '../../src/core/manifest/load.ts';
import type { LoadedManifest } from '../../src/core/manifest/passes/loaded-manifest.ts';
import { registry } from '../../src/core/resources/index.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { differences, type Reached } from './platform-differences.ts';

/** The data file of the emulator, relative to the folder of an example. */
export const emulatorFile = '.chatform/emulator';

export function declaredIn(folder: string): Promise<LoadedManifest> {
  return loadManifests(['.'], { cwd: folder, kinds: registry, variables: () => undefined });
}

/** How the data differs from the declaration. The run that wrote it must have finished. */
export async function differencesIn(folder: string, dataFile = join(folder, emulatorFile)): Promise<string[]> {
  const { resources } = await declaredIn(folder);
  return withPlatform(dataFile, (platform) => differences(platform, [...resources]));
}

/** Opens the same data for reading, without limits. */
export async function withPlatform<T>(dataFile: string, work: (platform: Reached) => Promise<T>): Promise<T> {
  const emulator = await startEmulator({ dataFile, rateLimits: false });
  try {
    return await work(emulator);
  } finally {
    await emulator.close();
  }
}
