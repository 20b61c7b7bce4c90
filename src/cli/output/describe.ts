// Describes all commands for programs: flags, exit codes, and the schemas of what they print.
import { exitCode } from '../../model/exit-code.ts';
import { version } from '../../version.ts';
import { type CommandDefinition, type OptionDefinition, wholeHelp } from '../flags/command.ts';
import { listExits } from '../flags/exits.ts';
import { longName } from '../flags/names.ts';
import { variablesOf } from '../flags/variables.ts';

/** The meanings for all commands (semantics §12). */
const meanings: Readonly<Record<keyof typeof exitCode, string>> = {
  done: 'done',
  unexpected: 'unexpected error',
  changes: 'something to do, with --detailed-exitcode only',
  authentication: 'authentication refused',
  incomplete: 'some steps failed, or what was compared differs',
  refused: 'refused by a safety rule or at the prompt; nothing changed',
  conflict: 'stale, in conflict, for another application, or an untrusted host',
  locked: 'the state is locked',
  interrupted: 'interrupted; saved, can be resumed',
  outOfTime: 'the time limit was reached; can be resumed',
  usage: 'wrong command line',
  invalid: 'manifests or another input are not valid',
};

export function describeCommands(definitions: readonly CommandDefinition[]): object {
  return {
    version,
    exit_codes: Object.entries(exitCode).map(([name, code]) => ({
      code,
      meaning: meanings[name as keyof typeof exitCode],
    })),
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
  const { name: variable, also } = variablesOf(command, longName(flags)) ?? {};
  return {
    flag: `--${longName(flags)}`,
    takes: flags.includes('...') ? 'values' : flags.includes('<') ? 'value' : 'nothing',
    variable,
    ...(also === undefined ? {} : { also }),
    description,
    ...(choices === undefined ? {} : { choices }),
    ...(value === undefined ? {} : { default: value }),
  };
}
