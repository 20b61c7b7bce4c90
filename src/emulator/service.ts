// Handles a request from arrival to response: the count, possibly a fault, then the effect. No HTTP and no waiting.

import { ApiError, errorResponse } from './api/errors.ts';
import type { PlatformRequest, PlatformResponse, ResponseOutcome } from './api/request.ts';
import type { Fault, FaultSource } from './faults.ts';
import { isObject } from './fields/params.ts';
import type { Limiter } from './limits/limiter.ts';
import type { EmulatedPlatform } from './platform.ts';
import { match, routeKey } from './routes/router.ts';
import type { Stats } from './stats.ts';

/** A counted request. `finish` returns its response. */
export interface Arrival {
  readonly request: PlatformRequest;
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: PlatformResponse | undefined;
  readonly fault: Fault | undefined;
}

export interface ServiceParts {
  readonly platform: EmulatedPlatform;
  readonly stats: Stats;
  readonly faults: FaultSource;
  /** Absent: no limits and no rate-limit headers. */
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
      headers:
        gatewayHeaders(fault, nowMs) ??
        (storm ? limiter?.stormHeaders(request, matched, fault.retryAfterMs) : verdict?.headers) ??
        {},
      refusal: refused ? errorResponse(new ApiError('tooManyRequests')) : undefined,
      fault,
    };
  }

  /** Applies the effect and returns the response. Time may pass between `arrive` and this call. */
  finish({ request, headers, refusal, fault }: Arrival, nowMs: number): ResponseOutcome {
    if (refusal !== undefined) return { ...refusal, headers, delivery: 'whole' };
    const effect = (handled = request): PlatformResponse => this.#parts.platform.handle(handled, nowMs);
    const serverError = (): PlatformResponse => errorResponse(new ApiError('internal'));
    const whole = (response: PlatformResponse): ResponseOutcome => ({ ...response, headers, delivery: 'whole' });
    switch (fault?.kind) {
      case undefined:
      case 'rate_limited':
        return whole(effect());
      case 'reset_before':
        return { ...serverError(), headers, delivery: 'reset' };
      case 'reset_after':
        return { ...effect(), headers, delivery: 'reset' };
      case 'error_500_before':
        return whole(serverError());
      case 'error_500_after':
        effect();
        return whole(serverError());
      case 'error_503':
        return whole(errorResponse(new ApiError('unavailable')));
      case 'quota_exceeded':
        return whole(errorResponse(new ApiError('quotaExceeded')));
      case 'hang_before':
        return { ...serverError(), headers, delivery: 'never' };
      case 'hang_after':
        return { ...effect(), headers, delivery: 'never' };
      case 'truncate':
        return { ...effect(), headers, delivery: 'cut' };
      case 'partial_batch':
        effect(firstHalfOfBatch(request));
        return whole(serverError());
    }
  }
}

/** The headers of a gateway in front of the platform. Undefined for an answer of the platform itself. */
function gatewayHeaders(fault: Fault | undefined, nowMs: number): Readonly<Record<string, string>> | undefined {
  if (fault?.retryAfterForm === undefined) return undefined;
  const { retryAfterForm, retryAfterMs } = fault;
  if (retryAfterForm === 'none') return {};
  if (retryAfterForm === 'seconds') return { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) };
  const dateOf = (ms: number): string => new Date(ms).toUTCString();
  return { Date: dateOf(nowMs), 'Retry-After': dateOf(nowMs + retryAfterMs) };
}

/** The part of a migration that takes effect when it fails midway. Any other request fails before its effect. */
function firstHalfOfBatch(request: PlatformRequest): PlatformRequest {
  const { body } = request;
  if (body.type !== 'json' || !isObject(body.value) || !Array.isArray(body.value.messages)) {
    return { ...request, body: { type: 'invalid' } };
  }
  const { messages } = body.value;
  const half = messages.slice(0, Math.floor(messages.length / 2));
  return { ...request, body: { type: 'json', value: { ...body.value, messages: half } } };
}
