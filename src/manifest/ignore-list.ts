// Reads `.chatformignore`: which files and folders a search for manifests leaves out (semantics §9.9).
import { dirname, join, relative, sep } from 'node:path';
import type { Ignore } from 'ignore';
import { isBelow } from '../lib/below.ts';
import type { FileAccess } from './files.ts';

export const ignoreListName = '.chatformignore';

/** The patterns of one `.chatformignore`, in the syntax of `.gitignore`. */
interface Patterns {
  readonly folder: string;
  readonly list: Ignore;
}

/** The lists that apply to one search: those from the working folder down to each file. An inner list wins. */
export class IgnoreLists {
  readonly #top: string;
  readonly #searched: string;
  readonly #files: FileAccess;
  readonly #byFolder = new Map<string, Promise<readonly Patterns[]>>();

  /** Absolute. `searched` was given by name, so no list around it leaves it out. */
  constructor(searched: string, cwd: string, files: FileAccess) {
    this.#top = isBelow(cwd, searched) ? cwd : searched;
    this.#searched = searched;
    this.#files = files;
  }

  /** `path` is absolute. Rejects when a list cannot be read. */
  async leavesOut(path: string, type: 'file' | 'folder'): Promise<boolean> {
    let isLeftOut = false;
    for (const { folder, list } of await this.#listsOf(dirname(path))) {
      const { ignored, unignored } = list.test(nameBelow(folder, path, type));
      isLeftOut = ignored || (isLeftOut && !unignored);
    }
    return isLeftOut;
  }

  /** From the outermost folder to the innermost. */
  #listsOf(folder: string): Promise<readonly Patterns[]> {
    const known = this.#byFolder.get(folder) ?? this.#read(folder);
    this.#byFolder.set(folder, known);
    return known;
  }

  async #read(folder: string): Promise<readonly Patterns[]> {
    const around = folder === this.#top ? [] : await this.#listsOf(dirname(folder));
    const path = join(folder, ignoreListName);
    const isThere = await this.#files.stat(path).then(
      ({ type }) => type === 'file',
      () => false,
    );
    if (!isThere) return around;
    const text = new TextDecoder('utf-8').decode(await this.#files.readFile(path));
    // Loaded with the first list: most folders have none.
    const { default: ignore } = await import('ignore');
    const list = ignore().add(text);
    const isOutside = folder !== this.#searched && isBelow(folder, this.#searched);
    if (isOutside && list.ignores(nameBelow(folder, this.#searched, 'folder'))) return around;
    return [...around, { folder, list }];
  }
}

function nameBelow(folder: string, path: string, type: 'file' | 'folder'): string {
  return `${relative(folder, path).split(sep).join('/')}${type === 'folder' ? '/' : ''}`;
}
