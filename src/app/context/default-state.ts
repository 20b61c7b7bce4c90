// The place of a state that nobody names: the working folder, unless a state is elsewhere or the folder is discarded.

import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isInCi } from '../../model/ci-systems.ts';
import { usage } from '../../model/errors.ts';
import type { StateSnapshot } from '../../model/ports.ts';
import type { Ports, StateOptions } from './ports.ts';

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

/**
 * Refused (64) in CI when no state is configured and the default place is empty: that folder is discarded with the checkout,
 * so the record of the run would be lost. Call it before anything is sent.
 */
export function demandNamedState(
  { state }: StateOptions,
  { env }: Pick<Ports, 'env'>,
  found: Pick<StateSnapshot, 'size' | 'pending'>,
): void {
  if (state !== undefined || !isInCi(env) || found.size > 0 || found.pending.length > 0) return;
  throw usage(
    `No state is configured, and ${defaultPlace} is empty. In CI that folder is discarded after the run, so the record of what the run did would be lost.`,
    `Nothing was sent or changed. Declare application.state or set --state (CHATFORM_STATE) to postgres://… or s3://…, or pass --state ${defaultPlace} if the folder is kept.`,
  );
}
