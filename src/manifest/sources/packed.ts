// Unpacks a gzip file into a temporary file, so that its rows can be read at any position.
//
// The rows that were checked are the rows that are used, even if the packed file changes meanwhile.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPacked, unpacked } from '../archives/archive.ts';
import type { FileAccess, OpenFile } from '../files.ts';

/** Tables and JSON shrink to a tenth or a thirtieth. More growth than this is an attempt to fill the disk. */
const maxGrowth = 200;
/** Sizes up to this are always allowed. */
const alwaysAllowed = 16_000_000;

const forgotten = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));

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
  const copy = new UnnamedFile();
  const most = Math.max(alwaysAllowed, bytes * maxGrowth);
  const { chunks } = await unpacked(files.readChunks(path));
  for await (const chunk of chunks) {
    copy.append(chunk);
    if (copy.bytes > most) throw new Error(`it unpacks to more than ${maxGrowth} times its size`);
  }
  return { open: () => copy };
}

class UnnamedFile implements OpenFile {
  /** It never changes. */
  readonly version = '';
  readonly #descriptor: number;
  bytes = 0;

  constructor() {
    const folder = mkdtempSync(join(tmpdir(), 'chatform-'));
    this.#descriptor = openSync(join(folder, 'source'), 'wx+', 0o600);
    forgotten.register(this, this.#descriptor);
    // Windows keeps a file that is open; there it stays in the temporary folder until the system clears it.
    if (process.platform !== 'win32') rmSync(folder, { recursive: true });
  }

  append(chunk: Uint8Array): void {
    try {
      for (let at = 0; at < chunk.length; ) {
        const written = writeSync(this.#descriptor, chunk, at, chunk.length - at, this.bytes);
        at += written;
        this.bytes += written;
      }
    } catch (cause) {
      throw new Error(`it is unpacked in ${tmpdir()}, which has no room; name another folder in TMPDIR`, { cause });
    }
  }

  read(into: Uint8Array, position: number): number {
    return readSync(this.#descriptor, into, 0, into.length, position);
  }

  /** Others open it again; it goes with the last who knows it. */
  close(): void {}
}
