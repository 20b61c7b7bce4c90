// The times of messages: their bounds, their place in a line of a history file, and the order of such lines.
import { InternalError } from '../../../lib/errors.ts';

/**
 * The least and the greatest time of a message, in Unix milliseconds: 1973-03-03T09:46:40Z and 2286-11-20T17:46:39.999Z. They tell
 * milliseconds (twelve or thirteen digits) from seconds (ten) and microseconds (sixteen), which would mean another century.
 */
export const minTime = 100_000_000_000;
export const maxTime = 9_999_999_999_999;

/** Whether a history file can have a message of that time. */
export function isMessageTime(time: number): boolean {
  return Number.isSafeInteger(time) && time >= minTime && time <= maxTime;
}

/** A conversion writes the time first in each line, so that reading it needs no parser. */
const timePattern = /^\{"timestamp":(\d{12,13})[,}]/u;

/** Returns the time of a line that a conversion wrote. Throws `InternalError` for any other text. */
export function timeOfLine(text: string): number {
  const time = Number(timePattern.exec(text)?.[1] ?? Number.NaN);
  if (!isMessageTime(time)) throw new InternalError('A line of a history file does not start with its time.');
  return time;
}

/** Returns a text whose order is that of the times, then that of the places in the source. Throws `InternalError` for other numbers. */
export function orderKey(time: number, place: number): string {
  if (!isMessageTime(time) || !Number.isSafeInteger(place) || place < 0)
    throw new InternalError('A message without a time has no place in a history file.');
  return `${String(time).padStart(timeDigits, '0')} ${String(place).padStart(placeDigits, '0')}`;
}

const timeDigits = String(maxTime).length;
const placeDigits = String(Number.MAX_SAFE_INTEGER).length;
