// The times of a mapping: numbers in a unit, ISO times and texts of another form, with or without a zone.

import { type TimeUnit, timeUnits } from '../../../../core/model/tables/mapping.ts';
import type { JsonValue } from '../../../../lib/json.ts';
import { oneForm } from '../../export/values.ts';
import { type FormatReader, formatReader, type TimeParts } from './time-formats.ts';

/** `time` is in Unix milliseconds, or NaN. `written` is the time as `oneForm` writes it, or a value that is no time. */
export interface ReadTime {
  readonly time: number;
  readonly written: JsonValue;
  /** The zone has the local time twice, or never. */
  readonly doubt?: TimeDoubt;
}

type TimeDoubt = 'time.ambiguous' | 'time.skipped';

interface Instant {
  /** Unix milliseconds. */
  readonly time: number;
  readonly doubt?: TimeDoubt;
}

/** The part of a time that the mapping has to supply. */
export type MissingPart = 'zone' | 'unit';

export interface TimeForm {
  readonly unit?: TimeUnit | undefined;
  readonly format?: string | undefined;
  readonly zone?: string | undefined;
  /** BCP 47. Default: English. */
  readonly language?: string | undefined;
}

export type TimeReader = (value: JsonValue) => ReadTime | MissingPart;

/** Throws an error that describes the problem of the format or the zone. */
export function timeReader({ unit, format, zone, language }: TimeForm): TimeReader {
  if (unit !== undefined && (format !== undefined || zone !== undefined))
    throw new Error('A time with a unit is a number: remove format and zone');
  if (language !== undefined && format === undefined)
    throw new Error('A language is for names in a format: add format, or remove language');
  const partsOf = format === undefined ? isoParts : formatReader(format, language);
  const toUtc = zone === undefined ? undefined : utcOf(zone);
  return (value) => {
    if (unit !== undefined) return zonedIso(value) ?? inUnit(value, unit);
    if (typeof value === 'number') return format === undefined ? 'unit' : unreadable(value);
    const plain = format === undefined && typeof value === 'string' ? plainTime(value) : Number.NaN;
    if (!Number.isNaN(plain)) return { time: plain, written: plain };
    const found = typeof value === 'string' ? partsOf(value) : undefined;
    if (found === undefined) {
      if (format !== undefined) return zonedIso(value) ?? unreadable(value);
      return typeof value === 'string' && /^\d{9,}$/u.test(value) ? 'unit' : unreadable(value);
    }
    return timeOf(found, value, toUtc);
  };
}

/** A time of ISO 8601 with a zone means the same whatever the mapping says of the other times. */
function zonedIso(value: JsonValue): ReadTime | undefined {
  if (typeof value !== 'string' || value[4] !== '-') return undefined;
  const found = isoParts(value);
  const time = found?.offset === undefined ? undefined : timeOf(found, value, undefined);
  return typeof time === 'object' ? time : undefined;
}

function timeOf(
  found: TimeParts,
  value: JsonValue,
  toUtc: ((local: number) => Instant) | undefined,
): ReadTime | MissingPart {
  const local = localTime(found);
  if (Number.isNaN(local)) return unreadable(value);
  const offset = found.offset === undefined ? undefined : offsetOf(found.offset);
  if (offset === undefined && toUtc === undefined) return 'zone';
  const { time, doubt } = offset === undefined ? (toUtc?.(local) ?? { time: Number.NaN }) : { time: local - offset };
  const written = oneForm(time, found.fraction?.slice(3));
  return doubt === undefined ? { time, written } : { time, written, doubt };
}

function unreadable(value: JsonValue): ReadTime {
  return { time: Number.NaN, written: value };
}

function inUnit(value: JsonValue, unit: TimeUnit): ReadTime {
  const finer = timeUnits[unit];
  if (finer === 0 && typeof value === 'number' && Number.isSafeInteger(value)) return { time: value, written: value };
  const [whole, digits, fraction = ''] =
    typeof value === 'string' || typeof value === 'number' ? (decimal.exec(String(value)) ?? []) : [];
  if (whole === undefined || digits === undefined) return unreadable(value);
  // Move the decimal point in the text, because a number would lose the last digits of nanoseconds.
  const all = (digits + fraction).padEnd(digits.length - Math.min(0, finer), '0');
  const point = digits.length - finer;
  const time = point <= 0 ? 0 : Number(all.slice(0, point));
  return { time, written: oneForm(time, all.slice(Math.max(0, point))) };
}

