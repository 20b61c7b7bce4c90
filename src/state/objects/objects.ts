// The backend in object storage: state for teams that have a bucket and no database.
//
// The holder of the lock writes each flush as a new object under its epoch. Only its head is replaced: it holds the lock
// and names the objects that count (head.ts). All stores share everything but six calls (store.ts).
import type { OpenState } from '../../model/ports.ts';
import { breakHeld, type LockRequest } from '../break-lock.ts';
import { stateFormatName, stateFormats } from '../format.ts';
import { checkApplication } from '../header.ts';
import { isDead, processIsAlive } from '../lease.ts';
import { leaseLost } from '../refusals.ts';
import { Sealer } from '../seal/sealer.ts';
import type { LockHolder, NumberedSnapshot, UpkeepBackend, UpkeepWriter } from '../upkeep.ts';
import { cannotOpen } from './failures.ts';
import { loadBase, loadState } from './load.ts';
import { acquireHead, endsInMs, shownLock } from './lock.ts';
import { patient } from './patient.ts';
import { type ObjectContext, readHeads, type StatePlace } from './place.ts';
import type { ObjectStore } from './store.ts';
import { ObjectWriter } from './writer.ts';

export interface ObjectOptions
  extends Omit<Partial<ObjectContext>, 'clock' | 'owner' | 'newId' | 'patienceMs' | 'sealer'> {
  readonly clock: ObjectContext['clock'];
  readonly owner: ObjectContext['owner'];
  readonly newId: ObjectContext['newId'];
  /** Encrypts the objects. Default: nothing is encrypted, and what is encrypted cannot be read. */
  readonly sealer?: Sealer | undefined;
  /** Default: 60,000 ms. */
  readonly patienceMs?: number | undefined;
}

const defaultPatienceMs = 60_000;
/** How much longer than the patience a lease is: a heartbeat that was due, and the time-out of a request with its margin. */
const leaseBeyondMs = 60_000;

/** `name` is for messages. `connect` makes a store for one use of the state; nothing is sent before it is used. */
export function objectBackend(
  name: string,
  connect: () => Promise<ObjectStore>,
  options: ObjectOptions,
): UpkeepBackend {
  const patienceMs = options.patienceMs ?? defaultPatienceMs;
  const context: ObjectContext = {
    isAlive: processIsAlive,
    formats: stateFormats,
    // A run that waits for its store must not lose its lock.
    terms: { leaseMs: patienceMs + leaseBeyondMs, heartbeatMs: 15_000, retryMs: 2_000 },
    ...options,
    sealer: options.sealer ?? new Sealer(),
    patienceMs,
  };
  /** `isKept`: the store stays open for the result. */
  const use = async <T>(work: (place: StatePlace) => Promise<T>, isKept = false): Promise<T> => {
    const store = await connect();
    try {
      const result = await work({ name, store: patient(store, context.clock, patienceMs), context });
      if (!isKept) await store.close();
      return result;
    } catch (cause) {
      await store.close();
      throw cannotOpen(name, cause);
    }
  };

  /** Undefined when the state was of an older format: it was upgraded, and the lock has to be taken again. */
  const hold = (request: LockRequest): Promise<ObjectWriter | undefined> =>
    use(async (place) => {
      const keeper = await acquireHead(place, request);
      const { head } = keeper;
      try {
        // Our own journal is empty.
        const { open: _open, ...base } = keeper.base;
        const loaded = await loadBase(place, { ...head, base });
        const writer = new ObjectWriter(place, keeper, loaded);
        const format = stateFormatName(context.formats.current);
        if (head.header.format === format) return writer;
        const { view } = loaded;
        const header = { ...head.header, format };
        const { serial } = writer;
        await writer.replace({ header, serial, records: () => view.records(), pending: view.pending });
        return undefined;
      } catch (error) {
        const isOurs = await keeper.isNewest().catch(() => true);
        await keeper.release((now) => now).catch(() => undefined);
        throw isOurs ? error : leaseLost(name);
      }
    }, true);

  const open = async (request: LockRequest): Promise<UpkeepWriter> => {
    for (;;) {
      const writer = await hold(request);
      if (writer !== undefined) return writer;
    }
  };

  return {
    name,
    holdsMany: false,
    read: (application: string): Promise<NumberedSnapshot> =>
      use(async (place) => (await loadState(place, (head) => checkApplication(head?.header, application, name))).view),
    open: (request: OpenState) => open(request),
    applications: () =>
      use(async (place) => {
        const { newest } = await readHeads(place);
        return newest === undefined ? [] : [newest.header.application];
      }),
    holder: (application: string): Promise<LockHolder | undefined> =>
      use(async (place) => {
        const { newest: head } = await readHeads(place);
        checkApplication(head?.header, application, name);
        if (head?.lock === undefined) return undefined;
        const { owner, clock, isAlive } = context;
        const left = endsInMs(head);
        return {
          epoch: head.epoch,
          lock: shownLock(head.lock, left, clock),
          endsInMs: left,
          isDead: isDead(head.lock.owner, owner, isAlive),
        };
      }),
    breakLock: async (application, epoch, work) => {
      const { newest: head } = await use((place) => readHeads(place));
      const held = head?.lock === undefined ? undefined : head.epoch;
      return breakHeld(held, { application, epoch }, open, work);
    },
  };
}
