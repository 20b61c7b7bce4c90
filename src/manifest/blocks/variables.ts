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

/** One `${NAME}`; only a filled one has a value. */
export interface VariableUse {
  readonly type: 'filled' | 'missing' | 'malformed';
  readonly name: string;
  readonly path: readonly string[];
}

/** Fills in all texts of a value. A text with a missing or malformed variable is left out. `uses` receives every variable. */
export function substitute(
  value: JsonValue,
  variables: Variables,
  uses: VariableUse[],
  path: readonly string[] = [],
): JsonValue | undefined {
  if (typeof value === 'string') return substituteText(value, variables, uses, path);
  if (isList(value)) {
    return value.flatMap((item, index) => substitute(item, variables, uses, [...path, String(index)]) ?? []);
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    const filled = substitute(inner, variables, uses, [...path, key]);
    return filled === undefined ? [] : [[key, filled]];
  });
  return Object.fromEntries(entries);
}

function substituteText(
  text: string,
  variables: Variables,
  uses: VariableUse[],
  path: readonly string[],
): string | undefined {
  let isWhole = true;
  const filled = text.replace(placeholder, (whole, name: string | undefined) => {
    if (name === undefined) return '${';
    const value = variableName.test(name) ? variables(name) : undefined;
    // CI systems set an empty text for secrets that a fork may not read.
    const isFilled = value !== undefined && value !== '';
    uses.push({ type: isFilled ? 'filled' : variableName.test(name) ? 'missing' : 'malformed', name, path });
    if (isFilled) return value;
    isWhole = false;
    return whole;
  });
  return isWhole ? filled : undefined;
}
