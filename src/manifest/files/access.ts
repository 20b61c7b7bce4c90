// The loader's access to files. Tests and other hosts can provide their own.
import { type Dirent, promises } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isInside } from '../../lib/paths.ts';
import { filePieces } from './file-pieces.ts';

const pieceBytes = 1 << 16;

export interface FileAccess {
  readFile(path: string): Promise<Uint8Array>;
  /** Reads the content in chunks, for files that are never in memory as a whole. Rejects on a read error. */
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /** The entries of a folder, in any order. */
  listFolder(path: string): Promise<readonly FolderEntry[]>;
  /** Resolves every symbolic link. Rejects if the path does not exist. */
  realPath(path: string): Promise<string>;
  stat(path: string): Promise<FileStatus>;
}

export interface FileStatus {
  readonly type: 'file' | 'folder' | 'other';
  readonly bytes: number;
  /** Differs after every change of the file. Absent if files never change. */
  readonly version?: string;
  /** The time of the last change in Unix milliseconds. Absent if unknown. */
  readonly changedAt?: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

export const disk: FileAccess = {
  readFile: (path) => promises.readFile(path),
  // Each file takes a buffer of this size, and there may be ten thousand small files.
  readChunks: (path) => filePieces(path, pieceBytes),
  realPath: (path) => promises.realpath(path),
  async listFolder(path) {
    const entries = await promises.readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, type: entryType(entry) }));
  },
  async stat(path) {
    const status = await promises.stat(path, { bigint: true });
    const { ino, size, mtimeNs, ctimeNs } = status;
    return {
      type: status.isFile() ? 'file' : status.isDirectory() ? 'folder' : 'other',
      bytes: Number(size),
      version: [ino, size, mtimeNs, ctimeNs].join(' '),
      changedAt: Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n),
    };
  },
};

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

function entryType(entry: Dirent): FolderEntry['type'] {
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}
