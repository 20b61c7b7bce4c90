// The state of commands that name none, and states of other folders that may be meant instead.
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { usage } from '../../model/errors.ts';

/** The place of a state that nobody names. */
const defaultFolder = '.chatform/state';

export const defaultPlace = `file:${defaultFolder}`;

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
  if (existsSync(join(cwd, defaultFolder))) return undefined;
  let folder = resolve(cwd, path);
  do {
    const place = join(relative(cwd, folder), defaultFolder);
    if (existsSync(join(cwd, place))) return place;
    folder = dirname(folder);
  } while (folder.startsWith(`${cwd}${sep}`));
  return undefined;
}
