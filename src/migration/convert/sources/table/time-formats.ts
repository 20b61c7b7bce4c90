// Formats of times: letters as in the patterns of Unicode (CLDR), with the names of months, days and halves of the day in a language.

/** The parts of a time as digits, with the hour of 24. */
export type TimeParts = Readonly<Record<string, string | undefined>>;

/** Undefined for a text of another form. */
export type FormatReader = (text: string) => TimeParts | undefined;

const defaultLanguage = 'en';

/** By letters. NumberedNames that depend on the language are added by `namesFor`. */
const digits: Readonly<Record<string, string>> = {
  yyyy: String.raw`(?<year>\d{4})`,
  yy: String.raw`(?<year>\d\d)`,
  MM: String.raw`(?<month>\d\d)`,
  M: String.raw`(?<month>\d{1,2})`,
  dd: String.raw`(?<day>\d\d)`,
  d: String.raw`(?<day>\d{1,2})`,
  HH: String.raw`(?<hour>\d\d)`,
  H: String.raw`(?<hour>\d{1,2})`,
  hh: String.raw`(?<hour>\d\d)`,
  h: String.raw`(?<hour>\d{1,2})`,
  mm: String.raw`(?<minute>\d\d)`,
  ss: String.raw`(?<second>\d\d)`,
  S: String.raw`(?<fraction>\d{1,9})`,
  Z: String.raw`(?<offset>Z|UTC|[+-]\d\d(?::?\d\d)?)`,
};

/** By letters: the group, and the names with the numbers that they may mean. */
type NameLetters = Readonly<Record<string, { readonly group: string; readonly names: NumberedNames }>>;

const token = /'(?:[^']|'')*'|yyyy|yy|MMMM|MMM|EEEE|EEE|S+|([MdHhms])\1|[A-Za-z]|[^A-Za-z]/gu;

/** Throws an error that describes the problem of the format or the language. */
export function formatReader(format: string, language = defaultLanguage): FormatReader {
  const named = namesFor(language);
  const source = [...format.matchAll(token)].map(([part]) => sourceOf(part, named)).join('');
  if (!source.includes('<year>') || !source.includes('<month') || !source.includes('<day>'))
    throw new Error('The format needs at least yyyy, MM and dd');
  let pattern: RegExp;
  try {
    pattern = new RegExp(`^${source}$`, 'iu');
  } catch {
    throw new Error('The format contains a part twice');
  }
  return (text) => {
    const found = pattern.exec(plain(text).trim())?.groups;
    return found && withNumbers(found, named);
  };
}

function sourceOf(part: string, named: NameLetters): string {
  if (part === "'") throw new Error('The format has a quote without an end. Write two for an apostrophe');
  if (part.startsWith("'")) return part === "''" ? "'" : literal(part.slice(1, -1).replaceAll("''", "'"));
  const letter = part.replace(/^S+$/u, 'S');
  const names = named[letter];
  if (names !== undefined) return `(?${names.group === '' ? ':' : `<${names.group}>`}${names.names.source()})`;
  const found = digits[letter];
  if (found === undefined && /[A-Za-z]/u.test(part)) {
    const known = [...Object.keys(digits), ...Object.keys(named)].sort().join(', ');
    throw new Error(`${part} in the format is not one of ${known}. Write other letters in quotes: 'at'`);
  }
  return found ?? literal(part);
}

function literal(text: string): string {
  return plain(text)
    .replaceAll(/[$()*+.?[\\\]^{|}/]/gu, String.raw`\$&`)
    .replaceAll(/\s/gu, String.raw`\s`);
}

/** Without marks of direction, which programs write around dates. */
function plain(text: string): string {
  return text.replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '').normalize();
}

function withNumbers(found: TimeParts, named: NameLetters): TimeParts | undefined {
  const { year = '', monthName, half, hour = '0' } = found;
  const [month] =
    monthName === undefined ? [] : (named.MMMM?.names.of(monthName) ?? named.MMM?.names.of(monthName) ?? []);
  const hours = half === undefined ? [Number(hour)] : hoursIn(Number(hour), named.a?.names.of(half) ?? []);
  if (hours.length !== 1) return undefined;
  return {
    ...found,
    year: year.length === 4 ? year : `${Number(year) < firstOfCentury ? '20' : '19'}${year}`,
    ...(month === undefined ? {} : { month: String(month + 1) }),
    hour: String(hours[0]),
  };
}

/** Years of two digits from this one on are of the 20th century. */
const firstOfCentury = 70;

/** The hours of 24 that an hour of 12 may be in a part of the day. */
function hoursIn(hour: number, partOfDay: readonly number[]): readonly number[] {
  if (hour < 1 || hour > 12) return [];
  return [hour % 12, (hour % 12) + 12].filter((candidate) => partOfDay.includes(candidate));
}

/** NumberedNames of a language, each with the numbers that it may mean. Dots, blanks and the case of letters do not matter. */
class NumberedNames {
  readonly #numbers = new Map<string, number[]>();
  readonly #sources = new Set<string>();

  add(name: string, number: number): void {
    const known = this.#numbers.get(folded(name)) ?? [];
    this.#numbers.set(folded(name), known);
    if (!known.includes(number)) known.push(number);
    const trimmed = literal(name).replace(/\\\.$/u, '');
    this.#sources.add(String.raw`${trimmed.replaceAll(/\\\.|\\s/gu, '$&?')}\.?`);
  }

  of(name: string): readonly number[] | undefined {
    return this.#numbers.get(folded(name));
  }

  source(): string {
    return [...this.#sources].join('|');
  }
}

function folded(name: string): string {
  return plain(name).toLowerCase().replaceAll(/[.\s]/gu, '');
}

function namesFor(language: string): NameLetters {
  if (!isLanguage(language))
    throw new Error(`${language} is not a language that Node knows. Write its code, such as de or pt-BR`);
  const gregorian = { timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' } as const;
  /** The names that a part of a date has in any of the forms, for each of the dates. */
  const namesOf = (
    type: Intl.DateTimeFormatPartTypes,
    dates: readonly number[],
    forms: readonly Intl.DateTimeFormatOptions[],
  ): NumberedNames => {
    const names = new NumberedNames();
    for (const form of forms) {
      const formatter = new Intl.DateTimeFormat(language, { ...gregorian, ...form });
      for (const [number, date] of dates.entries())
        for (const part of formatter.formatToParts(date)) if (part.type === type) names.add(part.value, number);
    }
    return names;
  };
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month));
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, 1 + day));
  const hours = Array.from({ length: 24 }, (_, hour) => Date.UTC(2024, 0, 1, hour));
  // A name alone may differ from the name beside a day, as in Polish.
  const monthNames = (month: 'long' | 'short') => namesOf('month', months, [{ month }, { month, day: 'numeric' }]);
  const dayNames = (weekday: 'long' | 'short') => namesOf('weekday', days, [{ weekday }]);
  const clock = { hour: 'numeric', hour12: true } as const;
  const periods = (['long', 'short', 'narrow'] as const).map((dayPeriod) => ({ ...clock, dayPeriod }));
  const halves = namesOf('dayPeriod', hours, [clock, ...periods]);
  for (let hour = 0; hour < 24; hour += 1) halves.add(hour < 12 ? 'a. m.' : 'p. m.', hour);
  return {
    MMMM: { group: 'monthName', names: monthNames('long') },
    MMM: { group: 'monthName', names: monthNames('short') },
    EEEE: { group: '', names: dayNames('long') },
    EEE: { group: '', names: dayNames('short') },
    a: { group: 'half', names: halves },
  };
}

function isLanguage(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}
