// Recognises and opens paths to write that are streams instead of files: pipes, terminals and other devices.
import { constants, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './errors.ts';
import { type OpenedPath, opened, socketOf } from './path-streams.ts';

const readerCheckMs = 50;

/** Whether the path is a stream. Standard streams count even if they are redirected to a file, which must not be replaced. */
export async function isStream(file: string): Promise<boolean> {
  if (/^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/u.test(file)) return true;
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && (found.isFIFO() || found.isCharacterDevice());
}

/** Opens a stream for writing. A pipe is waited for until somebody reads it. */
export async function openStream(path: string): Promise<Writable> {
  const { descriptor, stats } = await openedOnceRead(path);
  if (stats.isFIFO()) return socketOf(descriptor, 'writable');
  const { isatty, WriteStream } = process.getBuiltinModule('node:tty');
  return isatty(descriptor) ? new WriteStream(descriptor) : createWriteStream(path, { fd: descriptor });
}

async function openedOnceRead(path: string): Promise<OpenedPath> {
  for (;;) {
    try {
      return await opened(path, constants.O_WRONLY | constants.O_APPEND);
    } catch (error) {
      if (errorCode(error) !== 'ENXIO' || !(await stat(path)).isFIFO()) throw error;
      await sleep(readerCheckMs);
    }
  }
}
