// The attempts of calls, for --verbose, which every command may print.
import type { Attempt } from '../../model/event.ts';
import { safe } from '../text/text.ts';

/** One attempt of a call: `  POST /users: 503 after 12 ms, attempt 2, request id 7f3a` */
export function attemptForPeople(attempt: Attempt): string {
  const { route, type, status, code, reason, requestId, proxy, durationMs } = attempt;
  const parts = [
    `${safe(route)}: ${status ?? type} after ${Math.round(durationMs)} ms`,
    code === undefined ? '' : `code ${code}`,
    reason === undefined ? '' : safe(reason),
    attempt.attempt === 1 ? '' : `attempt ${attempt.attempt}`,
    requestId === undefined ? '' : `request id ${safe(requestId)}`,
    proxy === undefined ? '' : `proxy ${safe(proxy)}`,
  ];
  return `  ${parts.filter((part) => part !== '').join(', ')}\n`;
}
