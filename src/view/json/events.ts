// The events of a run as lines of JSON, for --events.
import type { ApplyEvent } from '../../model/event.ts';
import { safeJson } from '../text.ts';

const eventsFormatVersion = '1.1';

/** `at` is the wall clock in ISO 8601. The first line of a run says the version of the format. */
export function eventLine(event: ApplyEvent, at: string): string {
  const { type, ...rest } = event;
  const version = type === 'run.started' ? { format_version: eventsFormatVersion } : {};
  return `${safeJson({ type, at, ...version, ...rest })}\n`;
}
