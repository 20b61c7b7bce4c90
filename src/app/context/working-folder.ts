// The folder that this process works in.
import { devNull } from 'node:os';
import { type Refusal, usage } from '../../model/errors.ts';

/** Stands for a folder that was deleted. Nothing can be read or written below it. */
export const noFolder = devNull;

/** `noFolder` when the folder was deleted since the process, or the shell that started it, entered it. */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return noFolder;
  }
}

export function folderDeleted(): Refusal {
  return usage(
    'The working folder does not exist any more.',
    'Nothing was done. Change to a folder that exists, and run the command again.',
  );
}
