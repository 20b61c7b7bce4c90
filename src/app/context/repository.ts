// Finds the repository of a folder, without git.
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Returns the nearest folder, from this one up, that contains `.git`. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  const found = await stat(join(folder, '.git')).catch(() => undefined);
  if (found !== undefined) return folder;
  return dirname(folder) === folder ? undefined : repositoryOf(dirname(folder));
}
