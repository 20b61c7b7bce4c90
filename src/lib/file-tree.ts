// Reads a folder, a zip archive or a single file through one interface, without unpacking anything to disk.
import { isUtf8 } from 'node:buffer';
import { lstat, open as openFile, readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Entry, getFileNameLowLevel, openPromise, type ZipFile } from 'yauzl';
import { piecesOf } from './path-streams.ts';
import { ForeignFormError, foreignFormOf, formStartBytes } from './tools/foreign-form.ts';

export interface TreeFile {
  /** Relative to the root, with `/`. The name of the file if the tree is a single file. */
  readonly path: string;
  /** The unpacked size. */
  readonly bytes: number;
}

export interface FileTree {
  readonly type: 'file' | 'folder' | 'zip';
  /** In archive order, or sorted by path for a folder. */
  readonly files: readonly TreeFile[];
  /** Paths of links, devices and sockets, which are not read. A link may lead outside the tree. */
  readonly unread: readonly string[];
  /** Throws a `FileTreeError` if the file is longer than `maxBytes` or cannot be unpacked. */
  read(path: string, maxBytes: number): Promise<Buffer>;
  /** Reads a file of any size in pieces. */
  stream(path: string): Promise<AsyncIterable<Uint8Array>>;
  close(): void;
}

export type TreeFault =
  | 'missing'
  | 'not-zip'
  | 'cut'
  | 'encrypted'
  | 'bomb'
  | 'bad-path'
  | 'unreadable'
  | 'too-big'
  | 'foreign-form';

/** `path` is the file inside the tree, or the tree itself. */
export class FileTreeError extends Error {
  readonly fault: TreeFault;
  readonly path: string;

  constructor(fault: TreeFault, path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'FileTreeError';
    this.fault = fault;
    this.path = path;
  }
}

/** Text compresses to about a tenth. A file that unpacks to a thousand times its size is not text. */
const maxRatio = 1000;
const ratioFrom = 10_000_000;
/** The size of a local header without the file name. */
const localHeaderBytes = 30;

/** With `single`, a file that is not a zip archive becomes a tree of one file. Otherwise it throws a `FileTreeError`. */
export async function openFileTree(path: string, single: boolean): Promise<FileTree> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new FileTreeError('missing', path, reasonOf(cause), cause);
  });
  if (found.isDirectory()) {
    const unread: string[] = [];
    const files = await filesBelow(path, '', unread);
    return folderTree(path, files, unread);
  }
  // A pipe has no size and cannot be read twice.
  if (!found.isFile()) throw new FileTreeError('not-zip', path, 'it is not a regular file');
  const start = await startOf(path);
  if (start.toString('latin1', 0, 2) === 'PK') return zipTree(path, found.size);
  demandContent(start, path);
  if (!single) throw new FileTreeError('not-zip', path, 'it is neither a folder nor a zip archive');
  return {
    ...folderTree('', [{ path, bytes: found.size }], []),
    type: 'file',
    files: [{ path: basename(path), bytes: found.size }],
    read: (_name, maxBytes) => readWhole(path, path, found.size, maxBytes),
    stream: async () => contentPieces(path, path),
  };
}

async function startOf(path: string): Promise<Buffer> {
  const handle = await openFile(path).catch((cause: unknown) => {
    throw new FileTreeError('unreadable', path, reasonOf(cause), cause);
  });
  const start = Buffer.alloc(formStartBytes);
  const { bytesRead } = await handle.read(start, 0, formStartBytes, 0).finally(() => handle.close());
  return start.subarray(0, bytesRead);
}

/** Throws if another tool keeps the content elsewhere or encrypted. `path` is the path to name. */
function demandContent(start: Uint8Array, path: string): void {
  const form = foreignFormOf(start);
  if (form !== undefined) throw new FileTreeError('foreign-form', path, form.inWords, new ForeignFormError(form));
}

async function* contentPieces(file: string, path: string): AsyncGenerator<Uint8Array> {
  let isStart = true;
  try {
    for await (const piece of piecesOf(file, 1 << 18)) {
      if (isStart) demandContent(piece, path);
      isStart = false;
      yield piece;
    }
  } catch (cause) {
    throw cause instanceof FileTreeError ? cause : new FileTreeError('unreadable', path, reasonOf(cause), cause);
  }
}

function folderTree(root: string, files: readonly TreeFile[], unread: readonly string[]): FileTree {
  const sizes = new Map(files.map(({ path, bytes }) => [path, bytes]));
  return {
    type: 'folder',
    files,
    unread,
    read: (path, maxBytes) => readWhole(join(root, path), path, sizes.get(path) ?? 0, maxBytes),
    stream: async (path) => contentPieces(join(root, path), path),
    close: () => {},
  };
}

async function readWhole(file: string, path: string, bytes: number, maxBytes: number): Promise<Buffer> {
  if (bytes > maxBytes) throw tooBig(path, bytes, maxBytes);
  const content = await readFile(file).catch((cause: unknown) => {
    throw new FileTreeError('unreadable', path, reasonOf(cause), cause);
  });
  demandContent(content, path);
  return content;
}

