// Support: the death of a process. Every effect of a run has a moment before and a moment after it. At the fatal moment the
// process stops. What it has already sent continues.
import type { Clock, Platform, StateWriter, TokenSink } from '../../../src/core/model/ports.ts';

export class Life {
  /** Resolves when the process is dead. */
  readonly death: Promise<void>;
  readonly #fatal: number;
  readonly #queueMs: number;
  #moments = 0;
  #isDead = false;
  #tellDeath: () => void = () => {};
  #thawed: Promise<void> = Promise.resolve();
  #thaw: () => void = () => {};

  /** `queueMs` is how long a call waits for its connection after the applier has checked its lease. */
  constructor(fatal = Number.POSITIVE_INFINITY, queueMs = 0) {
    this.#fatal = fatal;
    this.#queueMs = queueMs;
    this.death = new Promise((resolve) => {
      this.#tellDeath = resolve;
    });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Suspends the machine: the process pauses until it is thawed. */
  freeze(): void {
    this.#thawed = new Promise((resolve) => {
      this.#thaw = resolve;
    });
  }

  thaw(): void {
    this.#thaw();
  }

  /** Continues only while the process lives. */
  moment(): Promise<void> {
    this.#countMoment();
    return this.alive();
  }

  #countMoment(): void {
    this.#moments++;
    if (this.#moments < this.#fatal || this.#isDead) return;
    this.#isDead = true;
    this.#tellDeath();
  }

  /** Resolves when the process may continue: at once, when it is thawed, or never. */
  alive(): Promise<void> {
    return this.#isDead ? new Promise(() => {}) : this.#thawed;
  }

  clock(clock: Clock): Clock {
    return {
      now: () => clock.now(),
      date: () => clock.date(),
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal);
        await this.alive();
      },
    };
  }

  platform(platform: Platform, clock: Clock): Platform {
    return {
      send: async (request, options) => {
        if (this.#queueMs > 0) await clock.sleep(this.#queueMs);
        await this.moment();
        const answered = platform.send(request, options);
        await this.moment();
        const answer = await answered;
        await this.moment();
        return answer;
      },
    };
  }

  sink(sink: TokenSink): TokenSink {
    return { write: (token) => this.#around(() => sink.write(token)) };
  }

  /** `syncMs` is the duration of a flush to disk. */
  state(state: StateWriter, clock: Clock, syncMs: () => number): StateWriter {
    const write = (work: () => Promise<void>) =>
      this.#around(async () => {
        await clock.sleep(syncMs());
        await work();
      });
    return {
      header: state.header,
      get size() {
        return state.size;
      },
      get pending() {
        return state.pending;
      },
      get: (address) => state.get(address),
      records: () => state.records(),
      begin: (begin) => write(() => state.begin(begin)),
      done: (step, entry) => write(() => state.done(step, entry)),
      undone: (step) => write(() => state.undone(step)),
      leaseLeft: () => state.leaseLeft(),
      close: () => this.#around(() => state.close()),
    };
  }

  async #around(work: () => Promise<void>): Promise<void> {
    await this.moment();
    await work();
    await this.moment();
  }
}
