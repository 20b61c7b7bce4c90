// Checks that the emulator of the application block keeps its data inside the working folder.
import { basename, dirname, resolve } from 'node:path';
import { isObject } from '../../lib/json.ts';
import { isInside } from '../../lib/paths.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { FileAccess } from '../files/access.ts';
import { shownPath } from '../files/discover.ts';
import type { Problems } from '../problems/problems.ts';

const emulatorPrefix = 'emulator:';

interface EmulatorContext {
  readonly cwd: string;
  readonly files: FileAccess;
  readonly problems: Problems;
}

/** Returns false and reports a problem if the emulator would write outside the working folder and the manifest's folder. */
export async function checkEmulatorPath(
  documents: readonly ManifestDocument[],
  { cwd, files, problems }: EmulatorContext,
): Promise<boolean> {
  let isInsideAll = true;
  for (const document of documents) {
    const { application } = document.outline;
    const url = isObject(application) ? application.base_url : undefined;
    if (typeof url !== 'string' || !url.startsWith(emulatorPrefix) || url === emulatorPrefix) continue;
    const named = url.slice(emulatorPrefix.length);
    const path = resolve(cwd, named);
    const { root } = document.file;
    if ((await staysInside(path, cwd, files)) || (await staysInside(path, root, files))) continue;
    isInsideAll = false;
    // The value may contain variables. The excerpt shows the line as written.
    const folder = isInside(cwd, root) ? 'the working folder' : `the working folder and ${shownPath(cwd, root)}`;
    const detail = `The emulator would keep its data outside ${folder}. Paths are relative to the working folder, and links are followed. Name a file inside it, or pass the address with --base-url instead.`;
    problems.add('manifest.leaves-folder', detail, spotIn(document, ['application', 'base_url']));
  }
  return isInsideAll;
}

/** Whether a path, which need not exist, is inside a folder after resolving links. */
export async function staysInside(path: string, folder: string, files: FileAccess): Promise<boolean> {
  if (!isInside(folder, path)) return false;
  const root = await files.realPath(folder).catch(() => folder);
  for (let here = path; here !== folder; here = dirname(here)) {
    const real = await files.realPath(here).catch(() => undefined);
    if (real !== undefined) return isInside(root, real);
    // A link whose target does not exist yet is followed when the file is written.
    const entries = await files.listFolder(dirname(here)).catch(() => []);
    if (entries.some(({ name, type }) => name === basename(here) && type === 'link')) return false;
  }
  return true;
}
