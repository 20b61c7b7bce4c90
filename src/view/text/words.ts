// Numbers, counts, durations and drift in words.

export function printNumber(value: number): string {
  // The first use of a locale is slow, and most runs print only small numbers.
  const tenths = Math.round(value * 10) / 10;
  if (tenths >= 0 && tenths < 1_000) return String(tenths);
  return value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}

/** `1 change`, `9,990 changes`. */
export function plural(value: number, singular: string, many = `${singular}s`): string {
  return `${printNumber(value)} ${value === 1 ? singular : many}`;
}

/** `a, b and c`. */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
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

export const driftWords = { changed: 'changed', missing: 'gone', departed: 'members left' } as const;
