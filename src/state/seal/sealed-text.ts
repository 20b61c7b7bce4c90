// Text files that are encrypted, such as saved plans and copies: a first line, then a line of base64 for each frame.
//
// They stay text, so that they go wherever the plain ones go: standard output, an artifact, a pull request.
import type { SourceFile } from '../file/file-system.ts';
import { PagedBuffer } from '../records/paged-buffer.ts';
import { damaged, headBytes, type Sealer, sealFrame, unsealFrame } from './sealer.ts';

/** Characters in a frame, about. */
const frameLength = 1 << 18;

/** `place`: what kind of file it is. The pieces as they are when nothing is encrypted. */
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
 * The text in a file that may be encrypted. Takes and gives pieces; `name` is for messages. Whether its end is missing is
 * for the caller to see: every such file ends in a checksum of its own.
 */
async function* unsealText(
  pieces: AsyncIterable<string>,
  place: string,
  sealer: Sealer,
  name: string,
): AsyncGenerator<string> {
  let rest = '';
  let open: ((line: string) => string) | undefined;
  let isPlain: boolean | undefined;
  for await (const piece of pieces) {
    if (isPlain === true) {
      yield piece;
      continue;
    }
    rest += piece;
    if (isPlain === undefined && rest.length < headBytes && !rest.includes('\n')) continue;
    if (isPlain === undefined) {
      const begun = begin(rest, place, sealer, name);
      isPlain = begun === undefined;
      open = begun?.open;
      rest = begun?.rest ?? rest;
    }
    if (open === undefined) {
      yield rest;
      rest = '';
      continue;
    }
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield open(line);
  }
  if (isPlain === undefined) {
    if (begin(rest, place, sealer, name) !== undefined) throw damaged(name);
    yield rest;
  } else if (rest !== '') throw damaged(name);
}

/** A text that is in memory anyway. */
export function unsealWhole(text: string, place: string, sealer: Sealer, name: string): string {
  const begun = begin(text, place, sealer, name);
  if (begun === undefined) return text;
  const lines = begun.rest.split('\n');
  if (lines.pop() !== '') throw damaged(name);
  return lines.map(begun.open).join('');
}

/** The same for a file that is read in any order; the plain bytes lie in a temporary file when they are many. */
export async function unsealFile(file: SourceFile, place: string, sealer: Sealer, name: string): Promise<SourceFile> {
  const head = Buffer.alloc(headBytes);
  const length = file.readNow(head, 0, headBytes, 0);
  if (sealer.open(head.subarray(0, length), name) === undefined) return file;
  const bytes = new PagedBuffer();
  for await (const piece of unsealText(textOf(file), place, sealer, name)) bytes.appendText(piece);
  const readNow: SourceFile['readNow'] = (buffer, offset, wanted, position) => {
    const part = bytes.slice(position, Math.max(0, Math.min(wanted, bytes.length - position)));
    buffer.set(part, offset);
    return part.length;
  };
  return {
    size: () => Promise.resolve(bytes.length),
    readNow,
    read: (...place) => Promise.resolve(readNow(...place)),
    close: () => file.close(),
  };
}

function begin(text: string, place: string, sealer: Sealer, name: string) {
  const container = sealer.open(Buffer.from(text.slice(0, headBytes)), name);
  if (container === undefined) return undefined;
  let frames = 0;
  return {
    rest: text.slice(container.length),
    open: (line: string): string => {
      const bytes = unsealFrame(container, place, frames, Buffer.from(line, 'base64'));
      if (bytes === undefined) throw damaged(name);
      frames += 1;
      return bytes.toString();
    },
  };
}

/** An encrypted file is ASCII. */
async function* textOf(file: SourceFile): AsyncGenerator<string> {
  const buffer = Buffer.alloc(1 << 20);
  for (let position = 0; ; ) {
    const got = await file.read(buffer, 0, buffer.length, position);
    if (got === 0) return;
    position += got;
    yield buffer.toString('latin1', 0, got);
  }
}
