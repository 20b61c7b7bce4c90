// Reads `.chatformignore`, which excludes files and folders from a search (semantics §9.9).
import { dirname, join, relative, sep } from 'node:path';
import type { Ignore } from 'ignore';
import { ownName } from '../../../lib/own-names.ts';
import { isInside } from '../../../lib/paths.ts';
import type { FileAccess } from './access.ts';

export const ignoreListName = ownName('ignoreList');
/** Each ** of a line multiplies the time to match a path by its depth. */
const mostGlobstars = 2;

/** The patterns of one `.chatformignore`, in the syntax of `.gitignore`. */
interface Patterns {
  readonly folder: string;
  readonly list: Ignore;
}

/** By absolute path. */
export type IgnoreListTexts = Map<string, string>;

export class UnusableListError extends Error {
  readonly list: string;

  constructor(list: string, message: string) {
    super(message);
    this.list = list;
  }
}

/** The ignore lists of one search, from the working folder down to each file. An inner list takes precedence. */
export class IgnoreLists {
  readonly #top: string;
  readonly #searched: string;
  readonly #files: FileAccess;
  readonly #texts: IgnoreListTexts;
  readonly #byFolder = new Map<string, Promise<readonly Patterns[]>>();

  /** Paths are absolute. `searched` was given by name, so no outer list excludes it. `texts` gets each list that is read. */
  constructor(searched: string, cwd: string, files: FileAccess, texts: IgnoreListTexts = new Map()) {
    this.#texts = texts;
    this.#top = isInside(cwd, searched) ? cwd : searched;
    this.#searched = searched;
    this.#files = files;
  }

  /** `path` is absolute. Rejects if a list cannot be read. */
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
    const lists = this.#byFolder.get(folder) ?? this.#read(folder);
    this.#byFolder.set(folder, lists);
    return lists;
  }

  async #read(folder: string): Promise<readonly Patterns[]> {
    const around = folder === this.#top ? [] : await this.#listsOf(dirname(folder));
    const path = join(folder, ignoreListName);
    const real = await this.#files.realPath(path).catch(() => undefined);
    if (real === undefined) return around;
    if (real !== join(await this.#files.realPath(folder), ignoreListName))
      throw new UnusableListError(path, 'it is a symbolic link');
    if ((await this.#files.stat(path)).type !== 'file') return around;
    const text = new TextDecoder('utf-8').decode(await this.#files.readFile(path));
    this.#texts.set(path, text);
    // Loaded only with the first list, because most folders have none.
    const { default: ignore } = await import('ignore');
    const lines = text.split('\n');
    const crowded = lines.findIndex((line) => !line.startsWith('#') && line.split('**').length - 1 > mostGlobstars);
    if (crowded >= 0) throw new UnusableListError(path, `line ${crowded + 1} has more than ${mostGlobstars} **`);
    const list = ignore().add(text);
    const isOutside = folder !== this.#searched && isInside(folder, this.#searched);
    if (isOutside && list.ignores(nameBelow(folder, this.#searched, 'folder'))) return around;
    return [...around, { folder, list }];
  }
}

/** Whether a search of the folder `searched` would leave the file out. Paths are absolute, and the file need not exist. */
export function isIgnored(file: string, searched: string, cwd: string, files: FileAccess): Promise<boolean> {
  return new IgnoreLists(searched, cwd, files).leavesOut(file, 'file');
}

function nameBelow(folder: string, path: string, type: 'file' | 'folder'): string {
  return `${relative(folder, path).split(sep).join('/')}${type === 'folder' ? '/' : ''}`;
}
