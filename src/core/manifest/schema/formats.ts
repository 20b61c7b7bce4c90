// The formats of the schemas. The generated validators call these functions.
import { plainUrl } from '../../model/calls/plain-url.ts';

export const formats = { date: isDate, 'date-time': isDateTime, 'plain-url': isPlainUrl };

/** Whether the text is no http or https URL, or one that every program reads alike. */
function isPlainUrl(text: string): boolean {
  return !/^[\p{Cc}\s]*https?:/iu.test(text) || plainUrl(text) !== undefined;
}

/** Whether the day exists. */
function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/u.test(text) && isDay(text);
}

function isDateTime(text: string): boolean {
  const pattern = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/u;
  return pattern.test(text) && isDay(text.slice(0, 10));
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
