// Fills in `${NAME}` and `$${` in the application block.

import { isList, isObject, type JsonValue } from '../../../lib/json.ts';
import type { EnvironmentVariables } from '../../../lib/option-values.ts';

/** Looks up a variable of the environment by its name without the prefix. */
export type VariableLookup = (name: string) => string | undefined;

const environmentPrefix = 'CHATFORM_VAR_';

/** Returns the name of the environment variable. */
export function environmentName(name: string): string {
  return `${environmentPrefix}${name}`;
}

/** The value that an environment gives a variable. Azure Pipelines passes on `$(NAME)` where NAME is not set. */
export function variableIn(environment: EnvironmentVariables, name: string): string | undefined {
  const value = environment[environmentName(name)];
  return value !== undefined && /^\$\([A-Za-z_][\w.-]*\)$/u.test(value) ? undefined : value;
}

/** Returns the names, without the prefix, of the variables that an environment sets. An empty text counts as not set. */
export function variableNamesIn(environment: EnvironmentVariables): readonly string[] {
  return Object.keys(environment).flatMap((key) => {
    const name = key.slice(environmentPrefix.length);
    return key.startsWith(environmentPrefix) && (variableIn(environment, name) ?? '') !== '' ? [name] : [];
  });
}

/** Returns the name that is set instead of `name` and differs from it in case alone, as some CI systems write all names in capitals. */
export function nameInOtherCase(name: string, set: readonly string[]): string | undefined {
  return set.includes(name) ? undefined : set.find((other) => other.toUpperCase() === name.toUpperCase());
}

const placeholder = /\$\$\{|\$\{([^}]*)\}/gu;
const declaredPrefix = 'var.';
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/u;

/** One use of `${NAME}`. Only a filled one has a value. A refused one is reported elsewhere. */
export interface VariableUse {
  readonly type: 'filled' | 'missing' | 'malformed' | 'refused';
  readonly name: string;
  readonly path: readonly string[];
}

/** Returns the value of a declared variable, or reports a problem and returns undefined. */
export type DeclaredVariables = (name: string, path: readonly string[]) => string | number | boolean | undefined;

interface ApplicationValues {
  readonly variables: VariableLookup;
  readonly declared: DeclaredVariables;
  /** Whether the value of a variable must not be inserted. */
  readonly isWithheld: (name: string) => boolean;
}

/** Fills in all texts of a value. Texts with a missing or malformed variable are left out. `uses` receives every variable. */
export function substitute(
  value: JsonValue,
  values: ApplicationValues,
  uses: VariableUse[],
  path: readonly string[] = [],
): JsonValue | undefined {
  if (typeof value === 'string') return substituteText(value, values, uses, path);
  if (isList(value)) {
    return value.flatMap((item, index) => substitute(item, values, uses, [...path, String(index)]) ?? []);
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    const filled = substitute(inner, values, uses, [...path, key]);
    return filled === undefined ? [] : [[key, filled]];
  });
  return Object.fromEntries(entries);
}

function substituteText(
  text: string,
  { variables, declared, isWithheld }: ApplicationValues,
  uses: VariableUse[],
  path: readonly string[],
): string | number | boolean | undefined {
  let isWhole = true;
  const declaredValue = (name: string) => {
    const value = declared(name.slice(declaredPrefix.length), path);
    uses.push({ type: value === undefined ? 'refused' : 'filled', name: name.slice(declaredPrefix.length), path });
    isWhole &&= value !== undefined;
    return value;
  };
  // A text that consists of one variable has the variable's type.
  const [only, ...others] = [...text.matchAll(placeholder)];
  if (others.length === 0 && only?.[0] === text && only[1]?.startsWith(declaredPrefix)) return declaredValue(only[1]);
  const filled = text.replace(placeholder, (whole, name: string | undefined) => {
    if (name === undefined) return '${';
    if (name.startsWith(declaredPrefix)) return String(declaredValue(name) ?? whole);
    if (isWithheld(name)) {
      uses.push({ type: 'refused', name, path });
      isWhole = false;
      return whole;
    }
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
