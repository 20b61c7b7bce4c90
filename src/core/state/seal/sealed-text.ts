// Encrypts text files, such as saved plans and copies: a first line, then a line of base64 for each frame.
//
// They remain text, so they fit wherever the plain ones do: standard output, an artifact, a pull request.
import { readStreamLines } from '../../../lib/line-reader.ts';
import { newline } from '../records/lines.ts';
import { damaged, headBytes, type Sealer, sealFrame, unsealFrame } from './sealer.ts';

/** The approximate number of characters in a frame. */
const frameLength = 1 << 18;

/** `place` is the kind of file. Yields the pieces unchanged if nothing is to be encrypted. */
export function* sealText(pieces: Iterable<string>, place: string, sealer: Sealer): Generator<string> {
  const begun = sealer.begin();
  if (begun === undefined) {
    yield* pieces;
    return;
  }
  const { head, container } = begun;
  yield head.toString();
  let frames = 0;
  let text = '';
  const frame = (): string => {
    const line = `${sealFrame(container, place, frames, Buffer.from(text)).toString('base64')}\n`;
    frames += 1;
    text = '';
    return line;
  };
  for (const piece of pieces) {
    text += piece;
    if (text.length >= frameLength) yield frame();
  }
  yield frame();
}

/**
 * Yields the bytes of a file that may be encrypted. `name` is for messages. Throws the refusals of keys, and `state.corrupt`. The
 * caller must check for a missing end: every such file ends with its own checksum.
 */
export async function* unsealText(
  pieces: AsyncIterable<Uint8Array>,
  place: string,
  sealer: Sealer,
  name: string,
): AsyncGenerator<Uint8Array> {
  const source = pieces[Symbol.asyncIterator]();
  try {
    let start = Buffer.alloc(0);
    for (let isMore = true; isMore && start.length < headBytes && !start.includes(newline); ) {
      const { done, value } = await source.next();
      isMore = done !== true;
      if (done !== true) start = Buffer.concat([start, value]);
    }
    const bytes = startingWith(start, source);
    const container = sealer.open(start, name);
    if (container === undefined) {
      yield* bytes;
      return;
    }
    for await (const lines of readStreamLines(bytes, Number.POSITIVE_INFINITY)) {
      for (const { text = '', line } of lines) {
        // The first line is the head of the container.
        const frame = line === 1 ? undefined : Buffer.from(text, 'base64');
        const open = frame && unsealFrame(container, place, line - 2, frame);
        if (frame !== undefined && open === undefined) throw damaged(name);
        if (open !== undefined) yield open;
      }
    }
  } finally {
    await source.return?.();
  }
}

async function* startingWith(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield start;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Yields a text that is already in memory. */
export function unsealWhole(text: string, place: string, sealer: Sealer, name: string): string {
  const container = sealer.open(Buffer.from(text.slice(0, headBytes)), name);
  if (container === undefined) return text;
  const frames = text.slice(container.length).split('\n');
  if (frames.pop() !== '') throw damaged(name);
  const open = frames.map((frame, index) => unsealFrame(container, place, index, Buffer.from(frame, 'base64')));
  if (open.includes(undefined)) throw damaged(name);
  return open.join('');
}
