// The files that a use case writes: outputs, atomically, and temporary files for data that does not fit into memory.
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { errorCode } from '../../lib/errors.ts';
import { Spool } from '../../lib/spool.ts';
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

/** A spool in the folder for temporary files. Each collector keeps `inMemory` values in memory. */
export function temporarySpool(inMemory: number): Spool {
  return new Spool({ folder: tmpdir(), inMemory, onFailure: temporaryFolderUnusable });
}

/** `envs/staging` → `envs-staging`: part of the names of files, states, tokens and environments. */
export function nameOfFolder(folder: string): string {
  return folder.replace(/[^\w.-]+/gu, '-');
}

/** The number of changes of a kind, or steps of a kind and phase, kept in memory. More go to temporary files. */
const planParts = 5_000;

/** The spool for the long parts of a plan. */
export function planSpool(): Spool {
  return temporarySpool(planParts);
}

export function temporaryFolderUnusable(folder: string, cause: unknown): Refusal {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new Refusal(
    'file.no-room',
    exitCode.unexpected,
    isFull
      ? `The folder for temporary files, ${folder}, is full.`
      : `The folder for temporary files, ${folder}, cannot be used (${code ?? cause}).`,
    'Nothing was changed. Large plans are kept there while the command runs. Free some space, or use another folder: TMPDIR=/a/larger/folder.',
    { cause },
  );
}
