// What do `${NAME}` and `$${` in the application block stand for?
import { isList, isObject, type JsonValue } from '../../lib/json.ts';

/** The value of a variable of the environment, without its prefix. */
export type Variables = (name: string) => string | undefined;

/** The environment's name of a variable. */
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

/** Fills in every text of a value. A text with a variable that cannot be had is left out, and told. */
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
    // CI systems give the empty text for a secret that a fork may not read.
    if (value !== undefined && value !== '') return value;
    troubles.push({ type: variableName.test(name) ? 'missing' : 'malformed', name, path });
    return whole;
  });
  return troubles.length > before ? undefined : filled;
}
