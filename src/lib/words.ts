// Numbers, counts, sizes, durations, times and lists in words.

export function printNumber(value: number): string {
  // Without a locale, because its first use takes longer than the rest of a small view.
  return String(Math.round(value * 10) / 10).replace(/\B(?=(?:\d{3})+(?!\d))/gu, ',');
}

/** `900 bytes`, `12.3 kB`, `4 MB`. */
export function printBytes(bytes: number): string {
  if (bytes < 1_000) return plural(bytes, 'byte');
  return bytes < 1_000_000 ? `${printNumber(bytes / 1_000)} kB` : `${printNumber(bytes / 1_000_000)} MB`;
}

/** `1 change`, `9,990 changes`. */
export function plural(value: number, singular: string, many = `${singular}s`): string {
  return `${printNumber(value)} ${value === 1 ? singular : many}`;
}

/** `a, b and c`. */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** `a, b and 3 more`, after which `more` further words are left out. */
export function withMore(words: readonly string[], more: number, and = ' and'): string {
  return more > 0 ? `${words.join(', ')}${and} ${printNumber(more)} more` : words.join(', ');
}

/** The first words, and how many more there are. */
export function firstOf(words: readonly string[], most: number, and?: string): string {
  return withMore(words.slice(0, most), words.length - most, and);
}

/** The text with a full stop, unless it ends as a sentence. */
export function asSentence(text: string): string {
  return /[.!?…。！？]$/u.test(text) ? text : `${text}.`;
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'min', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/** The duration in its two largest units: `0.4 s`, `33 min 20 s`, `2 h`, `1 d 3 h`. */
export function printDuration(seconds: number): string {
  if (seconds < 10) return `${printNumber(seconds)} s`;
  let rest = Math.round(seconds);
  const largest = units.findIndex((unit) => rest >= unit.seconds);
  const parts: string[] = [];
  for (const unit of units.slice(largest, largest + 2)) {
    const amount = Math.floor(rest / unit.seconds);
    if (amount > 0) parts.push(`${amount} ${unit.name}`);
    rest -= amount * unit.seconds;
  }
  return parts.join(' ');
}

/** `2026-06-01 10:00:00 UTC`, for a time in ISO 8601. Milliseconds are left out if they are zero. */
export function printUtc(iso: string): string {
  return iso.replace('T', ' ').replace(/(?:\.000)?Z$/u, ' UTC');
}
