// Support: the state of a scenario: in memory, in files on a simulated disk that can lose power, or in a real database, during
// whose work time stands still.
import type { VirtualClock } from '../../../src/app/rehearsal/virtual-clock.ts';
import type { Clock, StateBackend } from '../../../src/model/ports.ts';
import { fileBackend } from '../../../src/state/file/file.ts';
import { memoryBackend } from '../../../src/state/memory.ts';
import { type Link, linkTo } from '../../../src/state/postgres/link.ts';
import { postgresBackend } from '../../../src/state/postgres/postgres.ts';
import { Disk } from '../../support/state/simulated-disk.ts';
import type { Life } from './life.ts';

export interface Storage {
  /** As this process sees it. */
  backend(life: Life): StateBackend;
  /** The process is dead. */
  bury(life: Life): void;
  /** The process is silent, and another one may wait for its lock to end: for how long at most? */
  silent(): number;
}

export type MakeStorage = (clock: VirtualClock) => Storage;

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

/** `url`: a state of its own in a database; `expire` ends its lock, by the clock of the database. */
export function postgresStorage(clock: VirtualClock, url: string, expire: () => Promise<unknown>): Storage {
  const pids = new Map<Life, number>();
  const dead = new Set<number>();
  const links = new Map<Life, Link[]>();
  let lastId = 0;
  return {
    backend: (life) => {
      const pid = pids.get(life) ?? pids.size + 1;
      pids.set(life, pid);
      return postgresBackend(url, {
        clock: life.clock(clock),
        owner: { user: 'test', host: 'host', pid },
        newId: () => `id${++lastId}`,
        isAlive: (other) => !dead.has(other),
        link: (...to) => {
          const link = linkTo(...to);
          links.set(life, [...(links.get(life) ?? []), link]);
          return mortalLink(life, clock, link);
        },
      });
    },
    bury: (life) => {
      dead.add(pids.get(life) ?? 0);
      for (const link of links.get(life) ?? []) void clock.outside(link.close());
    },
    silent: () => {
      // The database's clock knows nothing of virtual time: it is told when the lease has run out.
      void clock.sleep(untilExpiredMs / 2).then(() => clock.outside(expire()));
      return untilExpiredMs;
    },
  };
}

/** A dead process sends nothing and hears no answer; what has left it is not called back. */
function mortalLink(life: Life, clock: VirtualClock, link: Link): Link {
  const whileAlive = async <T>(work: () => Promise<T>): Promise<T> => {
    await life.alive();
    const result = await clock.outside(work());
    await life.alive();
    return result;
  };
  return {
    query: (text, values) => whileAlive(() => link.query(text, values)),
    transaction: (begin, work) => whileAlive(() => link.transaction(begin, work)),
    close: () => clock.outside(link.close()),
  };
}
