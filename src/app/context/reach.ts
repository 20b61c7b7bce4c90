// Tells people that the platform does not answer while a command still tries, so that nobody waits without knowing why.
import type { Answer, Platform } from '../../model/ports.ts';
import type { Ports } from './ports.ts';

/** So long the first answer may take before its absence is told. A refused connection or an unknown name is told at once. */
const patienceMs = 5_000;

/** Calls back after so many milliseconds, unless it is cancelled by what it returns. */
type Alarm = (ms: number, ring: () => void) => () => void;

/** In the network's time, as the time-out of a request, whatever the clock of the run; it keeps no process alive. */
const networkAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms).unref();
  return () => clearTimeout(timer);
};

/** Watches a platform until its first answer, or until it is told that there is none. */
export class ReachWatch implements Platform {
  readonly #platform: Platform;
  readonly #host: string;
  readonly #notify: Ports['notify'];
  readonly #alarm: Alarm;
  #cancel: (() => void) | undefined;
  #isOver = false;

  /** `host` is for people. */
  constructor(platform: Platform, host: string, notify: Ports['notify'], alarm: Alarm = networkAlarm) {
    this.#platform = platform;
    this.#host = host;
    this.#notify = notify;
    this.#alarm = alarm;
  }

  async send(...sent: Parameters<Platform['send']>): Promise<Answer> {
    if (this.#isOver) return this.#platform.send(...sent);
    this.#cancel ??= this.#alarm(patienceMs, () => this.#tell('no response yet'));
    const answer = await this.#platform.send(...sent);
    if (answer.type === 'unsent') this.#tell(answer.message);
    this.end();
    return answer;
  }

  end(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  #tell(why: string): void {
    if (this.#isOver) return;
    this.end();
    this.#notify({ type: 'host-silent', host: this.#host, why });
  }
}
