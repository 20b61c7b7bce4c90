// The definition of a command.

import type { CommandExit } from '../../core/model/exit-code.ts';
import type { CommandEnvironment } from '../process/environment.ts';
import type { CommandInput } from './command-input.ts';
import type { Exits } from './exits.ts';
import type { ReadOutput } from './outputs.ts';

/** Not a command. Shell scripts call it with the words up to the cursor to complete the last one. */
export const askWord = '__complete';

/** A flag. Its environment variable is declared in flag-names.ts. */
export interface OptionDefinition {
  /** As commander reads it: `--out <file>`, `--keep-going`, `--write <format=file...>`. */
  readonly flags: string;
  readonly description: string;
  readonly choices?: readonly string[];
  /** The value of the flag without one, and with `no-` in front. Such a flag takes a value only behind `=`. */
  readonly alone?: string;
  readonly negated?: string;
  readonly default?: string;
  /** The file that the flag names for the command to write. */
  readonly writes?: ReadOutput;
}

export interface CommandDefinition {
  readonly name: string;
  /** In the form of the usage line: `[path...]`. */
  readonly arguments?: readonly { readonly usage: string; readonly description: string }[];
  readonly summary: string;
  /** Examples first, then what the command reads and writes. Printed above the flags, in at most 40 lines. */
  readonly help: string;
  /** Formats and rare flags. Printed below the flags, before the exit codes. */
  readonly notes?: string;
  readonly exits: Exits;
  readonly options: readonly OptionDefinition[];
  /**
   * The schemas of what --format json prints, by the subcommand or the flag that selects them; '' is the usual one. A name is
   * that of a file in `schema/`, with the definition in it after #. Refusals are `results#error`.
   */
  readonly schemas: Readonly<Record<string, string>>;
  /** Whether the command only computes, unless a flag or the policy makes it read the platform. */
  readonly isComputed?: true;
  /** Imports its own code lazily, so that other commands start fast. */
  run(input: CommandInput, environment: CommandEnvironment): Promise<CommandExit>;
}
