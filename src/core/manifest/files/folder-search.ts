// Searches a folder for manifests or tests. Links must not lead outside it, and `.chatformignore` excludes files and folders
// (semantics §9.9).
import { dirname, join, relative, sep } from 'node:path';
import { hiddenPart, isInside, shownPath } from '../../../lib/paths.ts';
import type { Problems } from '../problems/problems.ts';
import type { FileAccess, FolderEntry } from './access.ts';
import { IgnoreLists, type IgnoreListTexts, ignoreListName, UnusableListError } from './ignore-lists.ts';
import { hiddenFile, reasonOf, reportUnreadable } from './read-failure.ts';

/** The files to collect. Test files are beside manifests but are not manifests. */
export type Wanted = 'manifests' | 'tests';

/** A file as it was reached, and its path with links resolved. */
interface FolderFile {
  readonly path: string;
  readonly real: string;
}

function isWanted(name: string, wanted: Wanted): boolean {
  return /\.ya?ml$/iu.test(name) && /\.test\.ya?ml$/iu.test(name) === (wanted === 'tests');
}

const mostFolders = 100;

/** The search under one PATH argument. */
export class FolderSearch {
  readonly #path: string;
  /** The path with links resolved. */
  readonly #root: string;
  readonly #cwd: string;
  readonly #files: FileAccess;
  readonly #problems: Problems;
  readonly #wanted: Wanted;
  readonly #listTexts: IgnoreListTexts | undefined;
  readonly #found: FolderFile[] = [];
  /** Made with the first path in a folder. */
  #ignored: IgnoreLists | undefined;
  readonly #visited = new Set<string>();
  readonly #reported = new Set<unknown>();
  #leftOut = 0;

  constructor(
    path: string,
    root: string,
    cwd: string,
    files: FileAccess,
    problems: Problems,
    wanted: Wanted,
    listTexts?: IgnoreListTexts,
  ) {
    this.#path = path;
    this.#root = root;
    this.#cwd = cwd;
    this.#files = files;
    this.#problems = problems;
    this.#wanted = wanted;
    this.#listTexts = listTexts;
  }

  /** Reports what cannot be read, and a folder without manifests. */
  async files(): Promise<readonly FolderFile[]> {
    const problemsBefore = this.#problems.count;
    await this.#folder(this.#path, this.#root);
    if (this.#found.length > 0 || this.#problems.count > problemsBefore || this.#wanted === 'tests') return this.#found;
    const except = this.#leftOut === 0 ? '' : `, apart from those that ${ignoreListName} excludes`;
    const detail = `${shownPath(this.#cwd, this.#path)} and its subfolders contain no .yaml or .yml file${except}. Pass the folder of your manifests, or run chatform init to create one.`;
    this.#problems.add('manifest.no-manifests', detail);
    return this.#found;
  }

  async #folder(path: string, real: string): Promise<void> {
    if (this.#visited.has(real)) return;
    if (relative(this.#root, real).split(sep).length > mostFolders) {
      this.#unreadable(path, `it is more than ${mostFolders} folders deep`);
      return;
    }
    this.#visited.add(real);
    const entries = await this.#attempt(path, () => this.#files.listFolder(real));
    for (const entry of entries ?? []) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules') await this.#entry(path, real, entry);
    }
  }

  async #isIgnored(path: string, type: 'file' | 'folder'): Promise<boolean> {
    const list = join(dirname(path), ignoreListName);
    try {
      this.#ignored ??= new IgnoreLists(this.#path, this.#cwd, this.#files, this.#listTexts);
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

  async #entry(folder: string, realFolder: string, entry: FolderEntry): Promise<void> {
    const path = join(folder, entry.name);
    // The decisions of a conversion are among the manifests that it generates.
    const isManifest = isWanted(entry.name, this.#wanted) && !/(?:^|[\\/])conversion[\\/]decisions\.yaml$/u.test(path);
    if (!isManifest && entry.type === 'file') return;
    if (await this.#isIgnored(path, entry.type === 'folder' ? 'folder' : 'file')) return;
    if (entry.type === 'link') return this.#link(path, isManifest);
    const real = join(realFolder, entry.name);
    if (entry.type === 'folder') await this.#folder(path, real);
    else if (isManifest && entry.type === 'file') this.#found.push({ path, real });
    else if (isManifest) this.#unreadable(path, 'it is not a regular file');
  }

  async #link(path: string, isManifest: boolean): Promise<void> {
    const target = await this.#files.realPath(path).catch(() => undefined);
    if (target === undefined) {
      if (isManifest) this.#unreadable(path, 'the symbolic link is broken');
      return;
    }
    const status = await this.#attempt(path, () => this.#files.stat(target));
    if (status === undefined || (status.type !== 'folder' && !isManifest)) return;
    const hidden = isInside(this.#root, target) ? hiddenPart(this.#root, target) : undefined;
    if (hidden !== undefined)
      this.#problems.add('manifest.hidden-file', hiddenFile(shownPath(this.#cwd, path), hidden));
    else if (!isInside(this.#root, target)) {
      const name = shownPath(this.#cwd, path);
      const detail = `${name} is a symbolic link that leads outside ${shownPath(this.#cwd, this.#root)}. Copy the files into the folder, or pass the target as a separate PATH argument.`;
      this.#problems.add('manifest.leaves-folder', detail);
    } else if (status.type === 'folder') await this.#folder(path, target);
    else if (status.type === 'file') this.#found.push({ path, real: target });
    else this.#unreadable(path, 'it is not a regular file');
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
    reportUnreadable(shownPath(this.#cwd, path), reason, this.#problems);
  }
}
