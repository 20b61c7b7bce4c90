// Writes a file atomically, by renaming a temporary file. It uses node:fs, so only impure layers may import it.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { chmod, lstat, mkdir, open, readdir, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { FlushDeniedError, flush } from './flush.ts';
import { isInside } from './paths.ts';
import { inChunks } from './series.ts';

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
      await writeFile(file, content, { flag: 'a' });
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

/** Thrown if a symbolic link leads out of a folder. */
export class LeadsOutsideError extends Error {}

/**
 * Rejects with a `LeadsOutsideError` if a symbolic link on the way from the folder to the file leads out of the folder.
 * Otherwise anybody who may add files to the folder could have other files replaced. Streams, and files elsewhere, are accepted.
 */
export async function demandInside(folder: string, file: string): Promise<void> {
  if (!isInside(folder, file) || (await isStream(file))) return;
  const [home, place] = await Promise.all([realPlace(folder), realPlace(file)]);
  if (!isInside(home, place)) throw new LeadsOutsideError(`${file} leads through a symbolic link to ${place}`);
}

/** Like `realpath`, but also for a file that does not exist yet. */
async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    if (folder === path) return path;
    const parent = await realPlace(folder);
    const target = await readlink(path).catch(() => undefined);
    return target === undefined ? join(parent, basename(path)) : realPlace(resolve(parent, target));
  }
}

/** Whether the path is a stream. Standard streams count even if they are redirected to a file, which must not be replaced. */
export async function isStream(file: string): Promise<boolean> {
  if (/^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/u.test(file)) return true;
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && (found.isFIFO() || found.isCharacterDevice());
}

/** Whether something other than a regular file exists at the path, or at the target of the link. */
export function isOtherThanFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}
