// Opens the files under `sources`.

import { isList, isObject } from '../../../lib/json.ts';
import type { KindDefinition } from '../../kinds/definition/kind.ts';
import { printPosition } from '../../model/source.ts';
import { type ManifestDocument, spotIn } from '../document/document.ts';
import type { LoadContext } from '../document/load-context.ts';
import type { FileAccess } from '../files/access.ts';
import type { ManifestFile } from '../files/discover.ts';
import { findNamedFile } from '../files/named-file.ts';
import { entryIn, type Tree, type TreeEntry } from '../files/tree.ts';
import type { Spot } from '../problems/problems.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';
import { SourceList } from './source-list.ts';

export interface SourceContext extends LoadContext {
  readonly cwd: string;
  readonly files: FileAccess;
}

export interface OpenedSources {
  readonly lists: readonly SourceList[];
  /** Whether a file could not be opened. */
  readonly isPartial: boolean;
}

/** `defaults` are keyed by shown file name. Files that cannot be opened are reported and left out. */
export async function openSources(
  documents: readonly ManifestDocument[],
  defaults: ReadonlyMap<string, TreeEntry>,
  context: SourceContext,
): Promise<OpenedSources> {
  const lists: SourceList[] = [];
  const spotOfFile = new Map<string, Spot>();
  let isPartial = false;
  for (const document of documents) {
    const { sources } = document.outline;
    for (const [index, item] of (isList(sources) ? sources : []).entries()) {
      const kind = context.kinds.find((candidate) => isObject(item) && candidate.name === item.kind);
      // A pattern of history files declares children, not rows of objects (history-files.ts).
      if (kind?.isChild === true) continue;
      const writtenName = isObject(item) && kind !== undefined && typeof item.file === 'string' ? item.file : undefined;
      const spot = spotIn(document, ['sources', String(index), 'file']);
      const file = writtenName === undefined ? undefined : await locate(writtenName, document.file, spot, context);
      const first = file === undefined ? undefined : spotOfFile.get(file.path);
      if (file !== undefined && first !== undefined) {
        reportTwice(file.name, first, spot, context);
        continue;
      }
      if (file !== undefined) spotOfFile.set(file.path, spot);
      const common = kind === undefined ? undefined : entryIn(defaults.get(document.source.file)?.value, kind.section);
      const list = file && kind && openSource(kind, { file, manifest: document.file }, common?.value, context);
      if (list === undefined) isPartial = true;
      else lists.push(list);
    }
  }
  return { lists, isPartial };
}

function openSource(
  kind: KindDefinition,
  place: { readonly file: ManifestFile; readonly manifest: ManifestFile },
  defaults: Tree | undefined,
  { files, suggestions }: SourceContext,
): SourceList {
  const format = /\.csv(?:\.gz)?$/u.test(place.file.path) ? csv(kind, suggestions) : ndjson;
  return new SourceList(kind, place, files, format, defaults?.type === 'map' ? defaults : undefined);
}

async function locate(
  named: string,
  manifest: ManifestFile,
  spot: Spot,
  { cwd, files, problems }: SourceContext,
): Promise<ManifestFile | undefined> {
  const namedFile = await findNamedFile(named, manifest, cwd, files);
  if (namedFile.type === 'file') return { name: namedFile.name, path: namedFile.path, root: manifest.root };
  problems.add(namedFile.code, namedFile.detail, spot);
  return undefined;
}

function reportTwice(name: string, first: Spot, spot: Spot, { problems }: LoadContext): void {
  const place = printPosition(first.source.position(first.offset));
  const detail = `${name} is named here and at ${place}. Keep one of them.`;
  problems.add('manifest.declared-twice', detail, spot);
}
