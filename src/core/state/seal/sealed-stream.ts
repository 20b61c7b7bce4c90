// Encrypts files that are written and read from start to end, as consecutive frames.
import { damaged, headBytes, type Sealer, sealFrame, sizeOfFrame, unsealFrame } from './sealer.ts';

/** The approximate number of plain bytes in a frame. */
const frameBytes = 1 << 18;

/** `place` is the kind of file. Yields the pieces unchanged if nothing is to be encrypted. */
export async function* sealBytes(
  pieces: AsyncIterable<Uint8Array>,
  place: string,
  sealer: Sealer,
): AsyncGenerator<Uint8Array> {
  const begun = sealer.begin();
  if (begun === undefined) {
    yield* pieces;
    return;
  }
  yield begun.head;
  let waiting: Uint8Array[] = [];
  let length = 0;
  let frames = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    length += piece.length;
    if (length < frameBytes) continue;
    yield sealFrame(begun.container, place, frames, Buffer.concat(waiting));
    frames += 1;
    waiting = [];
    length = 0;
  }
  // Only a frame shows that the first line was changed, so an empty file has one, too.
  if (length > 0 || frames === 0) yield sealFrame(begun.container, place, frames, Buffer.concat(waiting));
}

/**
 * Yields the bytes of a file that may be encrypted. `name` is for messages. Throws the refusals of keys, and `state.corrupt`. The
 * caller must check for a missing end: every such file ends with its own checksum.
 */
export async function* unsealBytes(
  pieces: AsyncIterable<Buffer>,
  place: string,
  sealer: Sealer,
  name: string,
): AsyncGenerator<Buffer> {
  const source = pieces[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  /** Returns false if the file has fewer bytes. */
  const has = async (length: number): Promise<boolean> => {
    const waiting: Uint8Array[] = [rest];
    let there = rest.length;
    while (there < length) {
      const { done, value } = await source.next();
      if (done === true) break;
      waiting.push(value);
      there += value.length;
    }
    rest = Buffer.concat(waiting);
    return rest.length >= length;
  };
  try {
    await has(headBytes);
    const container = sealer.open(rest, name);
    if (container === undefined) {
      yield rest;
      yield* { [Symbol.asyncIterator]: () => source };
      return;
    }
    rest = rest.subarray(container.length);
    for (let index = 0; await has(1); index += 1) {
      const isWhole = (await has(4)) && (await has(sizeOfFrame(rest) ?? 0));
      const bytes = isWhole ? unsealFrame(container, place, index, rest) : undefined;
      if (bytes === undefined) throw damaged(name);
      rest = rest.subarray(sizeOfFrame(rest));
      yield bytes;
    }
  } finally {
    await source.return?.();
  }
}
