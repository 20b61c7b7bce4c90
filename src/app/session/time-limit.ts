// When must a command be over? Whoever gives --max-duration thinks of a CI job, whose limit counts reading, planning and
// waiting as well. So it counts from when the command began, and not from its first step.

import type { Environment } from '../../cli/environment.ts';
import type { CommandInput } from '../../cli/flags/command.ts';
import { Refusal } from '../../model/errors.ts';
import { exitCode } from '../../model/exit-code.ts';
import type { Clock } from '../../model/ports.ts';

export class TimeLimit {
  readonly #clock: Clock;
  readonly #endsAt: number | undefined;
  #hasCut = false;

  /** To be made as the command begins. Without --max-duration nothing is limited. */
  constructor(input: CommandInput, { clock }: Environment) {
    const durationMs = input.duration('max-duration');
    this.#clock = clock;
    this.#endsAt = durationMs === undefined ? undefined : clock.now() + durationMs;
  }

  /** What is left, as the applier takes it: it ends a run between two steps. */
  get left(): { readonly maxDurationMs?: number } {
    return this.#endsAt === undefined ? {} : { maxDurationMs: Math.max(0, this.#endsAt - this.#clock.now()) };
  }

  /**
   * For what may be let go at any moment, reads and the wait for a lock: in the world that `work` gets, the end of the
   * time is an interrupt. What it cuts is refused (9); `until` says what was not reached.
   */
  async within<T>(world: Environment, until: string, work: (world: Environment) => Promise<T>): Promise<T> {
    const endsAt = this.#endsAt;
    if (endsAt === undefined) return work(world);
    try {
      return await work({
        ...world,
        onInterrupt: (callback) => this.#onInterrupt(world, endsAt, callback),
        timeLeft: () => Math.max(0, endsAt - this.#clock.now()),
      });
    } catch (error) {
      const isCut = this.#hasCut && error instanceof Refusal && error.exit === exitCode.interrupted;
      throw isCut ? outOfTime(until, error) : error;
    }
  }

  #onInterrupt(world: Environment, endsAt: number, callback: () => void): () => void {
    const { clock } = world;
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
    const forget = world.onInterrupt(callback);
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
    `The time given by --max-duration was up before ${until}.`,
    'What was done is saved. It counts from when the command began, with all that is read and waited for: run the same command again, with more time if need be.',
    { cause },
  );
}
