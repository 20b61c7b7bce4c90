// What do the rate-limit headers of an answer say? (base, Rate-limit response headers)
import type { RateHeaders } from '../model/ports.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** All figures, or undefined when one is missing or malformed: half a figure is worse than none. */
export function parseRateHeaders(headers: Headers): RateHeaders | undefined {
  const limit = /^(\d{1,9});w=(\d{1,9}(?:\.\d{1,9})?)$/u.exec(text(headers, 'x-ratelimit-limit') ?? '');
  const calls = Number(limit?.[1] ?? 0);
  const windowS = Number(limit?.[2] ?? 0);
  const remaining = seconds(headers, 'x-ratelimit-remaining');
  const resetS = seconds(headers, 'x-ratelimit-reset');
  // On an answer that was not limited there is nothing to wait for, and some servers leave the header out.
  const retryAfterS = text(headers, 'x-ratelimit-retryafter') === undefined ? 0 : parseRetryAfter(headers);
  if (calls < 1 || windowS <= 0) return undefined;
  if (remaining === undefined || resetS === undefined || retryAfterS === undefined) return undefined;
  return { calls, windowS, remaining, resetS, retryAfterS };
}

/** X-RateLimit-RetryAfter alone: a 429 may carry it without the rest. */
export function parseRetryAfter(headers: Headers): number | undefined {
  return seconds(headers, 'x-ratelimit-retryafter');
}

/** A plain decimal number, no sign, no exponent. */
function seconds(headers: Headers, name: string): number | undefined {
  const value = text(headers, name);
  return value !== undefined && /^\d{1,9}(?:\.\d{1,18})?$/u.test(value) ? Number(value) : undefined;
}

/** Undici gives the names in lower case, and a list for a header that comes twice. */
function text(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}
