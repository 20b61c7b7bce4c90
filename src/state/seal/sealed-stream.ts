// Files that are written and read from end to end, and are encrypted: frames one behind the other.
import { damaged, headBytes, type Sealer, sealFrame, sizeOfFrame, unsealFrame } from './sealer.ts';

/** Of the plain bytes in a frame, about. */
const frameBytes = 1 << 18;

/** `place`: what kind of file it is. The pieces as they are when nothing is encrypted. */
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
  // Nothing but a frame tells that the first line was changed, so a file of no bytes has one, too.
  if (length > 0 || frames === 0) yield sealFrame(begun.container, place, frames, Buffer.concat(waiting));
}

/**
 * The bytes of a file that may be encrypted. `name` is for messages. Throws the refusals of keys, and `state.corrupt`.
 * Whether the end is missing is for the caller to see: what is encrypted ends in a checksum of its own.
 */
export async function* unsealBytes(
  pieces: AsyncIterable<Buffer>,
  place: string,
  sealer: Sealer,
  name: string,
): AsyncGenerator<Buffer> {
  const source = pieces[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  /** False when the file has ended before. */
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
}
