// The names of a flag: on the command line, in the library, and as an environment variable. The variable follows from the name on the
// command line: --state is CHATFORM_STATE. The lists are of exceptions.
import { planFormatNames } from '../../core/view/index.ts';

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

/** Flags without a variable: they mean something else in each command, or name a file that each command writes anew. */
export const flagsWithoutVariable: readonly string[] = [
  'check',
  'events',
  'out',
  'out-dir',
  'report',
  'seed',
  'verify',
  'write',
];

/** Commands whose approval is about more than a plan, so that a pipeline's CHATFORM_AUTO_APPROVE must not give it. */
const withOwnApproval = ['calibrate', 'conformance', 'state'];

/** Undefined for a flag without a variable. */
export function variableOf(command: string, flag: string): string | undefined {
  const isWithout =
    flagsWithoutVariable.includes(flag) || (flag === 'auto-approve' && withOwnApproval.includes(command));
  return isWithout ? undefined : `CHATFORM_${flag.replaceAll('-', '_').toUpperCase()}`;
}

/** Every value that some command takes for the flag. Empty if all commands take the same. */
export function valuesElsewhere(flag: string): readonly string[] {
  return values[flag] ?? [];
}
