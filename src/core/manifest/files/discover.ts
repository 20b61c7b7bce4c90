// Finds the manifest files that the PATH arguments name: files, and folders that are searched (semantics §9.9).
import { dirname, resolve } from 'node:path';
import { compareText } from '../../../lib/json.ts';
import { shownPath } from '../../../lib/paths.ts';
import type { Problems } from '../problems/problems.ts';
import type { FileAccess } from './access.ts';
import { FolderSearch, type Wanted } from './folder-search.ts';
import type { IgnoreListTexts } from './ignore-lists.ts';
import { reasonOf, reportUnreadable } from './read-failure.ts';

export interface ManifestFile {
  /** Relative to the working folder, with `/`. */
  readonly name: string;
  readonly path: string;
  /** The folder, with links resolved, that no path in this file may leave. */
  readonly root: string;
  /** Whether the file was given as a PATH argument, so that it must be a manifest. */
  readonly isNamed?: boolean;
}

/** Returns every file once, sorted by shown name. `listTexts` gets each ignore list that is read. */
export async function discover(
  paths: readonly string[],
  cwd: string,
  files: FileAccess,
  problems: Problems,
  wanted: Wanted = 'manifests',
  listTexts?: IgnoreListTexts,
): Promise<ManifestFile[]> {
  /** By real path, so that a file reached in two ways is loaded once. */
  const byRealPath = new Map<string, ManifestFile>();
  const add = (path: string, real: string, root: string): ManifestFile => {
    const file = byRealPath.get(real) ?? { name: shownPath(cwd, path), path: real, root };
    byRealPath.set(real, file);
    return file;
  };
  for (const argument of paths.length === 0 ? ['.'] : paths) {
    const path = resolve(cwd, argument);
    const real = await files.realPath(path).catch(() => undefined);
    if (real === undefined) {
      const detail = `${shownPath(cwd, path)} does not exist. Check the PATH argument and the working folder.`;
      problems.add('manifest.not-found', detail);
      continue;
    }
    const refuse = (reason: string): void => reportUnreadable(shownPath(cwd, path), reason, problems);
    const status = await files.stat(real).catch((error: unknown) => refuse(reasonOf(error)));
    if (status === undefined) continue;
    if (status.type === 'file') byRealPath.set(real, { ...add(path, real, dirname(real)), isNamed: true });
    else if (status.type === 'other') refuse('it is neither a file nor a folder');
    else {
      const search = new FolderSearch(path, real, cwd, files, problems, wanted, listTexts);
      for (const file of await search.files()) add(file.path, file.real, real);
    }
  }
  return [...byRealPath.values()].sort((left, right) => compareText(left.name, right.name));
}
