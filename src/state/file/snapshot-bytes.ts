// From where are the lines of a snapshot read: from its file, for as long as anybody wants them, or from a copy in memory?
import type { StoredBytes } from '../records/paged-buffer.ts';
import type { SourceFile } from './file-system.ts';

export interface SnapshotBytes extends StoredBytes, Pick<SourceFile, 'read'> {
  /** The file is read whenever bytes are asked for. */
  readonly isFile: boolean;
}

/** A small one is not worth a file that stays open. */
const smallBytes = 4 << 20;

/** Whoever else renames or removes the file meanwhile: what is open stays what it was. Windows would refuse them that. */
export async function bytesOf(file: SourceFile): Promise<SnapshotBytes> {
  const size = await file.size();
  if (size > smallBytes && process.platform !== 'win32') return new OpenFile(file);
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  for (let got = 1; got > 0; filled += got) got = await file.read(bytes, filled, size - filled, filled);
  return new BytesInMemory(bytes.subarray(0, filled));
}

/** Nobody says when a state is read no more: what cannot be read from any more is closed. */
const forgotten = new FinalizationRegistry<SourceFile>((file) => void file.close());

class OpenFile implements SnapshotBytes {
  readonly isFile = true;
  readonly #file: SourceFile;

  constructor(file: SourceFile) {
    this.#file = file;
    forgotten.register(this, file);
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
