// Chooses where the temporary folders of tests are: in memory where the system has a place for that, because tests write and flush
// many small files. A test that asks whether a flush reaches a disk would need a power failure.
import { readFileSync, statfsSync } from 'node:fs';

const place = '/dev/shm';
const tmpfs = 0x01_02_19_94;
/** The files of a run fit several times. */
const neededBytes = 2 * 1024 ** 3;

/** `TMPDIR` for the tests. Empty if they use the folder of the system: TMPDIR is set, or the memory is small or runs no programs. */
export function temporaryFolders(): Readonly<Record<string, string>> {
  return process.env.TMPDIR === undefined && isFit() ? { TMPDIR: place } : {};
}

function isFit(): boolean {
  try {
    const { type, bavail, bsize } = statfsSync(place);
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === place);
    return type === tmpfs && bavail * bsize >= neededBytes && mount !== undefined && !/[ ,]noexec\b/u.test(mount);
  } catch {
    return false;
  }
}
