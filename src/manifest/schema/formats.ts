// The date formats of the schemas. The generated validators call these functions.

export const formats = { date: isDate, 'date-time': isDateTime };

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
