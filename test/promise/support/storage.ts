// Support: where does the state of a scenario live? In memory, or in files on a disk of its own that can lose its power.
import type { Clock, StateBackend } from '../../../src/model/ports.ts';
import { fileBackend } from '../../../src/state/file.ts';
import { memoryBackend } from '../../../src/state/memory.ts';
import { Disk } from '../../state/disk.ts';
import type { Life } from './life.ts';

export interface Storage {
  /** As this process sees it. */
  backend(life: Life): StateBackend;
  /** The process is dead. */
  bury(life: Life): void;
  /** The process is silent, and another one may wait for its lock to end: for how long at most? */
  silent(): number;
}

export function memoryStorage(clock: Clock): Storage {
  const backend = memoryBackend({ clock, owner: { user: 'test', host: 'test', pid: 1 }, newId: () => 'lineage' });
  return {
    backend: () => backend,
    bury: () => backend.crash(),
    // In memory no lock ends by itself.
    silent: () => {
      backend.crash();
      return 0;
    },
  };
}

/** More than a lease lasts. */
const untilExpiredMs = 300_000;

export function diskStorage(clock: Clock, chance: () => number): Storage {
  const disk = new Disk();
  const pids = new Map<Life, number>();
  const dead = new Set<number>();
  let lastId = 0;
  return {
    backend: (life) => {
      const pid = pids.get(life) ?? pids.size + 1;
      pids.set(life, pid);
      const files = disk.mount();
      files.turn = () => life.alive();
      return fileBackend('file:state', '/state', {
        clock: life.clock(clock),
        owner: { user: 'test', host: 'host', pid },
        newId: () => `id${++lastId}`,
        isAlive: (other) => !dead.has(other),
        files,
      });
    },
    bury: (life) => {
      dead.add(pids.get(life) ?? 0);
      if (chance() < 0.3) disk.losePower(chance);
    },
    silent: () => untilExpiredMs,
  };
}
