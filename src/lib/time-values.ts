// Parses the times that options have, of a day or with a date.

export const timeAdvice = 'Write it as 04:00, 04:00Z, 04:00+02:00 or 2026-12-01T04:00:00Z.';

/**
 * Parses a time of day, by default in the zone of this machine, to its next moment after `now`; or a whole date and time, which may
 * have passed. Returns undefined for anything else.
 */
export function parseTime(text: string, now: Date): Date | undefined {
  const [, hours = '', minutes = '', zone] = /^(\d{1,2}):(\d{2})(Z|[+-]\d{2}:?\d{2})?$/u.exec(text) ?? [];
  if (hours === '') {
    const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?$/u.test(text);
    const date = new Date(isWhole ? text : Number.NaN);
    return Number.isNaN(date.getTime()) ? undefined : date;
  }
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const day = (after: number): Date => {
    const date = new Date(now);
    if (zone === undefined) {
      date.setDate(date.getDate() + after);
      date.setHours(Number(hours), Number(minutes), 0, 0);
    } else {
      date.setUTCDate(date.getUTCDate() + after);
      date.setUTCHours(Number(hours), Number(minutes) - offsetOf(zone), 0, 0);
    }
    return date;
  };
  // A zone may be a day behind or ahead.
  return [-1, 0, 1, 2].map(day).find((date) => date > now);
}

/** `+02:00` in minutes. */
function offsetOf(zone: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/u.exec(zone) ?? [];
  return Number(`${sign}1`) * (60 * Number(hours) + Number(minutes));
}
