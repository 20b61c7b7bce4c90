// Checks paths before they are opened. A commit can put a symbolic link anywhere in a repository, so a path that chatform names itself must
// not lead through any link, and an output that a user names must not leave its folder.
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isStream } from './output-streams.ts';
import { type OwnName, ownName, ownNames } from './own-names.ts';
import { isInside } from './paths.ts';

/** Thrown before a place is opened that a link, or something of another type, has taken. */
export class LeadsOutsideError extends Error {
  /** What to do, as full sentences. */
  readonly advice: string;

  constructor(message: string, advice = 'Delete the link, or name the file where it is.') {
    super(message);
    this.advice = advice;
  }
}

/**
 * The absolute path of a file or folder of chatform in `folder`, for `part` in the place of `…`. Nothing need exist there yet.
 * Throws as `demandPlain` does.
 */
export function ownPath(folder: string, name: OwnName, part = ''): string {
  const path = join(folder, ownName(name, part));
  demandPlain(folder, path, ownNames[name].endsWith('/') ? 'folder' : 'file');
  return path;
}

/**
 * Throws a `LeadsOutsideError` if a symbolic link is on the way from the folder to the path, or the path itself, or if something of
 * another type is there. What cannot be looked at is left to its reader.
 */
export function demandPlain(folder: string, path: string, type: 'file' | 'folder'): void {
  let place = folder;
  const parts = relative(folder, path).split(sep);
  for (const [index, part] of parts.entries()) {
    place = join(place, part);
    const there = statusOf(place);
    if (there === undefined) return;
    const wanted = index < parts.length - 1 ? 'folder' : type;
    if (wanted === 'file' ? there.isFile() : there.isDirectory()) continue;
    throw new LeadsOutsideError(
      `${place} is ${typeOf(there)}, and chatform expects a ${wanted} there`,
      `Delete ${place}, or move it away.`,
    );
  }
}

function typeOf(there: Stats): string {
  if (there.isSymbolicLink()) return 'a symbolic link';
  return there.isDirectory() ? 'a folder' : there.isFile() ? 'a file' : 'neither a file nor a folder';
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/**
 * Rejects with a `LeadsOutsideError` if a symbolic link on the way from the folder to the file leads out of the folder.
 * Otherwise anybody who may add files to the folder could have other files replaced. Streams, and files elsewhere, are accepted, but none
 * in a folder of git.
 */
export async function demandInside(folder: string, file: string): Promise<void> {
  demandOutsideGit(file);
  if (!isInside(folder, file) || (await isStream(file))) return;
  const [home, place] = [realPlace(folder), realPlace(file)];
  if (!isInside(home, place))
    throw new LeadsOutsideError(`${file} leads through a symbolic link to ${place}, outside the folder`);
}

/**
 * Throws a `LeadsOutsideError` if the absolute path is in a folder of git, also through links. Git runs and trusts what is there, and a
 * state or output would damage the repository.
 */
export function demandOutsideGit(path: string): void {
  const isOfGit = [path, realPlace(path)].some((place) => /(?:^|[\\/])\.git(?:[\\/]|$)/iu.test(place));
  if (isOfGit) throw new LeadsOutsideError(`${path} is in the folder of git`, 'Name another place.');
}

/** Like `realpathSync`, but also for a file that does not exist yet. */
function realPlace(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const folder = dirname(path);
    if (folder === path) return path;
    const parent = realPlace(folder);
    const target = targetOf(path);
    return target === undefined ? join(parent, basename(path)) : realPlace(resolve(parent, target));
  }
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
