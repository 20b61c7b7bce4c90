// Exit codes. CI relies on their meanings (semantics §12), which exitMeanings has.

export const exitCode = {
  done: 0,
  unexpected: 1,
  changes: 2,
  authentication: 3,
  incomplete: 4,
  refused: 5,
  conflict: 6,
  locked: 7,
  interrupted: 8,
  outOfTime: 9,
  usage: 64,
  invalid: 65,
  notFound: 66,
} as const;

/**
 * The exit code of the command. Later versions may have others.
 * @type integer
 * @minimum 0
 */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** The exit code of a program that chatform ran, passed on as it is. */
export type ProgramExit = number & { readonly isOfProgram: true };
export type CommandExit = ExitCode | ProgramExit;

/** For all commands. Each command says more about its own (cli/flags/exits.ts). */
export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  [exitCode.done]: 'done',
  [exitCode.unexpected]: 'unexpected error, or a file, a program or the platform failed',
  [exitCode.changes]: 'something to do, with --detailed-exitcode only',
  [exitCode.authentication]: 'authentication refused',
  [exitCode.incomplete]: 'some steps failed, or a comparison found differences',
  [exitCode.refused]: 'refused by a safety rule, by the key of the state, or at the prompt; nothing changed',
  [exitCode.conflict]: 'stale, in conflict, or for another application',
  [exitCode.locked]: 'the state is locked',
  [exitCode.interrupted]: 'interrupted; saved, can be resumed',
  [exitCode.outOfTime]: 'the time limit was reached; can be resumed',
  [exitCode.usage]: 'wrong command line',
  [exitCode.invalid]: 'manifests or another input are not valid, or name an untrusted host',
  [exitCode.notFound]: 'an object, a run or a state does not exist',
};
