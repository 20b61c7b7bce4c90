// Leases: how long a lock is surely ours, and whether another process still holds its lock.
import type { Clock } from '../../model/ports.ts';
import { isRecord } from '../records/lines.ts';

/** The holder of a lock: data for messages, and the pid, which shows whether a holder on this host is dead. */
export interface LockOwner {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  readonly job?: string;
  /** Distinguishes machines and containers with the same host name, where the system can: a pid means nothing elsewhere. */
  readonly machine?: string;
}

/** A lock as it is shown. Times are of the wall clock, ISO 8601. */
export interface Lock {
  readonly owner: LockOwner;
  readonly since: string;
  readonly heartbeat: string;
  readonly expires: string;
}

/** `ada@build-7 (process 4711, job 12) since 2026-01-01T08:12:00.000Z` */
export function describeHolder({ owner, since }: Lock): string {
  const { user, host, pid, job } = owner;
  return `${user}@${host} (process ${pid}${job === undefined ? '' : `, job ${job}`}) since ${since}`;
}

/** How long a lease is, in milliseconds. */
export interface LeaseTerms {
  /** How long other processes respect the lock. */
  readonly leaseMs: number;
  /** Infinite: the lock is never renewed. */
  readonly heartbeatMs: number;
  /** The pause after a heartbeat that failed. */
  readonly retryMs: number;
}

/** A holder trusts its lease for a little less than others respect it, because two clocks are never quite equal. */
const skewMs = 5_000;

/** Whether the owner was a process on this machine and has ended. Nothing is known of processes elsewhere. */
export function isDead(owner: LockOwner, here: LockOwner, isAlive: (pid: number) => boolean): boolean {
  return owner.host === here.host && owner.machine === here.machine && !isAlive(owner.pid);
}

export function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
  }
}

/** A lease that is held. `keep` renews it. */
export class Lease {
  readonly #clock: Clock;
  readonly #terms: LeaseTerms;
  readonly #stop = new AbortController();
  #beating: Promise<unknown> = Promise.resolve();
  /** By both clocks: the monotonic clock of a machine does not advance while it sleeps. */
  #until: { readonly monotonic: number; readonly wall: number };

  constructor(clock: Clock, terms: LeaseTerms) {
    this.#clock = clock;
    this.#terms = terms;
    this.#until = this.#term();
  }

  /** In milliseconds. */
  left(): number {
    if (this.#stop.signal.aborted) return 0;
    const monotonic = this.#until.monotonic - this.#clock.now();
    const wall = this.#until.wall - this.#clock.date().getTime();
    return Math.max(0, Math.min(monotonic, wall));
  }

  /**
   * Runs until the lease is ended or has expired: an expired lease may be somebody else's and is never renewed. `beat`
   * writes the lock again and returns whether it is still ours.
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
        // The lock could not be written. The lease keeps running, and the next beat tries again.
        pauseMs = retryMs;
      }
    }
  }

  end(): void {
    this.#stop.abort();
  }

  /** Ends it and waits for a beat that is under way, so that nothing writes the lock afterwards. */
  async release(): Promise<void> {
    this.end();
    await this.#beating;
  }

  /** Must be called before the lock is written, so that the term never ends later than what others read. */
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
