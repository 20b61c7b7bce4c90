// The loader's access to files, which tests and other hosts can replace, and how it reads the text of a manifest.
import { type Dirent, promises } from 'node:fs';
import { basename, dirname } from 'node:path';
import { piecesOf, readPath } from '../../../lib/path-streams.ts';
import { isInside } from '../../../lib/paths.ts';
import { ForeignFormError, foreignFormOf } from '../../../lib/tools/foreign-form.ts';
import { type Problems, SourceText } from '../problems/problems.ts';
import { reasonOf } from './read-failure.ts';

const pieceBytes = 1 << 16;

export interface FileAccess {
  readFile(path: string): Promise<Uint8Array>;
  /** Reads the content in chunks, for files that are never in memory as a whole. Rejects on a read error. */
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /** The entries of a folder, in any order. */
  listFolder(path: string): Promise<readonly FolderEntry[]>;
  /** Resolves every symbolic link. Rejects if the path does not exist. */
  realPath(path: string): Promise<string>;
  stat(path: string): Promise<FileStatus>;
}

export interface FileStatus {
  readonly type: 'file' | 'folder' | 'other';
  readonly bytes: number;
  /** Differs after every change of the file. Absent if files never change. */
  readonly version?: string;
  /** The time of the last change in Unix milliseconds. Absent if unknown. */
  readonly changedAt?: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link' | 'other';
}

export const disk: FileAccess = {
  readFile: (path) => readPath(path),
  // Each file takes a buffer of this size, and there may be ten thousand small files.
  readChunks: (path) => piecesOf(path, pieceBytes),
  realPath: (path) => promises.realpath(path),
  async listFolder(path) {
    const entries = await promises.readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, type: entryType(entry) }));
  },
  async stat(path) {
    const status = await promises.stat(path, { bigint: true });
    const { ino, size, mtimeNs, ctimeNs } = status;
    return {
      type: status.isFile() ? 'file' : status.isDirectory() ? 'folder' : 'other',
      bytes: Number(size),
      version: [ino, size, mtimeNs, ctimeNs].join(' '),
      changedAt: Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n),
    };
  },
};

/** Whether a path, which need not exist, is inside a folder after resolving links. */
export async function staysInside(path: string, folder: string, files: FileAccess): Promise<boolean> {
  if (!isInside(folder, path)) return false;
  const root = await files.realPath(folder).catch(() => folder);
  for (let here = path; here !== folder; here = dirname(here)) {
    const real = await files.realPath(here).catch(() => undefined);
    if (real !== undefined) return isInside(root, real);
    // A link whose target does not exist yet is followed when the file is written.
    const entries = await files.listFolder(dirname(here)).catch(() => []);
    if (entries.some(({ name, type }) => name === basename(here) && type === 'link')) return false;
  }
  return true;
}

function entryType(entry: Dirent): FolderEntry['type'] {
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}

/** The largest file of YAML. */
export const maxManifestBytes = 200_000_000;

/** Returns the text without a byte order mark, or reports a problem and returns undefined. */
export async function readSource(
  file: { readonly name: string; readonly path: string },
  files: FileAccess,
  problems: Problems,
): Promise<SourceText | undefined> {
  const start = { source: new SourceText(file.name, ''), offset: 0 };
  try {
    const { bytes } = await files.stat(file.path);
    if (bytes <= maxManifestBytes) return readBytes(file.name, await files.readFile(file.path), problems);
    const detail = `${file.name} has ${bytes.toLocaleString('en')} bytes. At most ${maxManifestBytes.toLocaleString('en')} bytes of YAML are read. Move the objects to a file under sources, which may have any size.`;
    problems.add('manifest.file-too-big', detail, start);
  } catch (error) {
    problems.add('manifest.unreadable', `${file.name} cannot be read: ${reasonOf(error)}.`, start);
  }
  return undefined;
}

/** Like `readSource`, for bytes that were already read. */
export function readBytes(name: string, bytes: Uint8Array, problems: Problems): SourceText | undefined {
  const form = foreignFormOf(bytes);
  if (form !== undefined) {
    const start = { source: new SourceText(name, ''), offset: 0 };
    problems.add('manifest.unreadable', `${name} cannot be read: ${reasonOf(new ForeignFormError(form))}.`, start);
    return undefined;
  }
  try {
    return new SourceText(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Replacement characters mark bytes that could not be decoded.
    const source = new SourceText(name, new TextDecoder('utf-8').decode(bytes));
    const detail = `${name} contains bytes that are not UTF-8. Save it as UTF-8. Most editors show the encoding in the status line.`;
    problems.add('manifest.not-utf8', detail, { source, offset: Math.max(0, source.text.indexOf('\ufffd')) });
    return undefined;
  }
}
