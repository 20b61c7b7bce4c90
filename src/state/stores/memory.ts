// A state in memory, with the same contract and without the engine, for tests and for runs in virtual time: a rehearsal of a
// million steps writes none of them.
import type { Address } from '../../model/address.ts';
import type { Clock, PendingBegin, StateHeader, StateSnapshot } from '../../model/ports.ts';
import type { StateEntry, StateRecord } from '../../model/record.ts';
import { GroupCommit } from '../engine/commit.ts';
import type { Lock, LockOwner } from '../engine/lease.ts';
import { LockWait, type OnLockWait } from '../engine/lock-wait.ts';
import { leaseLost } from '../engine/refusals.ts';
import type { LockHolder, LockRequest, UpkeepBackend, UpkeepWriter } from '../engine/upkeep.ts';
import { checkApplication, stateFormatName, stateFormats } from '../records/header.ts';
import { ListedRecords, type SortedRecords } from '../records/sorted-records.ts';
import { type NumberedSnapshot, type StateChange, type StateContents, StateView } from '../records/view.ts';

export interface MemoryContext {
  readonly clock: Clock;
  readonly owner: LockOwner;
  readonly newId: () => string;
  readonly waiting?: OnLockWait | undefined;
}

export interface MemoryBackend extends UpkeepBackend {
  /**
   * Simulates a crash of the process: what was acknowledged stays, the open writer acknowledges nothing more (its calls
   * are refused as after a lost lease), and the backend can be opened again at once.
   */
  crash(): void;
}

const name = 'memory:';

/** `seed` is copied: the first contents of the state. */
export function memoryBackend(context: MemoryContext, seed?: StateSnapshot): MemoryBackend {
  const { clock, owner, newId } = context;
  let durable = copyOf(seed ?? new StateView(undefined), seed?.header);
  let holder: MemoryWriter | undefined;
  let since = clock.date().toISOString();
  let epoch = 0;
  /** It does not expire; only a crash ends it. */
  const lock = (): Lock => ({ owner, since, heartbeat: clock.date().toISOString(), expires: 'never' });

  return {
    name,
    holdsMany: false,
    async read(application: string): Promise<NumberedSnapshot> {
      checkApplication(durable.header, application, name);
      return copyOf(durable, durable.header, holder === undefined ? epoch : epoch - 1);
    },
    async open({ application, lockTimeoutMs, breaks }: LockRequest): Promise<UpkeepWriter> {
      checkApplication(durable.header, application, name);
      const wait = new LockWait(name, lockTimeoutMs, context);
      try {
        while (holder !== undefined && epoch !== breaks) await wait.forLock(lock());
      } finally {
        wait.end();
      }
      const header = durable.header ?? { format: stateFormatName(stateFormats.current), lineage: newId(), application };
      if (durable.header === undefined) durable = copyOf(durable, header);
      since = clock.date().toISOString();
      epoch += 1;
      const writer = new MemoryWriter(durable, header, epoch - 1, {
        isHeld: () => holder === writer,
        release: () => {
          if (holder === writer) holder = undefined;
        },
        replace: (contents) => {
          durable = copyOf(contents, contents.header);
          epoch = Math.max(epoch, contents.serial) + 1;
        },
      });
      holder = writer;
      return writer;
    },
    async applications(): Promise<readonly string[]> {
      return durable.header === undefined ? [] : [durable.header.application];
    },
    async holder(application: string): Promise<LockHolder | undefined> {
      checkApplication(durable.header, application, name);
      if (holder === undefined) return undefined;
      return { epoch, lock: lock(), endsInMs: Number.POSITIVE_INFINITY, isDead: false };
    },
    async breakLock(application, broken, work) {
      if (holder === undefined || epoch !== broken) return false;
      const writer = await this.open({ application, lockTimeoutMs: 0, breaks: broken } as LockRequest);
      try {
        await work?.(writer);
      } finally {
        await writer.close();
      }
      return true;
    },
    crash(): void {
      holder = undefined;
    },
  };
}

interface MemoryLock {
  isHeld(): boolean;
  release(): void;
  replace(contents: StateContents): void;
}

class MemoryWriter implements UpkeepWriter {
  readonly header: StateHeader;
  readonly serial: number;
  readonly #view: StateView;
  readonly #commit: GroupCommit<StateChange>;
  readonly #lock: MemoryLock;

  constructor(view: StateView, header: StateHeader, serial: number, lock: MemoryLock) {
    this.header = header;
    this.serial = serial;
    this.#view = view;
    this.#lock = lock;
    this.#commit = new GroupCommit({
      flush: () => Promise.resolve(),
      confirm: () => (lock.isHeld() ? Promise.resolve() : Promise.reject(leaseLost(name))),
      committed: (entries) => {
        for (const entry of entries) view.apply(entry);
      },
      refusal: () => leaseLost(name),
    });
  }

  get size(): number {
    return this.#view.size;
  }

  get pending(): readonly PendingBegin[] {
    return this.#view.pending;
  }

  get(address: Address): StateRecord | undefined {
    return this.#view.get(address);
  }

  records(): SortedRecords {
    return this.#view.records();
  }

  begin(begin: PendingBegin): Promise<void> {
    return this.#commit.append({ type: 'begin', ...begin });
  }

  done(step: string, entry: StateEntry): Promise<void> {
    return this.#commit.append({ type: 'done', step, entry });
  }

  undone(step: string): Promise<void> {
    return this.#commit.append({ type: 'undone', step });
  }

  leaseLeft(): number {
    return this.#lock.isHeld() ? Number.POSITIVE_INFINITY : 0;
  }

  async close(): Promise<void> {
    await this.#commit.close();
    this.#lock.release();
  }

  async replace(contents: StateContents): Promise<void> {
    await this.#commit.close();
    if (!this.#lock.isHeld()) throw leaseLost(name);
    this.#lock.replace(contents);
    this.#lock.release();
  }

  compact(): Promise<void> {
    return this.close();
  }
}

function copyOf(
  snapshot: Pick<StateContents, 'records' | 'pending'>,
  header: StateHeader | undefined,
  serial = 0,
): StateView {
  const copy = new StateView(header, new ListedRecords([...snapshot.records()]), serial);
  for (const begin of snapshot.pending) copy.apply({ type: 'begin', ...begin });
  return copy;
}
