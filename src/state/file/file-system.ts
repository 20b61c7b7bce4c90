// What the file backend needs of a file system: a port of a few calls, so that a test can count, fail or crash each one.
import { constants, readdirSync, readSync, writeSync } from 'node:fs';
import { link, mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../../lib/errors.ts';
import { isOtherThanFile } from '../../lib/write-whole.ts';

export interface SourceFile {
  /** How many bytes there are now. */
  size(): Promise<number>;
  /** Reads at most `length` bytes at `position` into the buffer at `offset`. Returns how many; 0 at the end. */
  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number>;
  /** Like `read`, synchronously: for looking up a few kilobytes. */
  readNow(buffer: Uint8Array, offset: number, length: number, position: number): number;
  /** Nobody without the key can have written it. */
  readonly isSealed?: boolean;
  close(): Promise<void>;
}

export interface GrowingFile {
  /** Writes all bytes, or rejects; after a rejection any part of them may be in the file. */
  write(bytes: Uint8Array): Promise<void>;
  /** When it resolves, what was written survives a power failure. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface StateFiles {
  makeFolder(path: string): Promise<void>;
  /** The names in a folder; none when the folder does not exist. */
  list(path: string): Promise<readonly string[]>;
  /** Undefined when the file does not exist. Rejects when it is a pipe, a device or a folder. */
  openToRead(path: string): Promise<SourceFile | undefined>;
  /** Rejects when the file exists. */
  create(path: string): Promise<GrowingFile>;
  /** When it resolves, what any process has written to the file survives a power failure. */
  syncFile(path: string): Promise<void>;
  /** Gives a file a second name; false when the new name is taken or the old one does not exist. */
  link(from: string, to: string): Promise<boolean>;
  /**
   * Replaces `to` atomically. Does nothing when `from` does not exist: another process has renamed it. Rejects when `to` is
   * a pipe, a device or a folder.
   */
  rename(from: string, to: string): Promise<void>;
  /** Does nothing when the file does not exist. */
  remove(path: string): Promise<void>;
  /** When it resolves, changes of names in the folder survive a power failure. */
  syncFolder(path: string): Promise<void>;
}

const fewBytes = 1 << 17;

/** Some systems cannot sync a folder (Windows, some network mounts). Nothing else helps there. */
const cannotSyncFolder = new Set(['EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM']);

/** The real file system. Folders are made with mode 0700 and files with 0600: state has names and metadata of people. */
export const nodeFiles: StateFiles = {
  async makeFolder(path) {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    // Each new folder is a new name in its parent.
    for (let made = path; made.length >= first.length; made = dirname(made)) await this.syncFolder(dirname(made));
  },

  async list(path) {
    try {
      // Called after each flush. A few cached names are read in less time than it takes to wake another thread.
      return readdirSync(path);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return [];
      throw error;
    }
  },

  async openToRead(path) {
    try {
      // Without O_NONBLOCK, opening a pipe would wait for a writer. Windows has no such flag.
      const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      if (!(await handle.stat()).isFile()) {
        await handle.close();
        throw notRegular(path);
      }
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
        // A disk that fills up writes a part first; only the next call throws.
        for (let at = 0; at < bytes.length; ) {
          // Few bytes are copied to the system's cache in less time than it takes to wake another thread.
          at +=
            bytes.length > fewBytes ? (await handle.write(bytes, at)).bytesWritten : writeSync(handle.fd, bytes, at);
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

  async rename(from, to) {
    if (isOtherThanFile(to)) throw notRegular(to);
    await unlessMissing(rename(from, to));
  },

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

/** With the code that BSD systems have for it: an error of the file system, not a bug. */
function notRegular(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE' });
}

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
