// Reads the place of the state from the application block. It uses no variable, so it is known before rows are read and wherever
// the environment is not.
import { dirname, resolve } from 'node:path';
import { isObject } from '../../../lib/json.ts';
import { shownPath } from '../../../lib/paths.ts';
import { type DeclaredPlace, faultOfPlace } from '../../model/stores/declared-place.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import { type FileAccess, staysInside } from '../files/access.ts';
import type { Problems } from '../problems/problems.ts';

interface PlaceContext {
  readonly cwd: string;
  /** With links resolved. */
  repository(): Promise<string>;
  readonly files: FileAccess;
  readonly problems: Problems;
}

const path = ['application', 'state'];
const scheme = 'file:';

/** The first declared place, or undefined. Reports what a manifest may not declare. */
export async function readStatePlace(
  documents: readonly ManifestDocument[],
  { cwd, repository, files, problems }: PlaceContext,
): Promise<DeclaredPlace | undefined> {
  for (const document of documents) {
    // What is wrong with the place may be that it contains a secret.
    const spot = { ...spotIn(document, path), secret: true };
    if (document.variables.some(({ path: [, key] }) => key === path[1])) {
      const detail =
        'state uses a variable. It is read before variables are known, so write it in full, or set --state (CHATFORM_STATE).';
      problems.add('manifest.state-place', detail, spot);
      continue;
    }
    const { application } = document.outline;
    const place = isObject(application) ? application.state : undefined;
    if (typeof place !== 'string') continue;
    const fault = faultOfPlace(place);
    if (fault !== undefined) {
      const advice = fault.hasSecret
        ? 'Everybody who can read the manifest would see it. Remove it, revoke it, and give it to chatform in the environment.'
        : 'Correct it, or pass the place with --state (CHATFORM_STATE).';
      problems.add('manifest.state-place', `state ${fault.what}. ${advice}`, spot);
      continue;
    }
    const source = spot.source.position(spot.offset);
    if (!place.startsWith(scheme)) return { place, source };
    const folder = resolve(dirname(resolve(cwd, source.file)), place.slice(scheme.length));
    if (await isPlaceInside(folder, [cwd, document.file.root, await repository()], files))
      return { place: `${scheme}${shownPath(cwd, folder)}`, source };
    const detail =
      'The folder of the state is outside the repository. Paths are relative to the manifest, and links are followed. Name a folder inside the repository, or pass the place with --state (CHATFORM_STATE).';
    problems.add('manifest.state-place', detail, spotIn(document, path));
  }
  return undefined;
}

/** Whether a folder, which need not exist, is inside one of the others after resolving links. */
export async function isPlaceInside(folder: string, others: readonly string[], files: FileAccess): Promise<boolean> {
  const parent = dirname(folder);
  const real = await files.realPath(parent).catch(() => parent);
  const candidates = [folder, resolve(real, folder.slice(parent.length + 1))];
  for (const candidate of candidates)
    for (const other of others) if (await staysInside(candidate, other, files)) return true;
  return false;
}
