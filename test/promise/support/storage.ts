// Support: the state of a scenario: in memory, in files on a simulated disk that can lose power, or in a real database, during
// whose work time stands still.

import type { Clock, StateBackend } from '../../../src/core/model/ports.ts';
import { stateBackend } from '../../../src/core/state/engine/backend.ts';
import { folderAddress } from '../../../src/core/state/stores/folder.ts';
import { memoryBackend } from '../../../src/core/state/stores/memory.ts';
import { postgresAddress } from '../../../src/core/state/stores/postgres.ts';
import { type DatabaseLink, linkTo, type MakeLink } from '../../../src/core/state/stores/postgres-link.ts';
import type { VirtualClock } from '../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { Disk, type Mount } from '../../support/state/simulated-disk.ts';
import type { Life } from './life.ts';

export interface Storage {
  /** The storage as this process sees it. */
  backend(life: Life): StateBackend;
  /** Called when the process is dead. */
  bury(life: Life): void;
  /** The maximum time that another process waits for the lock of a silent one. */
  silent(): number;
}

export type MakeStorage = (clock: VirtualClock) => Storage;

export function memoryStorage(clock: Clock): Storage {
  const backend = memoryBackend({ clock, owner: { user: 'test', host: 'test', pid: 1 }, newId: () => 'lineage' });
  return {
    backend: () => backend,
    bury: () => backend.crash(),
    // In memory, locks do not expire.
    silent: () => {
      backend.crash();
      return 0;
    },
  };
}

/** Longer than a lease. */
const untilExpiredMs = 300_000;

export interface MachineOptions {
  /** Receives the disk of each process, numbered from 1. */
  readonly mounted?: (mount: Mount, process: number) => void;
  /** The disk after the death of a process. Undefined if the machine keeps its power. */
  readonly losesPower: () => (() => number) | undefined;
}

/** The processes of a machine, one for each life. */
class Processes {
  readonly #clock: Clock;
  readonly #pids = new Map<Life, number>();
  readonly #dead = new Set<number>();
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(life: Life) {
    const pid = this.#pids.get(life) ?? this.#pids.size + 1;
    this.#pids.set(life, pid);
    return {
      clock: life.clock(this.#clock),
      owner: { user: 'test', host: 'host', pid },
      newId: () => `id${++this.#lastId}`,
      isAlive: (other: number) => !this.#dead.has(other),
    };
  }

  bury(life: Life): void {
    this.#dead.add(this.#pids.get(life) ?? 0);
  }
}

export function diskStorage(clock: Clock, { mounted, losesPower }: MachineOptions): Storage {
  const disk = new Disk(clock);
  const processes = new Processes(clock);
  return {
    backend: (life) => {
      const context = processes.of(life);
      const files = disk.mount();
      files.turn = () => life.alive();
      mounted?.(files, context.owner.pid);
      return stateBackend(folderAddress('file:state', '/state', files), context);
    },
    bury: (life) => {
      processes.bury(life);
      const left = losesPower();
      if (left !== undefined) disk.losePower(left);
    },
    silent: () => untilExpiredMs,
  };
}

/** `url` is a separate state in a database. `expire` ends its lock on the clock of the database. */
export function postgresStorage(clock: VirtualClock, url: string, expire: () => Promise<unknown>): Storage {
  const processes = new Processes(clock);
  const links = new Map<Life, DatabaseLink[]>();
  return {
    backend: (life) => {
      const makeLink: MakeLink = (...to) => {
        const link = linkTo(...to);
        links.set(life, [...(links.get(life) ?? []), link]);
        return mortalLink(life, clock, link);
      };
      return stateBackend(
        postgresAddress(url, () => undefined, makeLink),
        processes.of(life),
      );
    },
    bury: (life) => {
      processes.bury(life);
      for (const link of links.get(life) ?? []) void clock.outside(link.close());
    },
    silent: () => {
      // The database does not run in virtual time, so the lease is expired explicitly.
      void clock.sleep(untilExpiredMs / 2).then(() => clock.outside(expire()));
      return untilExpiredMs;
    },
  };
}

/** A dead process sends nothing and receives no response. Requests in flight continue. */
function mortalLink(life: Life, clock: VirtualClock, link: DatabaseLink): DatabaseLink {
  const whileAlive = async <T>(work: () => Promise<T>): Promise<T> => {
    await life.alive();
    const result = await clock.outside(work());
    await life.alive();
    return result;
  };
  return {
    query: (text, values) => whileAlive(() => link.query(text, values)),
    close: () => clock.outside(link.close()),
  };
}
