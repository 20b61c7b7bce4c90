// File access of the loader to a commit instead of the disk. Nothing is checked out.
import { join, posix, relative, sep } from 'node:path';
import type { FileAccess, FileStatus, FolderEntry } from '../../manifest/files/access.ts';
import type { GitBlobs } from './git.ts';

interface GitFile {
  readonly type: 'file' | 'link' | 'other';
  readonly id: string;
  readonly bytes: number;
}

type TreeFolder = Map<string, GitFile | TreeFolder>;

const maxLinks = 40;

/** The tree of a commit. Paths are those that a checkout would have. */
export class GitTree implements FileAccess {
  readonly #root: TreeFolder;
  readonly #blobs: GitBlobs;
  readonly #cwd: string;
  readonly #prefix: string;

  /** `listing` is `git ls-tree -r -l -z --full-tree`; `prefix` is the path of `cwd` in the repository, or ''. */
  constructor(listing: string, blobs: GitBlobs, cwd: string, prefix: string) {
    this.#root = parse(listing);
    this.#blobs = blobs;
    this.#cwd = cwd;
    this.#prefix = prefix;
  }

  async readFile(path: string): Promise<Uint8Array> {
    const entryAtPath = await this.#follow(path);
    if (entryAtPath.node instanceof Map) throw failure('EISDIR');
    if (entryAtPath.node.type === 'other') throw failure('ENOENT');
    return this.#blobs.read(entryAtPath.node.id);
  }

  async *readChunks(path: string): AsyncGenerator<Uint8Array> {
    yield await this.readFile(path);
  }

  async listFolder(path: string): Promise<readonly FolderEntry[]> {
    const { node } = await this.#follow(path);
    if (!(node instanceof Map)) throw failure('ENOTDIR');
    return Array.from(node, ([name, entry]) => ({ name, type: entry instanceof Map ? 'folder' : entry.type }));
  }

  async realPath(path: string): Promise<string> {
    return (await this.#follow(path)).path;
  }

  async stat(path: string): Promise<FileStatus> {
    const { node } = await this.#follow(path);
    if (node instanceof Map) return { type: 'folder', bytes: 0 };
    return { type: node.type === 'file' ? 'file' : 'other', bytes: node.bytes };
  }

  #partsOf(path: string): string[] {
    return partsOf(posix.join(this.#prefix, relative(this.#cwd, path).split(sep).join('/')));
  }

  /** The entry at a path, after links inside the tree, and its path on disk. */
  async #follow(path: string): Promise<{ readonly node: GitFile | TreeFolder; readonly path: string }> {
    let ahead = this.#partsOf(path);
    const trail: { name: string; node: GitFile | TreeFolder }[] = [];
    for (let links = 0; ahead.length > 0; ) {
      const [name = '', ...rest] = ahead;
      ahead = rest;
      if (name === '..') {
        if (trail.pop() === undefined) throw failure('ENOENT');
        continue;
      }
      const currentNode = trail.at(-1)?.node ?? this.#root;
      const node = currentNode instanceof Map ? currentNode.get(name) : undefined;
      if (node === undefined) throw failure(currentNode instanceof Map ? 'ENOENT' : 'ENOTDIR');
      if (node instanceof Map || node.type !== 'link') {
        trail.push({ name, node });
        continue;
      }
      links += 1;
      if (links > maxLinks) throw failure('ELOOP');
      const target = (await this.#blobs.read(node.id)).toString('utf8');
      // Paths outside the repository are not part of the commit.
      if (posix.isAbsolute(target)) throw failure('ENOENT');
      ahead = [...partsOf(target), ...ahead];
    }
    const key = trail.map(({ name }) => name).join('/');
    const node = trail.at(-1)?.node ?? this.#root;
    return { node, path: join(this.#cwd, posix.relative(this.#prefix === '' ? '.' : this.#prefix, key)) };
  }
}

function parse(listing: string): TreeFolder {
  const root: TreeFolder = new Map();
  for (const line of listing.split('\0')) {
    const match = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.+)$/su.exec(line);
    if (match === null) continue;
    const [, mode, type, id = '', bytes, path = ''] = match;
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    let folder = root;
    for (const part of parts) {
      const next = folder.get(part);
      const inner: TreeFolder = next instanceof Map ? next : new Map();
      folder.set(part, inner);
      folder = inner;
    }
    folder.set(name, {
      type: type !== 'blob' ? 'other' : mode === '120000' ? 'link' : 'file',
      id,
      bytes: Number(bytes) || 0,
    });
  }
  return root;
}

/** Keeps leading `..`, so that paths outside the repository are recognised. */
function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
