// Opens an export as one tree of files, even if it consists of several archives in one folder.
import { basename, join } from 'node:path';
import { type FileTree, openFileTree } from '../../../lib/file-tree.ts';
import { twoPartsOfOneName } from './refusals.ts';
import type { ExportSource } from './source.ts';

/** Files that operating systems and archivers add to folders. */
const clutter = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/u;

export function isClutter(path: string): boolean {
  return clutter.test(path);
}

/** Archives directly in the folder that the source recognises are read in place: `part-2.zip/users.json`. */
export async function openExportTree(path: string, source: ExportSource): Promise<FileTree> {
  const tree = await openFileTree(path, source.isSingleFile);
  if (tree.type !== 'folder') return tree;
  const parts = new Map<string, FileTree>();
  const close = (): void => {
    for (const part of parts.values()) part.close();
  };
  try {
    for (const { path: name } of tree.files) {
      if (!/^[^/]+\.zip$/iu.test(name)) continue;
      const part = await openFileTree(join(path, name), false);
      if (await source.recognises(part)) parts.set(name, part);
      else part.close();
    }
  } catch (error) {
    close();
    throw error;
  }
  return parts.size === 0 ? tree : joined(tree, parts, close);
}

/** Several exports as one tree. Paths begin with the name of the folder or archive. */
export async function openExportTrees(paths: readonly string[], source: ExportSource): Promise<FileTree> {
  const [only = ''] = paths;
  if (paths.length === 1) return openExportTree(only, source);
  const parts = new Map<string, FileTree>();
  const close = (): void => {
    for (const part of parts.values()) part.close();
  };
  try {
    for (const path of paths) {
      const name = basename(path);
      if (parts.has(name)) throw twoPartsOfOneName(path);
      parts.set(name, await openExportTree(path, source));
    }
  } catch (error) {
    close();
    throw error;
  }
  const names = [...parts.keys()].map((path) => ({ path, bytes: 0 }));
  const nothing = new Error('no such file');
  const none = { read: () => Promise.reject(nothing), stream: () => Promise.reject(nothing), close };
  return joined({ type: 'folder', files: names, unread: [], ...none }, parts, close);
}

/** `parts` are keyed by the path of the archive in the tree. */
function joined(tree: FileTree, parts: ReadonlyMap<string, FileTree>, close: () => void): FileTree {
  const inside = (path: string): { readonly tree: FileTree; readonly path: string } => {
    const slash = path.indexOf('/');
    const part = parts.get(slash < 0 ? path : path.slice(0, slash));
    return part === undefined
      ? { tree, path }
      : { tree: part, path: part.type === 'file' ? path : path.slice(slash + 1) };
  };
  const below = (name: string, part: FileTree) =>
    part.type === 'file' ? part.files : part.files.map(({ path, bytes }) => ({ path: `${name}/${path}`, bytes }));
  return {
    type: 'folder',
    files: tree.files.flatMap((file) => {
      const part = parts.get(file.path);
      return part === undefined ? [file] : below(file.path, part);
    }),
    unread: [...tree.unread, ...[...parts].flatMap(([name, part]) => part.unread.map((path) => `${name}/${path}`))],
    read: (path, maxBytes) => {
      const found = inside(path);
      return found.tree.read(found.path, maxBytes);
    },
    stream: (path) => {
      const found = inside(path);
      return found.tree.stream(found.path);
    },
    close,
  };
}
