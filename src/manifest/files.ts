// How does the loader reach the disk? Four calls, so that tests and other hosts can bring their own.
import { type Dirent, promises } from 'node:fs';

export interface FileAccess {
  readFile(path: string): Promise<Uint8Array>;
  /** Names in a folder, in any order. */
  listFolder(path: string): Promise<readonly FolderEntry[]>;
  /** The path with every symbolic link followed. Rejects when there is nothing. */
  realPath(path: string): Promise<string>;
  stat(path: string): Promise<{ readonly type: 'file' | 'folder' | 'other'; readonly bytes: number }>;
}

export interface FolderEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

export const disk: FileAccess = {
  readFile: (path) => promises.readFile(path),
  realPath: (path) => promises.realpath(path),
  async listFolder(path) {
    const entries = await promises.readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, type: entryType(entry) }));
  },
  async stat(path) {
    const found = await promises.stat(path);
    return { type: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other', bytes: found.size };
  },
};

function entryType(entry: Dirent): FolderEntry['type'] {
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}
