// How does state live in memory? For tests and for runs in virtual time: the same contract, without a disk.
import type { Address } from '../model/address.ts';
import type { Clock, OpenState, StateBackend, StateHeader, StateSnapshot, StateWriter } from '../model/ports.ts';
import type { StateRecord } from '../model/record.ts';
import { GroupCommit } from './commit.ts';
import { checkApplication } from './header.ts';
import { newLock, type Owner } from './lease.ts';
import { Picture, type PictureEntry, stateFormat } from './picture.ts';
import { PictureWriter } from './picture-writer.ts';
import { leaseLost, locked } from './refusals.ts';

export interface MemoryContext {
  readonly clock: Clock;
  readonly owner: Owner;
  readonly newId: () => string;
}

export interface MemoryBackend extends StateBackend {
  /**
   * The process dies and its lock with it: what was acknowledged is there, the open writer acknowledges nothing more
   * (its calls are refused as after a lost lease), and the backend can be opened again at once.
   */
  crash(): void;
}

const name = 'memory:';
const pollMs = 500;

/** `seed` is what the state holds at first; it is copied. */
export function memoryBackend(context: MemoryContext, seed?: StateSnapshot): MemoryBackend {
  const { clock, owner, newId } = context;
  let durable = copyOf(seed ?? new Picture(undefined), seed?.header);
  let holder: MemoryWriter | undefined;
  let since = clock.date();

  return {
    name,
    async read(application: string): Promise<StateSnapshot> {
      checkApplication(durable.header, application, name);
      return copyOf(durable, durable.header);
    },
    async open({ application, lockTimeoutMs }: OpenState): Promise<StateWriter> {
      const deadline = clock.now() + lockTimeoutMs;
      checkApplication(durable.header, application, name);
      while (holder !== undefined) {
        const left = deadline - clock.now();
        if (left <= 0) throw locked(name, newLock(owner, since, clock.date()));
        await clock.sleep(Math.min(pollMs, left));
      }
      const header = durable.header ?? { format: stateFormat, lineage: newId(), application };
      if (durable.header === undefined) durable = copyOf(durable, header);
      since = clock.date();
      const writer = new MemoryWriter(
        durable,
        header,
        () => holder === writer,
        () => {
          if (holder === writer) holder = undefined;
        },
      );
      holder = writer;
      return writer;
    },
    crash(): void {
      holder = undefined;
    },
  };
}

class MemoryWriter extends PictureWriter {
  readonly #commit: GroupCommit;
  readonly #isHeld: () => boolean;
  readonly #release: () => void;

  constructor(picture: Picture, header: StateHeader, isHeld: () => boolean, release: () => void) {
    super(header, picture);
    this.#isHeld = isHeld;
    this.#release = release;
    this.#commit = new GroupCommit({
      flush: () => Promise.resolve(),
      confirm: () => (isHeld() ? Promise.resolve() : Promise.reject(leaseLost(name))),
      refusal: () => leaseLost(name),
    });
  }

  /** Nobody can take a lock over in memory; only a crash ends it. */
  override leaseLeft(): number {
    return this.#isHeld() ? Number.POSITIVE_INFINITY : 0;
  }

  override async close(): Promise<void> {
    await this.#commit.close();
    this.#release();
  }

  protected override append(entry: PictureEntry): Promise<void> {
    return this.#commit.append('', () => this.picture.apply(entry));
  }
}

function copyOf(snapshot: StateSnapshot, header: StateHeader | undefined): Picture {
  const records = new Map<Address, StateRecord>();
  for (const record of snapshot.records()) records.set(record.address, record);
  const copy = new Picture(header, records);
  for (const begin of snapshot.pending) copy.apply({ type: 'begin', ...begin });
  return copy;
}
