// Digests the files of an export that the source does not read, and matches them with messages.
import { createHash } from 'node:crypto';
import { type FileTree, FileTreeError } from '../../lib/file-tree.ts';
import { isClutter } from './export/parts.ts';

/** The hexadecimal digest, or why the content cannot be read. */
export type Bytes =
  | { readonly bytes: number; readonly sha256: string }
  | { readonly bytes: number; readonly problem: string };

/** Files of the tree that may belong to messages. `read`: files that the source reads. */
export function looseFiles({ files }: Pick<FileTree, 'files'>, read: readonly string[]): FileTree['files'] {
  const known = new Set(read);
  return files.filter(({ path }) => !known.has(path) && !isClutter(path));
}

/** Digests by path. Streams one file at a time; `onFile` receives the size of each. */
export async function bytesOfFiles(
  tree: Pick<FileTree, 'stream'>,
  files: FileTree['files'],
  onFile?: (bytes: number) => void,
): Promise<ReadonlyMap<string, Bytes>> {
  const found = new Map<string, Bytes>();
  for (const { path, bytes } of files) {
    found.set(path, await bytesOf(tree, path, bytes));
    onFile?.(bytes);
  }
  return found;
}

async function bytesOf(tree: Pick<FileTree, 'stream'>, path: string, bytes: number): Promise<Bytes> {
  const hash = createHash('sha256');
  try {
    for await (const piece of await tree.stream(path)) hash.update(piece);
    return { bytes, sha256: hash.digest('hex') };
  } catch (error) {
    // An unreadable file must not stop the conversion of messages.
    if (error instanceof FileTreeError) return { bytes, problem: error.message };
    throw error;
  }
}

/** Normalizes the path to `/`; undefined for a path that starts outside the export. */
export function relativePlace(written: string): string | undefined {
  const path = written.replaceAll('\\', '/').replace(/^(?:\.\/)+/u, '');
  const isElsewhere = path === '' || /^(?:\/|[a-z][a-z0-9+.-]*:)/iu.test(path) || path.split('/').includes('..');
  return isElsewhere ? undefined : path;
}

/** Attachment folders that Mattermost omits from its paths. */
const unnamedFolder = 'data/';

/** Finds paths of a tree. File systems of macOS decompose letters with accents, which the texts of an export do not. */
export class TreePaths {
  readonly #paths = new Map<string, string>();

  constructor(paths: Iterable<string>) {
    const all = [...paths];
    for (const path of all) this.#paths.set(path.normalize(), path);
    for (const path of all) this.#paths.set(path, path);
  }

  find(path: string): string | undefined {
    return this.#paths.get(path) ?? this.#paths.get(path.normalize());
  }
}

/**
 * The path in the tree of a file that another file, `reader`, names: beside `reader`, or in a folder around it. Never looks
 * outside the tree.
 */
export function placeIn(paths: TreePaths, place: string, reader: string): string | undefined {
  for (let folder = reader; folder !== ''; ) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/', folder.length - 2) + 1));
    const found = paths.find(folder + place) ?? paths.find(folder + unnamedFolder + place);
    if (found !== undefined) return found;
  }
  return undefined;
}
