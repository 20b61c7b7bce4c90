// Finds the repository of a folder by its `.git` entries, without git.
//
// Files under review must not choose the repository. A checkout cannot contain an entry named `.git`, which git refuses to
// commit, but a submodule has one, and so may an unpacked export. Both are inside the repository that the user works in.
import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Ports } from './ports.ts';

/** Returns the nearest folder, from this one up, that contains `.git`. */
export async function repositoryOf(folder: string): Promise<string | undefined> {
  const [nearest] = await repositoriesAround(folder, []);
  return nearest;
}

/** The nearest folder with `.git`, or else the working folder. Paths of a commit do not follow links on disk. */
export async function repositoryAround(cwd: string, isCommit: boolean): Promise<string> {
  const start = isCommit ? cwd : await realpath(cwd);
  return (await repositoryOf(start)) ?? start;
}

export interface FoundRepository {
  /** Absolute, without links. */
  readonly workTree: string;
  /** The folder of `.git`, or of the linked work tree in it. Absolute, without links. Undefined if the entry leads nowhere. */
  readonly gitDir: string | undefined;
}

/**
 * Returns the repository whose commits decide what this folder may declare. GIT_CEILING_DIRECTORIES ends the search, as it
 * does for git. Refused (64) for a repository inside another one, unless it is a linked work tree of that one.
 */
export async function trustedRepository(
  folder: string,
  { env }: Pick<Ports, 'env'>,
): Promise<FoundRepository | undefined> {
  const ceilings = (env.GIT_CEILING_DIRECTORIES ?? '').split(delimiter).filter((path) => isAbsolute(path));
  const real = await Promise.all(ceilings.map((path) => realpath(path).catch(() => path)));
  const around = await repositoriesAround(await realpath(folder), real);
  const [workTree, outermost] = [around[0], around.at(-1)];
  if (workTree === undefined || outermost === undefined) return undefined;
  const gitDir = await gitDirOf(workTree);
  const common = await commonDirOf(await gitDirOf(outermost));
  for (const inner of around.slice(0, -1)) {
    if (common !== undefined && (await isWorkTreeOf(common, inner))) continue;
    throw new Refusal(
      'repository.nested',
      exitCode.usage,
      `${inner} contains a repository of its own (${join(inner, '.git')}), and it is inside the repository ${outermost}.`,
      `A submodule, or an export that was unpacked with its .git, must not choose the rules. If the .git does not belong there, delete it. If ${inner} is the repository to use, set GIT_CEILING_DIRECTORIES=${dirname(inner)}.`,
    );
  }
  return { workTree, gitDir };
}

/** All folders from this one up that contain `.git`, the nearest first. The folder itself is never a ceiling. */
async function repositoriesAround(folder: string, ceilings: readonly string[]): Promise<readonly string[]> {
  const repositories: string[] = [];
  for (let ancestor = folder; ; ancestor = dirname(ancestor)) {
    if (ancestor !== folder && ceilings.includes(ancestor)) return repositories;
    if ((await stat(join(ancestor, '.git')).catch(() => undefined)) !== undefined) repositories.push(ancestor);
    if (dirname(ancestor) === ancestor) return repositories;
  }
}

/** Follows a file `gitdir: PATH`, which linked work trees and submodules have. */
async function gitDirOf(workTree: string): Promise<string | undefined> {
  const entry = join(workTree, '.git');
  const entryInfo = await stat(entry).catch(() => undefined);
  if (entryInfo?.isDirectory() === true) return realOf(entry);
  const text = entryInfo?.isFile() === true ? await textOf(entry) : undefined;
  const [, path] = /^gitdir: ([^\0]+?)[\r\n]*$/u.exec(text ?? '') ?? [];
  return path === undefined ? undefined : realOf(resolve(workTree, path));
}

/** The folder that all work trees of a repository share. */
async function commonDirOf(gitDir: string | undefined): Promise<string | undefined> {
  if (gitDir === undefined) return undefined;
  const path = await textOf(join(gitDir, 'commondir'));
  return path === undefined ? gitDir : realOf(resolve(gitDir, path.trimEnd()));
}

/** Whether the repository lists the folder as one of its linked work trees, so that no `.git` alone can claim to be one. */
async function isWorkTreeOf(common: string, workTree: string): Promise<boolean> {
  const gitDir = await gitDirOf(workTree);
  if (gitDir === undefined || gitDir !== join(common, 'worktrees', basename(gitDir))) return false;
  const listed = await textOf(join(gitDir, 'gitdir'));
  return listed !== undefined && (await realOf(listed.trimEnd())) === join(workTree, '.git');
}

function realOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

/** Undefined for a file that cannot be read. */
function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
