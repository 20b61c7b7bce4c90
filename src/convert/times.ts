// Times of exports that write them as text.
import type { JsonValue } from '../lib/json.ts';

const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})$/u;

/** `time`: Unix milliseconds, or not a number. `written`: the text, when it says more than the milliseconds do. */
export function timeOf(value: JsonValue | undefined): { readonly time: number; readonly written: JsonValue } {
  if (typeof value === 'number') return { time: value, written: value };
  if (typeof value !== 'string' || !iso.test(value)) return { time: Number.NaN, written: value ?? null };
  const time = Date.parse(value);
  const plain = new Date(time).toISOString();
  return { time, written: value === plain || value === plain.replace('.000Z', 'Z') ? time : value };
}
