// A backend in memory, with the same contract, for tests and for runs in virtual time.
import type { Clock, StateHeader, StateSnapshot } from '../model/ports.ts';
import { breakHeld, type LockRequest } from './break-lock.ts';
import { GroupCommit } from './commit.ts';
import { stateFormatName, stateFormats } from './format.ts';
import { checkApplication } from './header.ts';
import { JournalingWriter } from './journaling-writer.ts';
import { type LockOwner, newLock } from './lease.ts';
import { LockWait, type OnLockWait } from './lock-wait.ts';
import { ListedRecords } from './records/record-lines.ts';
import { leaseLost } from './refusals.ts';
import type { LockHolder, NumberedSnapshot, StateContents, UpkeepBackend, UpkeepWriter } from './upkeep.ts';
import { type StateChange, StateView } from './view.ts';

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
  let since = clock.date();
  let epoch = 0;

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
        while (holder !== undefined && epoch !== breaks) await wait.forLock(newLock(owner, since, clock.date()));
      } finally {
        wait.end();
      }
      const header = durable.header ?? { format: stateFormatName(stateFormats.current), lineage: newId(), application };
      if (durable.header === undefined) durable = copyOf(durable, header);
      since = clock.date();
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
      return { epoch, lock: newLock(owner, since, clock.date()), endsInMs: Number.POSITIVE_INFINITY, isDead: false };
    },
    breakLock(application, broken, work) {
      const held = holder === undefined ? undefined : epoch;
      return breakHeld(held, { application, epoch: broken }, (request) => this.open(request), work);
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

class MemoryWriter extends JournalingWriter {
  override readonly serial: number;
  readonly #commit: GroupCommit<StateChange>;
  readonly #lock: MemoryLock;

  constructor(view: StateView, header: StateHeader, serial: number, lock: MemoryLock) {
    super(header, view);
    this.serial = serial;
    this.#lock = lock;
    this.#commit = new GroupCommit({
      flush: () => Promise.resolve(),
      confirm: () => (lock.isHeld() ? Promise.resolve() : Promise.reject(leaseLost(name))),
      committed: (entries) => this.take(entries),
      refusal: () => leaseLost(name),
    });
  }

  /** A lock in memory does not expire; only a crash ends it. */
  override leaseLeft(): number {
    return this.#lock.isHeld() ? Number.POSITIVE_INFINITY : 0;
  }

  protected override async end(instead?: StateContents): Promise<void> {
    await this.#commit.close();
    if (instead !== undefined && !this.#lock.isHeld()) throw leaseLost(name);
    if (instead !== undefined) this.#lock.replace(instead);
    this.#lock.release();
  }

  override compact(): Promise<void> {
    return this.close();
  }

  protected override append(entry: StateChange): Promise<void> {
    return this.#commit.append(entry);
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
