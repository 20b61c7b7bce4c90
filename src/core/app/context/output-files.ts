// The files that a use case writes, atomically.
import { resolve } from 'node:path';
import { NoFileError, writeWhole } from '../../../lib/durable-files.ts';
import { errorCode } from '../../../lib/errors.ts';
import { demandInside, LeadsOutsideError } from '../../../lib/own-files.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { localPath } from '../../model/stores/local-path.ts';
import { type FileKind, titleOf, whatIsThere } from './file-kinds.ts';
import { asLeadsOutside, refuseFolderOfGit } from './own-file.ts';

/** `writeWhole`, with a refusal that names the file when it cannot be written. */
export async function writeOutput(...[file, ...rest]: Parameters<typeof writeWhole>): Promise<void> {
  await writeWhole(file, ...rest).catch((cause: unknown) => {
    throw unwritable(file, cause);
  });
}

/** Writes a file that a user names. Refused as `demandReplaceable` does. Only its owner may read it unless `mode` says otherwise. */
export async function saveOutput(
  kind: FileKind,
  cwd: string,
  file: string,
  content: Parameters<typeof writeWhole>[1],
  mode = 0o600,
): Promise<void> {
  await writeOutput(await demandReplaceable(kind, cwd, file), content, mode);
}

/**
 * The path of a file that a user names, which is absent, empty or of the kind that replaces it. Refused (64) if the file is of
 * another kind, and (1) if a link leads out of the working folder. Streams, and files that cannot be read, are left to the
 * writer.
 */
export async function demandReplaceable(kind: FileKind, cwd: string, file: string): Promise<string> {
  const path = await outputPath(cwd, file);
  const presentContent = await whatIsThere(kind, path);
  if (presentContent === undefined) return path;
  throw new Refusal(
    'file.other-kind',
    exitCode.usage,
    `${file} ${presentContent}. It would be replaced by ${titleOf(kind)}.`,
    'Nothing was done. Name another file, or delete this one.',
  );
}

/**
 * The absolute path of an output that a user names. Refused (1) if a symbolic link leads out of the working folder: a request
 * can add links, and the command would replace what they lead to.
 */
export async function outputPath(cwd: string, file: string): Promise<string> {
  const path = resolve(cwd, localPath(file, 'A file that is written'));
  await demandInside(cwd, path).catch((error: unknown) => {
    throw asLeadsOutside(error);
  });
  return path;
}

/** The absolute path of a folder that a command writes, or of data that it keeps. Refused (64) as `localPath`, and (1) in a folder of git. */
export function keptPath(cwd: string, ...place: Parameters<typeof localPath>): string {
  const path = resolve(cwd, localPath(...place));
  refuseFolderOfGit(path);
  return path;
}

const belowFile = 'A part of its path is a file, not a folder. Name another place.';

/** By the code of the system's error. */
const adviceByCode: ReadonlyMap<string, string> = new Map([
  // Which of the two depends on the call and on the version of Node.
  ['EEXIST', belowFile],
  ['ENOTDIR', belowFile],
  ['ENOSPC', 'The disk is full.'],
  ['EROFS', 'The file system is read-only. Name another place.'],
]);

export function unwritable(file: string, cause: unknown): Refusal {
  return new Refusal('file.unwritable', exitCode.unexpected, `${file} cannot be written.`, adviceFor(cause), { cause });
}

function adviceFor(cause: unknown): string {
  if (cause instanceof NoFileError) return 'It is a folder or a device. Name a file.';
  const adviceForCode = adviceByCode.get(errorCode(cause) ?? '');
  return adviceForCode ?? 'Check that the folder is writable and that the disk has free space.';
}

/** Turns errors of the file system below a folder into refusals. Other errors pass unchanged. */
export function asUnwritable(error: unknown, folder: string): unknown {
  if (error instanceof LeadsOutsideError) return asLeadsOutside(error);
  if (errorCode(error) === undefined) return error;
  const { path } = error as NodeJS.ErrnoException;
  return unwritable(path ?? folder, error);
}

/** `envs/staging` → `envs-staging`: part of the names of files, states, tokens and environments. */
export function nameOfFolder(folder: string): string {
  return folder.replace(/[^\w.-]+/gu, '-');
}
