// Which files does `sources` name, of which kind, and can they be read?
import { dirname, resolve } from 'node:path';
import { isList, isObject } from '../../lib/json.ts';
import { printPosition } from '../../model/source.ts';
import { entryIn } from '../blocks/declared-block.ts';
import { type LoadContext, type ManifestDocument, spotIn } from '../blocks/document.ts';
import type { Spot } from '../checks/problems.ts';
import { quote } from '../checks/wording.ts';
import { isInside, type ManifestFile, reasonOf, shownPath } from '../discover.ts';
import type { FileAccess } from '../files.ts';
import type { Entry } from '../yaml/tree.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';
import { openingOf } from './packed.ts';
import { tellUnreadable } from './row.ts';
import { SourceList } from './source-list.ts';

export interface SourceContext extends LoadContext {
  readonly cwd: string;
  readonly files: FileAccess;
}

export interface OpenedSources {
  readonly lists: readonly SourceList[];
  /** Some file cannot be had. */
  readonly isPartial: boolean;
}

/** `defaults`: of a manifest, by its shown name. Files that cannot be had are told and left out: then `isPartial`. */
export async function openSources(
  documents: readonly ManifestDocument[],
  defaults: ReadonlyMap<string, Entry>,
  context: SourceContext,
): Promise<OpenedSources> {
  const lists: SourceList[] = [];
  const known = new Map<string, Spot>();
  let isPartial = false;
  for (const document of documents) {
    const { sources } = document.outline;
    for (const [index, item] of (isList(sources) ? sources : []).entries()) {
      const kind = context.kinds.find((candidate) => isObject(item) && candidate.kind === item.kind);
      if (!isObject(item) || kind === undefined || typeof item.file !== 'string') {
        isPartial = true;
        continue;
      }
      // Files of one part each, not of many objects: see archives.ts.
      if (kind.isChild === true) continue;
      const spot = spotIn(document, ['sources', String(index), 'file']);
      const file = await locate(item.file, document.file, spot, context);
      const first = file === undefined ? undefined : known.get(file.path);
      if (file === undefined || first !== undefined) {
        if (first !== undefined) reportTwice(file?.name ?? '', first, spot, context);
        isPartial ||= first === undefined;
        continue;
      }
      known.set(file.path, spot);
      const opening = await openingOf(file.path, context.files).catch((error: unknown) => {
        tellUnreadable(file.name, error, context.problems);
      });
      if (opening === undefined) {
        isPartial = true;
        continue;
      }
      const common = entryIn(defaults.get(document.source.file)?.value, kind.section)?.value;
      const format = /\.csv(?:\.gz)?$/u.test(file.path) ? csv(kind, context.suggestions) : ndjson;
      lists.push(new SourceList(kind, file, opening, format, common?.type === 'map' ? common : undefined));
    }
  }
  return { lists, isPartial };
}

/** Beside the manifest, links followed, and not outside of the manifests' folder. */
async function locate(
  named: string,
  manifest: ManifestFile,
  spot: Spot,
  { cwd, files, problems }: SourceContext,
): Promise<ManifestFile | undefined> {
  const path = resolve(dirname(manifest.path), named);
  const name = shownPath(cwd, path);
  try {
    const real = isInside(manifest.root, path) ? await files.realPath(path) : undefined;
    if (real === undefined || !isInside(manifest.root, real)) {
      const detail = `${quote(named)} leads out of ${shownPath(cwd, manifest.root)}, the folder of the manifests. Put the file into that folder.`;
      problems.add('manifest.leaves-folder', detail, spot);
    } else if ((await files.stat(real)).type === 'file') return { name, path: real, root: manifest.root };
    else problems.add('manifest.file-missing', `${name} is not a file. Name a file here.`, spot);
  } catch (error) {
    const detail = `${name} cannot be read: ${reasonOf(error)}. Paths are relative to the manifest.`;
    problems.add('manifest.file-missing', detail, spot);
  }
  return undefined;
}

function reportTwice(name: string, first: Spot, spot: Spot, { problems }: LoadContext): void {
  const place = printPosition(first.source.position(first.offset));
  const detail = `${name} is named here and at ${place}. Keep one of them: its rows are declared once.`;
  problems.add('manifest.declared-twice', detail, spot);
}
