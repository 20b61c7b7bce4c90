// Warns of environment variables that look as if they changed a command, but do not.

import { safe } from '../../core/view/text/text.ts';
import type { EnvironmentVariables } from '../../lib/option-values.ts';
import { allVariables } from './all-variables.ts';
import type { CommandDefinition, OptionDefinition } from './command.ts';
import { longName, valuesElsewhere } from './flag-names.ts';
import { variableSet } from './flag-values.ts';
import * as sharedOptions from './options.ts';

const maxLength = 100;

/** Sentences. `isGiven` says whether a flag is on the command line, so that no variable of it matters. */
export async function variableWarnings(
  definition: CommandDefinition,
  isGiven: (flag: string) => boolean,
  env: EnvironmentVariables,
  allCommands: () => Promise<readonly CommandDefinition[]>,
): Promise<readonly string[]> {
  const { name: command, options } = definition;
  const warnings: string[] = [];
  for (const { flags, choices = [] } of options) {
    const flag = longName(flags);
    if (isGiven(flag)) continue;
    const variable = variableSet(command, flag, env);
    const text = env[variable ?? ''] ?? '';
    if (variable !== undefined && !choices.includes(text) && valuesElsewhere(flag).includes(text)) {
      warnings.push(
        `${variable} is "${text}", which chatform ${command} does not know, and is ignored. It knows ${choices.join(', ')}.`,
      );
    }
  }
  return [...warnings, ...(await unknownNames(definition, env, allCommands))];
}

/** The other commands are loaded only if there is a name that is neither of this command nor of a flag that commands share. */
async function unknownNames(
  definition: CommandDefinition,
  env: EnvironmentVariables,
  allCommands: () => Promise<readonly CommandDefinition[]>,
): Promise<string[]> {
  const shared = { name: definition.name, options: Object.values(sharedOptions).flat().filter(isOption) };
  const unread = unknownTo(allVariables([definition, shared]), Object.keys(env));
  if (unread.length === 0) return [];
  const known = allVariables(await allCommands());
  const unknown = unknownTo(known, unread);
  if (unknown.length === 0) return [];
  const whole = known.filter((name) => !name.endsWith('_'));
  const { Suggestions } = await import('../../lib/suggestions.ts');
  return unknown.map((name) => {
    const shown = name.length > maxLength ? `${name.slice(0, maxLength)}…` : name;
    const hint = new Suggestions().sentence(name, whole).replaceAll('"', '');
    return `${safe(shown)} is not a variable of chatform and is ignored.${hint}`;
  });
}

function isOption(value: object): value is OptionDefinition {
  return 'flags' in value;
}

function unknownTo(known: readonly string[], names: readonly string[]): string[] {
  const beginnings = known.filter((name) => name.endsWith('_'));
  return names.filter(
    (name) =>
      name.startsWith('CHATFORM_') &&
      !known.includes(name) &&
      !beginnings.some((beginning) => name.startsWith(beginning)),
  );
}
