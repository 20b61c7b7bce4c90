// Describes each attempt to send a request for --verbose.
import { digestText } from '../../lib/digest.ts';
import type { Attempt } from '../model/event.ts';
import type { Answer } from '../model/ports.ts';
import { type ApiRequest, routeName } from '../model/request.ts';
import type { Received } from './answer.ts';

/** Common headers of servers and proxies. The platform documents none. */
const idHeaders = ['x-request-id', 'request-id', 'x-amzn-requestid', 'cf-ray'] as const;
/** Excludes characters that might control a terminal. */
const idShape = /^[\w.:/=+-]{1,128}$/u;

/** Counts the attempts for each request under way. */
export class AttemptCount {
  readonly #counts = new Map<string, number>();

  describe(request: ApiRequest, received: Received, answer: Answer, durationMs: number): Attempt {
    const key = digestText(JSON.stringify(request));
    const attempt = (this.#counts.get(key) ?? 0) + 1;
    if (answer.type === 'ok' || answer.type === 'refused') this.#counts.delete(key);
    else this.#counts.set(key, attempt);
    const requestId = idOf(received.headers);
    return {
      route: routeName(request),
      attempt,
      type: answer.type,
      durationMs,
      ...(received.status === undefined ? {} : { status: received.status }),
      ...(answer.type === 'refused' && answer.code !== 0 ? { code: answer.code } : {}),
      ...(received.status === undefined && 'message' in answer ? { reason: answer.message } : {}),
      ...(requestId === undefined ? {} : { requestId }),
    };
  }
}

function idOf(headers: Received['headers']): string | undefined {
  for (const name of idHeaders) {
    const value = headers?.[name];
    if (typeof value === 'string' && idShape.test(value)) return value;
  }
  return undefined;
}
