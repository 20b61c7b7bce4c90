// Support: a fake platform of things that are created once and changed often, with faults on demand.

import type { Answer, Clock, Platform, Sending } from '../../../../src/core/model/ports.ts';
import { type ApiRequest, routeName } from '../../../../src/core/model/request.ts';
import type { JsonObject } from '../../../../src/lib/json.ts';
import { Life } from '../../../promise/support/life.ts';

/** The answer is lost `before` or `after` the call takes effect. */
export type Fault = Answer | 'lost before' | 'lost after' | Error | undefined;

export interface FakePlatformOptions {
  readonly clock: Clock;
  readonly life?: Life;
  /** The content of the platform, which survives a run. */
  readonly things?: Map<string, Thing>;
  readonly latencyMs?: (request: ApiRequest) => number;
  readonly fault?: (request: ApiRequest, nth: number) => Fault;
  /** A promise that a call waits for before it leaves. */
  readonly queued?: () => Promise<void>;
  /** Called when a request arrives. */
  readonly onCall?: (request: ApiRequest) => void;
}

export interface Thing {
  /** How often its creation took effect. On a platform that does not check keys it can be twice. */
  made: number;
  changed: number;
  value: JsonObject;
}

export class FakePlatform implements Platform {
  readonly things: Map<string, Thing>;
  /** The requests such as `POST /things a`, in the order of arrival. */
  readonly calls: string[] = [];
  maxInFlight = 0;
  readonly #options: FakePlatformOptions;
  readonly #life: Life;
  #inFlight = 0;

  constructor(options: FakePlatformOptions) {
    this.#options = options;
    this.#life = options.life ?? new Life();
    this.things = options.things ?? new Map();
  }

  async send(request: ApiRequest, sending: Sending = {}): Promise<Answer> {
    await this.#options.queued?.();
    if (sending.mayLeave?.() === false) return { type: 'unsent', message: 'the lock may be lost' };
    const { clock, latencyMs = () => 20, fault = () => undefined } = this.#options;
    const call = `${routeName(request)} ${keyOf(request)}`;
    const nth = this.calls.filter((earlier) => earlier === call).length;
    this.calls.push(call);
    await this.#life.moment();
    this.#inFlight++;
    this.maxInFlight = Math.max(this.maxInFlight, this.#inFlight);
    this.#options.onCall?.(request);
    const trouble = fault(request, nth);
    const answer = trouble === undefined || trouble === 'lost after' ? this.#handle(request) : undefined;
    await this.#life.moment();
    await clock.sleep(latencyMs(request));
    this.#inFlight--;
    if (trouble instanceof Error) throw trouble;
    if (trouble === 'lost before' || trouble === 'lost after') return { type: 'unknown', message: 'connection reset' };
    return trouble ?? answer ?? { type: 'unknown', message: 'no answer' };
  }

  #handle(request: ApiRequest): Answer {
    const key = keyOf(request);
    const thing = this.things.get(key);
    if (request.method === 'POST') {
      if (thing !== undefined && request.route === '/things') return refused(400202, 'taken');
      const value = { ...request.body };
      this.things.set(key, { made: (thing?.made ?? 0) + 1, changed: 0, value });
      return { type: 'ok', body: value };
    }
    if (thing === undefined) return refused(400201, 'not found');
    if (request.method === 'PUT') {
      thing.changed++;
      thing.value = { ...thing.value, ...request.body };
    }
    if (request.method === 'DELETE') this.things.delete(key);
    return { type: 'ok', body: thing.value };
  }
}

export function refused(code: number, message = 'refused', status = 400): Answer {
  return { type: 'refused', status, code, message };
}

export function keyOf(request: ApiRequest): string {
  const key = request.params?.key ?? request.body?.key;
  return typeof key === 'string' ? key : '';
}
