// Is another emulator using this data file? A file beside it that holds the owner's process id.

import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Somebody else uses the data file: waiting helps. */
export class DataFileInUse extends Error {}

/** Locks of this process. A lock of our own pid that is not among them was left by an earlier process of the same pid. */
const held = new Set<string>();

/** Throws when a live process holds the lock; takes over the lock of a dead one. Returns the way to release it. */
export function acquireLock(path: string): () => void {
  for (let attempt = 0; attempt < 3; attempt++) {
    if (create(path)) {
      held.add(path);
      return () => {
        held.delete(path);
        rmSync(path, { force: true });
      };
    }
    const owner = readOwner(path);
    if (owner !== undefined && isAlive(owner, path)) refuse(path, owner);
    removeStale(path);
  }
  throw new DataFileInUse(`The lock ${path} could not be taken: other processes are taking it at the same time.`);
}

function create(path: string): boolean {
  // Linked into place complete: a lock file is never seen empty, so one without a pid is always stale.
  const draft = `${path}.${process.pid}`;
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
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Moved aside before it is deleted: if another process took the lock over meanwhile, it gets its file back. */
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
