// The words of the help of a command and of its flags.
import { type Command, Help, type Option } from 'commander';
import type { CommandDefinition } from './command.ts';
import { exitsInWords } from './exits.ts';
import { longName, variableOf } from './flag-names.ts';

type Helped = Pick<CommandDefinition, 'summary' | 'help' | 'notes' | 'exits'>;

/** The help as `chatform commands` prints it. */
export function wholeHelp(definition: Omit<Helped, 'summary'>): string {
  return `${definition.help}\n\n${belowFlags(definition)}`;
}

/** The help of a command as commander prints it above the list of flags. */
export function describedCommand({ summary, help }: Helped): string {
  return `${capital(summary)}.\n\n${flowing(help)}`;
}

/** Prints the notes and the exit codes below the list of flags. */
export function formattedHelp(definition: Helped, command: Command, helper: Help): string {
  const above = Help.prototype.formatHelp.call(helper, command, helper);
  return `${above}\n${helper.boxWrap(flowing(belowFlags(definition)), helper.helpWidth ?? 80)}\n`;
}

function belowFlags({ notes, exits }: Pick<CommandDefinition, 'notes' | 'exits'>): string {
  return `${notes === undefined ? '' : `${notes}\n\n`}${exitsInWords(exits)}`;
}

/** Adds the variable to what commander prints. Commander would read the variables itself, and each switch as true. */
export function describedOption(command: string, option: Option): string {
  const text = new Help().optionDescription(option);
  const name = option.flags === '-h, --help' ? undefined : variableOf(command, longName(option.flags));
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
