// What does the platform answer to a request? A state machine without HTTP, clock or randomness; rate limits stand before it.

import { Call } from './call.ts';
import { errorResponse, Refusal } from './errors.ts';
import { Params } from './fields/params.ts';
import { Query } from './fields/query.ts';
import type { PlatformRequest, PlatformResponse } from './http/request.ts';
import { match } from './http/router.ts';
import { DEFAULT_READINGS, type Readings } from './readings.ts';
import type { Effect } from './stored/effects.ts';
import { State } from './stored/state.ts';

export interface PlatformOptions {
  /** The only value of the `Api-Token` header that is let in. */
  readonly token: string;
  /** What issued tokens and generated urls are derived from. */
  readonly seed: string;
  readonly readings?: Partial<Readings>;
  readonly state?: State;
  /** Called before an effect is applied; when it throws, the effect does not happen and the answer is 500. */
  readonly onEffects?: (effects: readonly Effect[]) => void;
  /** Told of an error that is a bug of the emulator; the client sees only 500901. */
  readonly onBug?: (error: unknown) => void;
}

export class Platform {
  readonly state: State;
  readonly readings: Readings;
  readonly #options: PlatformOptions;

  constructor(options: PlatformOptions) {
    this.#options = options;
    this.state = options.state ?? new State();
    this.readings = { ...DEFAULT_READINGS, ...options.readings };
  }

  handle(request: PlatformRequest, nowMs: number): PlatformResponse {
    try {
      return { status: 200, body: this.#answer(request, nowMs) };
    } catch (error) {
      if (error instanceof Refusal) return errorResponse(error);
      this.#options.onBug?.(error);
      return errorResponse(new Refusal('internal'));
    }
  }

  #answer(request: PlatformRequest, nowMs: number): PlatformResponse['body'] {
    if (request.headers['api-token'] !== this.#options.token) throw new Refusal('invalidApiToken');
    const matched = match(request.method, request.path);
    if (matched === undefined) {
      throw new Refusal(this.readings.unknownRouteStatus === 404 ? 'unknownRoute' : 'invalidUrl');
    }
    const call = new Call({
      state: this.state,
      readings: this.readings,
      seed: this.#options.seed,
      nowMs,
      params: matched.params,
      query: new Query(request.query),
      // A GET carries no body (platform §1); what a client sends with it all the same is not looked at.
      body: request.method === 'GET' ? Params.fromBody({ type: 'none' }) : Params.fromBody(request.body),
      commit: (effects) => this.#commit(effects),
    });
    return matched.route.operation(call);
  }

  #commit(effects: readonly Effect[]): void {
    if (effects.length === 0) return;
    this.#options.onEffects?.(effects);
    for (const effect of effects) this.state.apply(effect);
  }
}
