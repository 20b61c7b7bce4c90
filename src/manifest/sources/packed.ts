// Unpacks a gzip file into a temporary file, so that its rows can be read at any position.
//
// The rows that were checked are the rows that are used, even if the packed file changes meanwhile.
import { tmpdir } from 'node:os';
import { TempFile } from '../../lib/temp-file.ts';
import { isPacked, unpacked } from '../archives/archive.ts';
import type { FileAccess, OpenFile } from '../files.ts';

/** Tables and JSON shrink to a tenth or a thirtieth. More growth than this is an attempt to fill the disk. */
const maxGrowth = 200;
/** Sizes up to this are always allowed. */
const alwaysAllowed = 16_000_000;

/**
 * `files` itself for a plain file. Packed files are recognised by their first bytes, whatever their name. Rejects when the
 * file cannot be unpacked, or grows to more than two hundred times its size.
 */
export async function openPlain(path: string, files: FileAccess): Promise<Pick<FileAccess, 'open'>> {
  const start = new Uint8Array(2);
  const file = files.open(path);
  const { bytes } = file;
  file.read(start, 0);
  file.close();
  if (!isPacked(start)) return files;
  const copy = new UnpackedFile();
  const most = Math.max(alwaysAllowed, bytes * maxGrowth);
  const { chunks } = await unpacked(files.readChunks(path));
  for await (const chunk of chunks) {
    copy.append(chunk);
    if (copy.bytes > most) throw new Error(`it unpacks to more than ${maxGrowth} times its size`);
  }
  return { open: () => copy };
}

class UnpackedFile implements OpenFile {
  /** It never changes. */
  readonly version = '';
  readonly #file = new TempFile();
  bytes = 0;

  append(chunk: Uint8Array): void {
    try {
      this.#file.write(chunk, this.bytes);
    } catch (cause) {
      throw new Error(`it is unpacked in ${tmpdir()}, which has no room; name another folder in TMPDIR`, { cause });
    }
    this.bytes += chunk.length;
  }

  read(into: Uint8Array, position: number): number {
    const count = Math.max(0, Math.min(into.length, this.bytes - position));
    this.#file.read(into.subarray(0, count), position);
    return count;
  }

  /** Opened again later; the temporary file is closed with the last reference to it. */
  close(): void {}
}
