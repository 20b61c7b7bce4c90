// Locks a folder against other processes that would write the same files.
//
// Each process that wants the lock creates a file with a name of its own, which contains its pid, and then lists the files
// of the others. Without any other it has the lock. Of two processes that begin together at least one sees the other. Names
// are never used twice, so the file of a process that was killed can be removed at any time.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { digestText } from '../digest.ts';
import { errorCode } from '../errors.ts';
import { demandPlain } from '../own-files.ts';
import { ownName } from '../own-names.ts';
import { isRunning, machineName, startOfProcess } from './machine.ts';

/** Another process has the lock, or had it on another machine, which shows no sign of it. */
export class FolderLockedError extends Error {
  /** The file to delete if the process has ended. */
  readonly file: string;
  readonly pid: number;
  readonly isHere: boolean;

  constructor(file: string, { pid, isHere }: LockEntry) {
    super(`Process ${pid} has locked the folder.`);
    this.file = file;
    this.pid = pid;
    this.isHere = isHere;
  }
}

interface LockEntry {
  readonly name: string;
  readonly pid: number;
  /** Whether the process is one of this machine. */
  readonly isHere: boolean;
  readonly isAlive: boolean;
}

const begin = ownName('lock');
/** What follows it: time, machine, pid, start of the process and a random part. */
const pattern = /^[0-9a-z]+-(?<machine>[0-9a-f]+)-(?<pid>\d+)-(?<start>\d*)-[0-9a-f-]+$/u;

/** How often and how long to wait for a process that began later and is about to see this one. */
const waits = { count: 50, ms: 20 };
/** How often another process may remove the folder, which it found empty, before this one has its file in it. */
const maxRemovals = 10;

export class FolderLock {
  readonly root: string;
  /** Relative to the root. */
  readonly home: string;
  readonly #file: string;
  /** The outermost folder that did not exist before. */
  readonly #created: string | undefined;

  private constructor(root: string, home: string, file: string, created: string | undefined) {
    this.root = root;
    this.home = home;
    this.#file = file;
    this.#created = created;
  }

  /**
   * Locks the folder `home` below `root`, and creates it. Rejects with a `FolderLockedError`, or with a `LeadsOutsideError` if a
   * link leads out of the root.
   */
  static async take(root: string, home: string): Promise<FolderLock> {
    const folder = join(root, home);
    const name = newName();
    demandPlain(root, join(folder, name), 'file');
    const lock = new FolderLock(root, home, join(folder, name), await createIn(folder, name));
    try {
      await demandAlone(folder, name);
      return lock;
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  /** Also removes the folders that were created for the lock, if they are empty. */
  async release(): Promise<void> {
    await rm(this.#file, { force: true });
    if (this.#created === undefined) return;
    for (let folder = dirname(this.#file); folder.length >= this.#created.length; folder = dirname(folder))
      await rmdir(folder).catch(() => undefined);
  }
}

/** Returns the outermost folder that had to be created. */
async function createIn(folder: string, name: string): Promise<string | undefined> {
  let created: string | undefined;
  for (let removals = 0; ; removals++) {
    created = (await mkdir(folder, { recursive: true })) ?? created;
    try {
      const handle = await open(join(folder, name), 'wx');
      await handle.close();
      return created;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || removals === maxRemovals) throw error;
    }
  }
}

async function demandAlone(folder: string, name: string): Promise<void> {
  for (let waited = 0; ; waited++) {
    const others = await othersIn(folder, name);
    for (const { name: dead } of others.filter(({ isAlive }) => !isAlive))
      await rm(join(folder, dead), { force: true });
    const [first] = others.filter(({ isAlive }) => isAlive);
    if (first === undefined) return;
    // A process with a later name sees this one and gives way, unless it had the lock before.
    if (first.name < name || waited === waits.count) throw new FolderLockedError(join(folder, first.name), first);
    await sleep(waits.ms);
  }
}

function newName(): string {
  const time = Date.now().toString(36).padStart(9, '0');
  return ownName('lock', `${time}-${here()}-${process.pid}-${startOfProcess(process.pid) ?? ''}-${randomUUID()}`);
}

function here(): string {
  return digestText(`${hostname()} ${machineName() ?? ''}`).slice(0, 12);
}

/** Sorted by name. */
async function othersIn(folder: string, ownName: string): Promise<readonly LockEntry[]> {
  const names = (await readdir(folder)).filter((name) => name !== ownName).sort();
  return names.flatMap((name): LockEntry[] => {
    const part = name.startsWith(begin) ? name.slice(begin.length) : '';
    const { machine, pid, start } = pattern.exec(part)?.groups ?? {};
    if (pid === undefined) return [];
    const isHere = machine === here();
    const isAlive = !isHere || isRunning(Number(pid), start === '' ? undefined : start);
    return [{ name, pid: Number(pid), isHere, isAlive }];
  });
}
