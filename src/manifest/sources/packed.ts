// How are rows read here and there in a file that is packed with gzip? Unpacked once, into a temporary file without a name.
//
// It is readable by its owner alone, since rows hold names, and unlinked while it is open, so that nothing is left behind
// even by kill -9. What was checked is then what is used, whatever becomes of the packed file meanwhile.
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPacked, unpacked } from '../archives/archive.ts';
import type { FileAccess, OpenFile } from '../files.ts';

/** Tables and lines of JSON shrink to a tenth or a thirtieth; what grows more than this is made to fill disks. */
const maxGrowth = 200;
/** So much is never too much. */
const alwaysAllowed = 16_000_000;

const forgotten = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));

/**
 * `files` itself for a plain file. Packed ones are known by their first bytes, whatever their name. Rejects where the
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
