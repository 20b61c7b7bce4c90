// Describes all commands for programs: flags, exit codes, and the schemas of what they print.
import { exitCode, exitMeanings } from '../../model/exit-code.ts';
import { version } from '../../version.ts';
import type { CommandDefinition, OptionDefinition } from '../flags/command.ts';
import { listExits } from '../flags/exits.ts';
import { longName, variableOf } from '../flags/flag-names.ts';
import { wholeHelp } from '../flags/help.ts';

export function describeCommands(definitions: readonly CommandDefinition[]): object {
  return {
    version,
    exit_codes: Object.values(exitCode).map((code) => ({ code, meaning: exitMeanings[code] })),
    error_schema: 'results#error',
    commands: definitions.map(describeCommand),
  };
}

function describeCommand({
  name,
  summary,
  arguments: takes = [],
  options,
  schemas,
  ...command
}: CommandDefinition): object {
  return {
    name,
    summary,
    arguments: takes.map(({ usage, description }) => ({ usage, description })),
    flags: options.map((option) => describeFlag(name, option)),
    exit_codes: listExits(command.exits),
    schemas: Object.entries(schemas).map(([when, schema]) => ({ ...(when === '' ? {} : { when }), schema })),
    help: wholeHelp(command),
  };
}

function describeFlag(command: string, { flags, description, choices, default: value }: OptionDefinition): object {
  return {
    flag: `--${longName(flags)}`,
    takes: flags.includes('...') ? 'values' : flags.includes('<') ? 'value' : 'nothing',
    variable: variableOf(command, longName(flags)),
    description,
    ...(choices === undefined ? {} : { choices }),
    ...(value === undefined ? {} : { default: value }),
  };
}
