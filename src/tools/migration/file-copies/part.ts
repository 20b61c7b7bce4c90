// Writes the content of one file to disk in pieces, and checks it.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { flush } from '../../../lib/flush.ts';

/** The content differs from the list of files. */
export class WrongBytes extends Error {}

export interface Expected {
  /** In bytes; undefined if the export does not state it. */
  readonly size: number | undefined;
  readonly sha256: string | undefined;
  readonly maxBytes: number;
}

/** Returns once the bytes survive a power failure. Throws a WrongBytes as soon as they cannot be the expected ones. */
export async function writePart(
  part: string,
  pieces: AsyncIterable<Uint8Array>,
  { size, sha256, maxBytes }: Expected,
): Promise<{ readonly size: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let written = 0;
  const handle = await open(part, 'w', 0o644);
  try {
    for await (const piece of pieces) {
      written += piece.length;
      if (written > maxBytes) throw new WrongBytes(`it is larger than ${maxBytes} bytes (--max-file-bytes)`);
      if (size !== undefined && written > size) throw new WrongBytes(`it is longer than the stated ${size} bytes`);
      hash.update(piece);
      await handle.write(piece);
    }
    await flush(handle);
  } finally {
    await handle.close();
  }
  if (size !== undefined && written !== size)
    throw new WrongBytes(`${written} bytes arrived, but the list states ${size}`);
  const digest = hash.digest('hex');
  if (sha256 !== undefined && digest !== sha256) throw new WrongBytes('its SHA-256 differs from the one in the list');
  return { size: written, sha256: digest };
}
