// The loader's access to files: six calls, so that tests and other hosts can provide their own.
import { closeSync, createReadStream, type Dirent, fstatSync, openSync, promises, readSync } from 'node:fs';

export interface FileAccess {
  readFile(path: string): Promise<Uint8Array>;
  /** The content in chunks, for files that are never held whole. Rejects on a read error. */
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /** Opens a file for synchronous reads at any position. Throws when there is no such file. */
  open(path: string): OpenFile;
  /** The entries of a folder, in any order. */
  listFolder(path: string): Promise<readonly FolderEntry[]>;
  /** The path with every symbolic link followed. Rejects when nothing is there. */
  realPath(path: string): Promise<string>;
  stat(path: string): Promise<{ readonly type: 'file' | 'folder' | 'other'; readonly bytes: number }>;
}

export interface OpenFile {
  /** Differs after every change of the file. */
  readonly version: string;
  /** Time of the last change in Unix milliseconds; absent where the host does not know it. */
  readonly changedAt?: number;
  readonly bytes: number;
  /** Fills the array from a position of the file. Returns the number of bytes, 0 at the end. */
  read(into: Uint8Array, position: number): number;
  close(): void;
}

export interface FolderEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

export const disk: FileAccess = {
  readFile: (path) => promises.readFile(path),
  // The stream allocates a buffer of this size for each file, and there may be ten thousand small files.
  readChunks: (path) => createReadStream(path, { highWaterMark: 1 << 17 }),
  realPath: (path) => promises.realpath(path),
  open: openOnDisk,
  async listFolder(path) {
    const entries = await promises.readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, type: entryType(entry) }));
  },
  async stat(path) {
    const found = await promises.stat(path);
    return { type: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other', bytes: found.size };
  },
};

function openOnDisk(path: string): OpenFile {
  const file = openSync(path, 'r');
  const { ino, size, mtimeNs, ctimeNs } = fstatSync(file, { bigint: true });
  return {
    version: [ino, size, mtimeNs, ctimeNs].join(' '),
    changedAt: Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n),
    bytes: Number(size),
    read: (into, position) => readSync(file, into, 0, into.length, position),
    close: () => closeSync(file),
  };
}

function entryType(entry: Dirent): FolderEntry['type'] {
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}
