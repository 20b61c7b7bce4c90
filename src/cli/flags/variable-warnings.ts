// Warns of environment variables that look as if they changed a command, but do not.
import { safe } from '../../view/text/text.ts';
import type { CommandDefinition } from './command.ts';
import { variableSet } from './flag-values.ts';
import { longName } from './names.ts';
import { allVariables, foreignVariable, valuesElsewhere, variablesOf } from './variables.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const maxLength = 100;

/** Sentences. `isGiven` says whether a flag is on the command line, so that no variable of it matters. */
export async function variableWarnings(
  { name: command, options }: CommandDefinition,
  isGiven: (flag: string) => boolean,
  env: Variables,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const { flags, choices = [] } of options) {
    const flag = longName(flags);
    if (isGiven(flag)) continue;
    const variable = variableSet(command, flag, env);
    const foreign = foreignVariable(command, flag);
    const text = env[variable ?? ''] ?? '';
    if (variable === undefined && foreign !== undefined && env[foreign.name] !== undefined) {
      const own = variablesOf(command, flag)?.name ?? '';
      warnings.push(
        `${foreign.name} is only for chatform ${foreign.home} and is ignored. For --${flag} of chatform ${command}, set ${own}.`,
      );
    } else if (variable !== undefined && !choices.includes(text) && valuesElsewhere(flag).includes(text)) {
      warnings.push(
        `${variable} is "${text}", which chatform ${command} does not know, and is ignored. It knows ${choices.join(', ')}.`,
      );
    }
  }
  return [...warnings, ...(await unknownNames(env))];
}

async function unknownNames(env: Variables): Promise<string[]> {
  const all = allVariables();
  const beginnings = all.filter((name) => name.endsWith('_'));
  const known = all.filter((name) => !name.endsWith('_'));
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith('CHATFORM_') &&
      !known.includes(name) &&
      !beginnings.some((beginning) => name.startsWith(beginning)),
  );
  if (unknown.length === 0) return [];
  const { Suggestions } = await import('../../manifest/problems/suggestions.ts');
  return unknown.map((name) => {
    const shown = name.length > maxLength ? `${name.slice(0, maxLength)}…` : name;
    const hint = new Suggestions().sentence(name, known).replaceAll('"', '');
    return `${safe(shown)} is not a variable of chatform and is ignored.${hint}`;
  });
}