/** Adds the paths of links and special files to `unread` instead of following them. */
async function filesBelow(root: string, below: string, unread: string[]): Promise<TreeFile[]> {
  const files: TreeFile[] = [];
  const entries = await readdir(join(root, below), { withFileTypes: true }).catch((cause: unknown) => {
    throw new FileTreeError('unreadable', join(root, below), reasonOf(cause), cause);
  });
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) files.push(...(await filesBelow(root, path, unread)));
    else if (entry.isFile()) files.push({ path, bytes: await sizeOf(join(root, path)) });
    else unread.push(path);
  }
  return files;
}

async function sizeOf(path: string): Promise<number> {
  const { size } = await lstat(path).catch((cause: unknown) => {
    throw new FileTreeError('unreadable', path, reasonOf(cause), cause);
  });
  return size;
}

async function zipTree(path: string, size: number): Promise<FileTree> {
  const zip = await openPromise(path, { autoClose: false }).catch((cause: unknown) => {
    const fault = /central directory/iu.test(reasonOf(cause)) ? 'cut' : 'unreadable';
    throw new FileTreeError(fault, path, reasonOf(cause), cause);
  });
  try {
    return await zipFiles(zip, size);
  } catch (error) {
    zip.close();
    if (error instanceof FileTreeError) throw error;
    const fault = /relative path|absolute path|invalid characters/iu.test(reasonOf(error)) ? 'bad-path' : 'unreadable';
    throw new FileTreeError(fault, path, reasonOf(error), error);
  }
}

async function zipFiles(zip: ZipFile, size: number): Promise<FileTree> {
  const entries = new Map<string, Entry>();
  const files: TreeFile[] = [];
  const unread: string[] = [];
  for await (const entry of zip.eachEntry()) {
    const { compressedSize, uncompressedSize } = entry;
    const fileName = nameOf(entry);
    if (fileName.endsWith('/')) continue;
    if (isLink(entry)) {
      unread.push(fileName);
      continue;
    }
    if (entry.isEncrypted()) throw new FileTreeError('encrypted', fileName, 'it is encrypted with a password');
    // Refuse entries that are built to fill the disk.
    const isBomb = uncompressedSize > ratioFrom && uncompressedSize > maxRatio * compressedSize;
    if (isBomb) throw new FileTreeError('bomb', fileName, `it unpacks to ${uncompressedSize} bytes`);
    if (entries.has(fileName))
      throw new FileTreeError('bad-path', fileName, 'the archive contains two files of this name');
    entries.set(fileName, entry);
    files.push({ path: fileName, bytes: uncompressedSize });
  }
  demandApart([...entries.values()], size);
  const stream = async (name: string) => {
    const entry = entries.get(name);
    if (entry === undefined) throw new FileTreeError('missing', name, 'the archive has no such file');
    return { entry, pieces: await zip.openReadStreamPromise(entry) };
  };
  const pieces = async function* (name: string): AsyncGenerator<Uint8Array> {
    try {
      const { entry, pieces: packed } = await stream(name);
      let checksum = 0;
      for await (const piece of packed as AsyncIterable<Buffer>) {
        checksum = crc32(piece, checksum);
        yield piece;
      }
      if (checksum !== entry.crc32) throw new Error('its checksum is wrong, so its bytes are not what was packed');
    } catch (cause) {
      throw cause instanceof FileTreeError ? cause : new FileTreeError('unreadable', name, reasonOf(cause), cause);
    }
  };
  return {
    type: 'zip',
    files,
    unread,
    read: async (name, maxBytes) => {
      const bytes = entries.get(name)?.uncompressedSize ?? 0;
      if (bytes > maxBytes) throw tooBig(name, bytes, maxBytes);
      const parts: Uint8Array[] = [];
      for await (const part of pieces(name)) parts.push(part);
      return Buffer.concat(parts);
    },
    stream: async (name) => pieces(name),
    close: () => zip.close(),
  };
}

/** The flag of a name that is in UTF-8. */
const utf8Flag = 0x800;

/** Slack and others write names in UTF-8 without the flag. A name in CP437 with such letters is hardly ever valid UTF-8. */
function nameOf({ fileName, fileNameRaw, generalPurposeBitFlag: flags, extraFields }: Entry): string {
  if ((flags & utf8Flag) !== 0 || !isUtf8(fileNameRaw)) return fileName;
  return getFileNameLowLevel(flags | utf8Flag, fileNameRaw, extraFields, false);
}

/** Archives made on Unix keep the file type in the upper half of these attributes. */
function isLink({ externalFileAttributes }: Entry): boolean {
  return ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;
}

/** Throws if entries share their bytes, which would let a small archive fill a disk. */
function demandApart(entries: readonly Entry[], size: number): void {
  const ordered = [...entries].sort(
    (left, right) => left.relativeOffsetOfLocalHeader - right.relativeOffsetOfLocalHeader,
  );
  for (const [place, { fileName, relativeOffsetOfLocalHeader, compressedSize }] of ordered.entries()) {
    const next = ordered[place + 1]?.relativeOffsetOfLocalHeader ?? size;
    if (relativeOffsetOfLocalHeader + localHeaderBytes + compressedSize <= next) continue;
    throw new FileTreeError('bomb', fileName, 'it shares its bytes with another file');
  }
}

function tooBig(path: string, bytes: number, maxBytes: number): FileTreeError {
  return new FileTreeError('too-big', path, `it has ${bytes} bytes, more than ${maxBytes}`);
}

/** For the middle of a sentence. Some packages end their messages with a full stop. */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.+$/u, '');
}
