// Reads the values of the flags of a command: from the command line, or else from the environment.
import type { Command } from 'commander';
import { usage } from '../../core/model/errors.ts';
import type { EnvironmentVariables } from '../../lib/option-values.ts';
import type { CommandDefinition, OptionDefinition } from './command.ts';
import { camel, longName, valuesElsewhere, variableOf } from './flag-names.ts';

export interface FlagValues {
  readonly values: Readonly<Record<string, unknown>>;
  /** The variables that values come from. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Both by the names of commander. Refused (64) for a variable that is empty, is not a switch, or has a value that no command takes.
 * A value that only other commands take is left out.
 */
export function flagValues(
  { name: command, options }: CommandDefinition,
  parsed: Command,
  env: EnvironmentVariables,
): FlagValues {
  const variables: Record<string, string> = {};
  const values: Record<string, unknown> = { ...parsed.opts() };
  for (const option of options) {
    const flag = longName(option.flags);
    const name = camel(flag);
    const isGiven = parsed.getOptionValueSource(name) === 'cli';
    const variable = isGiven ? undefined : variableSet(command, flag, env);
    if (variable === undefined) continue;
    const value = valueFrom(option, variable, env[variable] ?? '');
    if (value === undefined) continue;
    values[name] = value;
    variables[name] = variable;
  }
  return { values, variables };
}

/** The variable that sets the flag. */
export function variableSet(command: string, flag: string, env: EnvironmentVariables): string | undefined {
  const variable = variableOf(command, flag);
  return variable === undefined || env[variable] === undefined ? undefined : variable;
}

function valueFrom({ flags, choices }: OptionDefinition, variable: string, text: string): unknown {
  // In CI an unset secret is an empty string. Using the default instead could do more than intended.
  if (text === '') {
    throw usage(
      `${variable} is empty: it probably comes from a secret or a variable that is not set.`,
      'Nothing was done. Unset it or set a value.',
    );
  }
  if (choices !== undefined && !choices.includes(text)) {
    if (valuesElsewhere(longName(flags)).includes(text)) return undefined;
    throw usage(`${variable} is "${text}".`, `It must be one of ${choices.join(', ')}.`);
  }
  if (flags.includes('...')) return text.split(',').filter((item) => item !== '');
  return /[<[]/u.test(flags) ? text : switchOf(variable, text);
}

/** Accepts the spelling of any pipeline (`True`). An unknown word must not mean true. */
function switchOf(variable: string, text: string): boolean {
  const word = text.toLowerCase();
  if (['1', 'true', 'yes', 'on'].includes(word)) return true;
  if (['0', 'false', 'no', 'off'].includes(word)) return false;
  throw usage(`${variable} is "${text}".`, 'It must be true or false.');
}
