// Parses the rate-limit headers of an answer (base, Rate-limit response headers).
import type { RateHeaders } from '../model/ports.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Returns all values, or undefined if one of them is missing or malformed. */
export function parseRateHeaders(headers: Headers): RateHeaders | undefined {
  const limit = /^(\d{1,9});w=(\d{1,9}(?:\.\d{1,9})?)$/u.exec(text(headers, 'x-ratelimit-limit') ?? '');
  const calls = Number(limit?.[1] ?? 0);
  const windowS = Number(limit?.[2] ?? 0);
  const remaining = seconds(headers, 'x-ratelimit-remaining');
  const resetS = seconds(headers, 'x-ratelimit-reset');
  // Some servers omit the header if there is nothing to wait for.
  const retryAfterS = text(headers, 'x-ratelimit-retryafter') === undefined ? 0 : parseRetryAfter(headers);
  if (calls < 1 || windowS <= 0) return undefined;
  if (remaining === undefined || resetS === undefined || retryAfterS === undefined) return undefined;
  return { calls, windowS, remaining, resetS, retryAfterS };
}

/** Returns X-RateLimit-RetryAfter in seconds. A 429 may have it without the other headers. */
export function parseRetryAfter(headers: Headers): number | undefined {
  return seconds(headers, 'x-ratelimit-retryafter');
}

function seconds(headers: Headers, name: string): number | undefined {
  const value = text(headers, name);
  return value !== undefined && /^\d{1,9}(?:\.\d{1,18})?$/u.test(value) ? Number(value) : undefined;
}

/** In undici, header names are in lower case and a repeated header is a list. */
function text(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value.trim() : undefined;
}
