// Support: one machine with a state in a folder, whose processes are killed one after the other.
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { application, type Contents, contentsOf, Processes, put } from '../../support/state/fixtures.ts';
import { Dead, Disk } from '../../support/state/simulated-disk.ts';
import { type Entry, write } from './conformance.ts';

const options = { application, lockTimeoutMs: 0 };

/** The entries that the first process of a crash test writes. */
export const firstEntries: readonly Entry[] = [
  { type: 'done', step: '1', entry: put('a', { value: 1 }) },
  { type: 'done', step: '2', entry: put('b') },
  { type: 'begin', step: '3' },
];

export class Machine {
  readonly disk = new Disk();
  readonly processes = new Processes();

  start(operations = Number.POSITIVE_INFINITY) {
    const mount = this.disk.mount();
    mount.operationsLeft = operations;
    return { backend: stateBackend(folderAddress('file:s', '/s', mount), this.processes.start()), mount };
  }

  /** Opens, writes and closes until it is killed. Returns what was acknowledged and what was requested after that. */
  async live(operations: number, entries: readonly Entry[]) {
    const acknowledged: Entry[] = [];
    const { backend, mount } = this.start(operations);
    try {
      const writer = await backend.open(options);
      for (const entry of entries) {
        await write(writer, entry);
        acknowledged.push(entry);
      }
      await writer.close();
    } catch (error) {
      if (!isDeath(error)) throw error;
    }
    const died = mount.operationsLeft < 0;
    mount.die();
    this.processes.killAll();
    return { acknowledged, asked: entries.slice(acknowledged.length), died };
  }

  async contents(): Promise<Contents> {
    return contentsOf(await this.start().backend.read(application));
  }
}

/** The writer reports problems on the way as the cause of a refusal. */
export function isDeath(error: unknown): boolean {
  return error instanceof Dead || (error instanceof Error && error.cause instanceof Dead);
}
