// Support: the declared objects of a folder, and how the platform of an apply differs from them.
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator/server.ts';
import { type LoadedManifest, loadManifests } from '../../src/manifest/load.ts';
import { registry } from '../../src/resources/index.ts';
import { differences, type Reached } from './platform-differences.ts';

/** Where the examples keep the platform's data, below their folder. */
export const emulatorFile = '.chatform/emulator';

export function declaredIn(folder: string): Promise<LoadedManifest> {
  return loadManifests(['.'], { cwd: folder, kinds: registry, variables: () => undefined });
}

/** Everything as declared, and nothing else? The run that filled the data must be over. */
export async function differencesIn(folder: string, dataFile = join(folder, emulatorFile)): Promise<string[]> {
  const { resources } = await declaredIn(folder);
  return withPlatform(dataFile, (platform) => differences(platform, [...resources]));
}

/** The same data again, without limits, for reading. */
export async function withPlatform<T>(dataFile: string, work: (platform: Reached) => Promise<T>): Promise<T> {
  const emulator = await startEmulator({ dataFile, rateLimits: false });
  try {
    return await work(emulator);
  } finally {
    await emulator.close();
  }
}
