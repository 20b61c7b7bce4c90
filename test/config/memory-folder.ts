// Keeps the temporary files of the tests in memory, where Linux has enough: a flush to a disk takes milliseconds for each file.
// What a power failure leaves of a disk is played on a simulated one.
import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../support/folders.ts';

const inMemory = '/dev/shm';
const leastBytes = 8e9;

/** Workers, and the programs that they start, inherit the variable. */
export default function useMemory(): (() => Promise<void>) | undefined {
  if (process.env.TMPDIR !== undefined || !isFit()) return undefined;
  const folder = mkdtempSync(join(inMemory, 'chatform-'));
  // As /tmp: if the tests run as root, PostgreSQL runs as another user, who reads a file there.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => {
    delete process.env.TMPDIR;
    return removeFolder(folder);
  };
}

/** Most containers have little there, and some systems run no programs from it. */
function isFit(): boolean {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === inMemory);
    const [, , type, options = ''] = mounted?.split(' ') ?? [];
    const { bavail, bsize } = statfsSync(inMemory);
    return (
      type === 'tmpfs' && !options.split(',').includes('noexec') && Math.min(bavail * bsize, freemem()) > leastBytes
    );
  } catch {
    return false;
  }
}
