// Shared by the tests of state: a manual clock, simulated processes, and records.

import type { Address } from '../../../src/core/model/address.ts';
import { Refusal } from '../../../src/core/model/errors.ts';
import type { Clock, PendingBegin, StateBackend, StateSnapshot } from '../../../src/core/model/ports.ts';
import type { StateEntry, StateRecord } from '../../../src/core/model/record.ts';
import type { Step } from '../../../src/core/model/step.ts';
import { type BackendOptions, stateBackend } from '../../../src/core/state/engine/backend.ts';
import type { LockOwner } from '../../../src/core/state/engine/lease.ts';
import type { ObjectStore, StoreAddress } from '../../../src/core/state/engine/store.ts';
import type { UpkeepBackend } from '../../../src/core/state/engine/upkeep.ts';
import type { SleepSignal } from '../../../src/lib/sleep-signal.ts';

/** A place of state, and the processes that use it. */
export interface Place<Backend extends StateBackend = UpkeepBackend> {
  /**
   * The backend as a new process sees it. `reads`: how many more times it reads before each call of the store, which makes it
   * slow. By default none.
   */
  start(reads?: number): Backend;
  /** Kills all processes. Acknowledged writes stay. */
  crash(): void;
  remove(): void;
}

/** A place whose objects can be damaged. */
export interface StoredPlace extends Place {
  connect(): Promise<ObjectStore>;
}

export const application = 'api-test.example.com/v3';
export const now = { application, lockTimeoutMs: 0 };
/** Waits until the lease of a dead process on another host has expired. */
export const later = { application, lockTimeoutMs: 600_000 };

class TestClock implements Clock {
  #now = 0;
  #slept = 0;
  #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.#now + this.#slept);
  }

  sleep(ms: number, signal?: SleepSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.#sleepers.push({ at: this.#now + ms, wake });
      signal?.addEventListener('abort', wake);
    });
  }

  /** Advances time in small steps and waits for pending work after each. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    while (this.#now < end) {
      this.#now = Math.min(end, this.#now + 500);
      const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#now);
      this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#now);
      for (const sleeper of due) sleeper.wake();
      await settle();
    }
  }

  /** Advances time without firing timers, as for a paused process. */
  jump(ms: number): void {
    this.#now += ms;
  }

  /** Advances only the wall clock, not the monotonic clock. */
  sleepMachine(ms: number): void {
    this.#slept += ms;
  }
}

export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Processes of simulated machines. Every context is a new process that lives until it is killed. */
export class Processes {
  readonly clock = new TestClock();
  readonly #dead = new Set<number>();
  #lastPid = 100;
  #lastId = 0;

  start(host = 'host-a'): BackendOptions & { readonly owner: LockOwner } {
    this.#lastPid += 1;
    return {
      clock: this.clock,
      owner: { user: 'ci', host, pid: this.#lastPid, job: 'job-7' },
      newId: () => `id${++this.#lastId}`,
      isAlive: (pid) => !this.#dead.has(pid),
    };
  }

  kill(pid: number): void {
    this.#dead.add(pid);
  }

  killAll(): void {
    for (let pid = 100; pid <= this.#lastPid; pid += 1) this.#dead.add(pid);
  }
}

/** A backend over an existing store. */
export function backendOn(store: ObjectStore, options: BackendOptions, name = 'objects:'): UpkeepBackend {
  return stateBackend(addressOf(store, name), options);
}

export function addressOf(store: ObjectStore, name = 'objects:'): StoreAddress {
  return { name, connect: () => Promise.resolve(store) };
}

export function recordOf(key: string, attributes: StateRecord['attributes'] = {}): StateRecord {
  return { address: `user.${key}`, attributes };
}

export function put(key: string, attributes: StateRecord['attributes'] = {}): StateEntry {
  return { type: 'put', record: recordOf(key, attributes) };
}

export function beginOf(step: string, address: Address = 'user.a'): PendingBegin {
  const entry = { type: 'patch', address, edits: [] } as const;
  const planned: Step = {
    id: step,
    address,
    action: 'create',
    phase: 'user',
    entry,
    needs: [],
    begin: true,
    doneOn: [],
  };
  return { step, address, request: 'digest', at: '2026-01-01T00:00:00.000Z', planned };
}

export interface Contents {
  readonly records: readonly StateRecord[];
  readonly pending: readonly string[];
}

export function contentsOf(snapshot: StateSnapshot): Contents {
  return { records: [...snapshot.records()], pending: snapshot.pending.map((begin) => begin.step).sort() };
}

type Start = () => StateBackend;

/** What a new process reads. */
export async function readBy(start: Start): Promise<Contents> {
  return contentsOf(await start().read(application));
}

/** Lets a new process put these records one after the other and end. */
export async function putBy(start: Start, ...keys: readonly string[]): Promise<void> {
  const writer = await start().open(now);
  for (const key of keys) await writer.done(key, put(key));
  await writer.close();
}

/** The refusal that a promise ends with. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('expected a refusal, and there was none');
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made up by a test`), { code });
}
