// Finds the manifest files that the PATH arguments name. Folders are searched; links must not lead out of them.
import { dirname, join, relative, resolve, sep } from 'node:path';
import { compareText } from '../lib/json.ts';
import type { Problems } from './checks/problems.ts';
import { quoted } from './checks/wording.ts';
import type { FileAccess, FolderEntry } from './files.ts';
import { IgnoreLists, ignoreListName } from './ignore-list.ts';
import { SourceText } from './yaml/source-text.ts';

export interface ManifestFile {
  /** As shown: relative to the working folder, with `/`. */
  readonly name: string;
  readonly path: string;
  /** The folder, links followed, that no path in this file may leave. */
  readonly root: string;
  /** Given as a PATH argument, and not only found in a folder: it has to be a manifest. */
  readonly isNamed?: boolean;
}

/** The form of a path in messages and plans. */
export function shownPath(cwd: string, path: string): string {
  return relative(cwd, path).split(sep).join('/') || '.';
}

/** Both absolute. */
export function isInside(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** What a search is for. Tests stand beside manifests and are none. */
export type Wanted = 'manifests' | 'tests';

/** Every file once, sorted by its shown name. */
export async function discover(
  paths: readonly string[],
  cwd: string,
  files: FileAccess,
  problems: Problems,
  wanted: Wanted = 'manifests',
): Promise<ManifestFile[]> {
  const found = new Map<string, ManifestFile>();
  for (const given of paths.length === 0 ? ['.'] : paths) {
    await new Search(resolve(cwd, given), cwd, files, problems, { found, wanted }).start();
  }
  return [...found.values()].sort((left, right) => compareText(left.name, right.name));
}

function isWanted(name: string, wanted: Wanted): boolean {
  return /\.ya?ml$/u.test(name) && /\.test\.ya?ml$/u.test(name) === (wanted === 'tests');
}

/** The search below one PATH argument. */
class Search {
  readonly #path: string;
  readonly #wanted: Wanted;
  readonly #cwd: string;
  readonly #files: FileAccess;
  readonly #problems: Problems;
  /** By real path, so that a file reached in two ways is loaded once. */
  readonly #found: Map<string, ManifestFile>;
  readonly #ignored: IgnoreLists;
  readonly #visited = new Set<string>();
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
    this.#ignored = new IgnoreLists(path, cwd, files);
  }

  async start(): Promise<void> {
    const path = this.#path;
    const real = await this.#files.realPath(path).catch(() => undefined);
    if (real === undefined) {
      const detail = `There is no file or folder ${shownPath(this.#cwd, path)}. Check the PATH argument and the working folder.`;
      this.#problems.add('manifest.not-found', detail);
      return;
    }
    const found = await this.#attempt(path, () => this.#files.stat(real));
    if (found === undefined) return;
    if (found.type === 'file') this.#add(path, real, dirname(real), true);
    else if (found.type === 'other') this.#unreadable(path, 'it is neither a file nor a folder');
    else await this.#searchFrom(path, real);
  }

  async #searchFrom(path: string, root: string): Promise<void> {
    const problemsBefore = this.#problems.count;
    await this.#folder(path, root, root);
    if (this.#count > 0 || this.#problems.count > problemsBefore || this.#wanted === 'tests') return;
    const except = this.#leftOut === 0 ? '' : `, except for what ${ignoreListName} leaves out`;
    const detail = `${shownPath(this.#cwd, path)} and the folders in it hold no file that ends in .yaml or .yml${except}. Give the folder of your manifests, or start one with chatform init.`;
    this.#problems.add('manifest.no-manifests', detail);
  }

  async #folder(path: string, real: string, root: string): Promise<void> {
    if (this.#visited.has(real)) return;
    this.#visited.add(real);
    const entries = await this.#attempt(path, () => this.#files.listFolder(real));
    for (const entry of entries ?? []) {
      if (!entry.name.startsWith('.') && entry.name !== 'node_modules') await this.#entry(path, real, root, entry);
    }
  }

  async #isIgnored(path: string, type: 'file' | 'folder'): Promise<boolean> {
    const list = join(dirname(path), ignoreListName);
    const isLeftOut = await this.#attempt(list, () => this.#ignored.leavesOut(path, type));
    if (isLeftOut === true) this.#leftOut += 1;
    return isLeftOut === true;
  }

  async #entry(folder: string, realFolder: string, root: string, entry: FolderEntry): Promise<void> {
    const path = join(folder, entry.name);
    // The decisions of a conversion lie among the manifests that it generates.
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
      if (isManifest) this.#unreadable(path, 'the symbolic link leads nowhere');
      return;
    }
    const found = await this.#attempt(path, () => this.#files.stat(target));
    if (found === undefined || (found.type !== 'folder' && !isManifest)) return;
    if (!isInside(root, target)) {
      const name = shownPath(this.#cwd, path);
      const detail = `${name} is a symbolic link that leads out of ${shownPath(this.#cwd, root)}. Copy the files into the folder, or pass the other place as a PATH argument of its own.`;
      this.#problems.add('manifest.leaves-folder', detail);
    } else if (found.type === 'folder') await this.#folder(path, target, root);
    else if (found.type === 'file') this.#add(path, target, root);
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

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is refused',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links go round in a circle',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  Z_BUF_ERROR: 'its gzip data is cut short',
  Z_DATA_ERROR: 'its gzip data is damaged',
};

