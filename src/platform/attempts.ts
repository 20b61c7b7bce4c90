// What is told of each attempt to send a request: which one it was, how it ended, what the platform calls it?
import { digestText } from '../lib/digest.ts';
import type { Answer } from '../model/ports.ts';
import { type ApiRequest, routeName } from '../model/request.ts';
import type { Received } from './answer.ts';

/** One attempt as --verbose shows it: no ids of objects, no body, no token. */
export interface Attempt {
  readonly route: string;
  /** From 1; the same request again is the next one. */
  readonly attempt: number;
  readonly type: Answer['type'];
  /** Absent when no answer came. */
  readonly status?: number;
  /** The platform's error code. */
  readonly code?: number;
  /** Why there is no answer, in our words. */
  readonly reason?: string;
  /** What the platform, or a proxy before it, calls this request: support asks for it. */
  readonly requestId?: string;
  readonly durationMs: number;
}

/** The platform documents none; these are what servers and proxies send. */
const idHeaders = ['x-request-id', 'request-id', 'x-amzn-requestid', 'cf-ray'] as const;
/** Anything else might do something to the terminal that shows it. */
const idShape = /^[\w.:/=+-]{1,128}$/u;

/** Counts the attempts of each request that is under way. */
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
