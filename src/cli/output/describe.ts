// Describes all commands for programs: flags, exit codes, and the schemas of what they print.
import { type ExitCode, exitCode, exitMeanings } from '../../core/model/exit-code.ts';
import { version } from '../../version.ts';
import type { CommandDefinition, OptionDefinition } from '../flags/command.ts';
import { type ExitOfCommand, listExits } from '../flags/exits.ts';
import { longName, variableOf } from '../flags/flag-names.ts';
import { wholeHelp } from '../flags/help.ts';

export interface DescribedCommands {
  readonly version: string;
  readonly exit_codes: readonly { readonly code: ExitCode; readonly meaning: string }[];
  readonly error_schema: string;
  readonly commands: readonly DescribedCommand[];
}

interface DescribedCommand {
  readonly name: string;
  readonly summary: string;
  readonly arguments: readonly { readonly usage: string; readonly description: string }[];
  readonly flags: readonly DescribedFlag[];
  /** @minItems 1 */
  readonly exit_codes: readonly ExitOfCommand[];
  /** @minItems 1 */
  readonly schemas: readonly { readonly when?: string; readonly schema: string }[];
  readonly help: string;
}

interface DescribedFlag {
  /** @pattern ^-- */
  readonly flag: `--${string}`;
  readonly takes: 'nothing' | 'value' | 'values';
  /** Absent for a flag that no variable sets. */
  readonly variable?: string | undefined;
  readonly description: string;
  readonly choices?: readonly string[];
  readonly default?: string;
}

export function describeCommands(definitions: readonly CommandDefinition[]): DescribedCommands {
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
}: CommandDefinition): DescribedCommand {
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

function describeFlag(
  command: string,
  { flags, description, choices, default: value }: OptionDefinition,
): DescribedFlag {
  return {
    flag: `--${longName(flags)}`,
    takes: flags.includes('...') ? 'values' : flags.includes('<') ? 'value' : 'nothing',
    variable: variableOf(command, longName(flags)),
    description,
    ...(choices === undefined ? {} : { choices }),
    ...(value === undefined ? {} : { default: value }),
  };
}
