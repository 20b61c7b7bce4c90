// Runs a command of the user beside an emulator, until the command ends.
import {
  type ForegroundProgram,
  type ProcessSurroundings,
  runInForeground,
} from '../../core/app/context/child-processes.ts';
import { usage } from '../../core/model/errors.ts';
import type { ProgramExit } from '../../core/model/exit-code.ts';

export interface CommandSignals {
  /** Calls back on the first signal. */
  readonly onInterrupt: (callback: (signal: NodeJS.Signals) => void) => () => void;
  /** Calls back before a second signal ends this process. */
  readonly onSecondInterrupt: (callback: () => void) => () => void;
  /** A terminal sends Ctrl-C to the command itself, for which a second one could mean to end at once. */
  readonly hasTerminal: boolean;
}

/** The exit code of the command. Refused (64) if it cannot be started. */
export async function runBeside(
  [program = '', ...args]: readonly string[],
  surroundings: ProcessSurroundings,
  { onInterrupt, onSecondInterrupt, hasTerminal }: CommandSignals,
): Promise<ProgramExit> {
  let command: ForegroundProgram | undefined;
  const forget = [
    onInterrupt((signal) => {
      if (!(hasTerminal && signal === 'SIGINT')) command?.pass(signal);
    }),
    onSecondInterrupt(() => command?.pass('SIGKILL')),
  ];
  try {
    command = runInForeground(program, args, surroundings);
    return (await command.ended) as ProgramExit;
  } catch (cause) {
    throw cannotStart(program, cause);
  } finally {
    for (const end of forget) end();
  }
}

function cannotStart(program: string, cause: unknown) {
  const { code = '', message = '' } = cause as NodeJS.ErrnoException;
  const why: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such program in PATH',
    EACCES: 'it is not a program that you may run',
  };
  return usage(
    `The command ${program} cannot be started: ${why[code] ?? message}.`,
    'Write the program and its arguments after --, as separate words: chatform emulator -- npm test.',
  );
}
