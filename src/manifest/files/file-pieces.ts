// Reads a file in pieces. The queue of a read stream keeps pieces in memory for long after they were used.
import { Buffer } from 'node:buffer';
import { open } from 'node:fs/promises';

/** Yields pieces of at most `bytes`, each in memory of its own. Rejects on a read error. */
export async function* filePieces(path: string, bytes: number): AsyncGenerator<Uint8Array> {
  const file = await open(path);
  try {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafeSlow(bytes), 0, bytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
