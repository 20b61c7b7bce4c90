// Opens the files under `sources`.
import { isList, isObject } from '../../lib/json.ts';
import { printPosition } from '../../model/source.ts';
import type { KindDefinition } from '../../resources/define.ts';
import { entryIn } from '../blocks/declared-block.ts';
import { type LoadContext, type ManifestDocument, spotIn } from '../blocks/document.ts';
import type { Spot } from '../checks/problems.ts';
import { findNamedFile, type ManifestFile } from '../discover.ts';
import type { FileAccess } from '../files.ts';
import type { Tree, TreeEntry } from '../yaml/tree.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';
import { openPlain } from './packed.ts';
import { reportUnreadable } from './row.ts';
import { SourceList } from './source-list.ts';

export interface SourceContext extends LoadContext {
  readonly cwd: string;
  readonly files: FileAccess;
}

export interface OpenedSources {
  readonly lists: readonly SourceList[];
  /** Some file could not be opened. */
  readonly isPartial: boolean;
}

/** `defaults`: by the shown name of a manifest. Files that cannot be opened are reported and left out. */
export async function openSources(
  documents: readonly ManifestDocument[],
  defaults: ReadonlyMap<string, TreeEntry>,
  context: SourceContext,
): Promise<OpenedSources> {
  const lists: SourceList[] = [];
  const known = new Map<string, Spot>();
  let isPartial = false;
  for (const document of documents) {
    const { sources } = document.outline;
    for (const [index, item] of (isList(sources) ? sources : []).entries()) {
      const kind = context.kinds.find((candidate) => isObject(item) && candidate.kind === item.kind);
      // A pattern of archives declares children, not rows of objects (archives.ts).
      if (kind?.isChild === true) continue;
      const named = isObject(item) && kind !== undefined && typeof item.file === 'string' ? item.file : undefined;
      const spot = spotIn(document, ['sources', String(index), 'file']);
      const file = named === undefined ? undefined : await locate(named, document.file, spot, context);
      const first = file === undefined ? undefined : known.get(file.path);
      if (file !== undefined && first !== undefined) {
        reportTwice(file.name, first, spot, context);
        continue;
      }
      if (file !== undefined) known.set(file.path, spot);
      const common = kind === undefined ? undefined : entryIn(defaults.get(document.source.file)?.value, kind.section);
      const list = file && kind && (await openSource(kind, { file, manifest: document.file }, common?.value, context));
      if (list === undefined) isPartial = true;
      else lists.push(list);
    }
  }
  return { lists, isPartial };
}

/** Undefined, and a problem, when the file cannot be opened. */
async function openSource(
  kind: KindDefinition,
  { file, manifest }: { readonly file: ManifestFile; readonly manifest: ManifestFile },
  defaults: Tree | undefined,
  { files, problems, suggestions }: SourceContext,
): Promise<SourceList | undefined> {
  const format = /\.csv(?:\.gz)?$/u.test(file.path) ? csv(kind, suggestions) : ndjson;
  try {
    const unpacked = await openPlain(file.path, files);
    return new SourceList(kind, { file, manifest }, unpacked, format, defaults?.type === 'map' ? defaults : undefined);
  } catch (error) {
    reportUnreadable(file.name, error, problems);
    return undefined;
  }
}

async function locate(
  named: string,
  manifest: ManifestFile,
  spot: Spot,
  { cwd, files, problems }: SourceContext,
): Promise<ManifestFile | undefined> {
  const found = await findNamedFile(named, manifest, cwd, files);
  if (found.type === 'file') return { name: found.name, path: found.path, root: manifest.root };
  problems.add(found.code, found.detail, spot);
  return undefined;
}

function reportTwice(name: string, first: Spot, spot: Spot, { problems }: LoadContext): void {
  const place = printPosition(first.source.position(first.offset));
  const detail = `${name} is named here and at ${place}. Keep one of them.`;
  problems.add('manifest.declared-twice', detail, spot);
}
