// The time limit of a run, --max-duration or --stop-at. A duration counts from when the use case began and not from the first step, because a
// CI job's limit counts reading, planning and waiting as well.
import { parseTime, timeAdvice } from '../../../lib/time-values.ts';
import { Refusal, usage } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Clock } from '../../model/ports.ts';
import type { Ports, RunLimits } from '../context/ports.ts';

export class TimeLimit {
  readonly #clock: Clock;
  readonly #endsAt: number | undefined;
  #hasCut = false;

  /** Create it when the use case begins. Without either option, nothing is limited. Refused (64) if the time is not one. */
  constructor({ maxDurationMs, stopAt }: Pick<RunLimits, 'maxDurationMs' | 'stopAt'>, { clock }: Pick<Ports, 'clock'>) {
    this.#clock = clock;
    const limits = [maxDurationMs, stopAt === undefined ? undefined : millisecondsUntil(stopAt, clock.date())];
    const soonest = Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));
    this.#endsAt = soonest === Number.POSITIVE_INFINITY ? undefined : clock.now() + soonest;
  }

  /** The remaining time for the applier, which ends a run between two steps. */
  get left(): { readonly maxDurationMs?: number } {
    return this.#endsAt === undefined ? {} : { maxDurationMs: Math.max(0, this.#endsAt - this.#clock.now()) };
  }

  /**
   * For work that may be cancelled at any moment, such as reads and waiting for a lock: the ports passed to `work` turn the
   * time limit into an interrupt. Cancelled work is refused (9); `until` names the point that was not reached.
   */
  async within<P extends Pick<Ports, 'clock' | 'onInterrupt'>, T>(
    ports: P,
    until: string,
    work: (ports: P) => Promise<T>,
  ): Promise<T> {
    const endsAt = this.#endsAt;
    if (endsAt === undefined) return work(ports);
    try {
      return await work({
        ...ports,
        onInterrupt: (callback: () => void) => this.#onInterrupt(ports, endsAt, callback),
        timeLeft: () => Math.max(0, endsAt - this.#clock.now()),
      });
    } catch (error) {
      const isCut = this.#hasCut && error instanceof Refusal && error.exitCode === exitCode.interrupted;
      throw isCut ? outOfTime(until, error) : error;
    }
  }

  #onInterrupt(
    { clock, onInterrupt }: Pick<Ports, 'clock' | 'onInterrupt'>,
    endsAt: number,
    callback: () => void,
  ): () => void {
    const forgotten = new AbortController();
    let isCalled = false;
    const callOnce = (): void => {
      if (!isCalled) callback();
      isCalled = true;
    };
    const cutInTime = async (): Promise<void> => {
      // A timer may fire a fraction of a millisecond early and lasts at most some weeks.
      do await clock.sleep(Math.max(0, endsAt - clock.now()), forgotten.signal);
      while (!forgotten.signal.aborted && clock.now() < endsAt);
      if (forgotten.signal.aborted) return;
      this.#hasCut = true;
      callOnce();
    };
    void cutInTime();
    const forget = onInterrupt(callOnce);
    return () => {
      forgotten.abort();
      forget();
    };
  }
}

/** Zero for a date that has passed: the run may still say what is left. */
function millisecondsUntil(stopAt: string, now: Date): number {
  const moment = parseTime(stopAt, now);
  if (moment === undefined) throw usage(`The time to stop is "${stopAt}", which is not a time.`, timeAdvice);
  return Math.max(0, moment.getTime() - now.getTime());
}

function outOfTime(until: string, cause: Refusal): Refusal {
  return new Refusal(
    'apply.out-of-time',
    exitCode.outOfTime,
    `The time limit was reached before ${until}.`,
    'Completed work is saved. The limit, --max-duration or --stop-at, includes reading and waiting. Run the same command again, with a later limit if needed.',
    { cause },
  );
}
