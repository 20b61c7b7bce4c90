// Locks a data file against other emulators by a file next to it with the owner's process id.

import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Another emulator uses the data file. Waiting helps. */
export class DataFileInUse extends Error {}

/** Locks of this process. Any other lock with our pid was left by an earlier process with the same pid. */
const held = new Set<string>();

/** Throws when a live process holds the lock, and takes over that of a dead one. Returns a function that releases it. */
export function acquireLock(path: string): () => void {
  demandFileOrNothing(path);
  for (let attempt = 0; attempt < 3; attempt++) {
    if (create(path)) {
      held.add(path);
      return () => {
        held.delete(path);
        try {
          rmSync(path, { force: true });
        } catch {
          // If the release fails, the next process takes over the lock of a dead one.
        }
      };
    }
    const owner = readOwner(path);
    if (owner !== undefined && isAlive(owner, path)) refuse(path, owner);
    removeStale(path);
  }
  throw new DataFileInUse(`The lock ${path} could not be taken: other processes are taking it at the same time.`);
}

/** Refuses a path that is not a regular file, so that only files of the emulator are replaced or removed. */
export function demandFileOrNothing(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error(`${path} is not a regular file.`);
}

function create(path: string): boolean {
  // Linked into place when complete: no lock file is ever seen empty, so one without a pid is always stale.
  const draft = `${path}.${process.pid}`;
  demandFileOrNothing(draft);
  writeFileSync(draft, String(process.pid));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function refuse(path: string, owner: number): never {
  throw new DataFileInUse(
    `The data file is in use by another emulator (process ${owner}). Stop it, or delete ${path} if it is none.`,
  );
}

function readOwner(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number, path: string): boolean {
  if (pid === process.pid) return held.has(path);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  return !isZombie(pid);
}

/** Whether the process has ended but its parent has not noticed, as in a container whose first process awaits nothing. */
function isZombie(pid: number): boolean {
  try {
    // Fields of proc_pid_stat(5) after the name, which may contain brackets: the state, and later the number of threads.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /su, '')
      .split(' ');
    return fields[0] === 'Z' && Number(fields[17]) <= 1;
  } catch {
    return false;
  }
}

/** Moves the file aside before deleting it. If another process took over the lock in between, its file is put back. */
function removeStale(path: string): void {
  const aside = `${path}.stale.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const owner = readOwner(aside);
  if (owner !== undefined && isAlive(owner, path)) {
    renameSync(aside, path);
    refuse(path, owner);
  }
  rmSync(aside, { force: true });
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
