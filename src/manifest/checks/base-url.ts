// Checks the base URL of the application block: it is one of the platform's API, version 3, or of an emulator that keeps its data
// inside the working folder.
import { resolve } from 'node:path';
import { isObject } from '../../lib/json.ts';
import { isInside } from '../../lib/paths.ts';
import { baseUrlAdvice, baseUrlFault } from '../../model/calls/base-url.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import { type FileAccess, staysInside } from '../files/access.ts';
import { shownPath } from '../files/discover.ts';
import type { Problems } from '../problems/problems.ts';

const emulatorPrefix = 'emulator:';

interface ServerContext {
  readonly documents: readonly ManifestDocument[];
  readonly problems: Problems;
}

interface EmulatorContext extends ServerContext {
  readonly cwd: string;
  readonly files: FileAccess;
}

/** A base URL with a variable that is not set is checked when it is known. */
function baseUrlOf({ outline: { application } }: ManifestDocument): string {
  const url = isObject(application) ? application.base_url : undefined;
  return typeof url === 'string' ? url : '';
}

export function isServer(document: ManifestDocument): boolean {
  return /^https?:/iu.test(baseUrlOf(document));
}

/** Whether the document names an emulator with a path. */
export function isEmulator(document: ManifestDocument): boolean {
  const url = baseUrlOf(document);
  return url.startsWith(emulatorPrefix) && url !== emulatorPrefix;
}

/** Checks the documents that name a server. */
export function checkServers({ documents, problems }: ServerContext): void {
  for (const document of documents.filter(isServer)) {
    const fault = baseUrlFault(baseUrlOf(document));
    if (fault === undefined) continue;
    const detail = `base_url ${fault}. ${baseUrlAdvice}`;
    problems.add('manifest.base-url', detail, spotIn(document, ['application', 'base_url']));
  }
}

/**
 * Checks the documents that name an emulator. Returns false and reports a problem if it would write outside the working folder and the
 * manifest's folder.
 */
export async function checkEmulators({ documents, cwd, files, problems }: EmulatorContext): Promise<boolean> {
  let isInsideAll = true;
  for (const document of documents.filter(isEmulator)) {
    const path = resolve(cwd, baseUrlOf(document).slice(emulatorPrefix.length));
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
