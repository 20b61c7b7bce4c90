// Support: processes that use one simulated store in virtual time, are killed or paused, and run on other machines.

import type { Clock } from '../../../../src/core/model/ports.ts';
import { type BackendOptions, stateBackend } from '../../../../src/core/state/engine/backend.ts';
import type { ObjectStore } from '../../../../src/core/state/engine/store.ts';
import type { UpkeepBackend } from '../../../../src/core/state/engine/upkeep.ts';
import { VirtualClock } from '../../../../src/tools/rehearsal/simulation/virtual-clock.ts';
import { type Contents, readBy } from '../../../support/state/fixtures.ts';
import {
  type Fault,
  SimulatedStore,
  type StoreCall,
  type StoreSettings,
} from '../../../support/state/simulated-store.ts';

export interface Process {
  readonly backend: UpkeepBackend;
  /** As by kill -9: calls that were sent may still arrive, and no more are sent. */
  die(): void;
  /** As by SIGSTOP: calls that were sent arrive, but no answer is seen and nothing is sent until it is resumed. */
  pause(): void;
  wake(): void;
}

export class StoreRig {
  readonly clock = new VirtualClock(new Date(Date.UTC(2026, 0, 1)));
  readonly store: SimulatedStore;
  readonly #dead = new Set<number>();
  #pids = 0;
  #ids = 0;

  constructor(settings: StoreSettings = {}) {
    this.store = new SimulatedStore(this.clock, settings);
  }

  /** `aheadMs` is how far its wall clock is ahead. */
  start(host = 'host-a', aheadMs = 0, options: Partial<BackendOptions> = {}, name = 'objects:'): Process {
    this.#pids += 1;
    const pid = this.#pids;
    let isAlive = true;
    let woken: Promise<void> = Promise.resolve();
    let isPaused = false;
    let wake = (): void => {};
    const there = this.store.connect(() => isAlive);
    const whenAwake = async <T>(call: () => Promise<T>): Promise<T> => {
      await woken;
      try {
        return await call();
      } finally {
        await woken;
      }
    };
    const connection: ObjectStore = {
      get: (key) => whenAwake(() => there.get(key)),
      create: (key, bytes, after) => whenAwake(() => there.create(key, bytes, after)),
      replace: (key, bytes, tag) => whenAwake(() => there.replace(key, bytes, tag)),
      list: (prefix) => whenAwake(() => there.list(prefix)),
      remove: (keys) => whenAwake(() => there.remove(keys)),
      close: () => there.close(),
    };
    const clock: Clock = {
      now: () => this.clock.now(),
      date: () => new Date(this.clock.date().getTime() + aheadMs),
      sleep: async (ms, signal) => {
        await this.clock.sleep(ms, signal);
        await woken;
      },
    };
    const backend = stateBackend(
      { name, connect: () => Promise.resolve(connection) },
      {
        clock,
        owner: { user: 'ci', host, pid },
        newId: () => `id${++this.#ids}`,
        isAlive: (other) => !this.#dead.has(other),
        ...options,
      },
    );
    return {
      backend,
      die: () => {
        isAlive = false;
        this.#dead.add(pid);
      },
      pause: () => {
        if (isPaused) return;
        isPaused = true;
        woken = new Promise((resolve) => {
          wake = resolve;
        });
      },
      wake: () => {
        isPaused = false;
        wake();
      },
    };
  }

  /** What a new process reads. */
  contents(): Promise<Contents> {
    return readBy(() => this.start().backend);
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.clock.run(work());
  }
}

const latencyMs = 30;

/** Runs the work with a store whose calls take 30 ms. */
export function besideStore<T>(work: (rig: StoreRig) => Promise<T>): Promise<T> {
  const rig = new StoreRig({ latencyMs });
  return rig.run(() => work(rig));
}

/** Gives the calls of the store from now on these faults, or none. */
export function setFault({ store }: StoreRig, fault: (call: StoreCall) => Fault = () => undefined): void {
  store.settings = { latencyMs, fault };
}

/** Kills the process at its nth call from now on. */
export function killAtCall(rig: StoreRig, process: Process, calls: number, fault: () => Fault = () => undefined): void {
  let left = calls;
  setFault(rig, () => {
    left -= 1;
    if (left < 0) process.die();
    return fault();
  });
}
