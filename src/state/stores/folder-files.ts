// What a state in a folder needs of a file system: a port of a few calls, so that a test can count, fail or crash each one.
import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readSync,
  write,
  writeSync,
} from 'node:fs';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { errorCode } from '../../lib/errors.ts';
import { closeWhenForgotten } from '../../lib/temp-file.ts';
import { isOtherThanFile } from '../../lib/write-whole.ts';
import type { StoredObject } from '../engine/store.ts';

export interface FolderFiles {
  /** When it resolves, the folder survives a power failure. */
  makeFolder(path: string): Promise<void>;
  /** The names in a folder; none when the folder does not exist. */
  list(path: string): Promise<readonly string[]>;
  /** Undefined when the file does not exist. Rejects when it is a pipe, a device or a folder. */
  read(path: string): Promise<Omit<StoredObject, 'tag'> | undefined>;
  /** Makes a new file whose bytes survive a power failure; its name need not. Rejects when the file exists. */
  write(path: string, bytes: Uint8Array): Promise<void>;
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
  flush(path: string): Promise<void>;
}

/** So many bytes are copied to the system's cache in less time than it takes to wake another thread. */
const fewBytes = 1 << 17;
/** A larger file is read again where it is asked for. */
const manyBytes = 4 << 20;
const flushBytes = promisify(fdatasync);
const writeBytes = promisify(write);

/** The real file system. Folders are made with mode 0700 and files with 0600: state has names and metadata of people. */
export const nodeFiles: FolderFiles = {
  async makeFolder(path) {
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    // Each new folder is a new name in its parent.
    for (let made = path; made.length >= first.length; made = dirname(made)) await this.flush(dirname(made));
  },

  async list(path) {
    return unlessMissing([], () => readdirSync(path));
  },

  read: (path) =>
    unlessMissing(undefined, async () => {
      // Without O_NONBLOCK, opening a pipe would wait for a writer. Windows has no such flag.
      const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const found = await handle.stat();
        if (!found.isFile()) throw notRegular(path);
        const read = { bytes: await handle.readFile(), ageMs: Date.now() - found.mtimeMs };
        // On Windows nobody could rename or remove a file that is open.
        if (found.size < manyBytes || process.platform === 'win32') return read;
        const readAgain = readerOf(path, found.ino);
        return readAgain === undefined ? read : { ...read, readAgain };
      } finally {
        await handle.close();
      }
    }),

  async write(path, bytes) {
    const file = openSync(path, 'wx', 0o600);
    try {
      // A disk that fills up writes a part first; only the next call throws.
      for (let at = 0; at < bytes.length; )
        at += bytes.length > fewBytes ? (await writeBytes(file, bytes, at)).bytesWritten : writeSync(file, bytes, at);
      await flushBytes(file);
    } finally {
      closeSync(file);
    }
  },

  async link(from, to) {
    try {
      linkSync(from, to);
      return true;
    } catch (error) {
      if (errorCode(error) === 'EEXIST' || errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  },

  async rename(from, to) {
    if (isOtherThanFile(to)) throw notRegular(to);
    await unlessMissing(undefined, () => rename(from, to));
  },

  async remove(path) {
    // Hundreds go one after the other, and some take milliseconds: timers must fire in between.
    await unlessMissing(undefined, () => unlink(path));
  },

  async flush(path) {
    // Windows cannot flush a folder, and needs not.
    if (process.platform === 'win32') return;
    const handle = await open(path, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
};

/** An open file keeps its content when others rename or remove it. Undefined when that has happened already. */
function readerOf(path: string, inode: number): StoredObject['readAgain'] {
  const descriptor = openSync(path, 'r');
  const reader = (offset: number, length: number): Buffer => {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const more = readSync(descriptor, bytes, at, length - at, offset + at);
      if (more === 0) throw new Error('the snapshot of the state was cut while it was read');
      at += more;
    }
    return bytes;
  };
  // A snapshot has no `close`: its user may look up records for as long as they like.
  closeWhenForgotten(reader, () => closeSync(descriptor));
  return fstatSync(descriptor).ino === inode ? reader : undefined;
}

/** With the code that BSD systems have for it: an error of the file system, not a bug. */
function notRegular(path: string): Error {
  return Object.assign(new Error(`${path} is not a regular file`), { code: 'EFTYPE' });
}

async function unlessMissing<T>(otherwise: T, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return otherwise;
    throw error;
  }
}
