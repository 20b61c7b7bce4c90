// Fills in `${NAME}` and `$${` in the application block.
import { isList, isObject, type JsonValue } from '../../lib/json.ts';

/** Looks up a variable of the environment by its name without the prefix. */
export type Variables = (name: string) => string | undefined;

/** The variable's name in the environment. */
export function environmentName(name: string): string {
  return `CHATFORM_VAR_${name}`;
}

const placeholder = /\$\$\{|\$\{([^}]*)\}/gu;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/u;

export interface VariableProblem {
  readonly type: 'missing' | 'malformed';
  readonly name: string;
  readonly path: readonly string[];
}

/** Fills in all texts of a value. A text with a missing or malformed variable is left out and reported in `troubles`. */
export function substitute(
  value: JsonValue,
  variables: Variables,
  troubles: VariableProblem[],
  path: readonly string[] = [],
): JsonValue | undefined {
  if (typeof value === 'string') return substituteText(value, variables, troubles, path);
  if (isList(value)) {
    return value.flatMap((item, index) => substitute(item, variables, troubles, [...path, String(index)]) ?? []);
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    const filled = substitute(inner, variables, troubles, [...path, key]);
    return filled === undefined ? [] : [[key, filled]];
  });
  return Object.fromEntries(entries);
}

function substituteText(
  text: string,
  variables: Variables,
  troubles: VariableProblem[],
  path: readonly string[],
): string | undefined {
  const before = troubles.length;
  const filled = text.replace(placeholder, (whole, name: string | undefined) => {
    if (name === undefined) return '${';
    const value = variableName.test(name) ? variables(name) : undefined;
    // CI systems set an empty text for secrets that a fork may not read.
    if (value !== undefined && value !== '') return value;
    troubles.push({ type: variableName.test(name) ? 'missing' : 'malformed', name, path });
    return whole;
  });
  return troubles.length > before ? undefined : filled;
}
