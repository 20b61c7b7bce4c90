// The file system calls of a state in a folder, as a small port, so that a test can count, fail or crash each one.
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFile,
  readFileSync,
  readSync,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { flushDescriptor, flushFolder, isOtherThanFile } from '../../../lib/durable-files.ts';
import { errorCode } from '../../../lib/errors.ts';
import { closeWhenForgotten } from '../../../lib/temp-file.ts';
import type { StoredObject } from '../engine/store.ts';

export interface FolderFiles {
  /** Resolves when the folder is durable. */
  makeFolder(path: string): Promise<void>;
  /** Returns the names in a folder, or none if the folder does not exist. */
  list(path: string): Promise<readonly string[]>;
  /** Returns undefined if the file does not exist. Rejects if it is a pipe, a device or a folder. */
  read(path: string): Promise<Omit<StoredObject, 'tag'> | undefined>;
  /** Makes a new file, whose bytes are durable if asked. Its name need not be durable. Rejects if the file exists. */
  write(path: string, bytes: Uint8Array, isDurable: boolean): Promise<void>;
  /** Gives a file a second name. Returns false if that name is taken or the file does not exist. */
  link(from: string, to: string): Promise<boolean>;
  /**
   * Replaces `to` atomically. Does nothing if `from` does not exist, because another process has renamed it. Rejects if `to` is
   * a pipe, a device or a folder.
   */
  rename(from: string, to: string): Promise<void>;
  /** Ignores a file that does not exist. */
  remove(path: string): Promise<void>;
  /** Resolves when changes of names in the folder are durable. */
  flush(path: string): Promise<void>;
}

/** Copying this many bytes to or from the system's cache takes less time than waking another thread. */
const fewBytes = 1 << 17;
/** Larger files are read again on demand. */
const manyBytes = 4 << 20;
const [readWhole, writeBytes] = [promisify(readFile), promisify(write)];
const nextTurn = promisify(setImmediate);

/** The real file system. Folders have mode 0700 and files 0600, because state contains names and metadata of people. */
export const nodeFiles: FolderFiles = {
  async makeFolder(path) {
    const first = mkdirSync(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    // Each new folder is a new name in its parent, which must be flushed.
    for (let made = path; made.length >= first.length; made = dirname(made)) await this.flush(dirname(made));
  },

  async list(path) {
    return unlessMissing([], () => readdirSync(path));
  },

  read: (path) =>
    unlessMissing(undefined, async () => {
      // Without O_NONBLOCK, opening a pipe would wait for a writer. Windows has no such flag.
      const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const found = fstatSync(file);
        if (!found.isFile()) throw notRegular(path);
        const bytes = found.size > fewBytes ? await readWhole(file) : readFileSync(file);
        const read = { bytes, ageMs: Date.now() - found.mtimeMs };
        // On Windows nobody could rename or remove an open file.
        if (found.size < manyBytes || process.platform === 'win32') return read;
        const readAgain = readerOf(path, found.ino);
        return readAgain === undefined ? read : { ...read, readAgain };
      } finally {
        closeSync(file);
      }
    }),

  async write(path, bytes, isDurable) {
    const file = openSync(path, 'wx', 0o600);
    try {
      // When a disk fills up, a call writes a part, and only the next call throws.
      for (let at = 0; at < bytes.length; )
        at += bytes.length > fewBytes ? (await writeBytes(file, bytes, at)).bytesWritten : writeSync(file, bytes, at);
      if (isDurable) await flushDescriptor(file, path);
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
    await unlessMissing(undefined, () => unlinkSync(path));
    // A run removes hundreds of files one after the other, so timers must be able to fire in between.
    await nextTurn();
  },

  flush: flushFolder,
};

/** An open file keeps its content when others rename or remove it. Returns undefined if that has happened already. */
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
  // Nobody closes a snapshot, because its user may look up records at any time.
  closeWhenForgotten(reader, () => closeSync(descriptor));
  return fstatSync(descriptor).ino === inode ? reader : undefined;
}

/** Returns an error with the code that BSD systems use for this, so that it counts as an error of the file system. */
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
