// Every environment variable of chatform, for warnings and for the reference.
import type { CommandDefinition } from './command.ts';
import { longName, variableOf } from './flag-names.ts';

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
    'set by `emulator` for the command that it runs: the address of the endpoints that control the emulator, such as `/__clock`',
  CHATFORM_NOTE_TOKEN: 'of the pipelines for GitLab: the token that writes notes',
  CHATFORM_REQUEST_TOKEN: 'of the pipelines for GitLab: the token that opens merge requests',
  CHATFORM_APP_ID: 'of the pipelines for GitHub: the value of `CHATFORM_VAR_APP_ID`',
};

/** Every name for these commands, and those without a flag. Those that are beginnings end with an underscore. */
export function allVariables(definitions: readonly Pick<CommandDefinition, 'name' | 'options'>[]): readonly string[] {
  const ofFlags = definitions.flatMap(({ name: command, options }) =>
    options.flatMap(({ flags }) => variableOf(command, longName(flags)) ?? []),
  );
  return [...new Set([...ofFlags, ...Object.keys(otherVariables)])];
}
