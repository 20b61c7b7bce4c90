// The words of the help of a command and of its flags.
import { Help, type Option } from 'commander';
import type { CommandDefinition } from './command.ts';
import { exitsInWords } from './exits.ts';
import { longName, variableOf } from './flag-names.ts';

/** The help as --help and `chatform commands` print it. */
export function wholeHelp({ help, exits }: Pick<CommandDefinition, 'help' | 'exits'>): string {
  return `${help}\n\n${exitsInWords(exits)}`;
}

/** The help of a command as commander prints it above the list of flags. */
export function describedCommand(definition: Pick<CommandDefinition, 'summary' | 'help' | 'exits'>): string {
  return `${capital(definition.summary)}.\n\n${flowing(wholeHelp(definition))}`;
}

/** Adds the variable to what commander prints. Commander would read the variables itself, and each switch as true. */
export function describedOption(command: string, option: Option): string {
  const text = new Help().optionDescription(option);
  const name = variableOf(command, longName(option.flags));
  if (name === undefined) return text;
  const variable = `env: ${name})`;
  return text === option.description ? `${text} (${variable}` : `${text.slice(0, -1)}, ${variable}`;
}

const longestTerm = 32;

/** `list|show|…`: descriptions are aligned after the longest term. The usage line has all verbs. */
export function shortTerm(name: string): string {
  return name.length <= longestTerm ? name : `${name.slice(0, name.lastIndexOf('|', longestTerm))}|…`;
}

/** Joins the lines of a paragraph, because the window may be narrower. Examples keep their lines. */
function flowing(help: string): string {
  return help.replaceAll(/(?<=^\S.*)\n(?=\S)/gmu, ' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
