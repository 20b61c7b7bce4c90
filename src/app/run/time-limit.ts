// The time limit of a run, --max-duration. It counts from when the use case began and not from the first step, because a
// CI job's limit counts reading, planning and waiting as well.
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Clock } from '../../model/ports.ts';
import type { Ports } from '../context/ports.ts';

export class TimeLimit {
  readonly #clock: Clock;
  readonly #endsAt: number | undefined;
  #hasCut = false;

  /** To be made as the use case begins. Without a duration nothing is limited. */
  constructor(maxDurationMs: number | undefined, { clock }: Pick<Ports, 'clock'>) {
    this.#clock = clock;
    this.#endsAt = maxDurationMs === undefined ? undefined : clock.now() + maxDurationMs;
  }

  /** What is left, as the applier takes it: it ends a run between two steps. */
  get left(): { readonly maxDurationMs?: number } {
    return this.#endsAt === undefined ? {} : { maxDurationMs: Math.max(0, this.#endsAt - this.#clock.now()) };
  }

  /**
   * For work that may be cut at any moment, reads and the wait for a lock: with the ports that `work` gets, the end of
   * the time is an interrupt. Work that it cuts is refused (9); `until` says what was not reached.
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
    const cutInTime = async (): Promise<void> => {
      // A timer may be short by a fraction of a millisecond, and holds some weeks at most.
      do await clock.sleep(Math.max(0, endsAt - clock.now()), forgotten.signal);
      while (!forgotten.signal.aborted && clock.now() < endsAt);
      if (forgotten.signal.aborted) return;
      this.#hasCut = true;
      callback();
    };
    void cutInTime();
    const forget = onInterrupt(callback);
    return () => {
      forgotten.abort();
      forget();
    };
  }
}

function outOfTime(until: string, cause: Refusal): Refusal {
  return new Refusal(
    'apply.out-of-time',
    exitCode.outOfTime,
    `The limit of --max-duration was reached before ${until}.`,
    'Completed work is saved. The limit includes reading and waiting, from the start of the command. Run the same command again, with a longer limit if needed.',
    { cause },
  );
}
