// Parses the values of options and environment variables.

/** A variable that is not set is undefined. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Whether a switch such as `CI=true` or `NO_COLOR=1` is set to anything except `0` and `false`. */
export function isSwitchedOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== 'false' && value !== '0';
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

export const durationAdvice = 'Write it as 50m, 1h30m, 90s or 500ms.';

/** Parses `50m`, `1h30m`, `90s` or `500ms` to milliseconds. Returns undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gu)];
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== text) return undefined;
  return parts.reduce((sum, [, figure, unit]) => sum + Number(figure) * (units[unit ?? ''] ?? 0), 0);
}
