// Support: the state of a scenario: in memory, in files on a simulated disk that can lose power, or in a real database, during
// whose work time stands still.
import type { VirtualClock } from '../../../src/app/simulation/virtual-clock.ts';
import type { Clock, StateBackend } from '../../../src/model/ports.ts';
import { stateBackend } from '../../../src/state/engine/backend.ts';
import { folderAddress } from '../../../src/state/stores/folder.ts';
import { memoryBackend } from '../../../src/state/stores/memory.ts';
import { postgresAddress } from '../../../src/state/stores/postgres.ts';
import { type Link, linkTo, type MakeLink } from '../../../src/state/stores/postgres-link.ts';
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

export function diskStorage(clock: Clock, { mounted, losesPower }: MachineOptions): Storage {
  const disk = new Disk(clock);
  const pids = new Map<Life, number>();
  const dead = new Set<number>();
  let lastId = 0;
  return {
    backend: (life) => {
      const pid = pids.get(life) ?? pids.size + 1;
      pids.set(life, pid);
      const files = disk.mount();
      files.turn = () => life.alive();
      mounted?.(files, pid);
      return stateBackend(folderAddress('file:state', '/state', files), {
        clock: life.clock(clock),
        owner: { user: 'test', host: 'host', pid },
        newId: () => `id${++lastId}`,
        isAlive: (other) => !dead.has(other),
      });
    },
    bury: (life) => {
      dead.add(pids.get(life) ?? 0);
      const left = losesPower();
      if (left !== undefined) disk.losePower(left);
    },
    silent: () => untilExpiredMs,
  };
}

/** `url` is a separate state in a database. `expire` ends its lock on the clock of the database. */
export function postgresStorage(clock: VirtualClock, url: string, expire: () => Promise<unknown>): Storage {
  const pids = new Map<Life, number>();
  const dead = new Set<number>();
  const links = new Map<Life, Link[]>();
  let lastId = 0;
  return {
    backend: (life) => {
      const pid = pids.get(life) ?? pids.size + 1;
      pids.set(life, pid);
      const makeLink: MakeLink = (...to) => {
        const link = linkTo(...to);
        links.set(life, [...(links.get(life) ?? []), link]);
        return mortalLink(life, clock, link);
      };
      return stateBackend(
        postgresAddress(url, () => undefined, makeLink),
        {
          clock: life.clock(clock),
          owner: { user: 'test', host: 'host', pid },
          newId: () => `id${++lastId}`,
          isAlive: (other) => !dead.has(other),
        },
      );
    },
    bury: (life) => {
      dead.add(pids.get(life) ?? 0);
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
function mortalLink(life: Life, clock: VirtualClock, link: Link): Link {
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
