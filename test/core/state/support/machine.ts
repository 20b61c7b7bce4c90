// Support: one machine with a state in a folder on a simulated disk, and its processes.
import { type BackendOptions, stateBackend } from '../../../../src/core/state/engine/backend.ts';
import { folderAddress } from '../../../../src/core/state/stores/folder.ts';
import { type Contents, now, Processes, put, readBy } from '../../../support/state/fixtures.ts';
import { Dead, Disk, type Mount } from '../../../support/state/simulated-disk.ts';
import { slowed } from './in-turns.ts';
import { type Entry, write } from './model.ts';

/** The entries that the first process of a crash test writes. */
export const firstEntries: readonly Entry[] = [
  { type: 'done', step: '1', entry: put('a', { value: 1 }) },
  { type: 'done', step: '2', entry: put('b') },
  { type: 'begin', step: '3' },
];

export class Machine {
  readonly processes = new Processes();
  readonly disk = new Disk(this.processes.clock);
  #mounts: Mount[] = [];

  /** `operations`: how many the process does before it dies in the middle of the next. */
  start({ operations = Number.POSITIVE_INFINITY, host, sealer, reads, aheadMs = 0 }: Started = {}) {
    const mount = this.disk.mount();
    mount.operationsLeft = operations;
    mount.aheadMs = aheadMs;
    this.#mounts.push(mount);
    const context = this.processes.start(host);
    const backend = stateBackend(slowed(folderAddress('file:s', '/s', mount), reads), { ...context, sealer });
    return { backend, mount, pid: context.owner.pid };
  }

  open() {
    return this.start().backend.open(now);
  }

  /** Kills all processes. */
  crash(): void {
    this.processes.killAll();
    for (const mount of this.#mounts) mount.die();
    this.#mounts = [];
  }

  contents(): Promise<Contents> {
    return readBy(() => this.start().backend);
  }

  /** Opens, writes and closes until it is killed. Returns what was acknowledged and what was requested after that. */
  async live(operations: number, entries: readonly Entry[]) {
    const acknowledged: Entry[] = [];
    const { backend, mount } = this.start({ operations });
    try {
      const writer = await backend.open(now);
      for (const entry of entries) {
        await write(writer, entry);
        acknowledged.push(entry);
      }
      await writer.close();
    } catch (error) {
      if (!isDeath(error)) throw error;
    }
    const died = mount.operationsLeft < 0;
    this.crash();
    return { acknowledged, asked: entries.slice(acknowledged.length), died };
  }
}

interface Started extends Pick<Partial<BackendOptions>, 'sealer'> {
  readonly operations?: number;
  readonly host?: string;
  /** How far its clock is ahead of the clock of the disk. */
  readonly aheadMs?: number;
  /** How many more times it reads before each call. */
  readonly reads?: number | undefined;
}

/** The writer reports problems on the way as the cause of a refusal. */
export function isDeath(error: unknown): boolean {
  return error instanceof Dead || (error instanceof Error && error.cause instanceof Dead);
}
