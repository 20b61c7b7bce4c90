// Unpacks files that may be compressed with gzip.
import { Buffer } from 'node:buffer';
import { createGunzip } from 'node:zlib';
import { demandOwnForm, formStartBytes } from '../../../lib/tools/foreign-form.ts';

/** Recognises gzip by the first two bytes. */
function isPacked(start: Uint8Array): boolean {
  return start[0] === 0x1f && start[1] === 0x8b;
}

/**
 * Unpacks the chunks if their first bytes are those of gzip, whatever the file name. The returned chunks reject with an
 * `ForeignFormError` if another tool keeps the content elsewhere or encrypted.
 */
export async function unpacked(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly gzip: boolean; readonly chunks: AsyncIterable<Uint8Array> }> {
  const iterator = chunks[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array();
  let failure: { readonly error: unknown } | undefined;
  try {
    while (start.length < formStartBytes) {
      const next = await iterator.next();
      if (next.done === true) break;
      start = start.length === 0 ? next.value : Buffer.concat([start, next.value]);
    }
  } catch (error) {
    failure = { error };
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    if (failure !== undefined) throw failure.error;
    try {
      demandOwnForm(start);
      yield start;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      // Close the file if the reader stops early. From Node 26 on, a file that is left open ends the process.
      await iterator.return?.();
    }
  }
  const gzip = isPacked(start);
  if (!gzip) return { gzip, chunks: whole() };
  const { pipeline, Readable } = await import('node:stream');
  const gunzip = createGunzip();
  // The iteration rejects with the error of the stream.
  pipeline(Readable.from(whole()), gunzip, () => {});
  return { gzip, chunks: gunzip };
}
