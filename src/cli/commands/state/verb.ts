// What do the verbs of chatform state share? Which application is meant, and a yes before something is taken away.

import { loadDeclared } from '../../../app/load-declared.ts';
import { resolveApplication } from '../../../app/session/application.ts';
import { Refusal } from '../../../model/errors.ts';
import { type ExitCode, exitCode } from '../../../model/exit-code.ts';
import { wrap } from '../../../view/terminal/layout.ts';
import { safeLines } from '../../../view/text.ts';
import { type Environment, isUnattended } from '../../environment.ts';
import { type CommandInput, usage } from '../../flags/command.ts';

const maxColumns = 100;

export type StateVerb = (args: readonly string[], input: CommandInput, world: Environment) => Promise<ExitCode>;

/** The identity of the application of --base-url, or of the manifests in the current folder. */
export async function identityOf(input: CommandInput, world: Environment): Promise<string> {
  const isGiven = input.text('base-url') !== undefined;
  const declared = isGiven ? undefined : (await loadDeclared([], world, 'warn')).application;
  return resolveApplication(input, world, declared).identity;
}

/** Goes on only after a typed yes, or with --force. `what` says all that there is to know before. */
export async function demandYes(what: string, input: CommandInput, world: Environment): Promise<void> {
  const width = Math.min(world.stderr.width, maxColumns);
  for (const text of safeLines(what)) {
    // Short lines are laid out already.
    const lines = text.length <= width ? [text] : wrap(text, width);
    for (const line of lines) world.stderr.write(`${line}\n`);
  }
  if (input.flag('force')) return;
  if (isUnattended(world) || !world.canAsk) {
    throw usage(
      'Nobody can be asked here.',
      'Read what stands above, and give --force when it is meant. Nothing was changed.',
    );
  }
  const answer = await world.ask('Only "yes" is accepted: ');
  if (answer.trim().toLowerCase() === 'yes') return;
  throw new Refusal('state.declined', exitCode.refused, 'Not confirmed.', 'Nothing was changed.');
}

export function noMoreThan(args: readonly string[], most: number, form: string): void {
  if (args.length > most)
    throw usage(`That is too much: ${args.slice(most).join(' ')}.`, `Write: chatform state ${form}`);
}

export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
