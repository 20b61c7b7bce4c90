// Writes a file whole or not at all: to a temporary file that is then renamed.
//
// It uses node:fs, so only impure layers may import it.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Regular files are replaced. Pipes, character devices (`/dev/null`, a terminal) and the standard streams are written to
 * and stay what they are. Anything else, such as a folder or a disk, is an error.
 *
 * `mode`: 0600 for files with names and metadata. `exactly`: regardless of the umask, for a file that had this mode before.
 * Follows a link to a file. Throws the system's error.
 */
export async function writeWhole(
  file: string,
  text: string | Iterable<string> | AsyncIterable<Uint8Array>,
  mode = 0o644,
  how?: 'exactly',
): Promise<void> {
  const content = typeof text === 'string' || Symbol.asyncIterator in text ? text : inChunks(text);
  const target = await realpath(file).catch(() => file);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    if (await isStream(file)) {
      await writeFile(file, content, { flag: 'a' });
      return;
    }
    if (isOtherThanFile(target)) throw new Error(`${file} is not a regular file.`);
    await mkdir(dirname(target), { recursive: true });
    const handle = await open(temporary, 'wx', mode);
    try {
      if (how === 'exactly') await handle.chmod(mode);
      await writeFile(handle, content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/** Includes the standard streams, even if they are redirected to a file: that file is not ours to replace. */
export async function isStream(file: string): Promise<boolean> {
  if (/^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/u.test(file)) return true;
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && (found.isFIFO() || found.isCharacterDevice());
}

/** Whether there is something under the path, or behind the link, that is not a regular file and must not be replaced by one. */
export function isOtherThanFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

const chunkLength = 65_536;

/** Joins lines to larger pieces: a write for every line of a big text would take seconds. */
export function* inChunks(pieces: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}
