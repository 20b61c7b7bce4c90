// What the verbs of chatform state share: their flags, and a yes before something is removed.
import type { UpkeepOptions } from '../../../app/upkeep/identity.ts';
import { Refusal, usage } from '../../../model/errors.ts';
import { type ExitCode, exitCode } from '../../../model/exit-code.ts';
import { wrap } from '../../../view/terminal/layout.ts';
import { safeLines } from '../../../view/text.ts';
import { type Environment, isUnattended } from '../../environment.ts';
import type { CommandInput } from '../../flags/command.ts';
import { applicationFlags, lockFlags } from '../../flags/read-flags.ts';

const maxColumns = 100;

export type StateVerb = (args: readonly string[], input: CommandInput, environment: Environment) => Promise<ExitCode>;

export function upkeepFlags(input: CommandInput): UpkeepOptions {
  return { ...applicationFlags(input), ...lockFlags(input) };
}

/** Shows `what` is going to happen, and throws without a typed yes or --force. */
export async function demandYes(what: string, input: CommandInput, environment: Environment): Promise<void> {
  const width = Math.min(environment.stderr.width, maxColumns);
  for (const text of safeLines(what)) {
    // Short lines are laid out already.
    const lines = text.length <= width ? [text] : wrap(text, width);
    for (const line of lines) environment.stderr.write(`${line}\n`);
  }
  if (input.flag('force')) return;
  if (isUnattended(environment) || !environment.canAsk) {
    throw usage(
      'Nobody can be asked here.',
      'Read the lines above, and give --force if that is what you want. Nothing was changed.',
    );
  }
  const answer = await environment.ask('Only "yes" is accepted: ');
  if (answer.trim().toLowerCase() === 'yes') return;
  throw new Refusal('state.declined', exitCode.refused, 'Not confirmed.', 'Nothing was changed.');
}

export function noMoreThan(args: readonly string[], most: number, form: string): void {
  if (args.length > most)
    throw usage(`Too many arguments: ${args.slice(most).join(' ')}.`, `Write: chatform state ${form}`);
}

export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
