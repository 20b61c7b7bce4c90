// Reports that the platform does not respond while a command still retries.
import type { Answer, Platform } from '../../model/ports.ts';
import type { Ports } from './ports.ts';

/** Milliseconds before a missing first response is reported. Refused connections and unknown names are reported at once. */
const patienceMs = 5_000;

/** Calls back after the given milliseconds. The returned function cancels it. */
type Alarm = (ms: number, ring: () => void) => () => void;

/** A timer of real time, like the time-out of a request, even under a virtual clock. It does not keep the process alive. */
const networkAlarm: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms).unref();
  return () => clearTimeout(timer);
};

/** Watches a platform until its first response, or until its absence is reported. */
export class ReachWatch implements Platform {
  readonly #platform: Platform;
  readonly #host: string;
  readonly #notify: Ports['notify'];
  readonly #alarm: Alarm;
  #cancel: (() => void) | undefined;
  #isOver = false;

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
