// The files that a use case writes, atomically.
import { resolve } from 'node:path';
import { errorCode } from '../../lib/errors.ts';
import { demandInside, LeadsOutsideError, writeWhole } from '../../lib/write-whole.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';

/** `writeWhole`, with a refusal that names the file when it cannot be written. */
export async function writeOutput(...[file, ...rest]: Parameters<typeof writeWhole>): Promise<void> {
  await writeWhole(file, ...rest).catch((cause: unknown) => {
    throw unwritable(file, cause);
  });
}

/**
 * The absolute path of an output that a user names. Refused (1) if a symbolic link leads out of the working folder: a request
 * can add links, and the command would replace what they lead to.
 */
export async function outputPath(cwd: string, file: string): Promise<string> {
  const path = resolve(cwd, file);
  await demandInside(cwd, path).catch((error: unknown) => {
    throw error instanceof LeadsOutsideError ? leadsOutside(error) : error;
  });
  return path;
}

function leadsOutside(error: LeadsOutsideError): Refusal {
  return new Refusal(
    'file.leads-outside',
    exitCode.unexpected,
    `${error.message}, outside the folder.`,
    'Nothing was written there. Delete the link, or name the file where it is.',
    { cause: error },
  );
}

export function unwritable(file: string, cause: unknown): Refusal {
  return new Refusal(
    'file.unwritable',
    exitCode.unexpected,
    `${file} cannot be written.`,
    'Check that the folder is writable and that the disk has free space.',
    { cause },
  );
}

/** Turns errors of the file system below a folder into refusals. Other errors pass unchanged. */
export function asUnwritable(error: unknown, folder: string): unknown {
  if (error instanceof LeadsOutsideError) return leadsOutside(error);
  if (errorCode(error) === undefined) return error;
  const { path } = error as NodeJS.ErrnoException;
  return unwritable(path ?? folder, error);
}

/** `envs/staging` → `envs-staging`: part of the names of files, states, tokens and environments. */
export function nameOfFolder(folder: string): string {
  return folder.replace(/[^\w.-]+/gu, '-');
}
