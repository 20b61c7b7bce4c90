// How is one attempt told under --verbose?
import { safe } from '../text.ts';

export interface AttemptFacts {
  readonly route: string;
  readonly attempt: number;
  readonly type: string;
  readonly status?: number;
  readonly code?: number;
  readonly reason?: string;
  readonly requestId?: string;
  readonly durationMs: number;
}

/** `  POST /users: 503 after 12 ms, attempt 2, request id 7f3a` */
export function attemptForPeople(attempt: AttemptFacts): string {
  const { route, type, status, code, reason, requestId, durationMs } = attempt;
  const parts = [
    `${safe(route)}: ${status ?? type} after ${Math.round(durationMs)} ms`,
    code === undefined ? '' : `code ${code}`,
    reason === undefined ? '' : safe(reason),
    attempt.attempt === 1 ? '' : `attempt ${attempt.attempt}`,
    requestId === undefined ? '' : `request id ${safe(requestId)}`,
  ];
  return `  ${parts.filter((part) => part !== '').join(', ')}\n`;
}