const decimal = /^(\d{1,30})(?:\.(\d{1,30}))?$/u;

const iso =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)?\s?(?<offset>Z|UTC|[+-]\d\d(?::?\d\d)?)?$/u;

const isoParts: FormatReader = (text) => iso.exec(text.trim())?.groups;

/** Dates with which programs fill a column that has no date: that of MySQL, the first year, and the start of Unix time. */
export const zeroDate = /^(?:0{2,4}[-./]0?0[-./]0?0|000[01][-./]0?1[-./]0?1|1970-01-01(?=$|[ T]00:00:00))(?:[ T].*)?$/u;
const someDate = /^(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4})(?:[ T,].*)?$/u;

/** Whether the text is a date, in any of the usual orders, with or without a time. */
export function isDate(text: string): boolean {
  return someDate.test(text) && !zeroDate.test(text);
}

/** The common form 2024-01-31T23:59:59.999Z, parsed quickly because an export may have millions of times. */
function plainTime(text: string): number {
  const hasFraction = text.length === 24 && text.charCodeAt(19) === 46;
  const isPlain = (hasFraction || text.length === 20) && text.charCodeAt(10) === 84 && text.endsWith('Z');
  const time = isPlain ? Date.parse(text) : Number.NaN;
  // Date.parse accepts a 31st of every month and 24:00, and takes both for a later day.
  return new Date(time).getUTCDate() === Number(text.slice(8, 10)) ? time : Number.NaN;
}

/** The time as if in UTC. NaN for days and hours that do not exist. */
function localTime({
  year,
  month = '0',
  day,
  hour = '0',
  minute = '0',
  second = '0',
  fraction = '',
}: TimeParts): number {
  const [monthNumber, hours, minutes, seconds] = [Number(month), Number(hour), Number(minute), Number(second)];
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  if (hours > 23 || minutes > 59 || seconds > 59) return Number.NaN;
  const time = Date.UTC(Number(year), monthNumber - 1, Number(day), hours, minutes, seconds, milliseconds);
  const date = new Date(time);
  return date.getUTCMonth() === monthNumber - 1 && date.getUTCDate() === Number(day) ? time : Number.NaN;
}

const minuteMs = 60_000;

/** In milliseconds. */
function offsetOf(text: string): number {
  const found = /^([+-])(\d\d):?(\d\d)?$/u.exec(text);
  if (found === null) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  return (found[1] === '-' ? -minutes : minutes) * minuteMs;
}

/** No zone changes its offset within fifteen minutes. */
const slotMs = 15 * minuteMs;
const maxSlots = 200_000;
const dayMs = 86_400_000;

/** Of a time that occurs twice, takes the first. Shifts a time that the zone skips later. Throws for an unknown zone. */
function utcOf(zone: string): (local: number) => Instant {
  if (/^(?:UTC|Z|[+-]\d\d(?::?\d\d)?)$/u.test(zone)) {
    const offset = offsetOf(zone);
    return (local) => ({ time: local - offset });
  }
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  } catch {
    throw new Error(`${zone} is not a time zone. Write UTC, +02:00 or a name such as Europe/Berlin`);
  }
  const known = new Map<number, number>();
  const offsetAt = (utc: number): number => {
    const slot = Math.floor(utc / slotMs);
    const cached = known.get(slot);
    if (cached !== undefined) return cached;
    if (known.size >= maxSlots) known.clear();
    const name = format.formatToParts(slot * slotMs).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
    const offset = offsetOf(name.slice('GMT'.length));
    known.set(slot, offset);
    return offset;
  };
  return (local) => {
    const [before, after] = [offsetAt(local - dayMs), offsetAt(local + dayMs)];
    if (before === after) return { time: local - before };
    const isBefore = offsetAt(local - before) === before;
    const isAfter = offsetAt(local - after) === after;
    if (isBefore && isAfter) return { time: local - before, doubt: 'time.ambiguous' };
    if (!isBefore && !isAfter) return { time: local - before, doubt: 'time.skipped' };
    return { time: local - (isBefore ? before : after) };
  };
}
