// The state of commands that name none, and states of other folders that may be meant instead.
import { existsSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { ownName } from '../../../lib/own-names.ts';
import { isInside, shownPath } from '../../../lib/paths.ts';
import { usage } from '../../model/errors.ts';
import { ownFile, refuseFolderOfGit, refuseLinks } from './own-file.ts';

/** The place of a state that nobody names. */
export const defaultPlace = `file:${ownName('state')}`;

/**
 * Refuses (1) a place in a folder of git, and a place in a folder of chatform, such as the default state, that a link has taken. Other
 * places are the user's own.
 * `path` is absolute.
 */
export function refuseLinkedPlace(path: string, cwd: string, type: 'file' | 'folder'): void {
  refuseFolderOfGit(path);
  const isOwn = relative(cwd, path)
    .split(sep)
    .includes(dirname(ownName('state')));
  if (isOwn && isInside(cwd, path)) refuseLinks(cwd, path, type);
}

/** A plan against the empty default place would create every object of the other state again. */
export function refuseStateElsewhere(paths: readonly string[], cwd: string): void {
  for (const path of paths) {
    const place = stateBeside(path, cwd);
    if (place !== undefined)
      throw usage(
        `The state of ${path} is in ${place}, and the working folder has none.`,
        `Nothing was sent or changed. Run the command in that folder, or name the state: --state file:${place}. --state ${defaultPlace} starts a new state here.`,
      );
  }
}

/** The folder of the state next to manifests, or in a folder around them, relative to `cwd`. Undefined if `cwd` has a state itself. */
export function stateBeside(path: string, cwd: string): string | undefined {
  if (existsSync(ownFile(cwd, 'state'))) return undefined;
  let folder = resolve(cwd, path);
  do {
    const place = ownFile(folder, 'state');
    if (existsSync(place)) return shownPath(cwd, place);
    folder = dirname(folder);
  } while (folder.startsWith(`${cwd}${sep}`));
  return undefined;
}
