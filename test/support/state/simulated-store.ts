// An object store in memory and virtual time with all faults of real ones.
import type { Clock } from '../../../src/core/model/ports.ts';
import { type ObjectStore, type StoredObject, StoreFailure } from '../../../src/core/state/engine/store.ts';

interface Version {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly at: number;
}

/** A call, as faults see it. */
export interface StoreCall {
  readonly type: 'get' | 'create' | 'replace' | 'list' | 'remove';
  /** The key, the prefix, or the first of the keys. */
  readonly key: string;
  /** The number of the call among all processes, from 1. */
  readonly number: number;
}

/**
 * The fault of a call. `busy`: a 503 without effect. `lost`: it takes effect and the response is lost. `delayed`: no response,
 * and it takes effect `delayMs` later, long after the caller has given up.
 */
export type Fault = 'busy' | 'lost' | { readonly delayMs: number } | undefined;

export interface StoreSettings {
  /** The latency of every call, half before and half after its effect. Default: 0. */
  readonly latencyMs?: number;
  readonly fault?: (call: StoreCall) => Fault;
  /** The conditions that the store ignores. */
  readonly ignores?: 'create' | 'replace';
  /** Whether simultaneous writes under one condition all succeed. */
  readonly isRacy?: boolean;
  /** The age of the data that reads and lists return. */
  readonly readsLateMs?: number;
}

export class SimulatedStore {
  settings: StoreSettings;
  readonly calls = { get: 0, create: 0, replace: 0, list: 0, remove: 0 };
  bytesWritten = 0;
  readonly #clock: Clock;
  readonly #objects = new Map<string, Version[]>();
  #calls = 0;
  #tags = 0;

  constructor(clock: Clock, settings: StoreSettings = {}) {
    this.#clock = clock;
    this.settings = settings;
  }

  /** The current objects. */
  contents(): Map<string, Buffer> {
    const now = new Map<string, Buffer>();
    for (const key of this.#objects.keys()) {
      const version = this.#latest(key);
      if (version !== undefined) now.set(key, version.bytes);
    }
    return now;
  }

  /** Writes an object as another tool would. Undefined removes it. */
  tamper(key: string, bytes: Buffer | undefined): void {
    if (bytes === undefined) this.#objects.delete(key);
    else this.#put(key, bytes);
  }

  /** The store as one process sees it. The process is disconnected when `isAlive` returns false. */
  connect(isAlive: () => boolean = () => true): ObjectStore {
    const call = <T>(type: StoreCall['type'], key: string, work: () => T): Promise<T> =>
      this.#call(type, key, work, isAlive);
    return {
      get: (key) => call('get', key, () => this.#get(key)),
      create: (key, bytes) => {
        const isTaken = this.settings.isRacy === true && this.#latest(key) !== undefined;
        return call('create', key, () => this.#create(key, bytes, isTaken));
      },
      replace: (key, bytes, tag) => {
        const wasThere = this.settings.isRacy === true ? this.#latest(key)?.tag : undefined;
        return call('replace', key, () => this.#replace(key, bytes, tag, wasThere));
      },
      list: (prefix) => call('list', prefix, () => this.#list(prefix)),
      remove: (keys) => call('remove', keys[0] ?? '', () => this.#remove(keys)),
      close: () => Promise.resolve(),
    };
  }

  async #call<T>(type: StoreCall['type'], key: string, work: () => T, isAlive: () => boolean): Promise<T> {
    const half = (this.settings.latencyMs ?? 0) / 2;
    if (!isAlive()) throw failed('away');
    this.#calls += 1;
    this.calls[type] += 1;
    const fault = this.settings.fault?.({ type, key, number: this.#calls });
    if (half > 0) await this.#clock.sleep(half);
    if (fault === 'busy') throw failed('busy');
    if (typeof fault === 'object') {
      void this.#clock.sleep(fault.delayMs).then(work);
      throw failed('away');
    }
    const result = work();
    if (half > 0) await this.#clock.sleep(half);
    if (fault === 'lost' || !isAlive()) throw failed('away');
    return result;
  }

  #get(key: string): StoredObject | undefined {
    const version = this.#seen(key);
    if (version === undefined) return undefined;
    // Response headers have a resolution of one second, so a store subtracts one.
    const ageMs = (Math.floor(this.#clock.now() / 1000) - Math.floor(version.at / 1000)) * 1000 - 1000;
    return { bytes: version.bytes, tag: version.tag, ageMs };
  }

  #create(key: string, bytes: Uint8Array, wasTaken: boolean): string | undefined {
    const { ignores, isRacy } = this.settings;
    const isTaken = isRacy === true ? wasTaken : this.#latest(key) !== undefined;
    return isTaken && ignores !== 'create' ? undefined : this.#put(key, bytes);
  }

  #replace(key: string, bytes: Uint8Array, tag: string, wasThere: string | undefined): string | undefined {
    const { ignores, isRacy } = this.settings;
    const there = isRacy === true ? wasThere : this.#latest(key)?.tag;
    return there !== tag && ignores !== 'replace' ? undefined : this.#put(key, bytes);
  }

  #list(prefix: string): string[] {
    return [...this.#objects.keys()].filter((key) => key.startsWith(prefix) && this.#seen(key) !== undefined).sort();
  }

  #remove(keys: readonly string[]): void {
    for (const key of keys) this.#objects.delete(key);
  }

  #put(key: string, bytes: Uint8Array): string {
    const tag = `"${++this.#tags}"`;
    this.bytesWritten += bytes.length;
    const version = { bytes: Buffer.from(bytes), tag, at: this.#clock.now() };
    // Older versions are needed only for stale reads.
    const before = this.settings.readsLateMs === undefined ? [] : (this.#objects.get(key) ?? []);
    this.#objects.set(key, [...before, version]);
    return tag;
  }

  #latest(key: string): Version | undefined {
    return this.#objects.get(key)?.at(-1);
  }

  #seen(key: string): Version | undefined {
    const until = this.#clock.now() - (this.settings.readsLateMs ?? 0);
    return this.#objects.get(key)?.findLast(({ at }) => at <= until);
  }
}

function failed(kind: 'busy' | 'away'): StoreFailure {
  const what = kind === 'busy' ? 'it answered 503 (SlowDown)' : 'it did not answer';
  return new StoreFailure({ kind, what, advice: 'Wait a while.' });
}
