// Makes files and folders durable, on every runtime, and writes a file as a whole, by renaming a temporary one. It uses node:fs, so only
// impure layers may import it.
import { randomUUID } from 'node:crypto';
import { closeSync, constants, fdatasync, fsync, openSync, statSync } from 'node:fs';
import {
  appendFile,
  chmod,
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { isDeniedByNode } from './errors.ts';
import { isStream, openStream } from './output-streams.ts';
import { inChunks } from './series.ts';

// The FileHandle of Yarn's Plug'n'Play has no `sync` and no `datasync`. The permission model of Node refuses `fsync` and
// `fdatasync` of a descriptor, and since Node 26 the methods of FileHandle as well.
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

/** A killed process leaves its temporary file. After this time no process is still writing to one. */
const abandonedAfterMs = 24 * 3_600_000;
const temporaryName = /\.chatform-[0-9a-f-]{36}\.tmp$/u;
/** Each process looks once into a folder, which may have many files. */
const sweptFolders = new Set<string>();

/**
 * Replaces regular files. Pipes, character devices (`/dev/null`, a terminal) and the standard streams are written to in
 * place. Anything else, such as a folder or a disk, is an error.
 *
 * `mode` is 0600 for files with names and metadata. `exactly` ignores the umask, for a file that had this mode before.
 * Follows a link to a file. Removes what killed processes left in the folder. Rejects with the system's error.
 */
export async function writeWhole(
  file: string,
  text: string | Iterable<string> | AsyncIterable<Uint8Array>,
  mode = 0o644,
  how?: 'exactly',
): Promise<void> {
  const content = typeof text === 'string' || Symbol.asyncIterator in text ? text : inChunks(text);
  const target = await realpath(file).catch(() => file);
  const temporary = `${target}.chatform-${randomUUID()}.tmp`;
  try {
    if (await isStream(file)) {
      await pipeline(typeof content === 'string' ? [content] : content, await openStream(file));
      return;
    }
    if (isOtherThanFile(target)) throw new NoFileError(`${file} is not a regular file.`);
    await mkdir(dirname(target), { recursive: true });
    const handle = await open(temporary, 'wx', mode);
    try {
      if (how === 'exactly') await chmod(temporary, mode);
      await writeFile(handle, content);
      await flush(handle).catch(unlessDenied);
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
    await sweep(dirname(target));
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/** Appends to a file that other programs read. Rejects with the system's error. */
export async function appendText(file: string, text: string): Promise<void> {
  if (await isStream(file)) await pipeline([text], await openStream(file));
  else await appendFile(file, text);
}

/** Without a flush, a power failure may leave an empty file. */
function unlessDenied(error: unknown): void {
  if (!(error instanceof FlushDeniedError)) throw error;
}

/** Leaves what cannot be read or removed. */
async function sweep(folder: string): Promise<void> {
  if (sweptFolders.has(folder)) return;
  sweptFolders.add(folder);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!temporaryName.test(name)) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    const isAbandoned = found?.isFile() === true && Date.now() - found.mtimeMs > abandonedAfterMs;
    if (isAbandoned) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Thrown if a folder, a disk or a socket has the name of a file. */
export class NoFileError extends Error {}

/** Whether something other than a regular file exists at the path, or at the target of the link. */
export function isOtherThanFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}
