// Confines the paths that a client names to the folder in which the server started.
import { resolve } from 'node:path';
import { Refusal } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { isStream } from '../../lib/output-streams.ts';
import { demandInside, LeadsOutsideError } from '../../lib/own-files.ts';
import { ownName } from '../../lib/own-names.ts';
import { hiddenPart, isInside, realPath, shownPath } from '../../lib/paths.ts';

/** Refused (64) for a path outside of the folder, by its name or through links, and for a stream. */
export async function demandConfined(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const place = resolve(folder, path);
    if (path.includes('\0') || !isInside(folder, place) || (await isStream(place))) throw outside(path);
    await demandInside(folder, place).catch((error: unknown) => {
      throw error instanceof LeadsOutsideError ? outside(path) : error;
    });
  }
}

/** Refused (64) for a hidden path that is not a saved plan, because an error would quote the lines of a file such as .env. */
export async function demandVisible(folder: string, paths: readonly string[]): Promise<void> {
  const home = await realPath(folder);
  for (const path of paths) {
    for (const [root, place] of [
      [folder, resolve(folder, path)],
      [home, await realPath(resolve(folder, path))],
    ] as const) {
      const isPlan = shownPath(root, place).startsWith(`${ownName('plans')}/`);
      if (!isPlan && hiddenPart(root, place) !== undefined) throw outside(path);
    }
  }
}

function outside(path: string): Refusal {
  return new Refusal(
    'mcp.outside',
    exitCode.usage,
    `The path ${path} is not a visible file or folder inside the folder of the server.`,
    'Nothing was read. Name a path inside the folder in which chatform mcp was started, without names that begin with a dot.',
  );
}
