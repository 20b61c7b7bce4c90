// Reads paths of people, which may be pipes and terminals as well as files.
//
// A thread of libuv that waits in open() or read() for the other end of a pipe keeps the process from ending, also by
// process.exit(). So nothing is opened blocking, and the event loop waits.
import { Buffer } from 'node:buffer';
import { close, constants, fstat, open, read, type Stats } from 'node:fs';
import { type FileHandle, open as openHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { demandOwnForm } from './tools/foreign-form.ts';

const system = { open: promisify(open), fstat: promisify(fstat), read: promisify(read), close: promisify(close) };
/** Windows has no such flag. */
const nonBlocking = constants.O_NONBLOCK ?? 0;
const pieceBytes = 1 << 16;
/** The memory for the first piece, because most files are small. */
const firstBytes = 1 << 14;
/** A piece of a long file is not read into less memory than this. */
const leastBytes = 1 << 10;

/** The whole content. Rejects with the system's error, or a `ForeignFormError` if another tool keeps the content elsewhere or encrypted. */
export async function readPath(path: string): Promise<Buffer> {
  const content = await contentAt(path);
  demandOwnForm(content);
  return content;
}

async function contentAt(path: string): Promise<Buffer> {
  const file = await opened(path, constants.O_RDONLY);
  if (file.stats.isFile() && file.stats.size > 0) return wholeOf(file);
  const pieces: Buffer[] = [];
  for await (const piece of contentOf(file, pieceBytes)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/**
 * Yields pieces, which are not overwritten, and of at most `bytes` if the path is a file. The queue of a read stream keeps pieces in
 * memory for long after they were used. Rejects with the system's error.
 */
export async function* piecesOf(path: string, bytes = pieceBytes): AsyncGenerator<Buffer> {
  yield* contentOf(await opened(path, constants.O_RDONLY), bytes);
}

export interface OpenedPath {
  readonly descriptor: number;
  readonly stats: Stats;
}

/** Opens a path without waiting for the other end of a pipe. */
export async function opened(path: string, flags: number): Promise<OpenedPath> {
  const descriptor = await system.open(path, flags | nonBlocking);
  try {
    return { descriptor, stats: await system.fstat(descriptor) };
  } catch (error) {
    await system.close(descriptor);
    throw error;
  }
}

/** Opens a regular file to read it. Rejects for anything else, because opening or reading a pipe waits for its writer. */
export async function openedFile(path: string): Promise<FileHandle> {
  const handle = await openHandle(path, constants.O_RDONLY | nonBlocking);
  try {
    if (!(await handle.stat()).isFile()) throw new Error(`${path} is not a regular file`);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The whole content of a regular file. Rejects as `openedFile` does. */
export async function readFileAt(path: string): Promise<Buffer> {
  const handle = await openedFile(path);
  try {
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}

async function wholeOf({ descriptor, stats: { size } }: OpenedPath): Promise<Buffer> {
  try {
    const content = Buffer.allocUnsafeSlow(size);
    let length = 0;
    while (length < size) {
      const { bytesRead } = await system.read(descriptor, content, length, size - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return content.subarray(0, length);
  } finally {
    await system.close(descriptor);
  }
}

async function* contentOf(file: OpenedPath, bytes: number): AsyncGenerator<Buffer> {
  const { descriptor } = file;
  const stream = readableOf(file);
  if (stream !== undefined) {
    yield* stream as AsyncIterable<Buffer>;
    return;
  }
  try {
    for (let room = Buffer.allocUnsafeSlow(Math.min(bytes, firstBytes)); ; ) {
      const { bytesRead } = await system.read(descriptor, room, 0, room.length, null);
      if (bytesRead === 0) return;
      yield room.subarray(0, bytesRead);
      // The end of a short file is found in what its only piece has left.
      room = room.subarray(bytesRead);
      if (room.length < leastBytes) room = Buffer.allocUnsafeSlow(bytes);
    }
  } finally {
    await system.close(descriptor);
  }
}

/** Undefined for what never waits. The stream closes the descriptor. */
function readableOf({ descriptor, stats }: OpenedPath): Readable | undefined {
  if (stats.isFIFO()) return socketOf(descriptor, 'readable');
  if (!stats.isCharacterDevice()) return undefined;
  const { isatty, ReadStream } = process.getBuiltinModule('node:tty');
  return isatty(descriptor) ? new ReadStream(descriptor) : undefined;
}

export function socketOf(descriptor: number, direction: 'readable' | 'writable') {
  const { Socket } = process.getBuiltinModule('node:net');
  return new Socket({ fd: descriptor, readable: direction === 'readable', writable: direction === 'writable' });
}
