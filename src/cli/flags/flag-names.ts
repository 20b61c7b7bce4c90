// The names of a flag: on the command line, in the library, and as an environment variable. The variable follows from the name on the
// command line: --state is CHATFORM_STATE. The lists are of exceptions.
import { planFormatNames } from '../../view/index.ts';

/** `--out <file>` → `out`. */
export function longName(flags: string): string {
  return /--([\w-]+)/u.exec(flags)?.[1] ?? '';
}

/** `api-token-file` → `apiTokenFile`, as commander and the library name it. */
export function camel(name: string): string {
  return name.replace(/-(\w)/gu, (_whole, letter: string) => letter.toUpperCase());
}

export function kebab(name: string): string {
  return name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
}

/** All values of shared flags of which each command takes its own. */
const values: Readonly<Record<string, readonly string[]>> = { format: planFormatNames };

/** Flags that mean something else in each command, or name a file that each command writes anew: `--out` of plan is CHATFORM_PLAN_OUT. */
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

/** Commands whose approval is about more than a plan, so that a pipeline's CHATFORM_AUTO_APPROVE must not give it. */
const withoutVariable: Readonly<Record<string, readonly string[]>> = { 'auto-approve': ['calibrate', 'state'] };

/** Undefined for a flag of `ofCommands` in a command that is not listed there, and for an approval of such a command. */
export function variableOf(command: string, flag: string): string | undefined {
  if (Object.hasOwn(withoutVariable, flag) && withoutVariable[flag]?.includes(command)) return undefined;
  const commands = Object.hasOwn(ofCommands, flag) ? ofCommands[flag] : undefined;
  if (commands === undefined) return named(flag);
  return commands.includes(command) ? named(`${command}-${flag}`) : undefined;
}

/** Every value that some command takes for the flag. Empty if all commands take the same. */
export function valuesElsewhere(flag: string): readonly string[] {
  return values[flag] ?? [];
}

/** The flags with a variable for each command. */
export function flagsOfCommands(): readonly { readonly flag: string; readonly commands: readonly string[] }[] {
  return Object.entries(ofCommands).map(([flag, commands]) => ({ flag, commands }));
}

function named(words: string): string {
  return `CHATFORM_${words.replaceAll('-', '_').toUpperCase()}`;
}
