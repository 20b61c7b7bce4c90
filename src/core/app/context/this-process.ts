// What a use case has of this process: the clock, the working folder, and spools in the folder for temporary files. Only this file and the
// emulator read a clock.
import { devNull, tmpdir } from 'node:os';
import { Spool } from '../../../lib/spool.ts';
import { longestTimerMs } from '../../../lib/time-values.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Clock } from '../../model/ports.ts';
import type { Ports } from './ports.ts';

/**
 * The variables of a process. White space at the end of chatform's own variables is not part of their values: commands and files that
 * fill a variable leave a line end there.
 */
export function trimmedVariables(env: Ports['env']): Ports['env'] {
  const ends = Object.entries(env).flatMap(([name, value]) =>
    name.startsWith('CHATFORM_') && value !== undefined && /\s$/u.test(value) ? [[name, value.trimEnd()] as const] : [],
  );
  return ends.length === 0 ? env : { ...env, ...Object.fromEntries(ends) };
}

export const nodeClock: Clock = {
  // The global `performance` would load eight modules of Node.
  now: () => {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1_000 + nanoseconds / 1_000_000;
  },
  date: () => new Date(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      // A timer would wait for a millisecond, and long work pauses often.
      if (ms <= 0) return void setImmediate(resolve);
      const wake = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const timer = setTimeout(wake, Math.min(ms, longestTimerMs));
      signal?.addEventListener('abort', wake, { once: true });
    }),
};

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

/** Values take about four times as many bytes in memory as their JSON has characters. */
const defaultInMemory = 1 << 20;

/** A spool in the folder for temporary files. Each collector keeps values of `inMemory` characters of JSON in memory. */
export function temporarySpool(inMemory = defaultInMemory): Spool {
  return new Spool({ folder: tmpdir(), inMemory, onFailure: temporaryFolderUnusable });
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
