// The files of an export that no source reads as rows: their digests, and which of them a message means.
import { createHash } from 'node:crypto';
import { type FileTree, FileTreeError } from '../lib/file-tree.ts';
import { isClutter } from './export/parts.ts';

/** The digest in hexadecimal, or why the bytes cannot be read. */
export type Bytes =
  | { readonly bytes: number; readonly sha256: string }
  | { readonly bytes: number; readonly problem: string };

/** The files of the tree that may belong to messages. `read`: those that the source reads. */
export function looseFiles({ files }: Pick<FileTree, 'files'>, read: readonly string[]): FileTree['files'] {
  const known = new Set(read);
  return files.filter(({ path }) => !known.has(path) && !isClutter(path));
}

/** By path. Streams the files, one by one; `onFile` gets the size of each. */
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
    // One file that cannot be read does not keep the messages from being converted.
    if (error instanceof FileTreeError) return { bytes, problem: error.message };
    throw error;
  }
}

/** The path as `/` separates it; undefined for one that does not start in the export. */
export function relativePlace(written: string): string | undefined {
  const path = written.replaceAll('\\', '/').replace(/^(?:\.\/)+/u, '');
  const isElsewhere = path === '' || /^(?:\/|[a-z][a-z0-9+.-]*:)/iu.test(path) || path.split('/').includes('..');
  return isElsewhere ? undefined : path;
}

/** Folders of attachments that Mattermost does not name in its paths. */
const unnamedFolder = 'data/';

/**
 * The path in the tree of a file that `reader`, another file of it, names: beside it, or in a folder around it. Nothing
 * outside of the tree is looked at.
 */
export function placeIn(paths: ReadonlyMap<string, unknown>, place: string, reader: string): string | undefined {
  for (let folder = reader; folder !== ''; ) {
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/', folder.length - 2) + 1));
    const found = [folder + place, folder + unnamedFolder + place].find((path) => paths.has(path));
    if (found !== undefined) return found;
  }
  return undefined;
}
