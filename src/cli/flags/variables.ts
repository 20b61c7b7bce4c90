// The environment variables of chatform: the one list from which flags, help, the reference and warnings are made.
import { planFormatNames } from '../../view/index.ts';

/** The variables of one flag of one command. */
export interface FlagVariables {
  readonly name: string;
  /** A name without the command, which this command reads if the first one is not set. */
  readonly also?: string;
}

/** Flags that mean the same in each command that has them: `--state` is CHATFORM_STATE. */
const shared: readonly string[] = [
  'admin',
  'agents',
  'all',
  'any-size',
  'api-token-file',
  'approved-hash',
  'auto-approve',
  'base-ref',
  'base-url',
  'certificate',
  'color',
  'confirm',
  'covers',
  'data',
  'decode',
  'detailed-exitcode',
  'diff',
  'each',
  'export',
  'faults',
  'fetch',
  'force',
  'format',
  'from',
  'header-from',
  'hidden-status',
  'identities',
  'jitter',
  'junit',
  'keep-going',
  'latency',
  'lock-timeout',
  'mapping',
  'max-bytes',
  'max-duration',
  'max-file-bytes',
  'messages',
  'migration-report',
  'name',
  'online',
  'overlap',
  'path',
  'pipeline',
  'plain',
  'plain-state',
  'port',
  'public-url',
  'rate-plan',
  'reactions',
  'read-each',
  'reading',
  'readings',
  'redact',
  'refresh',
  'rehearse',
  'repair',
  'sample',
  'seed',
  'settle-time',
  'sign-command',
  'since',
  'skip-conflicts',
  'skip-refresh',
  'state',
  'state-patience',
  'strict',
  'summary',
  'taken',
  'target',
  'to',
  'tokens-out',
  'tool-timeout',
  'variables',
  'verbose',
  'verify-command',
  'window',
  'window-length',
  'without-state',
  'yes',
];

/** All values of shared flags of which each command takes its own. */
const values: Readonly<Record<string, readonly string[]>> = { format: planFormatNames };

/**
 * Flags that mean something else in each command, or name a file that each command writes anew: `--out` of plan is
 * CHATFORM_PLAN_OUT. The first command also reads the name without a command (CHATFORM_OUT), as all commands once did.
 */
const ofCommands: Readonly<Record<string, readonly string[]>> = {
  check: ['fmt', 'cutover'],
  events: ['apply', 'undo', 'drift', 'rehearse', 'destroy'],
  out: ['plan', 'undo', 'drift', 'convert', 'files', 'export', 'doctor', 'state'],
  report: ['apply', 'undo', 'drift', 'rehearse', 'destroy', 'verify'],
  verify: ['apply', 'state'],
  write: ['plan', 'show', 'undo', 'drift'],
};

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
  CHATFORM_NOTE_TOKEN: 'of the pipelines for GitLab: the token that writes notes',
  CHATFORM_REQUEST_TOKEN: 'of the pipelines for GitLab: the token that opens merge requests',
  CHATFORM_APP_ID: 'of the pipelines for GitHub: the value of `CHATFORM_VAR_APP_ID`',
};

/** Undefined for a flag that is not in the list. */
export function variablesOf(command: string, flag: string): FlagVariables | undefined {
  const commands = Object.hasOwn(ofCommands, flag) ? ofCommands[flag] : undefined;
  if (commands !== undefined) {
    if (!commands.includes(command)) return undefined;
    const name = named(`${command}-${flag}`);
    return commands[0] === command ? { name, also: named(flag) } : { name };
  }
  return shared.includes(flag) ? { name: named(flag) } : undefined;
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

/** Every name. Those that are beginnings end with an underscore. */
export function allVariables(): readonly string[] {
  const own = Object.entries(ofCommands).flatMap(([flag, commands]) => [
    named(flag),
    ...commands.map((command) => named(`${command}-${flag}`)),
  ]);
  return [...shared.map(named), ...own, ...Object.keys(otherVariables)];
}

/** The flags with a variable for each command, and the command that also reads the name without one. */
export function flagsOfCommands(): readonly { readonly flag: string; readonly commands: readonly string[] }[] {
  return Object.entries(ofCommands).map(([flag, commands]) => ({ flag, commands }));
}

function named(words: string): string {
  return `CHATFORM_${words.replaceAll('-', '_').toUpperCase()}`;
}
