// A state in memory for runs in virtual time. It fulfils the port of the model without the engine, so that a rehearsal of a
// million steps writes nothing.
import type { Clock, OpenState, StateBackend, StateHeader, StateSnapshot, StateWriter } from '../../model/ports.ts';
import type { LockOwner } from '../engine/lease.ts';
import { LockWait } from '../engine/lock.ts';
import { leaseLost } from '../engine/refusals.ts';
import { checkApplication, stateFormat } from '../records/header.ts';
import { RecordLinesBuilder } from '../records/record-lines.ts';
import { recordText } from '../records/record-text.ts';
import { type StateChange, StateView, ViewWriter } from '../records/view.ts';

export interface MemoryContext {
  readonly clock: Clock;
  readonly owner: LockOwner;
  readonly newId: () => string;
}

export interface MemoryBackend extends StateBackend {
  /**
   * Simulates a crash of the process. Acknowledged entries stay, the calls of the open writer are refused as after a lost lease,
   * and the backend can be opened again at once.
   */
  crash(): void;
}

const name = 'memory:';

/** `seed` is the first content of the state, which is copied. */
export function memoryBackend(context: MemoryContext, seed?: StateSnapshot): MemoryBackend {
  const { clock, owner, newId } = context;
  let durable = copyOf(seed ?? new StateView(undefined), seed?.header);
  let holder: MemoryWriter | undefined;
  let since = '';
  return {
    name,
    async read(application: string): Promise<StateSnapshot> {
      checkApplication(durable.header, application, name);
      return copyOf(durable, durable.header);
    },
    async open({ application, lockTimeoutMs }: OpenState): Promise<StateWriter> {
      checkApplication(durable.header, application, name);
      const wait = new LockWait(name, lockTimeoutMs, { clock });
      // The lock does not expire. Only a crash ends it.
      while (holder !== undefined)
        await wait.forLock({ owner, since, heartbeat: clock.date().toISOString(), expires: 'never' });
      since = clock.date().toISOString();
      const header = durable.header ?? { format: stateFormat, lineage: newId(), application };
      if (durable.header === undefined) durable = copyOf(durable, header);
      const writer = new MemoryWriter(durable, header, {
        isHeld: () => holder === writer,
        release: () => {
          if (holder === writer) holder = undefined;
        },
      });
      holder = writer;
      return writer;
    },
    crash(): void {
      holder = undefined;
    },
  };
}

interface MemoryLock {
  isHeld(): boolean;
  release(): void;
}

class MemoryWriter extends ViewWriter implements StateWriter {
  readonly #lock: MemoryLock;

  constructor(view: StateView, header: StateHeader, lock: MemoryLock) {
    super(view, header, view.serial);
    this.#lock = lock;
  }

  leaseLeft(): number {
    return this.#lock.isHeld() ? Number.POSITIVE_INFINITY : 0;
  }

  protected async append(entry: StateChange): Promise<void> {
    if (!this.#lock.isHeld()) throw leaseLost(name);
    this.view.apply(entry);
  }

  async close(): Promise<void> {
    this.#lock.release();
  }
}

function copyOf(snapshot: Pick<StateSnapshot, 'records' | 'pending'>, header: StateHeader | undefined): StateView {
  const records = new RecordLinesBuilder();
  for (const record of snapshot.records()) records.add(recordText(record));
  const copy = new StateView(header, records.end());
  for (const begin of snapshot.pending) copy.apply({ type: 'begin', ...begin });
  return copy;
}
