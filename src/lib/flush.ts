// Makes files and folders durable, on every runtime.
//
// The FileHandle of Yarn's Plug'n'Play has no `sync` and no `datasync`. The permission model of Node refuses `fsync` and
// `fdatasync` of a descriptor, and since Node 26 the methods of FileHandle as well.
import { closeSync, constants, fdatasync, fsync, openSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isDeniedByNode } from './errors.ts';

const [flushAll, flushData] = [promisify(fsync), promisify(fdatasync)];

/** Node refuses to flush files, whatever rights it was started with. */
export class FlushDeniedError extends Error {
  constructor(cause: unknown) {
    super('Node does not flush files under its permission model (--permission)', { cause });
    this.name = 'FlushDeniedError';
  }
}

/** Resolves when the content of an open file, or the names in an open folder, survive a power failure. */
export async function flush(file: FileHandle, what: 'all' | 'data' = 'all'): Promise<void> {
  await (what === 'all' ? flushAll : flushData)(file.fd).catch(async (error: unknown) => {
    if (!isDeniedByNode(error)) throw error;
    await flushHandle(file, what);
  });
}

/** Node 26 throws before it returns a promise. */
async function flushHandle(file: FileHandle, what: 'all' | 'data'): Promise<void> {
  try {
    await (what === 'all' ? file.sync() : file.datasync());
  } catch (error) {
    throw isDeniedByNode(error) ? new FlushDeniedError(error) : error;
  }
}

/** Like `flush`, for the data of a file that was opened without a FileHandle. */
export async function flushDescriptor(descriptor: number, path: string): Promise<void> {
  await flushData(descriptor).catch(async (error: unknown) => {
    if (!isDeniedByNode(error)) throw error;
    await flushPath(path);
  });
}

/**
 * Resolves when the names in a folder survive a power failure. Windows cannot flush a folder, and need not. Only the flush is
 * handed to another thread, because opening and closing a folder takes less time than waking one.
 */
export async function flushFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, constants.O_RDONLY);
  try {
    await flushAll(descriptor).catch(async (error: unknown) => {
      if (!isDeniedByNode(error)) throw error;
      await flushPath(path);
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Flushes a file that is not open. */
export async function flushPath(path: string): Promise<void> {
  const file = await open(path, constants.O_RDONLY);
  await flush(file).finally(() => file.close());
}
