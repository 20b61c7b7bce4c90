// The clock and the working folder of this process, for the ports of a use case. Only this file and the emulator read a clock.

import { devNull } from 'node:os';
import { type Refusal, usage } from '../../model/errors.ts';
import type { Clock } from '../../model/ports.ts';

/** The longest timer of Node. A longer one would fire at once. */
const longestMs = 2 ** 31 - 1;

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
      const timer = setTimeout(wake, Math.min(ms, longestMs));
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
