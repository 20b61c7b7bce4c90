// Keeps two commands from writing into one folder at once.
import { FolderLock, FolderLockedError } from '../../../lib/staging/folder-lock.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import { asUnwritable } from './output-files.ts';

const commands = {
  convert: { code: 'convert.locked', title: 'conversion' },
  export: { code: 'export.locked', title: 'export' },
} as const;

/**
 * Does the work under the lock of the folder `home` below `out`. Refused (7) while another process has the lock. The lock of a
 * process that was killed on this machine is taken over.
 */
export async function underOutputLock<T>(
  command: keyof typeof commands,
  out: string,
  home: string,
  work: (lock: FolderLock) => Promise<T>,
): Promise<T> {
  const lock = await FolderLock.take(out, home).catch((cause: unknown) => {
    throw cause instanceof FolderLockedError ? lockedOutput(command, out, cause) : asUnwritable(cause, out);
  });
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

function lockedOutput(command: keyof typeof commands, out: string, cause: FolderLockedError): Refusal {
  const { code, title } = commands[command];
  const [state, doubt] = cause.isHere
    ? ['is running', 'that process is something else']
    : ['is running on another machine, or was killed there', 'it was killed'];
  return new Refusal(
    code,
    exitCode.locked,
    `Another ${title} into ${out} ${state} (process ${cause.pid}).`,
    `Wait until it ends, then run the command again. If ${doubt}, delete ${cause.file}. Nothing was written.`,
    { cause },
  );
}
