// The backend of every state: one engine over stores, each of which implements six calls.
//
// The holder of the lock writes each flush as a new object under its epoch. It only replaces its head, which contains the
// lock and names the objects in use (head.ts).
import { isRunning } from '../../../lib/staging/machine.ts';
import { Refusal } from '../../model/errors.ts';
import { checkApplication } from '../records/header.ts';
import { otherApplication } from '../records/refusals.ts';
import { type NumberedSnapshot, StateView } from '../records/view.ts';
import { Sealer } from '../seal/sealer.ts';
import { type EngineContext, readHeads, type StatePlace } from './heads.ts';
import { isDead, type LockOwner } from './lease.ts';
import { explained, loadHeld, loadState } from './load.ts';
import { acquireHead, endsInMs, shownLock } from './lock.ts';
import { withPatience } from './patience.ts';
import { cannotOpen, leaseLost } from './refusals.ts';
import type { StoreAddress } from './store.ts';
import type { LockHolder, LockRequest, UpkeepBackend, UpkeepWriter, WorkUnderLock } from './upkeep.ts';
import { StateJournalWriter } from './writer.ts';

export interface BackendOptions
  extends Omit<Partial<EngineContext>, 'clock' | 'owner' | 'newId' | 'patienceMs' | 'sealer'> {
  readonly clock: EngineContext['clock'];
  /** The holder of a lock. A function is called once, for the first lock: a state that is only read needs no holder. */
  readonly owner: LockOwner | (() => LockOwner);
  readonly newId: EngineContext['newId'];
  /** Encrypts the objects. By default nothing is encrypted, and encrypted objects cannot be read. */
  readonly sealer?: Sealer | undefined;
  /** How long a call is retried. Default: 60,000 ms. */
  readonly patienceMs?: number | undefined;
}

/** Encrypts nothing, and cannot read what is encrypted. */
const unsealing = new Sealer();
const defaultPatienceMs = 60_000;
/** How much longer a lease is than the patience: a due heartbeat, and the time-out of a request with its margin. */
const leaseBeyondMs = 60_000;

/** All methods reject with a Refusal: a failing store (1, 3), a key (3, 5), another application (6), a lock (7), an interrupt (8). */
export function stateBackend(address: StoreAddress, options: BackendOptions): UpkeepBackend {
  const patienceMs = address.terms?.patienceMs ?? options.patienceMs ?? defaultPatienceMs;
  // A run that waits for its store must not lose its lock.
  const leaseMs = patienceMs + leaseBeyondMs;
  let owner: LockOwner | undefined;
  return new EngineBackend(address, {
    isAlive: isRunning,
    ...options,
    get owner() {
      owner ??= typeof options.owner === 'function' ? options.owner() : options.owner;
      return owner;
    },
    terms: options.terms ?? { leaseMs, heartbeatMs: 15_000, retryMs: 2_000, ...address.terms },
    sealer: options.sealer ?? unsealing,
    patienceMs,
  });
}

class EngineBackend implements UpkeepBackend {
  readonly name: string;
  readonly holdsMany: boolean;
  readonly #address: StoreAddress;
  readonly #context: EngineContext;

  constructor(address: StoreAddress, context: EngineContext) {
    this.name = address.name;
    this.holdsMany = address.applications !== undefined;
    this.#address = address;
    this.#context = context;
  }

  read(application: string): Promise<NumberedSnapshot> {
    return this.#use(application, (place) => this.#read(place, application));
  }

  open(request: LockRequest): Promise<UpkeepWriter> {
    return this.#use(
      request.application,
      (place) => this.#hold(place, request).catch((error: unknown) => this.#takeOver(place, request, error)),
      'kept open',
    );
  }

  async applications(): Promise<readonly string[]> {
    try {
      if (this.#address.applications !== undefined) return await this.#address.applications();
    } catch (cause) {
      throw cannotOpen(this.name, cause);
    }
    return this.#use('', async (place) => {
      const { newest } = await readHeads(place);
      return newest === undefined ? [] : [newest.header.application];
    });
  }

  holder(application: string): Promise<LockHolder | undefined> {
    return this.#use(application, async (place) => {
      const { newest: head } = await readHeads(place);
      checkApplication(head?.header, application, this.name);
      if (head?.lock === undefined) return undefined;
      const { owner, clock, isAlive } = this.#context;
      const remainingMs = endsInMs(head);
      return {
        epoch: head.epoch,
        lock: shownLock(head.lock, remainingMs, clock),
        endsInMs: remainingMs,
        isDead: isDead(head.lock.owner, owner, isAlive),
      };
    });
  }

  /** Takes the lock, which fences off its holder at once, so that no third process can take the lock in between. */
  async breakLock(application: string, epoch: number, work?: WorkUnderLock): Promise<boolean> {
    if (this.#context.accepts !== undefined) await this.read(application);
    if ((await this.holder(application))?.epoch !== epoch) return false;
    const writer = await this.open({ application, lockTimeoutMs: 0, breaks: epoch });
    try {
      await work?.(writer);
    } finally {
      await writer.close();
    }
    return true;
  }

  async #read(place: StatePlace, application: string): Promise<NumberedSnapshot> {
    const { newest, truth } = await readHeads(place);
    if (newest === undefined) return new StateView(undefined);
    const { header } = newest;
    const loading = (async () => {
      const view = truth === undefined ? new StateView(header) : await loadState(place, truth);
      this.#context.accepts?.(view, this.name);
      return view;
    })();
    if (header.application === application) return loading;
    // A state of another application may have another key as well.
    const view = await loading.catch(() => undefined);
    if (view === undefined || this.#context.boundTo?.(application, view) === undefined)
      throw otherApplication(this.name, header.application, application);
    return view;
  }

  /** Opens the state of another application whose runs changed nothing, which is this one's from now on. Throws the error otherwise. */
  async #takeOver(place: StatePlace, request: LockRequest, error: unknown): Promise<UpkeepWriter> {
    if (!(error instanceof Refusal) || error.code !== 'state.other-application') throw error;
    const { header } = await this.#read(place, request.application);
    const writer = await this.#hold(place, { ...request, application: header?.application ?? request.application });
    // Another run may have used it meanwhile.
    const bound = this.#context.boundTo?.(request.application, writer);
    await (bound === undefined ? writer.close() : writer.replace(bound));
    return this.#hold(place, request);
  }

  async #hold(place: StatePlace, request: LockRequest): Promise<UpkeepWriter> {
    const keeper = await acquireHead(place, request);
    const { head } = keeper;
    try {
      // The journal of this process is empty.
      const { open: _open, ...base } = keeper.base;
      const loaded = await loadHeld(place, { ...head, base });
      this.#context.accepts?.(loaded.view, this.name);
      return new StateJournalWriter(place, keeper, loaded);
    } catch (error) {
      const isOurs = await keeper.isNewest().catch(() => true);
      await keeper.release((now) => now).catch(() => undefined);
      throw isOurs ? error : leaseLost(this.name);
    }
  }

  /** `isKept`: whether the store stays open for the result. */
  async #use<T>(application: string, work: (place: StatePlace) => Promise<T>, isKept?: 'kept open'): Promise<T> {
    const connected = await this.#address.connect(application);
    const { clock, patienceMs } = this.#context;
    const store = withPatience(connected, clock, patienceMs);
    const place = { name: this.name, store, context: this.#context };
    try {
      const result = await work(place);
      if (isKept === undefined) await store.close();
      return result;
    } catch (error) {
      const cause = await explained(place, error).catch(() => error);
      await store.close();
      throw cannotOpen(this.name, cause);
    }
  }
}
