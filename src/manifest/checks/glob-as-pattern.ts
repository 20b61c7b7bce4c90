// Recognises a glob where a regular expression is meant: --target and `restrictions.files` have globs, lists of ids have expressions.

/** Letters that ids have, and the signs of a glob. A dot before a star is an expression: `.*`. */
const globForm = /^(?!.*\.\*)[\w@:.-]*\*[\w@:.*-]*$/u;

/** Returns the regular expression that means the same, or undefined if the pattern does not look like a glob. */
export function expressionForGlob(pattern: string): string | undefined {
  if (!globForm.test(pattern)) return undefined;
  const parts = pattern.split(/\*+/u).map((part) => part.replaceAll('.', '\\.'));
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  const inner = parts.join('.*');
  // Expressions are searched, so a star at an end needs nothing.
  const start = first === '' ? inner.replace(/^\.\*/u, '') : `^${inner}`;
  const whole = last === '' ? start.replace(/\.\*$/u, '') : `${start}$`;
  return whole === '' ? '.' : whole;
}
