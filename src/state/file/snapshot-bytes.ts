// The bytes of a snapshot: in memory when they are few, else in the open file.
import { closeWhenForgotten } from '../../lib/forgotten.ts';
import type { StoredBytes } from '../records/paged-buffer.ts';
import type { SourceFile } from './file-system.ts';

export interface SnapshotBytes extends StoredBytes, Pick<SourceFile, 'read'> {
  /** The bytes are read from the file on demand. */
  readonly isFile: boolean;
}

/** A smaller snapshot is read into memory, so that no file stays open. */
const smallBytes = 4 << 20;

/** An open file keeps its content when others rename or remove it. On Windows they could not do that, so it is read whole. */
export async function openSnapshotBytes(file: SourceFile): Promise<SnapshotBytes> {
  const size = await file.size();
  if (size > smallBytes && process.platform !== 'win32') return new OpenFile(file);
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  for (let got = 1; got > 0; filled += got) got = await file.read(bytes, filled, size - filled, filled);
  return new BytesInMemory(bytes.subarray(0, filled));
}

class OpenFile implements SnapshotBytes {
  readonly isFile = true;
  readonly #file: SourceFile;

  constructor(file: SourceFile) {
    this.#file = file;
    // A snapshot of a state has no `close`: its user may look up records for as long as they like.
    closeWhenForgotten(this, () => void file.close());
  }

  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    return this.#file.read(buffer, offset, length, position);
  }

  slice(offset: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; ) {
      const got = this.#file.readNow(bytes, at, length - at, offset + at);
      if (got === 0) throw new Error('the snapshot of the state was cut while it was read');
      at += got;
    }
    return bytes;
  }
}

class BytesInMemory implements SnapshotBytes {
  readonly isFile = false;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  async read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<number> {
    const part = this.slice(position, length);
    buffer.set(part, offset);
    return part.length;
  }

  slice(offset: number, length: number): Buffer {
    return this.#bytes.subarray(offset, offset + length);
  }
}
