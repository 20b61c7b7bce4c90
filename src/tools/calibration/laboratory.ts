// Sends the calls of a calibration: one after the other under the rate limits, or many at once to see the limits at work.

import type { Answer, Clock, Pacer, Platform, Random, RateHeaders, Sending } from '../../core/model/ports.ts';
import { type ApiRequest, type Method, routeName } from '../../core/model/request.ts';
import { LiveReader } from '../../core/refresh/send.ts';
import type { JsonObject } from '../../lib/json.ts';
import { madeBy, type ScratchCall, type ScratchNames, type ScratchObject } from './calls.ts';

/** The final outcome of one call. */
export interface Reply {
  /** Method and route. */
  readonly route: string;
  /** 0 for a success. */
  readonly code: number;
  readonly status: number;
  /** The response with the names of the tables. */
  readonly body: JsonObject;
  /** Whether an earlier attempt may have taken effect, so that the outcome proves nothing. */
  readonly isRepeated: boolean;
}

/** One call of a burst. */
export interface Shot {
  readonly route: string;
  readonly sentAt: number;
  readonly answer: Answer;
}

export interface LaboratoryPorts {
  readonly platform: Platform;
  readonly pacer: Pacer;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal;
}

/** The rest before a burst, in windows: one without calls, and a margin. */
const restWindows = 2.2;

export class Laboratory {
  readonly names: ScratchNames;
  readonly clock: Clock;
  /** The attempts so far. */
  calls = 0;
  /** The newest rate-limit headers, and the largest limit that they stated for each method. */
  headers: RateHeaders | undefined;
  readonly limits = new Map<Method, number>();
  readonly #ports: LaboratoryPorts;
  readonly #reader: LiveReader;
  readonly #keep: (made: ScratchObject) => Promise<void>;
  #last: Answer | undefined;
  #lost = 0;
  #restUntil = 0;

  /** `keep` is called before an object is created, and must record it durably. */
  constructor(names: ScratchNames, ports: LaboratoryPorts, keep: (made: ScratchObject) => Promise<void>) {
    this.names = names;
    this.clock = ports.clock;
    this.#ports = ports;
    this.#keep = keep;
    this.#reader = new LiveReader({ ...ports, platform: { send: (request, sending) => this.#send(request, sending) } });
  }

  get windowMs(): number {
    return (this.headers?.windowS ?? 1) * 1000;
  }

  /** Rejects with a Refusal as `Reader.send` does. */
  async call(line: ScratchCall): Promise<Reply> {
    const request = this.names.request(line);
    this.names.demandOwn(request);
    const made = madeBy(request);
    if (made !== undefined) await this.#keep(made);
    await this.rest(this.#restUntil - this.clock.now());
    const lost = this.#lost;
    const answer = await this.#reader.send(request);
    const status = this.#last?.type === 'refused' ? this.#last.status : 200;
    const outcome =
      answer.type === 'ok' ? { code: 0, body: this.names.tableNames(answer.body) } : { code: answer.code, body: {} };
    return { route: routeName(request), status, ...outcome, isRepeated: this.#lost > lost };
  }

  /** Sends all at once after a rest, without pacing. `phase` delays them by a share of the window. */
  async burst(lines: readonly ScratchCall[], phase = 0): Promise<readonly Shot[]> {
    await this.rest(this.windowMs * (restWindows + phase));
    this.#reader.demandUninterrupted();
    const shots = await Promise.all(lines.map((line) => this.shoot(line)));
    this.#restUntil = this.clock.now() + this.windowMs;
    return shots;
  }

  /** Sends one call at once, without pacing or repetition. It must not make an object. */
  async shoot(line: ScratchCall): Promise<Shot> {
    const request = this.names.request(line);
    this.names.demandOwn(request);
    const sentAt = this.clock.now();
    const answer = await this.#send(request);
    return { route: routeName(request), sentAt, answer };
  }

  async rest(ms: number): Promise<void> {
    if (ms > 0) await this.clock.sleep(ms, this.#ports.signal);
  }

  async #send(request: ApiRequest, sending?: Sending): Promise<Answer> {
    this.calls += 1;
    const answer = await this.#ports.platform.send(request, sending);
    this.#last = answer;
    if (answer.type === 'unknown') this.#lost += 1;
    if (answer.rate !== undefined) {
      this.headers = answer.rate;
      const known = this.limits.get(request.method) ?? 0;
      this.limits.set(request.method, Math.max(known, answer.rate.calls));
    }
    return answer;
  }
}
