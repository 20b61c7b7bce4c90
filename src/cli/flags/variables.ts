// The environment variables of chatform. The variable of a flag follows from the name of the flag: --state is CHATFORM_STATE. The
// lists are of exceptions.
import { planFormatNames } from '../../view/index.ts';
import type { CommandDefinition } from './command.ts';
import { longName } from './names.ts';

/** The variables of one flag of one command. */
export interface FlagVariables {
  readonly name: string;
  /** A name without the command, which this command reads if the first one is not set. */
  readonly also?: string;
}

/** All values of shared flags of which each command takes its own. */
const values: Readonly<Record<string, readonly string[]>> = { format: planFormatNames };

/**
 * Flags that mean something else in each command, or name a file that each command writes anew: `--out` of plan is
 * CHATFORM_PLAN_OUT. The first command also reads the name without a command (CHATFORM_OUT).
 */
const ofCommands: Readonly<Record<string, readonly string[]>> = {
  check: ['fmt', 'cutover'],
  events: ['apply', 'undo', 'drift', 'rehearse', 'destroy'],
  out: ['plan', 'undo', 'drift', 'calibrate', 'state'],
  'out-dir': ['convert', 'files', 'export'],
  report: ['apply', 'undo', 'drift', 'rehearse', 'destroy', 'verify'],
  seed: ['rehearse', 'emulator'],
  verify: ['apply', 'state'],
  write: ['plan', 'show', 'undo', 'drift'],
};

/** Commands whose flag of this name has another name now. Its variable is still read. */
const formerOfCommands: Readonly<Record<string, readonly string[]>> = { out: ['convert', 'files', 'export'] };

/** Commands whose approval is about more than a plan, so that a pipeline's CHATFORM_AUTO_APPROVE must not give it. */
const withoutVariable: Readonly<Record<string, readonly string[]>> = { 'auto-approve': ['calibrate', 'state'] };

/** Variables that no flag has. A name that ends with an underscore is the beginning of names. */
export const otherVariables: Readonly<Record<string, string>> = {
  CHATFORM_API_TOKEN: 'the API token',
  CHATFORM_API_TOKEN_:
    'the API token of a folder of `--each`: `CHATFORM_API_TOKEN_ENVS_STAGING` is that of `envs/staging`',
  CHATFORM_VAR_: 'the value of a declared variable: `CHATFORM_VAR_APP_ID` is that of `APP_ID`',
  CHATFORM_ALLOWED_HOSTS: 'hosts that a manifest may name, separated by commas',
  CHATFORM_STATE_PASSWORD: 'the password of the PostgreSQL database of the state',
  CHATFORM_STATE_KEY: 'the key that encrypts state and saved plans',
  CHATFORM_STATE_KEY_COMMAND: 'a command that prints this key',
  CHATFORM_STATE_KEY_OLD: 'the former key, for `chatform state rekey`',
  CHATFORM_STATE_KEY_COMMAND_OLD: 'a command that prints the former key',
  CHATFORM_STATE_READ: 'of the pipelines that `chatform init` writes: the state, to be read only',
  CHATFORM_EMULATOR_URL:
    'set by `emulator` for the command that it runs: the address of `/__clock` and the other endpoints of control',
  CHATFORM_NOTE_TOKEN: 'of the pipelines for GitLab: the token that writes notes',
  CHATFORM_REQUEST_TOKEN: 'of the pipelines for GitLab: the token that opens merge requests',
  CHATFORM_APP_ID: 'of the pipelines for GitHub: the value of `CHATFORM_VAR_APP_ID`',
};

/** Undefined for a flag of `ofCommands` in a command that is not listed there, and for an approval of such a command. */
export function variablesOf(command: string, flag: string): FlagVariables | undefined {
  if (Object.hasOwn(withoutVariable, flag) && withoutVariable[flag]?.includes(command)) return undefined;
  const commands = Object.hasOwn(ofCommands, flag) ? ofCommands[flag] : undefined;
  if (commands !== undefined) {
    if (!commands.includes(command) && formerOfCommands[flag]?.includes(command) !== true) return undefined;
    const name = named(`${command}-${flag}`);
    return commands[0] === command ? { name, also: named(flag) } : { name };
  }
  return { name: named(flag) };
}

/** The name that a command does not read, and the command that does. Undefined if the command reads the name. */
export function foreignVariable(command: string, flag: string): { name: string; home: string } | undefined {
  const [home, ...others] = ofCommands[flag] ?? [];
  return home === undefined || !others.includes(command) ? undefined : { name: named(flag), home };
}

/** Every value that some command takes for the flag. Empty if all commands take the same. */
export function valuesElsewhere(flag: string): readonly string[] {
  return values[flag] ?? [];
}

/** Every name for these commands, and those without a flag. Those that are beginnings end with an underscore. */
export function allVariables(definitions: readonly Pick<CommandDefinition, 'name' | 'options'>[]): readonly string[] {
  const ofFlags = definitions.flatMap(({ name: command, options }) =>
    options.flatMap(({ flags, former = [] }) =>
      [longName(flags), former].flat().flatMap((flag) => {
        const { name = [], also = [] } = variablesOf(command, flag) ?? {};
        return [name, also].flat();
      }),
    ),
  );
  return [...new Set([...ofFlags, ...Object.keys(otherVariables)])];
}

/** The flags with a variable for each command, and the command that also reads the name without one. */
export function flagsOfCommands(): readonly { readonly flag: string; readonly commands: readonly string[] }[] {
  return Object.entries(ofCommands).map(([flag, commands]) => ({ flag, commands }));
}

function named(words: string): string {
  return `CHATFORM_${words.replaceAll('-', '_').toUpperCase()}`;
}
