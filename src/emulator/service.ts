// What happens to a request from its arrival to its answer? Count, perhaps a fault, then the effect: without HTTP and without waiting.

import { errorResponse, Refusal } from './errors.ts';
import type { Fault, FaultSource } from './faults.ts';
import { isObject } from './fields/params.ts';
import type { PlatformRequest, PlatformResponse } from './http/request.ts';
import { match, routeKey } from './http/router.ts';
import type { Limiter } from './limits/limiter.ts';
import type { Platform } from './platform.ts';
import type { Stats } from './stats.ts';

/** A request that was counted; `finish` gives its answer. */
export interface Arrival {
  readonly request: PlatformRequest;
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: PlatformResponse | undefined;
  readonly fault: Fault | undefined;
}

export interface Outcome extends PlatformResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** How much of the answer arrives: a reset or silence is what the client sees of some faults. */
  readonly delivery: 'whole' | 'cut' | 'reset' | 'never';
}

export interface ServiceParts {
  readonly platform: Platform;
  readonly stats: Stats;
  readonly faults: FaultSource;
  /** Absent: nothing is limited, and no answer carries rate-limit headers. */
  readonly limiter: Limiter | undefined;
}

export class Service {
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  arrive(request: PlatformRequest, nowMs: number): Arrival {
    const { limiter, faults, stats } = this.#parts;
    const matched = match(request.method, request.path);
    const route = routeKey(matched);
    const fault = faults.next(route);
    const storm = fault?.kind === 'rate_limited';
    const verdict = storm ? undefined : limiter?.arrive(request, matched, nowMs);
    const refused = storm || verdict?.allowed === false;
    stats.count(route, refused);
    return {
      request,
      route,
      headers: (storm ? limiter?.stormHeaders(request, matched, fault.retryAfterMs) : verdict?.headers) ?? {},
      refusal: refused ? errorResponse(new Refusal('tooManyRequests')) : undefined,
      fault,
    };
  }

  /** The effect and the answer; the caller may let time pass between arrival and this. */
  finish({ request, headers, refusal, fault }: Arrival, nowMs: number): Outcome {
    if (refusal !== undefined) return { ...refusal, headers, delivery: 'whole' };
    const effect = (asked = request): PlatformResponse => this.#parts.platform.handle(asked, nowMs);
    const serverError = errorResponse(new Refusal('internal'));
    const whole = (response: PlatformResponse): Outcome => ({ ...response, headers, delivery: 'whole' });
    switch (fault?.kind) {
      case undefined:
      case 'rate_limited':
        return whole(effect());
      case 'reset_before':
        return { ...serverError, headers, delivery: 'reset' };
      case 'reset_after':
        return { ...effect(), headers, delivery: 'reset' };
      case 'error_500_before':
        return whole(serverError);
      case 'error_500_after':
        effect();
        return whole(serverError);
      case 'error_503':
        return whole(errorResponse(new Refusal('unavailable')));
      case 'quota_exceeded':
        return whole(errorResponse(new Refusal('quotaExceeded')));
      case 'hang_before':
        return { ...serverError, headers, delivery: 'never' };
      case 'hang_after':
        return { ...effect(), headers, delivery: 'never' };
      case 'truncate':
        return { ...effect(), headers, delivery: 'cut' };
      case 'partial_batch':
        effect(firstHalfOfBatch(request));
        return whole(serverError);
    }
  }
}

/** What lands of a migration that breaks down midway; any other request breaks down before its effect. */
function firstHalfOfBatch(request: PlatformRequest): PlatformRequest {
  const { body } = request;
  if (body.type !== 'json' || !isObject(body.value) || !Array.isArray(body.value.messages)) {
    return { ...request, body: { type: 'invalid' } };
  }
  const { messages } = body.value;
  const half = messages.slice(0, Math.floor(messages.length / 2));
  return { ...request, body: { type: 'json', value: { ...body.value, messages: half } } };
}
