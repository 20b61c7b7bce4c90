// Finds the manifest files that the PATH arguments name. Folders are searched. Links must not lead outside them, and
// `.chatformignore` excludes files and folders (semantics §9.9).
import { dirname, join, relative, resolve, sep } from 'node:path';
import { compareText } from '../../lib/json.ts';
import { isInside } from '../../lib/paths.ts';
import type { Problems } from '../problems/problems.ts';
import type { FileAccess, FolderEntry } from './access.ts';
import { IgnoreLists, ignoreListName, UnusableListError } from './ignore-lists.ts';
import { reasonOf } from './read-failure.ts';

export interface ManifestFile {
  /** Relative to the working folder, with `/`. */
  readonly name: string;
  readonly path: string;
  /** The folder, with links resolved, that no path in this file may leave. */
  readonly root: string;
  /** Whether the file was given as a PATH argument, so that it must be a manifest. */
  readonly isNamed?: boolean;
}

/** Returns the form of a path in messages and plans. */
export function shownPath(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join('/') || '.';
}

/** The files to collect. Test files are beside manifests but are not manifests. */
export type Wanted = 'manifests' | 'tests';

/** Returns every file once, sorted by shown name. */
export async function discover(
  paths: readonly string[],
  cwd: string,
  files: FileAccess,
  problems: Problems,
  wanted: Wanted = 'manifests',
): Promise<ManifestFile[]> {
  const found = new Map<string, ManifestFile>();
  for (const path of paths.length === 0 ? ['.'] : paths) {
    await new FileSearch(resolve(cwd, path), cwd, files, problems, { found, wanted }).start();
  }
  return [...found.values()].sort((left, right) => compareText(left.name, right.name));
}

function isWanted(name: string, wanted: Wanted): boolean {
  return /\.ya?ml$/iu.test(name) && /\.test\.ya?ml$/iu.test(name) === (wanted === 'tests');
}

const mostFolders = 100;

/** The search under one PATH argument. */
class FileSearch {
  readonly #path: string;
  readonly #wanted: Wanted;
  readonly #cwd: string;
  readonly #files: FileAccess;
  readonly #problems: Problems;
  /** Files by real path, so that a file reached in two ways is loaded once. */
  readonly #found: Map<string, ManifestFile>;
  /** Made with the first path in a folder. */
  #ignored: IgnoreLists | undefined;
  readonly #visited = new Set<string>();
  readonly #reported = new Set<unknown>();
  #count = 0;
  #leftOut = 0;

  constructor(
    path: string,
    cwd: string,
    files: FileAccess,
    problems: Problems,
    { found, wanted }: { readonly found: Map<string, ManifestFile>; readonly wanted: Wanted },
  ) {
    this.#path = path;
    this.#wanted = wanted;
    this.#cwd = cwd;
    this.#files = files;
    this.#problems = problems;
    this.#found = found;
  }

  async start(): Promise<void> {
    const path = this.#path;
    const real = await this.#files.realPath(path).catch(() => undefined);
    if (real === undefined) {
      const detail = `${shownPath(this.#cwd, path)} does not exist. Check the PATH argument and the working folder.`;
      this.#problems.add('manifest.not-found', detail);
      return;
    }
    const status = await this.#attempt(path, () => this.#files.stat(real));
    if (status === undefined) return;
    if (status.type === 'file') this.#add(path, real, dirname(real), true);
    else if (status.type === 'other') this.#unreadable(path, 'it is neither a file nor a folder');
    else await this.#searchFrom(path, real);
  }

  async #searchFrom(path: string, root: string): Promise<void> {
    const problemsBefore = this.#problems.count;
    await this.#folder(path, root, root);
    if (this.#count > 0 || this.#problems.count > problemsBefore || this.#wanted === 'tests') return;
    const except = this.#leftOut === 0 ? '' : `, apart from those that ${ignoreListName} excludes`;
    const detail = `${shownPath(this.#cwd, path)} and its subfolders contain no .yaml or .yml file${except}. Pass the folder of your manifests, or run chatform init to create one.`;
    this.#problems.add('manifest.no-manifests', detail);
  }

  async #folder(path: string, real: string, root: string): Promise<void> {
    if (this.#visited.has(real)) return;
    if (relative(root, real).split(sep).length > mostFolders) {
      this.#unreadable(path, `it is more than ${mostFolders} folders deep`);
      return;
    }
    this.#visited.add(real);
    const entries = await this.#attempt(path, () => this.#files.listFolder(real));
    for (const entry of entries ?? []) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules') await this.#entry(path, real, root, entry);
    }
  }

  async #isIgnored(path: string, type: 'file' | 'folder'): Promise<boolean> {
    const list = join(dirname(path), ignoreListName);
    try {
      this.#ignored ??= new IgnoreLists(this.#path, this.#cwd, this.#files);
      const isLeftOut = await this.#ignored.leavesOut(path, type);
      if (isLeftOut) this.#leftOut += 1;
      return isLeftOut;
    } catch (error) {
      // Every path below a list has its error.
      if (!this.#reported.has(error))
        this.#unreadable(error instanceof UnusableListError ? error.list : list, reasonOf(error));
      this.#reported.add(error);
      return false;
    }
  }

  async #entry(folder: string, realFolder: string, root: string, entry: FolderEntry): Promise<void> {
    const path = join(folder, entry.name);
    // The decisions of a conversion are among the manifests that it generates.
    const isManifest = isWanted(entry.name, this.#wanted) && !/(?:^|[\\/])conversion[\\/]decisions\.yaml$/u.test(path);
    if (!isManifest && entry.type === 'file') return;
    if (await this.#isIgnored(path, entry.type === 'folder' ? 'folder' : 'file')) return;
    if (entry.type === 'link') return this.#link(path, root, isManifest);
    const real = join(realFolder, entry.name);
    if (entry.type === 'folder') await this.#folder(path, real, root);
    else if (isManifest && entry.type === 'file') this.#add(path, real, root);
    else if (isManifest) this.#unreadable(path, 'it is not a regular file');
  }

  async #link(path: string, root: string, isManifest: boolean): Promise<void> {
    const target = await this.#files.realPath(path).catch(() => undefined);
    if (target === undefined) {
      if (isManifest) this.#unreadable(path, 'the symbolic link is broken');
      return;
    }
    const status = await this.#attempt(path, () => this.#files.stat(target));
    if (status === undefined || (status.type !== 'folder' && !isManifest)) return;
    if (!isInside(root, target)) {
      const name = shownPath(this.#cwd, path);
      const detail = `${name} is a symbolic link that leads outside ${shownPath(this.#cwd, root)}. Copy the files into the folder, or pass the target as a separate PATH argument.`;
      this.#problems.add('manifest.leaves-folder', detail);
    } else if (status.type === 'folder') await this.#folder(path, target, root);
    else if (status.type === 'file') this.#add(path, target, root);
    else this.#unreadable(path, 'it is not a regular file');
  }

  #add(path: string, real: string, root: string, isNamed = false): void {
    this.#count += 1;
    const known = this.#found.get(real) ?? { name: shownPath(this.#cwd, path), path: real, root };
    this.#found.set(real, isNamed ? { ...known, isNamed } : known);
  }

  async #attempt<T>(path: string, call: () => Promise<T>): Promise<T | undefined> {
    try {
      return await call();
    } catch (error) {
      this.#unreadable(path, reasonOf(error));
      return undefined;
    }
  }

  #unreadable(path: string, reason: string): void {
    const detail = `${shownPath(this.#cwd, path)} cannot be read: ${reason}.`;
    this.#problems.add('manifest.unreadable', detail);
  }
}
