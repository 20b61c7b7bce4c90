// Finds the behaviours that belong to manifests.
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { FileAccess } from '../../manifest/files/access.ts';
import type { BehavioursFile } from '../../model/behaviours.ts';
import { ownFile } from './own-file.ts';
import type { Ports } from './ports.ts';

/**
 * The behaviours in the folders of the manifests, then those in the working folder. `files` reads a commit instead of the
 * disk. Refused as `readBehaviours`.
 */
export async function* behavioursBeside(
  paths: readonly string[],
  { cwd }: Pick<Ports, 'cwd'>,
  files?: FileAccess,
): AsyncGenerator<BehavioursFile> {
  const typeOf = async (path: string): Promise<string | undefined> => {
    if (files !== undefined) return (await files.stat(path).catch(() => undefined))?.type;
    const status = await stat(path).catch(() => undefined);
    return status?.isDirectory() === true ? 'folder' : status && 'file';
  };
  const folders = await Promise.all(
    paths.map(async (path) => {
      const place = resolve(cwd, path);
      return (await typeOf(place)) === 'folder' ? place : dirname(place);
    }),
  );
  for (const folder of new Set([...folders, cwd])) {
    const file = ownFile(folder, 'behaviours');
    if ((await typeOf(file)) === undefined) continue;
    // Loaded on demand, because most applications have no such file.
    const { readBehaviours } = await import('./behaviours-file.ts');
    yield await readBehaviours(file, cwd, files);
  }
}
