// Keeps the temporary files of the tests in memory, where Linux has enough: a flush to a disk takes milliseconds for each file.
//
// Tests that kill processes prove as much there as on a disk: what was written outlives the process in both. Only a power failure
// takes what was not flushed, and that is played on a simulated disk.
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { isRunning, startOfProcess } from '../../src/lib/staging/machine.ts';
import { removeFolder } from '../support/folders.ts';

const inMemory = '/dev/shm';
/** Several times what a run of the fast or the long suite has there at once. */
const leastBytes = { fast: 2e9, long: 8e9 };

/** Workers, and the programs that they start, inherit the variable. */
export default async function useMemory({ config }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const isLong = config.env?.LONG_SUITE !== undefined;
  if (process.env.TMPDIR !== undefined || !isFit(isLong ? leastBytes.long : leastBytes.fast)) return undefined;
  await removeAbandoned();
  const folder = mkdtempSync(join(inMemory, `${folderPrefix()}${process.pid}-${startOfProcess(process.pid)}-`));
  // As /tmp: if the tests run as root, PostgreSQL runs as another user, who reads a file there.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => {
    delete process.env.TMPDIR;
    return removeFolder(folder);
  };
}

/** Containers may share the memory while their pids are unrelated. */
function folderPrefix(): string {
  return `chatform-tests-${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/gu, '')}-`;
}

/** Removes the folders of runs that were killed before they could. */
async function removeAbandoned(): Promise<void> {
  const prefix = folderPrefix();
  for (const name of readdirSync(inMemory)) {
    if (!name.startsWith(prefix)) continue;
    const [pid, start] = name.slice(prefix.length).split('-');
    // Another user may own the folder.
    if (!isRunning(Number(pid), start)) await removeFolder(join(inMemory, name)).catch(() => undefined);
  }
}

/** Most containers have little there, and some systems run no programs from it. */
function isFit(bytes: number): boolean {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .find((line) => line.split(' ')[1] === inMemory);
    const [, , type, options = ''] = mounted?.split(' ') ?? [];
    const { bavail, bsize } = statfsSync(inMemory);
    return (
      type === 'tmpfs' &&
      !options.split(',').includes('noexec') &&
      Math.min(bavail * bsize, process.availableMemory()) > bytes
    );
  } catch {
    return false;
  }
}