/** The system's error code in words; unknown codes stay as they are. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  return reasons[code] ?? code;
}

/** A file that a manifest names, or why it cannot be used. */
export type NamedFile =
  | { readonly type: 'file'; readonly name: string; readonly path: string; readonly bytes: number }
  | {
      readonly type: 'problem';
      readonly code: 'manifest.leaves-folder' | 'manifest.file-missing';
      readonly detail: string;
    };

/** Finds a file relative to the manifest that names it. Links are followed, but not out of the manifests' folder. */
export async function findNamedFile(
  named: string,
  manifest: ManifestFile,
  cwd: string,
  files: FileAccess,
): Promise<NamedFile> {
  const path = resolve(dirname(manifest.path), named);
  const name = shownPath(cwd, path);
  try {
    const real = isInside(manifest.root, path) ? await files.realPath(path) : undefined;
    if (real === undefined || !isInside(manifest.root, real)) {
      return { type: 'problem', code: 'manifest.leaves-folder', detail: leavesFolder(named, manifest, cwd) };
    }
    const { type, bytes } = await files.stat(real);
    if (type === 'file') return { type, name, path: real, bytes };
    return { type: 'problem', code: 'manifest.file-missing', detail: `${name} is not a file. Name a file here.` };
  } catch (error) {
    const detail = `${name} cannot be read: ${reasonOf(error)}. Paths are relative to the manifest.`;
    return { type: 'problem', code: 'manifest.file-missing', detail };
  }
}

export function leavesFolder(named: string, manifest: ManifestFile, cwd: string): string {
  return `${quoted(named)} leads out of ${shownPath(cwd, manifest.root)}, the folder of the manifests. Put the file into that folder.`;
}

/** A manifest is held in memory as one text. */
const maxManifestBytes = 200_000_000;

/** The text of a manifest, without a byte order mark; undefined, and a problem, when it cannot be read. */
export async function readSource(
  file: ManifestFile,
  files: FileAccess,
  problems: Problems,
): Promise<SourceText | undefined> {
  const start = { source: new SourceText(file.name, ''), offset: 0 };
  try {
    const { bytes } = await files.stat(file.path);
    if (bytes <= maxManifestBytes) return readBytes(file.name, await files.readFile(file.path), problems);
    const detail = `${file.name} has ${bytes.toLocaleString('en')} bytes, and at most ${maxManifestBytes.toLocaleString('en')} are read of YAML. Move its objects to a file under sources, which may have any size.`;
    problems.add('manifest.file-too-big', detail, start);
  } catch (error) {
    problems.add('manifest.unreadable', `${file.name} cannot be read: ${reasonOf(error)}.`, start);
  }
  return undefined;
}

/** Like `readSource`, for bytes that were read already. */
export function readBytes(name: string, bytes: Uint8Array, problems: Problems): SourceText | undefined {
  try {
    return new SourceText(name, new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Replacement characters mark the bytes that could not be decoded.
    const source = new SourceText(name, new TextDecoder('utf-8').decode(bytes));
    const detail = `${name} holds bytes that are not UTF-8. Save it as UTF-8; most editors show the encoding in the status line.`;
    problems.add('manifest.not-utf8', detail, { source, offset: Math.max(0, source.text.indexOf('\ufffd')) });
    return undefined;
  }
}
