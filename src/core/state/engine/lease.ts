// Leases: how long a process certainly has the lock, and whether another process still has it.
import type { Clock } from '../../model/ports.ts';
import { isRecord } from '../records/lines.ts';

/** The holder of a lock: data for messages, and the pid, which shows whether a holder on this host is dead. */
export interface LockOwner {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly job?: string;
  /** Distinguishes machines and containers with the same host name, if the system can. A pid means nothing on another machine. */
  readonly machine?: string;
}

/** A lock for display. Times are of the wall clock, as ISO 8601. */
export interface Lock {
  readonly owner: LockOwner;
  readonly since: string;
  readonly heartbeat: string;
  readonly expires: string;
}

/** Example: `ada@build-7 (process 4711, job 12) since 2026-01-01T08:12:00.000Z`. */
export function describeHolder({ owner, since }: Lock): string {
  const { user, host, pid, job } = owner;
  return `${user}@${host} (process ${pid}${job === undefined ? '' : `, job ${job}`}) since ${since}`;
}

/** Called once, when a wait begins. `maxMs` is its maximum duration. `signal` aborts the wait, and `end` is called when it is over. */
export type OnLockWait = (holder: string, maxMs: number) => { readonly signal: AbortSignal; end(): void };

/** The dependencies of taking a lock. */
export interface LockContext {
  readonly clock: Clock;
  readonly owner: LockOwner;
  /** Never returns the same id twice. Ids are used in names of files and objects. */
  readonly newId: () => string;
  readonly isAlive: (pid: number) => boolean;
  readonly waiting?: OnLockWait | undefined;
}

/** The durations of a lease, in milliseconds. */
export interface LeaseTerms {
  /** How long other processes respect the lock. */
  readonly leaseMs: number;
  /** Infinite: the lock is never renewed. */
  readonly heartbeatMs: number;
  /** The pause after a failed heartbeat. */
  readonly retryMs: number;
}

/** A holder trusts its lease for a little less time than others respect it, because clocks never agree exactly. */
const skewMs = 5_000;

/** Whether the owner was a process on this machine and has ended. False for processes on other machines. */
export function isDead(owner: LockOwner, here: LockOwner, isAlive: (pid: number) => boolean): boolean {
  return owner.host === here.host && owner.machine === here.machine && !isAlive(owner.pid);
}

/** The lease of a holder. `keep` renews it. */
export class Lease {
  readonly #clock: Clock;
  readonly #terms: LeaseTerms;
  readonly #stop = new AbortController();
  #beating: Promise<unknown> = Promise.resolve();
  /** On two clocks, because the monotonic clock of a machine does not advance while it sleeps. */
  #until: { readonly monotonic: number; readonly wall: number };

  constructor(clock: Clock, terms: LeaseTerms) {
    this.#clock = clock;
    this.#terms = terms;
    this.#until = this.#term();
  }

  /** The remaining time in milliseconds. */
  left(): number {
    if (this.#stop.signal.aborted) return 0;
    const monotonic = this.#until.monotonic - this.#clock.now();
    const wall = this.#until.wall - this.#clock.date().getTime();
    return Math.max(0, Math.min(monotonic, wall));
  }

  /**
   * Runs until the lease ends or expires. An expired lease may belong to another process and is never renewed. `beat` writes
   * the lock again and returns whether this process still has it.
   */
  async keep(beat: () => Promise<boolean>): Promise<void> {
    const { signal } = this.#stop;
    const { heartbeatMs, retryMs } = this.#terms;
    for (let pauseMs = heartbeatMs; Number.isFinite(pauseMs); ) {
      await this.#clock.sleep(pauseMs, signal);
      if (this.left() === 0) return;
      const term = this.#term();
      try {
        const beating = beat();
        this.#beating = beating.catch(() => undefined);
        if (await beating) this.#until = term;
        else this.end();
        pauseMs = heartbeatMs;
      } catch {
        // The lock could not be written. The lease continues, and the next beat tries again.
        pauseMs = retryMs;
      }
    }
  }

  end(): void {
    this.#stop.abort();
  }

  /** Ends the lease and waits for a running beat, so that nothing writes the lock afterwards. */
  async release(): Promise<void> {
    this.end();
    await this.#beating;
  }

  /** Must be called before the lock is written, so that the term never ends later than others expect. */
  #term(): { readonly monotonic: number; readonly wall: number } {
    const trusted = this.#terms.leaseMs - Math.min(skewMs, this.#terms.leaseMs / 10);
    return { monotonic: this.#clock.now() + trusted, wall: this.#clock.date().getTime() + trusted };
  }
}

export function isOwner(value: unknown): value is LockOwner {
  return (
    isRecord(value) && typeof value.user === 'string' && typeof value.host === 'string' && typeof value.pid === 'number'
  );
}
