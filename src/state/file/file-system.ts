// What does the file backend ask of a file system? A port of a few calls, so that a test can count, fail or crash each one.
import { constants, readdirSync, readSync, writeSync } from 'node:fs';
import { link, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../lib/errors.ts';

export interface SourceFile {
  /** How many bytes there are now. */
  size(): Promise<number>;
  /** At most `length` bytes that stand at `position`, put into the buffer at `offset`; 0 at the end. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  /** The same, at once: for a few kilobytes of a file that is looked up in. */
  readNow(buffer: Uint8Array, offset: number, length: number, position: number): number;
  close(): Promise<void>;
}

export interface GrowingFile {
  /** Writes all bytes, or rejects; after a rejection any part of them may be in the file. */
  write(bytes: Uint8Array): Promise<void>;
  /** What was written outlasts a power failure when this resolves. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface StateFiles {
  makeFolder(path: string): Promise<void>;
  /** Names in a folder; none when there is no folder. */
  list(path: string): Promise<readonly string[]>;
  /** Undefined when there is no such file. */
  openToRead(path: string): Promise<SourceFile | undefined>;
  /** Rejects when the file exists. */
  create(path: string): Promise<GrowingFile>;
  /** What anybody has written to the file outlasts a power failure when this resolves. */
  syncFile(path: string): Promise<void>;
  /** A second name for a file, exclusively: false when the new name is taken or the old one is gone. */
  link(from: string, to: string): Promise<boolean>;
  /** Replaces `to` atomically. A missing `from` is fine: somebody else has done it. */
  rename(from: string, to: string): Promise<void>;
  /** A missing file is fine. */
  remove(path: string): Promise<void>;
  /** Names that were made, changed or removed in the folder outlast a power failure when this resolves. */
  syncFolder(path: string): Promise<void>;
}

const littleBytes = 1 << 17;

/** Not every system can sync a folder (Windows, some network mounts); there is nothing better to do on those. */
const cannotSyncFolder = new Set(['EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

/** The real file system. Folders are made 0700 and files 0600: state holds names and metadata of people. */
export const nodeFiles: StateFiles = {
  async makeFolder(path) {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    // Each new folder is a new name in the one above.
    for (let made = path; made.length >= first.length; made = dirname(made)) await this.syncFolder(dirname(made));
  },

  async list(path) {
    try {
      // After each flush. A few names, which are in the system's memory, are read in less time than another thread needs to hear of it.
      return readdirSync(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  },

  async openToRead(path) {
    try {
      const handle = await open(path, constants.O_RDONLY);
      return {
        size: async () => (await handle.stat()).size,
        read: async (buffer, offset, length, position) =>
          (await handle.read(buffer, offset, length, position)).bytesRead,
        readNow: (buffer, offset, length, position) => readSync(handle.fd, buffer, offset, length, position),
        close: () => handle.close(),
      };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  },

  async create(path) {
    const handle = await open(path, 'wx', 0o600);
    return {
      async write(bytes) {
        // A disk that fills up takes a part first; only the next call says why.
        for (let at = 0; at < bytes.length; ) {
          // A little goes into the memory of the system in less time than another thread needs to hear of it.
          at +=
            bytes.length > littleBytes ? (await handle.write(bytes, at)).bytesWritten : writeSync(handle.fd, bytes, at);
        }
      },
      sync: () => handle.datasync(),
      close: () => handle.close(),
    };
  },

  async link(from, to) {
    try {
      await link(from, to);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  },

  rename: (from, to) => unlessMissing(rename(from, to)),

  remove: (path) => unlessMissing(unlink(path)),

  syncFile: (path) => syncPath(path, constants.O_RDWR),

  async syncFolder(path) {
    try {
      await syncPath(path, constants.O_RDONLY);
    } catch (error) {
      if (!cannotSyncFolder.has(errorCode(error) ?? '')) throw error;
    }
  },
};

async function unlessMissing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

async function syncPath(path: string, flags: number): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
