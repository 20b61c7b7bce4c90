// Parses the times that options have, of a day or with a date.

/** The longest timer of Node. A longer one fires at once. */
export const longestTimerMs = 2 ** 31 - 1;

export const timeAdvice = 'Write it as 04:00, 04:00Z, 04:00+02:00 or 2026-12-01T04:00:00Z.';

/**
 * Parses a time of day, by default in the zone of this machine, to its next moment after `now`; or a whole date and time, which may
 * have passed. Returns undefined for anything else.
 */
export function parseTime(text: string, now: Date): Date | undefined {
  const [, hours = '', minutes = '', zone] = /^(\d{1,2}):(\d{2})(Z|[+-]\d{2}:?\d{2})?$/u.exec(text) ?? [];
  if (hours === '') {
    const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})?$/u.test(text);
    const date = new Date(isWhole && isOfCalendar(text.slice(0, 10)) ? text : Number.NaN);
    return Number.isNaN(date.getTime()) ? undefined : date;
  }
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const momentsOn = (after: number): readonly Date[] => {
    const date = new Date(now);
    if (zone === undefined) {
      date.setDate(date.getDate() + after);
      date.setHours(Number(hours), Number(minutes), 0, 0);
    } else {
      date.setUTCDate(date.getUTCDate() + after);
      date.setUTCHours(Number(hours), Number(minutes) - offsetOf(zone), 0, 0);
    }
    if (zone !== undefined) return [date];
    // When clocks are set back, a time of day occurs twice. The second one is not a day later.
    const again = [30, 60].map((later) => new Date(date.getTime() + later * 60_000));
    const isSame = (other: Date) => other.getHours() === date.getHours() && other.getMinutes() === date.getMinutes();
    return [date, ...again.filter(isSame)];
  };
  // A zone may be a day behind or ahead.
  return [-1, 0, 1, 2].flatMap(momentsOn).find((date) => date > now);
}

/** Whether the calendar has the day. Date takes the 30th of February for the 2nd of March. */
function isOfCalendar(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** `+02:00` in minutes. */
function offsetOf(zone: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d{2}):?(\d{2})$/u.exec(zone) ?? [];
  return Number(`${sign}1`) * (60 * Number(hours) + Number(minutes));
}
