// Answers requests as the platform would: a state machine without HTTP, clock or randomness. Rate limits apply before it.

import { type Behaviours, DEFAULT_BEHAVIOURS } from './api/behaviours.ts';
import { ApiError, errorResponse } from './api/errors.ts';
import type { PlatformRequest, PlatformResponse } from './api/request.ts';
import { Call } from './call/call.ts';
import { expiredMessages } from './call/history.ts';
import { Params } from './fields/params.ts';
import { QueryParams } from './fields/query.ts';
import type { RaisedLimits } from './limits/raised.ts';
import { match, routeKey } from './routes/router.ts';
import { changeOf, type RecordChange } from './stored/changes.ts';
import type { Effect } from './stored/effects.ts';
import { State } from './stored/state.ts';

export interface EmulatedPlatformOptions {
  /** The only accepted value of the `Api-Token` header. */
  readonly token: string;
  /** Issued tokens and generated URLs are derived from it. */
  readonly seed: string;
  readonly behaviours?: Partial<Behaviours>;
  /** Except for the rates. */
  readonly raisedLimits?: RaisedLimits;
  readonly state?: State;
  /** Called before effects are applied. When it throws, they are not applied and the answer is 500. */
  readonly onEffects?: (effects: readonly Effect[]) => void;
  /** Called with the changes of a request once they are applied. */
  readonly onChanges?: (changes: readonly RecordChange[], nowMs: number, route: string) => void;
  /** Called with an error that is a bug in the emulator. The client only sees 500901. */
  readonly onBug?: (error: unknown) => void;
}

const MAX_MESSAGE_LENGTH = 5000;
const MAX_MIGRATED_MESSAGES = 100;

export class EmulatedPlatform {
  readonly state: State;
  readonly behaviours: Behaviours;
  readonly #options: EmulatedPlatformOptions;

  constructor(options: EmulatedPlatformOptions) {
    this.#options = options;
    this.state = options.state ?? new State();
    this.behaviours = { ...DEFAULT_BEHAVIOURS, ...options.behaviours };
  }

  handle(request: PlatformRequest, nowMs: number): PlatformResponse {
    try {
      return { status: 200, body: this.#answer(request, nowMs) };
    } catch (error) {
      if (error instanceof ApiError) return errorResponse(error);
      this.#options.onBug?.(error);
      return errorResponse(new ApiError('internal'));
    }
  }

  #answer(request: PlatformRequest, nowMs: number): PlatformResponse['body'] {
    if (request.headers['api-token'] !== this.#options.token) throw new ApiError('invalidApiToken');
    const matched = match(request.method, request.path);
    if (matched === undefined) {
      throw new ApiError(this.behaviours.unknownRouteStatus === 404 ? 'unknownRoute' : 'invalidUrl');
    }
    const { raisedLimits: raised = {} } = this.#options;
    const call = new Call({
      state: this.state,
      behaviours: this.behaviours,
      messageLength: raised.message_length ?? MAX_MESSAGE_LENGTH,
      maxMigratedMessages: raised.messages_per_migration ?? MAX_MIGRATED_MESSAGES,
      metaArrays: raised.meta_arrays ?? {},
      seed: this.#options.seed,
      nowMs,
      params: matched.params,
      query: new QueryParams(request.query),
      // A GET has no body (platform §1). If one is sent, it is ignored.
      body:
        request.method === 'GET'
          ? Params.fromBody({ type: 'none' })
          : Params.fromBody(request.body, this.behaviours.multipartLists),
      commit: (effects) => this.#commitFor(effects, nowMs, routeKey(matched)),
    });
    this.#commit([...expiredMessages(this.state, this.behaviours, nowMs)]);
    return matched.route.operation(call);
  }

  /** Tells of the changes, too. */
  #commitFor(effects: readonly Effect[], nowMs: number, route: string): void {
    const { onChanges } = this.#options;
    if (onChanges === undefined) {
      this.#commit(effects);
      return;
    }
    const changes: RecordChange[] = [];
    this.#commit(effects, (effect) => {
      const change = changeOf(effect, this.state);
      if (change !== undefined) changes.push(change);
    });
    onChanges(changes, nowMs, route);
  }

  #commit(effects: readonly Effect[], watch: (effect: Effect) => void = () => {}): void {
    if (effects.length === 0) return;
    this.#options.onEffects?.(effects);
    for (const effect of effects) {
      watch(effect);
      this.state.apply(effect);
    }
  }
}
