// A file system in memory that counts, fails or stops at any operation, and can lose power: unsynced data then survives, is
// lost, or survives in part.
import type { Clock } from '../../../src/core/model/ports.ts';
import type { FolderFiles } from '../../../src/core/state/stores/folder-files.ts';
import { systemError } from './fixtures.ts';

interface Inode {
  bytes: Buffer;
  synced: number;
  /** The creation time on the clock of the disk. */
  readonly at: number;
}

type Names = Map<string, Inode>;

export type Operation = 'create' | 'write' | 'sync' | 'link' | 'rename' | 'remove' | 'syncFolder' | 'makeFolder';

/** Thrown by all operations of a dead process. No code handles it. */
export class Dead extends Error {
  constructor() {
    super('this process is dead');
    this.name = 'Dead';
  }
}

/** The disk of one machine. Each process uses it through `mount`, so that it can die separately. */
export class Disk {
  names: Names = new Map();
  readonly #listed = new Map<string, readonly string[]>();
  #durable: Names = new Map();
  #unsynced: ((names: Names) => void)[] = [];
  readonly counts: Partial<Record<Operation, number>> = {};
  readonly clock: Pick<Clock, 'now'>;

  constructor(clock: Pick<Clock, 'now'> = { now: () => 0 }) {
    this.clock = clock;
  }

  text(path: string): string {
    const inode = this.names.get(path);
    if (inode === undefined) throw new Error(`no file ${path}`);
    return inode.bytes.toString();
  }

  write(path: string, text: string | Buffer): void {
    const bytes = Buffer.from(text);
    const inode = { bytes, synced: bytes.length, at: this.clock.now() };
    this.#listed.clear();
    this.names.set(path, inode);
    this.#durable.set(path, { ...inode });
  }

  /** All paths with their contents, to show that nothing changed. */
  contents(): Record<string, string> {
    return Object.fromEntries([...this.names].map(([path, inode]) => [path, inode.bytes.toString('latin1')]));
  }

  /** The names in a folder, looked for once between changes. */
  list(folder: string): readonly string[] {
    const start = `${folder}/`;
    let listed = this.#listed.get(folder);
    listed ??= [...this.names.keys()]
      .filter((path) => path.startsWith(start) && !path.includes('/', start.length))
      .map((path) => path.slice(start.length));
    this.#listed.set(folder, listed);
    return listed;
  }

  changeNames(change: (names: Names) => void): void {
    this.#listed.clear();
    change(this.names);
    this.#unsynced.push(change);
  }

  syncNames(): void {
    for (const change of this.#unsynced) change(this.#durable);
    this.#unsynced = [];
  }

  /** Applies or drops each unsynced change of a name, and keeps a part of unsynced bytes. */
  losePower(chance: () => number): void {
    for (const change of this.#unsynced) if (chance() < 0.5) change(this.#durable);
    this.#unsynced = [];
    const cut = new Set(this.#durable.values());
    for (const inode of cut) {
      const kept = inode.synced + Math.floor(chance() * (inode.bytes.length - inode.synced + 1));
      inode.bytes = inode.bytes.subarray(0, kept);
      inode.synced = kept;
    }
    this.names = new Map(this.#durable);
    this.#listed.clear();
  }

  mount(): Mount {
    return new Mount(this);
  }
}

export class Mount implements FolderFiles {
  readonly #disk: Disk;
  /** Decreases with operations that change the disk. At zero, the process dies in the middle of a write. */
  operationsLeft = Number.POSITIVE_INFINITY;
  operations = 0;
  /** How far the clock of the process is ahead of the clock of the disk. */
  aheadMs = 0;
  /** Awaited before each operation, to order the processes. */
  turn: () => Promise<unknown> = () => Promise.resolve();
  /** The error of an operation, if any. `short` is the number of bytes of a write that reach the disk before it fails. */
  fail: (operation: Operation, path: string) => { readonly code: string; readonly short?: number } | undefined = () =>
    undefined;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  die(): void {
    this.operationsLeft = 0;
  }

  async makeFolder(path: string): Promise<void> {
    await this.#step('makeFolder', path);
  }

  async list(path: string): Promise<readonly string[]> {
    await this.#look();
    return this.#disk.list(path);
  }

  async read(path: string): Promise<{ readonly bytes: Buffer; readonly ageMs: number } | undefined> {
    await this.#look();
    const inode = this.#disk.names.get(path);
    return inode && { bytes: inode.bytes, ageMs: this.#disk.clock.now() + this.aheadMs - inode.at };
  }

  async write(path: string, bytes: Uint8Array, isDurable: boolean): Promise<void> {
    await this.#step('create', path);
    if (this.#disk.names.has(path)) throw systemError('EEXIST');
    const inode: Inode = { bytes: Buffer.alloc(0), synced: 0, at: this.#disk.clock.now() };
    this.#disk.changeNames((names) => names.set(path, inode));
    const put = (length: number) => {
      inode.bytes = Buffer.from(bytes.subarray(0, length));
    };
    await this.#step('write', path, put, () => put(bytes.length >> 1));
    put(bytes.length);
    if (!isDurable) return;
    await this.#step('sync', path);
    inode.synced = inode.bytes.length;
  }

  async link(from: string, to: string): Promise<boolean> {
    await this.#step('link', to);
    const inode = this.#disk.names.get(from);
    if (inode === undefined || this.#disk.names.has(to)) return false;
    this.#disk.changeNames((names) => names.set(to, inode));
    return true;
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#step('rename', to);
    const inode = this.#disk.names.get(from);
    if (inode === undefined) return;
    this.#disk.changeNames((names) => {
      names.delete(from);
      names.set(to, inode);
    });
  }

  async remove(path: string): Promise<void> {
    await this.#step('remove', path);
    this.#disk.changeNames((names) => names.delete(path));
  }

  async flush(path: string): Promise<void> {
    await this.#step('syncFolder', path);
    this.#disk.syncNames();
  }

  /** Yields to other processes, then dies or fails when due. */
  async #step(operation: Operation, path: string, short?: (bytes: number) => void, half?: () => void): Promise<void> {
    await this.#look();
    this.operations += 1;
    this.operationsLeft -= 1;
    if (this.operationsLeft < 0) {
      half?.();
      throw new Dead();
    }
    this.#disk.counts[operation] = (this.#disk.counts[operation] ?? 0) + 1;
    const failure = this.fail(operation, path);
    if (failure === undefined) return;
    short?.(failure.short ?? 0);
    throw systemError(failure.code);
  }

  async #look(): Promise<void> {
    await this.turn();
    if (this.operationsLeft < 0) throw new Dead();
  }
}
