// Asks for a confirmation.
import { Refusal, usage } from '../../core/model/errors.ts';
import { exitCode } from '../../core/model/exit-code.ts';
import { proseColumns, wrap } from '../../core/view/text/layout.ts';
import { safeLines } from '../../core/view/text/text.ts';
import { type CommandEnvironment, isUnattended } from '../process/environment.ts';

export interface Confirmation {
  /** What will happen, in lines. */
  readonly what: string;
  /** The flag that confirms without a prompt, and whether it is set. */
  readonly flag: string;
  readonly isGiven: boolean;
  /** The code of the refusal if the answer is not yes. */
  readonly declined: string;
}

const maxColumns = 100;

/** Shows what will happen, and throws unless the user types yes or has passed the flag. */
export async function demandYes(
  { what, flag, isGiven, declined }: Confirmation,
  environment: CommandEnvironment,
): Promise<void> {
  const { width: columns, isTerminal } = environment.stderr;
  const width = proseColumns(Math.min(columns, maxColumns), !isTerminal);
  for (const text of safeLines(what)) {
    // Short lines are already laid out.
    const lines = text.length <= width ? [text] : wrap(text, width);
    for (const line of lines) environment.stderr.write(`${line}\n`);
  }
  if (isGiven) return;
  if (isUnattended(environment) || !environment.canAsk) {
    throw usage(
      'Confirmation is required, but there is no terminal to ask on.',
      `Nothing was changed. Read the lines above, then pass ${flag} to continue.`,
    );
  }
  const answer = await environment.ask('Only "yes" is accepted: ');
  if (answer.trim() === 'yes') return;
  throw new Refusal(declined, exitCode.refused, 'Not confirmed.', 'Nothing was changed.');
}
